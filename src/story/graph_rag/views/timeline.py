"""When things hold: what is told at chapter n, and when it is over.

A bond told on the main line holds from its telling, its end unknown. It is over once something told
later ends it: an opposed bond (the latest wins), its denial, a move to another place or home, an event of
the table ``CLOSES``, or a death. What is told again after that holds again. What is permanent (kinship,
origin) is never over, nor is who knows whom.

The fabula out of the telling: what no word or tense places elsewhere happened in the order in which it is
told. A link ("after", "had gone", a flashback) moves the earlier event to right before the first event that
it must precede.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, partial
from math import inf
from types import MappingProxyType

from ...model.predicates import PREDICATES, SURE_ENOUGH, opposed
from ...model.types import EventOrder, EventTold, Interval, Modality, Open, Relation, gathered, quotes_of
from .story_view import Place, StoryView, canonical, grouped


def fabula_order(view: StoryView) -> list[str]:
    """The ids of all events that happened, typed or not, as far as the view's horizon, the earliest first.

    A topological order of ``view.orders()``, ties by telling. Links that contradict each other count by
    confidence.
    """
    return sorted_by_links([event.id for event in view.events(untyped=True)], view.orders())


def sorted_by_links(events: Sequence[str], orders: Iterable[EventOrder]) -> list[str]:
    """``events`` in the order given, but for what ``orders`` put before others: each event comes right after
    all that must precede it. Of links that run in a circle the least sure are left out, of equals the one
    told last. Costs events plus links, and the size of the circles squared."""
    place = {event: i for i, event in enumerate(events)}
    links = [o for o in orders if o.earlier in place and o.later in place and o.earlier != o.later]
    before = gathered((link.later, link.earlier) for link in _without_circles(links))
    done: dict[str, None] = {}
    for event in events:
        _settle(event, before, place, done)
    return list(done)


def _settle(
    event: str, before: Mapping[str, list[str]], place: Mapping[str, int], done: dict[str, None]
) -> None:
    """Appends the event to ``done`` behind all that comes before it (depth first, without recursion)."""
    stack = [event]
    while stack:
        top = stack[-1]
        open_ = [one for one in before.get(top, ()) if one not in done]
        if top in done or not open_:
            done.setdefault(top)
            stack.pop()
        else:
            stack.append(min(open_, key=place.__getitem__))


def _without_circles(links: list[EventOrder]) -> list[EventOrder]:
    """The links without the least sure ones of each circle."""
    import networkx as nx

    kept = set(range(len(links)))
    while True:
        graph = nx.DiGraph((links[i].earlier, links[i].later) for i in sorted(kept))
        circles = [circle for circle in nx.strongly_connected_components(graph) if len(circle) > 1]
        if not circles:
            return [links[i] for i in sorted(kept)]
        for circle in circles:
            inside = [i for i in kept if links[i].earlier in circle and links[i].later in circle]
            kept.discard(min(inside, key=lambda i: (links[i].confidence, -i)))


@dataclass(frozen=True, slots=True)
class Act:
    """A thing that happened at one time, whether told as an event or as a relation that does not last.

    ``record`` is what told it; ``place`` where it is told.
    """

    predicate: str
    agents: tuple[str, ...]
    patients: tuple[str, ...]
    places: tuple[str, ...]
    place: Place
    record: EventTold | Relation

    @property
    def flashback(self) -> bool:
        """Is it told in a flashback, so that it happened before the chapter that tells it?"""
        return self.record.modality is Modality.FLASHBACK

    @property
    def dead(self) -> tuple[str, ...]:
        """Who is dead after it."""
        if self.predicate == "KILLS":
            return self.patients
        if self.predicate == "DIES":
            return self.patients if isinstance(self.record, EventTold) and self.patients else self.agents
        return ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each agent with each patient, nobody with themselves."""
        return tuple((one, other) for one in self.agents for other in self.patients if one != other)

    def between(self, one: str, other: str) -> bool:
        """Do both take part, as agents or patients?"""
        people = (*self.agents, *self.patients)
        return one in people and other in people


