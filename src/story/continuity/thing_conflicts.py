"""A thing used after the text has put an end to its use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..graph_rag.thing_states import Fresh, Moment

__all__ = ["thing_conflicts"]

_ENDED = frozenset(
    {"eaten", "destroyed", "thrown away", "given away", "lost", "off", "asleep", "emptied", "shut"}
)
# what brings a thing back, by how it went
_RESTORES = {
    "eaten": frozenset({"new"}),
    "destroyed": frozenset({"new", "mended"}),
    "thrown away": frozenset({"new", "back", "mended"}),
    "given away": frozenset({"new", "back"}),
    "lost": frozenset({"new", "back"}),
    "off": frozenset({"on", "mended", "new"}),
    "asleep": frozenset({"awake"}),
    "emptied": frozenset({"filled", "new"}),
    "shut": frozenset({"opened"}),
}
_OWN_LOSS = frozenset({"given away", "lost"})  # others may still have it
# what may follow all the same: one throws away what is broken
_HARMLESS = frozenset({"off", "back", "mended", "new", "emptied", "shut", "opened", "filled"})
# what alone fails while it lasts
_NEEDS = {"asleep": "acts", "off": "run", "emptied": "drawn", "shut": "drawn"}
_FOLLOWS = {
    "destroyed": frozenset({"thrown away", "lost", "damaged"}),
    "eaten": frozenset({"thrown away", "lost"}),
}


def thing_conflicts(moments: Iterable[Moment], *, window: int = 3000) -> Iterator[tuple[Moment, Moment]]:
    """(what ended its use, the later use) of one thing: same noun, no different marks, not brought in as
    another, at most ``window`` characters on, and nothing between that brings it back. What is lost or given
    away is out of use for who did it; what is off only fails where it must work."""
    ended: dict[str, Moment] = {}
    for moment in moments:
        before = ended.get(moment.thing)
        if before is not None and _clash(before, moment, window):
            yield before, moment
            del ended[moment.thing]
            continue
        if before is not None and moment.act in _RESTORES[before.act]:
            del ended[moment.thing]
        if moment.act in _ENDED:
            ended[moment.thing] = moment


def _clash(before: Moment, moment: Moment, window: int) -> bool:
    if moment.sentence == before.sentence or moment.at - before.at > window:
        return False
    if moment.fresh > (Fresh.ANY if before.whole else Fresh.KNOWN):
        return False
    if moment.marks and before.marks and not (moment.marks & before.marks):
        return False
    if before.act in _OWN_LOSS and before.who and moment.who and not set(before.who) & set(moment.who):
        return False
    if before.act in _NEEDS:
        return moment.act == _NEEDS[before.act]
    allowed = _RESTORES[before.act] | _FOLLOWS.get(before.act, frozenset()) | _HARMLESS
    return moment.act not in allowed and moment.act != before.act
