"""Hartley, once Hartly: a name that the text knows well, spelled otherwise where the same person is meant."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from ...model.trait_values import SPELLING
from ...model.types import EntityKind, EntityMention, TraitTold
from ...names.lexicon import TITLES
from ...names.spelling import LEAST_LETTERS, alike
from ...time.rules import CALENDAR
from ..seams.rule import Fact
from .given_name_drift import TwiceNamed, twice_named

__all__ = ["NameDrift"]

_PEOPLE = frozenset({EntityKind.CHARACTER})


@dataclass(frozen=True, slots=True)
class _Use:
    """One word of a name as one mention writes it; ``frame`` is the mention with a gap for the word."""

    word: str
    frame: str
    mention: EntityMention


@dataclass(frozen=True, slots=True)
class NameDrift:
    """A word of a character's name (five letters or more) that comes ``established`` times or more, and after
    that, ``slips`` times at most in the whole text, a word so like it (``name_spelling.alike``) that the same
    name is meant: "Hartley" and "Hartly", "Elizabeth" and "Elisabeth".

    It must stand in a frame in which the usual word stands as well ("Mr. …", "… Bennet", alone), agree in
    gender, come later than the usual one by ``settled`` mentions, and not within ``apart`` characters of it,
    as two persons told apart would be, or puns on a name. What stands in direct speech is left out:
    speakers mangle names. WARNING.

    Found as well is a surname met a few times in all that has two given names (``rules.given_name_drift``).

    Assumes that the reading takes the odd spelling for a name at all. Cannot see a name wholly changed, short
    names, or two spellings that the text uses side by side.
    """

    name: ClassVar[str] = "name_drift"
    severity: ClassVar[Severity] = Severity.WARNING

    established: int = 8
    settled: int = 6
    slips: int = 2
    apart: int = 120

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        uses = _uses(view)
        yield from self._unnamed(view, uses, only_document)
        for one, other in twice_named(view):
            if only_document in (None, other.quote.document_id):
                yield self._renamed(one, other)
        speech = _Speech(view)
        for rare, odd in uses.items():
            if len(odd) > self.slips:
                continue
            usual = self._usual(uses, rare, odd)
            if usual is None:
                continue
            for use in odd:
                quote = use.mention.evidence
                if only_document in (None, quote.document_id) and self._slip(view, speech, uses[usual], use):
                    yield self._violation(view, uses[usual], use)

    def _unnamed(
        self, view: StoryView, uses: Mapping[str, Sequence[_Use]], draft: str | None
    ) -> Iterator[Violation]:
        """Odd words that the reading took for no name (``naming.odd_spellings``)."""
        odd: dict[str, list[TraitTold]] = {}
        for trait in view.traits():
            if trait.aspect == SPELLING:
                odd.setdefault(trait.value, []).append(trait)
        for word, told in odd.items():  # "it began in March" is no Marsh
            usual = None if word in uses or word in CALENDAR else self._usual(uses, word, told)
            if usual is None or len(told) > self.slips:
                continue
            for trait in told:
                quote = trait.evidence[0]
                before = [u for u in uses[usual] if view.place(u.mention.evidence) < view.place(quote)]
                if draft not in (None, quote.document_id) or len(before) < self.settled:
                    continue
                if not self._beside(uses[usual], quote):
                    yield self._worded(uses[usual], quote, (trait.entity,))

    def checkable(
        self,
        view: StoryView,  # noqa: ARG002 (part of the seam)
        *,
        only_document: str | None = None,  # noqa: ARG002
    ) -> frozenset[Fact]:
        """None: what it reads are names and not statements."""
        return frozenset()

    def _usual(
        self, uses: Mapping[str, Sequence[_Use]], rare: str, odd: Sequence[_Use | TraitTold]
    ) -> str | None:
        """The one well-known word that the rare one is like; None for none or several."""
        near = [
            word
            for word, known in uses.items()
            if len(known) >= max(self.established, 4 * len(odd)) and alike(word, rare)
        ]
        return near[0] if len(near) == 1 else None

    def _slip(self, view: StoryView, speech: _Speech, known: Sequence[_Use], odd: _Use) -> bool:
        here = view.place(odd.mention.evidence)
        before = [use for use in known if view.place(use.mention.evidence) < here]
        if len(before) < self.settled or odd.frame not in {use.frame for use in known}:
            return False
        genders = {use.mention.gender for use in known if use.mention.gender}
        if odd.mention.gender and genders and odd.mention.gender not in genders:
            return False
        if speech.holds(odd.mention):
            return False
        return not self._beside(known, odd.mention.evidence)

    def _beside(self, known: Sequence[_Use], quote: Evidence) -> bool:
        """Does the usual spelling stand so near that two are told apart?"""
        return any(
            abs(use.mention.evidence.span.start - quote.span.start) < self.apart
            for use in known
            if use.mention.evidence.document_id == quote.document_id
        )

    def _violation(self, view: StoryView, known: Sequence[_Use], odd: _Use) -> Violation:
        people = {view.resolve(known[0].mention.entity), view.resolve(odd.mention.entity)}
        return self._worded(known, odd.mention.evidence, tuple(sorted(people)))

    def _renamed(self, one: TwiceNamed, other: TwiceNamed) -> Violation:
        first, second = one.name.title(), other.name.title()
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=f"{first} (chapter {one.quote.chapter}) is {second} in chapter {other.quote.chapter}.",
            entities=tuple(sorted({one.entity, other.entity})),
            evidence=(one.quote, other.quote),
            suggestion=f"Call both by one given name, or make clear that {second} is somebody else.",
            unless="the two are different people of one family",
        )

    def _worded(self, known: Sequence[_Use], quote: Evidence, people: tuple[str, ...]) -> Violation:
        first, usual = known[0].mention, known[0].word
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=f"{usual} (so written {len(known)} times) is {quote.quote} in chapter {quote.chapter}.",
            entities=people,
            evidence=(first.evidence, quote),
            suggestion=f"Write {usual}, or make clear that {quote.quote} is somebody else.",
            unless="the two are different people, or somebody in the story spells or says it so",
        )


class _Speech:
    """Where direct speech stands."""

    def __init__(self, view: StoryView) -> None:
        self._starts: dict[str, list[tuple[int, int]]] = {}
        for quotation in view.quotations():
            for piece in quotation.evidence[: quotation.pieces]:
                spans = self._starts.setdefault(piece.document_id, [])
                spans.append((piece.span.start, piece.span.end))
        for spans in self._starts.values():
            spans.sort()

    def holds(self, mention: EntityMention) -> bool:
        spans = self._starts.get(mention.evidence.document_id, [])
        k = bisect_left(spans, (mention.evidence.span.end, 0)) - 1
        return k >= 0 and spans[k][1] > mention.evidence.span.start


def _uses(view: StoryView) -> dict[str, list[_Use]]:
    """Every word of the names of characters, lower case, with its uses in order of the text."""
    found: dict[str, list[_Use]] = {}
    for mention in view.log.mentions:
        if mention.kind not in _PEOPLE or mention.surface.startswith("the "):
            continue
        words = mention.surface.split()
        for i, word in enumerate(words):
            bare = word.strip(".,'’")
            key = bare.casefold()
            if len(bare) >= LEAST_LETTERS - 1 and bare[0].isupper() and key not in TITLES:
                frame = " ".join((*words[:i], "…", *words[i + 1 :])).casefold()
                found.setdefault(key, []).append(_Use(bare, frame, mention))
    return found