def act_of(view: StoryView, record: EventTold | Relation) -> Act:
    """``record`` is an event, or a relation whose predicate does not last."""
    if isinstance(record, Relation):
        return Act(record.predicate, (record.subject,), (record.object,), (), view.place(record), record)
    roles = gathered(record.participants)
    agents, patients, places = (tuple(roles.get(role, ())) for role in ("agent", "patient", "place"))
    return Act(record.predicate, agents, patients, places, view.place(record), record)


def acts(view: StoryView, entity: str | None = None) -> tuple[Act, ...]:
    """Everything that happened (to the entity), in order of telling, ties by predicate and people."""
    told = [act_of(view, event) for event in view.events(entity)]
    told += [
        act_of(view, relation)
        for relation in view.relations(entity)
        if not PREDICATES[relation.predicate].lasting
    ]
    return tuple(sorted(told, key=lambda act: (act.place, act.predicate, act.agents, act.patients)))


def of_one_sentence(act: Act, relation: Relation) -> bool:
    """Are the act and the bond told by one sentence? Then the one does not turn the other."""
    pairs = ((mine, its) for mine in act.record.evidence[:1] for its in relation.evidence[:1])
    return any(mine.overlaps(its) for mine, its in pairs)


class Way(StrEnum):
    """Whose bond an event ends: the agent's to the patient, the patient's to the agent, or both."""

    AGENT = "agent"
    PATIENT = "patient"
    EITHER = "either"


CLOSES: Mapping[str, Mapping[str, Way]] = MappingProxyType(
    {
        "BETRAYS": {
            "ALLIES_WITH": Way.EITHER,
            "FRIEND_OF": Way.EITHER,
            "TRUSTS": Way.PATIENT,
            "SERVES": Way.AGENT,
            "SERVED_BY": Way.PATIENT,
        },
        "ATTACKS": {"ALLIES_WITH": Way.EITHER},
        "STEALS_FROM": {"TRUSTS": Way.PATIENT},
        "FORGIVES": {"HATES": Way.AGENT, "DISTRUSTS": Way.AGENT, "ENEMY_OF": Way.EITHER},
        "LEAVES": {"LOCATED_AT": Way.AGENT},
    }
)
"""Which bonds an event between the same two ends. DIES and KILLS are not listed: a death ends what
the dead felt, had and were to others, and leaves what others feel for the dead (see ``_bereft``)."""

_ENDED_BY_EITHER_DEATH = frozenset({"SERVES", "SERVED_BY"})
_AFTER_DEATH = 2  # chapters
_WORD = re.compile(r"\w{3,}")
_ONE_AT_A_TIME = frozenset({"LOCATED_AT", "LIVES_IN"})


def facing(one: Relation, other: Relation) -> bool:
    """Do the two speak of the same two, the same way round? Either way where one is symmetric."""
    if (one.subject, one.object) == (other.subject, other.object):
        return True
    symmetric = PREDICATES[one.predicate].symmetric or PREDICATES[other.predicate].symmetric
    return symmetric and (one.subject, one.object) == (other.object, other.subject)


def standing(
    view: StoryView,
    a: str,
    b: str,
    *,
    min_confidence: float = 0.0,
    without: str | None = None,
    distinct: bool = True,
) -> tuple[Relation, ...]:
    """The bonds that hold between the two at the view's horizon, in order of telling.

    What is told with less than ``min_confidence`` neither holds nor ends anything. ``without`` leaves
    out all that stands in the document of that id: the bonds of a source before a draft on top of it.
    ``distinct`` groups repeated tellings into the first; otherwise every telling is given.
    """
    one, other = view.resolve(a), view.resolve(b)

    def counts(record: Relation | EventTold) -> bool:
        outside = without is None or not record.evidence or record.evidence[0].document_id != without
        return outside and record.confidence >= min_confidence

    clocks = Clocks(view, counts)
    told = (bond for bond in view.bonds(one, other) if counts(bond) and holds_when_told(bond))
    kept = tuple(bond for bond in told if clocks.end_of_telling(bond) is None)
    return grouped(kept) if distinct else kept


