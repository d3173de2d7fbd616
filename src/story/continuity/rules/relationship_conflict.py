"""Two that love and hate at once: opposed bonds that hold together, with nothing told to turn them."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph_rag.views.story_view import StoryView
from ...graph_rag.views.timeline import (
    Act,
    acts,
    facing,
    holds_when_told,
    of_one_sentence,
    outweighed,
    standing,
    surely_together,
)
from ...model.findings import Violation
from ...model.predicates import PREDICATES, opposed
from ...model.types import EventTold, Relation
from .rule import LEAST_SURE, Record, counts, finding, in_document, worded

_HAS_OPPOSITE = frozenset(name for name in PREDICATES if any(opposed(name, other) for other in PREDICATES))


def relationship_conflict(view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
    """Opposed bonds (``predicates.opposed``) between the same two, the same way round or, where one of them
    is symmetric, either way.

    *A story against itself.* A conflict only where both intervals certainly share a chapter
    (``timeline.surely_together``): what is told at n holds at n, its end unknown, so the opposite told in a
    later chapter is a change, which is not this rule's business.

    *A draft against its source*. The source's side is the bond as it stands at the horizon
    (``timeline.standing``), unless a bond of the other sign is told after it. The draft may change it, but
    must tell the change.

    *What turns a bond*: an act of a ``turning`` predicate between the two, or by one of them to somebody dear
    to the other, or something that one of them LEARNS, told from the first side to the second, whose sign is
    not against the second (a rescue does not explain hatred). Both in one sentence are mixed feelings, which
    a text means.

    Assumes that linking is right. Cannot see irony, or a turn that extraction missed.
    """

    for later in _bonds(view, draft):
        for earlier in _beside(view, later, draft):
            yield later
            if opposed(earlier.predicate, later.predicate) and not _turned(view, earlier, later):
                one, other = view.name(later.subject), view.name(later.object)
                yield finding(
                    "relationship_conflict",
                    f"{worded(view, earlier)} (chapter {earlier.told}), yet {worded(view, later)} "
                    f"(chapter {later.told}), and nothing in between explains the change.",
                    [later.subject, later.object],
                    [earlier.evidence[0], later.evidence[0]],
                    confidence=min(earlier.confidence, later.confidence),
                    suggestion=f"Show what changed between {one} and {other}, or keep the bond as it was.",
                    unless="something between the two quotes explains the change (a betrayal, a rescue, "
                    "something learnt)",
                )


def _bonds(view: StoryView, document: str | None) -> Iterator[Relation]:
    for relation in view.relations():
        if counts(relation) and relation.predicate in _HAS_OPPOSITE and in_document(relation, document):
            yield relation


def _beside(view: StoryView, later: Relation, draft: str | None) -> Iterator[Relation]:
    """The bonds that ``later`` is held against: earlier ones of its own text that share a chapter with it;
    and, of a draft, those of the source that stand."""
    place = view.place(later)
    for earlier in view.bonds(later.subject, later.object):
        own = counts(earlier) and in_document(earlier, draft) and view.place(earlier) < place
        together = own and facing(earlier, later) and surely_together(earlier.holds, later.holds)
        if together and not earlier.evidence[0].overlaps(later.evidence[0]):
            yield earlier
    if draft is not None and holds_when_told(later):
        told = standing(
            view, later.subject, later.object, min_confidence=LEAST_SURE, without=draft, distinct=False
        )
        last = {bond.predicate: bond for bond in told if counts(bond) and facing(bond, later)}
        yield from (bond for bond in last.values() if not outweighed(view, bond, last.values()))


def _turned(view: StoryView, earlier: Relation, later: Relation) -> bool:
    """Is a turning act told from the first side's sentence to the second's? See the class."""
    one, other, sign = later.subject, later.object, PREDICATES[later.predicate].sign
    first, last = view.place(earlier), view.place(later)
    for end in (one, other):
        for act in acts(view, end):
            row = PREDICATES[act.predicate]
            if not row.turning or row.sign * sign < 0 or not first <= act.place <= last:
                continue
            if of_one_sentence(act, earlier) or of_one_sentence(act, later):
                continue
            if act.between(one, other):
                return True
            if act.predicate == "LEARNS" and _bears_on(view, act, other if end == one else one):
                return True
            if any(
                doer in act.agents and not _dear(view, wronged).isdisjoint(act.patients)
                for doer, wronged in ((one, other), (other, one))
            ):
                return True
    return False


def _bears_on(view: StoryView, act: Act, other: str) -> bool:
    """May what is learnt bear on the other? A language model says what it is."""
    what = act.record.what if isinstance(act.record, EventTold) else ""
    return not what or any(name in what for name in view.name(other).split())


def _dear(view: StoryView, who: str) -> set[str]:
    """Those to whom ``who`` has ever had a warm bond, and kin."""
    ties = (one for one in view.relations(who) if PREDICATES[one.predicate].lasting)
    return {
        tie.object if tie.subject == who else tie.subject
        for tie in ties
        if PREDICATES[tie.predicate].permanent or PREDICATES[tie.predicate].sign > 0
    }
