"""What a chapter adds to what two characters are to each other: counts of what was seen where they meet.

The counts are all that a reader of pairs weighs (``pair_model``). They are kept by chapter, so that a reader
at any horizon adds up the chapters so far and nothing else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...core.types import Chapter, Document, Evidence, Span
from ..model.types import EntityKind, EntityMention, EntityMerge, Ground, PairTold, QuotationTold, followed
from .pair_model import Bag, PairModel, window_features
from .windows import KINDS, SHARES, Belonging, Belongings, Mark, Speech, Window, Windows, sentence_around

QUOTES = 4  # kept of a pair and chapter
_Pair = tuple[str, str]


@dataclass(slots=True)
class _Met(Bag):
    """What a chapter shows of two, and what speaks most for what they are: by it, and from whose side."""

    grounds: dict[tuple[str, bool], tuple[float, Span]] = field(default_factory=dict)

    def speak(self, told: Iterable[tuple[str, float]], span: Span, *, turned: bool) -> None:
        for what, weight in told:
            if weight > self.grounds.get((what, turned), (0.0, span))[0]:
                self.grounds[what, turned] = (weight, span)


@dataclass(slots=True)
class MeetingFolder:
    """Goes through a story chapter by chapter; holds who is who, of which kind and gender, so far."""

    weights: PairModel
    _into: dict[str, str] = field(default_factory=dict)
    _kinds: dict[str, Counter[EntityKind]] = field(default_factory=dict)
    _genders: dict[str, Counter[str]] = field(default_factory=dict)

    def copy(self) -> MeetingFolder:
        """One of its own with the same past."""
        kinds = {who: Counter(votes) for who, votes in self._kinds.items()}
        genders = {who: Counter(votes) for who, votes in self._genders.items()}
        return MeetingFolder(self.weights, dict(self._into), kinds, genders)

    def note(self, mentions: Iterable[EntityMention], merges: Iterable[EntityMerge]) -> None:
        """Who is who and of which kind, from mentions outside the chapters."""
        for merge in merges:
            self._into[merge.entity] = merge.into
        for mention in mentions:
            self._kinds.setdefault(mention.entity, Counter())[mention.kind] += 1
            if mention.gender:
                self._genders.setdefault(mention.entity, Counter())[mention.gender] += 1

    def add(
        self,
        document: Document,
        chapter: Chapter,
        *,
        mentions: Sequence[EntityMention],
        merges: Iterable[EntityMerge],
        quotations: Iterable[QuotationTold],
    ) -> Iterator[PairTold]:
        """What the chapter, of which mentions, merges and quotations are given, tells of each two who meet in
        it, by their ids."""
        self.note(mentions, merges)
        people, genders = self._people()
        start, text = chapter.body.start, chapter.body.of(document.text)
        marks = [
            Mark(mention.evidence.span.start - start, mention.evidence.span.end - start, who)
            for mention in mentions
            if (who := self._root(mention.entity)) in people
        ]
        speeches = [self._speech(quotation, start, people) for quotation in quotations]
        met: dict[_Pair, _Met] = {}
        for window in Windows(text, marks).meetings(speeches):
            self._count(_of(met, window.one, window.other), window)
        for belonging in Belongings(text, marks, speeches, genders):
            self._belong(met, belonging, genders, text)
        for _, seen in sorted(met.items()):
            yield _told(document, chapter, seen)

    def _people(self) -> tuple[frozenset[str], Mapping[str, str]]:
        kinds: dict[str, Counter[EntityKind]] = defaultdict(Counter)
        genders: dict[str, Counter[str]] = defaultdict(Counter)
        for who, votes in self._kinds.items():
            kinds[self._root(who)].update(votes)
        for who, told in self._genders.items():
            genders[self._root(who)].update(told)
        people = frozenset(who for who, votes in kinds.items() if _most(votes) is EntityKind.CHARACTER)
        return people, {who: _most(told) for who, told in genders.items()}

    def _root(self, entity: str) -> str:
        return followed(self._into, entity)

    def _speech(self, quotation: QuotationTold, start: int, people: frozenset[str]) -> Speech:
        speaker = self._root(quotation.speaker) if quotation.speaker else None
        hearers = (self._root(hearer) for hearer in quotation.hearers)
        pieces = (piece.span for piece in quotation.evidence[: quotation.pieces])
        return Speech(
            tuple(piece.moved(-start) for piece in pieces),
            speaker if speaker in people else None,
            tuple(hearer for hearer in hearers if hearer in people),
        )

    def _count(self, met: _Met, window: Window) -> None:
        met.kinds[KINDS.index(window.kind)] += 1
        numbers = [self.weights.word(each) for each in sorted(window_features(window.kind, window.words))]
        known = [number for number in numbers if number is not None]
        met.words.update(known)
        for turned in (False, True):
            met.speak(self.weights.grounds(known, turned=turned), window.span, turned=turned)

    def _belong(
        self, met: dict[_Pair, _Met], belonging: Belonging, genders: Mapping[str, str], text: str
    ) -> None:
        numbers = [number for noun in belonging.nouns if (number := self.weights.noun(noun)) is not None]
        for rank, other in enumerate(belonging.near, start=1):
            turned = other < belonging.owner
            pair = _of(met, min(belonging.owner, other), max(belonging.owner, other))
            pair.near[turned] += SHARES // rank
            for number in dict.fromkeys(numbers):
                pair.nouns.setdefault(number, [0, 0])[turned] += SHARES // rank
                if rank == 1:
                    grounds = self.weights.noun_grounds(number, genders.get(other, ""))
                    if grounds:
                        pair.speak(grounds, sentence_around(text, belonging.span), turned=turned)


def _most(votes: Counter[str] | Counter[EntityKind]) -> str:
    return max(votes, key=lambda each: votes[each])


def _of(met: dict[_Pair, _Met], one: str, other: str) -> _Met:
    return met.setdefault((one, other), _Met(one, other))


def _told(document: Document, chapter: Chapter, met: _Met) -> PairTold:
    best = sorted(met.grounds.items(), key=lambda each: (-each[1][0], each[0]))
    spans: dict[Span, list[Ground]] = {}
    for (what, turned), (weight, span) in best:
        if span in spans or len(spans) < QUOTES:
            spans.setdefault(span, []).append(Ground(what, turned, round(weight, 2)))
    return PairTold(
        met.one,
        met.other,
        chapter.number,
        tuple(met.kinds),
        tuple(sorted(met.words.items())),
        tuple((noun, mine, theirs) for noun, (mine, theirs) in sorted(met.nouns.items())),
        (met.near[0], met.near[1]),
        tuple(Evidence.of(document, chapter.number, span.moved(chapter.body.start)) for span in spans),
        tuple(tuple(grounds) for grounds in spans.values()),
    )