def holds_when_told(bond: Relation) -> bool:
    """False where its own interval says that it was over when it was told (a flashback)."""
    end = bond.holds.end
    return not (isinstance(end, int) and end < bond.told)


def closing(
    view: StoryView, bond: Relation, bonds: Iterable[Relation], happened: Iterable[Act]
) -> Relation | EventTold | None:
    """What first ended the bond; None where nothing told among these did. Permanent and endless bonds never
    end."""
    if PREDICATES[bond.predicate].permanent or PREDICATES[bond.predicate].endless:
        return None
    told = view.place(bond)
    endings: list[Relation | EventTold] = [
        one for one in bonds if view.place(one) > told and _supersedes(one, bond)
    ]
    endings += [
        act.record
        for act in happened
        if _bereft(act, bond) or (act.place > told and not act.flashback and _closes(act, bond))
    ]
    return min(endings, key=view.place, default=None)


def surely_together(one: Interval, other: Interval) -> bool:
    """Do the two certainly share a chapter? What holds from n holds at n, however soon it may end."""
    first, second = _sure(one), _sure(other)
    if first is None or second is None:
        return False
    return max(first[0], second[0]) <= min(first[1], second[1])


def _sure(interval: Interval) -> tuple[float, float] | None:
    """The part of an interval in which it certainly holds; None where there is none.

    With an UNKNOWN start nothing is certain: the end that a flashback gives is only the latest possible.
    """
    start = -inf if interval.start is Open.UNBOUNDED else interval.start
    end = start if interval.end is Open.UNKNOWN else inf if interval.end is Open.UNBOUNDED else interval.end
    return None if isinstance(start, Open) or isinstance(end, Open) or end == -inf else (start, end)


def _supersedes(later: Relation, bond: Relation) -> bool:
    """Does the later bond take the earlier one's place? Only what holds when it is told can, or what tells
    that this very bond does not hold, or is over by now, however often it was told since it began."""
    if later.modality is Modality.NEGATED:
        return later.predicate == bond.predicate and facing(later, bond)
    if not holds_when_told(later):
        began, since = later.holds.start, bond.holds.start
        same = isinstance(began, int) and isinstance(since, int) and began <= since
        return same and later.predicate == bond.predicate and facing(later, bond)
    if later.predicate in _ONE_AT_A_TIME and later.predicate == bond.predicate:
        return later.subject == bond.subject and later.object != bond.object
    return opposed(later.predicate, bond.predicate) and facing(later, bond)


def _bereft(act: Act, bond: Relation) -> bool:
    """Has a death ended the bond? A flashback tells of a death that lasts, so it counts too."""
    if not act.dead:
        return False
    if bond.subject in act.dead:
        return True
    mutual = PREDICATES[bond.predicate].symmetric or bond.predicate in _ENDED_BY_EITHER_DEATH
    return mutual and bond.object in act.dead


def _closes(act: Act, bond: Relation) -> bool:
    way = CLOSES.get(act.predicate, {}).get(bond.predicate)
    if way is None:
        return False
    targets = (*act.patients, *act.places)
    forth = bond.subject in act.agents and bond.object in targets
    back = bond.subject in targets and bond.object in act.agents
    return (forth and way is not Way.PATIENT) or (back and way is not Way.AGENT)


def deaths_of(view: StoryView) -> dict[str, EventTold]:
    """Of each who dies the event that tells it first. What no language model read counts only of those who
    are on stage in two later chapters at most (in flashbacks): rules mistake many a sentence for a death."""
    seen = gathered(dict.fromkeys((one.entity, one.told) for one in view.on_stage()))
    found: dict[str, EventTold] = {}
    for event in sorted(view.events(), key=view.place):
        for who in act_of(view, event).dead if event.confidence >= SURE_ENOUGH else ():
            later = sum(chapter > event.told for chapter in seen.get(who, ()))
            if event.origin != "rules" or later <= _AFTER_DEATH:
                found.setdefault(who, event)
    return found


