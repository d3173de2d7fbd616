"""How two characters stand to one another, over all that is told of them up to the view's horizon.

Signals of six kinds: the bonds told between them and what they do to each other (by the sign of the
predicate, or of the verb where no predicate fits), kinship, what one says to the other, what one says of the
other to somebody else, and the mood of the sentences in which both are named. Manners govern what is said to
the face; behind the back people say what they think, and of all kinds that one tells warm pairs from cold
ones best. Tone is VADER's compound score (Hutto and Gilbert 2014), as in ``emotions.tone``, and counts
against the tone that this story's sentences have as a rule: a sombre book is not a book of enemies. Every
kind is squashed before the kinds are added, so that no long acquaintance outweighs one hatred. The weights
are the same for all stories; they were set on 201 pairs of 15 novels and on 11 fables, where the result
changes little around them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from types import MappingProxyType

from ....core.text.sentences import sentences
from ....core.types import Evidence
from ...lexicon.emotions import tone
from ...model.predicates import PREDICATES
from ...model.types import EventTold, Modality, Relation, gathered
from ..views.story_view import StoryView
from ..views.timeline import Act, act_of

KINSHIP = frozenset({"PARENT_OF", "CHILD_OF", "SIBLING_OF", "KIN_OF"})

# what each kind of signal weighs once it is squashed
WEIGHTS: MappingProxyType[str, float] = MappingProxyType(
    {"bond": 1.0, "act": 0.6, "kin": 0.3, "speech": 1.5, "talk": 3.0, "mood": 1.5}
)
REPLY = 0.5  # what the other one feels or does counts half
HEARSAY = 0.6  # and so, nearly, what is only said in somebody's speech
VERB_LEAST = 0.25  # a verb with a fainter tone has no sign
FEW = 2.0  # so many sentences of no tone at all are put to those there are
USUAL = 30.0  # and so many to those that tell how the story sounds as a rule
MOST_QUOTES = 8
SIGN_LEAST = 0.05
MANY = 4  # a sentence that names more is of no two of them
NEAR = 200  # characters back to a name that a sentence still speaks of


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing that speaks for warmth (``weight`` above 0) or coldness; ``kind`` is ``"bond"``, ``"act"``,
    ``"kin"``, ``"speech"``, ``"talk"`` or ``"mood"``."""

    kind: str
    weight: float
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """How ``one`` stands to ``other`` (ids): ``sign`` is -1, 0 or 1; ``strength`` -1 to 1; ``confidence`` 0
    to 1, how much of what speaks at all speaks for the sign; ``evidence`` the quotes that speak for it, the
    weightiest first, at most 8."""

    one: str
    other: str
    sign: int
    strength: float
    confidence: float
    evidence: tuple[Evidence, ...]

    def sentence(self, view: StoryView) -> str:
        """The standing in words, with the names that ``view`` knows them by."""
        how = ("cold", "neither warm nor cold", "warm")[self.sign + 1]
        return (
            f"{view.name(self.one)} is {how} to {view.name(self.other)} "
            f"(strength {self.strength:+.2f}, confidence {self.confidence:.2f})."
        )


_Tone = tuple[float, tuple[Evidence, ...]]
_Tones = Mapping[tuple[str, str], list[_Tone]]
_Stands = Mapping[str, list[tuple[int, str]]]


