"""Who is on stage in each scene, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.types import Span
from ..reading import Presence, Quotation
from ..types import EntityKind
from .arguments import Arguments
from .parsed import ParsedChapter, ParsedParagraph
from .presence_signs import WEIGHTS, SignReader
from .pronouns import PRONOUNS

__all__ = ["read_presences"]

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_NARRATOR = frozenset("i me my we us our myself".split())


@dataclass(slots=True)
class _Part:
    """What the signs so far say of one name in one scene: the chance that he is not there."""

    absent: float = 1.0
    mention: int = 0
    evidence: Span = Span(0, 0)
    best: float = 0.0
    signs: list[str] = field(default_factory=list)

    def add(self, mention: int, evidence: Span, weight: float, sign: str = "") -> None:
        self.absent *= 1.0 - weight
        self.signs.append(sign)
        if weight > self.best:
            self.best, self.mention, self.evidence = weight, mention, evidence


def read_presences(
    chapter: ParsedChapter, arguments: Arguments, quotations: Sequence[Quotation]
) -> Iterator[Presence]:
    parts = Parts(chapter, arguments)
    parts.read(spoken=not quotations)
    for (scene, _), part in sorted(parts.parts.items(), key=lambda item: (item[0][0], item[1].evidence)):
        yield Presence(part.mention, scene, None, part.evidence, round(1.0 - part.absent, 3))


@dataclass(slots=True)
class Parts:
    chapter: ParsedChapter
    arguments: Arguments
    parts: dict[tuple[int, str], _Part] = field(default_factory=dict)

    def read(self, spoken: bool) -> None:
        signs = SignReader(self.chapter)
        for paragraph in self.chapter.paragraphs:
            for token, mention, factor in self._people(paragraph):
                if paragraph.spoken(token):
                    self._add(paragraph, token, mention, "spoken of", 1.0)
                    continue
                self._add(paragraph, token, mention, signs.sign(paragraph, token), factor)
            if spoken and paragraph.prose.quotes:
                self._speech(paragraph)

    def _speech(self, paragraph: ParsedParagraph) -> None:
        speech = self.arguments.dialogue.speech(paragraph)
        token = paragraph.doc[0]
        for voice, sign in ((speech.speaker, "says"), (speech.hearer, "called")):
            if voice is not None:
                self._add(paragraph, token, voice[0], sign, voice[1])

    def _people(self, paragraph: ParsedParagraph) -> Iterator[tuple[Any, int, float]]:
        mentions, mention_of = self.chapter.mentions, paragraph.mention_of
        narrator = getattr(self.chapter, "narrator", None)
        for token in paragraph.doc:
            number = mention_of.get(token.i)
            if number is not None:
                inside = mention_of.get(token.head.i) == number and token.head is not token
                if not inside and mentions[number].kind in _PEOPLE:
                    yield token, number, 1.0
                continue
            word = token.lower_
            if word in PRONOUNS:
                meant = self.arguments.pronouns.resolve(paragraph, token)
                if meant is not None and mentions[meant.mention].kind in _PEOPLE:
                    yield token, meant.mention, meant.factor
            elif narrator is not None and word in _NARRATOR and not paragraph.spoken(token):
                yield token, narrator, 1.0

    def _add(self, paragraph: ParsedParagraph, token: Any, mention: int, sign: str, factor: float) -> None:
        name = self.chapter.mentions[mention].surface.casefold()
        part = self.parts.setdefault((paragraph.prose.scene, name), _Part())
        part.add(mention, paragraph.sentence(token).span, WEIGHTS[sign] * factor, sign)