def stays(view: StoryView) -> Iterator[Relation]:
    """Where people are in scenes of which the text tells the place, each on the quote that tells it."""
    for one in view.on_stage():
        if one.place and one.where:
            held, quotes = Interval(one.told), (one.where,)
            yield Relation(one.entity, "LOCATED_AT", one.place, held, one.told, quotes, one.confidence)


def homes(view: StoryView, who: str) -> tuple[Relation, ...]:
    """Where somebody is told to live: what relations tell, and facts, of which a place that the story does
    not know stands for itself."""
    told = [one for one in view.relations(who, predicate="LIVES_IN") if one.subject == who]
    for fact in view.facts(who):
        if fact.aspect == "home" and fact.modality.happened:
            town, *street = fact.value.split(",", 1)
            place = ",".join((view.place_name(town), *street))
            words = _telling_words(place)
            same = (one.object for one in told if words & _telling_words(view.name(one.object)))
            is_past = fact.modality is Modality.FLASHBACK
            held = Interval(Open.UNKNOWN, fact.told - 1) if is_past else Interval(fact.told)
            told.append(
                Relation(
                    *(who, "LIVES_IN", next(same, place), held, fact.told, fact.evidence, fact.confidence),
                    *(fact.modality, fact.origin),
                )
            )
    return tuple(told)


def _telling_words(place: str) -> set[str]:
    return set(_WORD.findall(place.casefold())) - {"the"}


def is_over(relation: Relation) -> bool:
    """Of a bond as ``Clocks.closed`` gives it: has it ended?"""
    return PREDICATES[relation.predicate].lasting and isinstance(relation.holds.end, int)


def outweighed(view: StoryView, bond: Relation, bonds: Iterable[Relation]) -> bool:
    """Is a bond of the other sign among these, told later of the same two?"""
    sign = PREDICATES[bond.predicate].sign
    later = (one for one in bonds if facing(one, bond) and view.place(one) > view.place(bond))
    return any(sign * PREDICATES[one.predicate].sign < 0 for one in later)


class Clocks:
    """Until when bonds hold, by the records that ``counts`` admits; each person's acts and moves gathered
    once."""

    def __init__(self, view: StoryView, counts: Callable[[Relation | EventTold], bool] | None = None) -> None:
        self._view = view
        self._counts = counts or (lambda _: True)
        self._dead = frozenset(deaths_of(view))
        self._acts_of = cache(partial(acts, view))
        self._moves_of = cache(partial(view.relations, predicate="LOCATED_AT"))
        self._homes_of = cache(partial(homes, view))

    def ended(self, relation: Relation) -> Relation | EventTold | None:
        """What ended it; None where it holds, or was over when it was told. What was told several times
        counts from its last telling."""
        if not (PREDICATES[relation.predicate].lasting and holds_when_told(relation)):
            return None
        told = filter(holds_when_told, self._view.bonds(relation.subject, relation.object))
        again = (each for each in told if canonical(each) == canonical(relation))
        return self.end_of_telling(max((relation, *again), key=self._view.place))

    def end_of_telling(self, relation: Relation) -> Relation | EventTold | None:
        """What first ended it after this telling."""
        view, one, other = self._view, relation.subject, relation.object
        told = (*view.bonds(one, other, denied=True), *self._moves_of(one), *self._homes_of(one))
        acted = (act for act in (*self._acts_of(one), *self._acts_of(other)) if self._counts(act.record))
        happened = [act for act in acted if self._dead.issuperset(act.dead)]
        return closing(view, relation, filter(self._counts, told), happened)

    def closed(self, relation: Relation) -> Relation:
        """With the last chapter (inclusive), where the story tells of an end: a bond that is over held to the
        chapter that tells what ended it. The quote of that comes second."""
        ended = self.ended(relation) if relation.holds.end is Open.UNKNOWN else None
        if ended is None:
            return relation
        start, told = relation.holds.start, relation.evidence
        until = max(start, ended.told) if isinstance(start, int) else ended.told
        quotes = tuple(dict.fromkeys((*told[:1], *quotes_of(ended)[:1], *told[1:])))
        return replace(relation, holds=Interval(start, until), evidence=quotes)