class Affinities:
    """Answers for one view. Indexes are built on first use, each in one pass over the view."""

    def __init__(self, view: StoryView) -> None:
        self._view = view
        self._usual: dict[str, float] = {}

    def towards(self, a: str, b: str) -> Standing:
        """How ``a`` stands to ``b``; what b feels and does counts for less. All zero where nothing is
        told."""
        one, other = self._view.resolve(a), self._view.resolve(b)
        return _summed(one, other, tuple(self.signals(one, other)))

    def between(self, a: str, b: str) -> Standing:
        """How the two stand to one another, whoever feels it: symmetric."""
        one, other = sorted((self._view.resolve(a), self._view.resolve(b)))
        both = (*self.signals(one, other), *self.signals(other, one))
        return _summed(one, other, tuple(replace(each, weight=each.weight / 2) for each in both))

    def standings(self, a: str, b: str) -> tuple[Standing, ...]:
        """How each stands to the other, a to b first; without a side for which nothing speaks."""
        return tuple(side for side in (self.towards(a, b), self.towards(b, a)) if side.evidence)

    def signals(self, a: str, b: str) -> Iterator[Signal]:
        """Everything that speaks for or against, in order of kind and telling."""
        one, other = self._view.resolve(a), self._view.resolve(b)
        pair = (min(one, other), max(one, other))
        for relation in self._bonds.get(pair, ()):
            yield from _of_bond(relation, one)
        for act in self._acts.get(pair, ()):
            yield from _of_act(act, one, other)
        yield from self._toned("speech", self._said, one, other)
        yield from self._toned("talk", self._spoken_of, one, other)
        yield from self._toned("mood", self._moods, *pair)

    def _toned(self, kind: str, told: _Tones, one: str, other: str) -> Iterator[Signal]:
        """By the tone of what is told, against that of such sentences in this story as a rule."""
        if kind not in self._usual:
            felt_of = [felt for tones in told.values() for felt, _ in tones]
            self._usual[kind] = sum(felt_of) / (len(felt_of) + USUAL)
        found = [(1.0, *each) for each in told.get((one, other), ())]
        found += [(REPLY, *each) for each in told.get((other, one), ())]
        for weight, felt, quotes in found:
            yield Signal(kind, weight * (felt - self._usual[kind]) / (len(found) + FEW), quotes)

    @cached_property
    def _bonds(self) -> Mapping[tuple[str, str], list[Relation]]:
        return gathered(
            ((min(one.subject, one.object), max(one.subject, one.object)), one)
            for one in self._view.relations(happened=False)
            if one.modality.happened or one.modality is Modality.REPORTED
        )

    @cached_property
    def _acts(self) -> Mapping[tuple[str, str], list[Act]]:
        told = (act_of(self._view, event) for event in self._view.events(untyped=True))
        return gathered(((min(pair), max(pair)), act) for act in told for pair in act.pairs)

    # --- what they say to each other

    @cached_property
    def _said(self) -> _Tones:
        found: dict[tuple[str, str], list[_Tone]] = {}
        for quotation in self._view.quotations():
            if quotation.speaker is None or len(quotation.hearers) != 1:
                continue
            pieces = quotation.evidence[: quotation.pieces]
            felt = tone(" ".join(piece.quote for piece in pieces)) * quotation.confidence
            found.setdefault((quotation.speaker, quotation.hearers[0]), []).append((felt, pieces))
        return found

    # --- what one says of the other to somebody else

    @cached_property
    def _spoken_of(self) -> _Tones:
        """By who speaks and who is spoken of: the tone of the sentences that name them behind their back."""
        found: dict[tuple[str, str], list[_Tone]] = {}
        for quotation in self._view.quotations():
            if quotation.speaker is None:
                continue
            present = {quotation.speaker, *quotation.hearers}
            for said in _sentences_of(quotation.evidence[: quotation.pieces]):
                named = _named(self._where, said.document_id, said.span.start, said.span.end)
                others = sorted(named - present)
                if others and len(named - {quotation.speaker}) < MANY:
                    felt = tone(said.quote)
                    for other in others:
                        found.setdefault((quotation.speaker, other), []).append((felt, (said,)))
        return found

    # --- the mood where both are named

    @cached_property
    def _where(self) -> _Stands:
        """By document where mentions stand, in order, and whose they are."""
        told = ((one.evidence, self._view.resolve(one.entity)) for one in self._view.log.mentions)
        found = gathered((quote.document_id, (quote.span.start, whose)) for quote, whose in told)
        return {document: sorted(stands) for document, stands in found.items()}

    @cached_property
    def _moods(self) -> _Tones:
        """For each pair the tone of the sentences that name both, and half that of those that name one of
        them just after the other; a sentence is known where anything at all is told on it."""
        found: dict[tuple[str, str], list[_Tone]] = {}
        for quote, part in self._sentences.items():
            where, document, start = self._where, quote.document_id, quote.span.start
            here = _named(where, document, start, quote.span.end) | part
            if not 1 <= len(here) <= MANY:
                continue
            felt = tone(quote.quote)
            for pair in combinations(sorted(here), 2):
                found.setdefault(pair, []).append((felt, (quote,)))
            if len(here) == 1:
                (one,) = here
                for other in sorted(_named(where, document, start - NEAR, start) - here):
                    found.setdefault((min(one, other), max(one, other)), []).append((felt / 2, (quote,)))
        return found

    @cached_property
    def _sentences(self) -> Mapping[Evidence, frozenset[str]]:
        """Each with those who take part in what is told on it, named or not."""
        view, log = self._view, self._view.log
        found: dict[Evidence, set[str]] = {}
        for relation in view.relations(happened=False):
            found.setdefault(relation.evidence[0], set()).update((relation.subject, relation.object))
        for event in view.events(happened=False, untyped=True):
            people = (who for role, who in event.participants if role != "place")
            found.setdefault(event.evidence[0], set()).update(people)
        for state in log.states:
            found.setdefault(state.evidence, set()).add(view.resolve(state.entity))
        known = self._where
        return {quote: frozenset(people) for quote, people in found.items() if quote.document_id in known}


