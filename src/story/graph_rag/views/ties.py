"""Ties: what characters are to each other, as far as all their meetings up to a horizon tell.

A relation of the log is told by one sentence; a tie is weighed over all the places where two meet
(``story.pairs``). It stands on the quotes that speak most for it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from types import MappingProxyType

from ....core.types import Evidence
from ...model.predicates import PREDICATES, SURE_ENOUGH
from ...model.types import EntityKind, Interval, Open, PairTold, Relation
from ...pairs.pair_model import SYMMETRIC, TYPES, Person, bags_of, pair_model
from .story_view import StoryView, canonical
from .timeline import Clocks, act_of, holds_when_told, is_over

PREDICATE_OF: Mapping[str, str] = MappingProxyType(
    {
        "spouse": "MARRIED_TO",
        "lover": "LOVES",
        "parent": "PARENT_OF",
        "sibling": "SIBLING_OF",
        "kin": "KIN_OF",
        "friend": "FRIEND_OF",
        "enemy": "ENEMY_OF",
        "employer": "SERVED_BY",
    }
)
"""What is shown of each type; the types that are not here are not read well enough to be shown."""

ACQUAINTED = "KNOWS"
FRIENDS = 0.3
"""A friendship that is less likely is shown as an acquaintance. On the development novels one in six of them
is one, and two in three are of two who have some tie; on labelled short stories it is one in four and three
in four, often kin."""

LIKELY = 0.6
"""The least confidence of a tie that is told in words, in an answer or the story bible."""

ORIGIN = "pairs"
"""``origin`` of a relation that was weighed, not read in one sentence."""

QUOTES = 3
_WEIGHED_AS = MappingProxyType(
    dict.fromkeys("GRANDPARENT_OF AUNT_OR_UNCLE_OF COUSIN_OF STEP_KIN_OF IN_LAW_OF".split(), "KIN_OF")
    | dict.fromkeys(("PARTNER_OF", "ENGAGED_TO"), "LOVES")
    | dict.fromkeys(("COLLEAGUE_OF", "NEIGHBOUR_OF", "TEACHES"), "KNOWS")
    | {"RIVAL_OF": "ENEMY_OF"}
)
"""Predicates that the model of pairs knows by a wider one."""

_ACQUAINTED = frozenset({"KNOWS", "APPEARS_WITH"})
_EVENT_CAP = 1.0
_FORMER = re.compile(r"(?:ex|former|late)\b")


@dataclass(frozen=True, slots=True)
class Tie:
    """``one`` is ``what`` (of ``pair_model.TYPES``) to ``other``, with a probability of 0 to 1; ``tied`` is
    that of any tie between the two. ``told`` is the chapter of the first of its quotes."""

    one: str
    what: str
    other: str
    probability: float
    told: int
    evidence: tuple[Evidence, ...]
    tied: float = 0.0

    @property
    def predicate(self) -> str:
        return ACQUAINTED if self._is_vague else PREDICATE_OF[self.what]

    @property
    def confidence(self) -> float:
        """How likely it is that what the predicate says holds."""
        return max(self.probability, self.tied) if self._is_vague else self.probability

    @property
    def _is_vague(self) -> bool:
        return self.what == "friend" and self.probability < FRIENDS


def people_of(view: StoryView) -> dict[str, Person]:
    """The characters of a view, by id."""
    return {
        one.id: Person(one.id, (one.name, *one.aliases), one.gender, one.mentions)
        for one in view.entities(EntityKind.CHARACTER)
    }


def rules_of(view: StoryView) -> dict[tuple[str, str], dict[str, float]]:
    """What rules read of each ordered two: predicate and side → confidence of a relation that happened, a
    third of it of one that did not, and 1 for an event between them."""
    found: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)

    def tell(one: str, predicate: str, other: str, weight: float) -> None:
        for pair, side in (((one, other), ">"), ((other, one), "<")):
            values = found[pair]
            values[f"{predicate}{side}"] = max(values.get(f"{predicate}{side}", 0.0), weight)

    for relation in view.relations(happened=False):
        weight = relation.confidence * (1.0 if relation.modality.happened else 1 / 3)
        known = _WEIGHED_AS.get(relation.predicate, relation.predicate)
        tell(relation.subject, known, relation.object, weight)
    for event in view.events():
        for one, other in act_of(view, event).pairs:
            tell(one, event.predicate, other, _EVENT_CAP)
    return dict(found)


def ties_of(view: StoryView) -> tuple[Tie, ...]:
    """The likeliest first. Each that its model takes for likely enough, that has a quote, and of which no
    sentence says outright the opposite; of one pair at most one of kinship and one of feeling."""
    weigh = pair_model()
    people = people_of(view)
    merged = {one: view.resolve(one) for told in view.log.pairs for one in (told.one, told.other)}
    bags = bags_of(view.log.pairs, merged, frozenset(people), weigh.turn)
    chances = weigh.probabilities(bags, people, rules_of(view))
    told: dict[tuple[str, str], list[PairTold]] = defaultdict(list)
    for record in view.log.pairs:
        one, other = merged[record.one], merged[record.other]
        told[min(one, other), max(one, other)].append(record)
    denied = {
        (frozenset((relation.subject, relation.object)), opposite)
        for relation in view.relations()
        if relation.confidence >= SURE_ENOUGH
        for opposite in PREDICATES[relation.predicate].opposites
    }
    found: list[Tie] = []
    for pair, of in chances.items():
        for what in TYPES:
            mirrored = what in SYMMETRIC and pair[0] > pair[1]
            if what not in PREDICATE_OF or mirrored:
                continue
            chance = max(of[what], chances[pair[::-1]][what]) if what in SYMMETRIC else of[what]
            if chance >= weigh.least[what] and (frozenset(pair), PREDICATE_OF[what]) not in denied:
                quotes = _quotes(told[min(pair), max(pair)], merged, pair, what)
                if quotes:
                    first = min(quote.chapter for quote in quotes)
                    tied = 1 - prod(1 - each for each in of.values())  # that one holds, were they independent
                    found.append(Tie(pair[0], what, pair[1], chance, first, quotes, tied))
    return tuple(_telling(_best(found, people)))


def _telling(ties: Sequence[Tie]) -> list[Tie]:
    """Without acquaintances of whom another tie tells more."""
    told = {frozenset((tie.one, tie.other)) for tie in ties if tie.predicate != ACQUAINTED}
    return [tie for tie in ties if tie.predicate != ACQUAINTED or frozenset((tie.one, tie.other)) not in told]


_KINSHIP = frozenset({"spouse", "parent", "sibling", "kin"})
_BLOOD = _KINSHIP - {"spouse"}
_Claim = tuple[object, ...]


def _best(found: list[Tie], people: Mapping[str, Person]) -> list[Tie]:
    """The likeliest, each that fits those before it: two are one thing in kinship and one in feeling, and no
    lovers where they are of one blood; nobody has two spouses, two mothers or two fathers unless it is
    ``SURE_ENOUGH``."""
    ranked = sorted(found, key=lambda tie: (-tie.probability, tie.one, tie.what, tie.other))
    taken: set[_Claim] = set()
    kept = []
    for tie in ranked:
        claims, excluded = _claims(tie, people)
        if taken.isdisjoint(excluded):
            taken.update(claims)
            kept.append(tie)
    return kept


def _claims(tie: Tie, people: Mapping[str, Person]) -> tuple[set[_Claim], set[_Claim]]:
    """What a tie takes, and what must not be taken for it to be kept."""
    pair, kinship = frozenset((tie.one, tie.other)), tie.what in _KINSHIP
    side = tie.one if tie.what == "lover" else ""
    claims: set[_Claim] = {(pair, kinship, side)}
    excluded: set[_Claim] = {(pair, kinship, side)}
    if tie.what in _BLOOD:
        claims.add((pair, "blood"))
        excluded.add((pair, "love"))
    elif tie.what == "lover":
        claims.add((pair, "love"))
        excluded.add((pair, "blood"))
    only: set[_Claim] = set()
    if tie.what == "spouse":
        only = {("wed", tie.one), ("wed", tie.other)}
    elif tie.what == "parent":
        only = {("child of", tie.other, people[tie.one].gender)}
    return claims | only, excluded if tie.probability >= SURE_ENOUGH else excluded | only


def _quotes(
    told: list[PairTold], merged: Mapping[str, str], pair: tuple[str, str], what: str
) -> tuple[Evidence, ...]:
    """Those that speak most for it, in order of telling."""
    weighed = []
    for record in told:
        from_one = merged[record.one] == pair[0]
        for quote, grounds in zip(record.evidence, record.grounds, strict=True):
            for ground in grounds:
                seen = ground.turned != from_one or what in SYMMETRIC
                if ground.what == what and seen:
                    weighed.append((-ground.weight, quote.chapter, quote.span.start, quote))
    best = sorted(weighed, key=lambda each: each[:3])
    quotes = list(dict.fromkeys(each[3] for each in best))[:QUOTES]
    return tuple(sorted(quotes, key=lambda quote: (quote.chapter, quote.span.start)))


def shown_relations(
    view: StoryView, entity: str | None = None, *, least_confidence: float = 0.0, once: bool = True
) -> tuple[tuple[Relation, ...], tuple[Relation, ...]]:
    """What is shown of how the entity stands, or anybody.

    First ties, the likeliest first, each as one relation with what rules read of the same (confidence is
    then the greater one). Second all else that happened and was told with the confidence, in order of
    telling, but that two merely know each other who have a tie. Each has the chapter to which it held
    where it is over (``Clocks.closed``); ``once``: what only tells that end is not there beside it.
    """
    clocks = Clocks(view)
    told = [r for r in view.relations(entity, distinct=True) if r.confidence >= least_confidence]
    held = {canonical(r) for r in told if holds_when_told(r)}
    told = [r for r in told if holds_when_told(r) or not once or canonical(r) not in held]
    own = None if entity is None else view.resolve(entity)
    by: dict[tuple[frozenset[str], str], list[Relation]] = defaultdict(list)
    for relation in told:
        wide = _WEIGHED_AS.get(relation.predicate, relation.predicate)
        by[_key(relation.subject, wide, relation.object)].append(relation)
    ties = [tie for tie in view.ties if own is None or own in (tie.one, tie.other)]
    bound = {frozenset((tie.one, tie.other)) for tie in ties}
    taken: set[int] = set()
    first = []
    for tie in ties:
        key = _key(tie.one, tie.predicate, tie.other)
        read = [one for one in by[key] if PREDICATES[tie.predicate].symmetric or one.subject == tie.one]
        taken.update(map(id, read))
        first.append(_as_relation(tie, read))
    rest = [
        one
        for one in told
        if id(one) not in taken
        and not (one.predicate in _ACQUAINTED and frozenset((one.subject, one.object)) in bound)
    ]
    return tuple(map(clocks.closed, first)), tuple(map(clocks.closed, rest))


def ending(relation: Relation) -> str:
    """``" (until chapter 3)"`` of a bond that is over, to be put behind it; empty where it holds, or where
    its own word says that it does not ("ex-husband")."""
    until = relation.holds.end
    if not is_over(relation) or _FORMER.match(relation.word):
        return ""
    over = isinstance(until, int) and until < relation.told
    return f" (over by chapter {relation.told})" if over else f" (until chapter {until})"


def _key(one: str, predicate: str, other: str) -> tuple[frozenset[str], str]:
    return frozenset((one, other)), predicate


def _as_relation(tie: Tie, read: list[Relation]) -> Relation:
    if read:
        quotes = (*(quote for one in read for quote in one.evidence), *tie.evidence)
        best = max(read, key=lambda one: one.confidence)
        confidence = max(best.confidence, tie.confidence)
        return replace(best, evidence=tuple(dict.fromkeys(quotes)), confidence=confidence)
    row = PREDICATES[tie.predicate]
    holds = Interval(Open.UNBOUNDED, Open.UNBOUNDED) if row.permanent else Interval(tie.told, Open.UNKNOWN)
    ends, sure = (tie.one, tie.predicate, tie.other), round(tie.confidence, 3)
    return Relation(*ends, holds, tie.told, tie.evidence, sure, origin=ORIGIN)