def _named(where: _Stands, document: str, start: int, end: int) -> frozenset[str]:
    """Who is mentioned in that stretch of the document."""
    stands = where.get(document, [])
    return frozenset(who for _, who in stands[bisect_left(stands, (start,)) : bisect_left(stands, (end,))])


def _sentences_of(pieces: Iterable[Evidence]) -> Iterator[Evidence]:
    """The sentences of what is said, each with its place in the text."""
    for piece in pieces:
        for within in sentences(piece.quote):
            yield replace(piece, span=within.moved(piece.span.start), quote=within.of(piece.quote))


def _of_bond(relation: Relation, one: str) -> Iterator[Signal]:
    row = PREDICATES[relation.predicate]
    sure = relation.confidence * (1.0 if relation.modality.happened else HEARSAY)
    if row.sign:
        outward = relation.subject == one or row.symmetric
        yield Signal("bond", row.sign * sure * (1.0 if outward else REPLY), relation.evidence)
    elif relation.predicate in KINSHIP:
        yield Signal("kin", sure, relation.evidence)


def _of_act(act: Act, one: str, other: str) -> Iterator[Signal]:
    row = PREDICATES[act.predicate]
    sign = float(row.sign)
    if act.predicate == "DOES" and isinstance(act.record, EventTold):
        sign = _sign_of_verb(act.record.verb)
    if not sign or not act.between(one, other):
        return
    outward = one in act.agents or row.symmetric
    yield Signal("act", sign * act.record.confidence * (1.0 if outward else REPLY), act.record.evidence)


@lru_cache(maxsize=4096)
def _sign_of_verb(verb: str) -> float:
    """-0.5, 0 or 0.5: that of the verb's own tone."""
    felt = tone(verb)
    return math.copysign(0.5, felt) if abs(felt) >= VERB_LEAST else 0.0


def _summed(one: str, other: str, signals: tuple[Signal, ...]) -> Standing:
    sums = dict.fromkeys(WEIGHTS, 0.0)
    for signal in signals:
        sums[signal.kind] += signal.weight
    total = sum(weight * math.tanh(sums[kind]) for kind, weight in WEIGHTS.items())
    sign = 0 if abs(total) < SIGN_LEAST else (1 if total > 0 else -1)
    weights = [(WEIGHTS[signal.kind] * signal.weight, signal) for signal in signals]
    told = sum(abs(weight) for weight, _ in weights)
    behind = sorted(((w, s) for w, s in weights if w * total > 0), key=lambda pair: -abs(pair[0]))
    quotes = dict.fromkeys(quote for _, signal in behind for quote in signal.evidence[:1])
    sure = sum(abs(weight) for weight, _ in behind) / (told + 1.0)
    strength = round(math.tanh(total), 3)
    return Standing(one, other, sign, strength, round(sure, 3), tuple(quotes)[:MOST_QUOTES])
