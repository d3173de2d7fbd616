"""Who is on stage in each scene, and where: every sign of every name of a chapter, in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....core.types import Span
from ...lexicon.words import is_room
from ...model.chapter_reading import Presence, Quotation
from ...model.types import EntityKind
from ..clauses.arguments import Arguments
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..parsing.words import Word
from ..pronouns import PRONOUNS
from .places import WEIGHTS, PlaceReader, SignReader, Told, chance, odds, shifts

LEAST = 0.3  # less is not worth keeping, whatever another of somebody's names may add
ENOUGH = 6  # so many signs of one kind in a scene; another adds next to nothing
CARRIES = 30  # sentences for which a place holds without being told again
THERE = 0.5  # the weight of a sign that shows somebody at the place last told
NAMED, MEANT = 1.0, 0.7  # evidence that names somebody is better than a pronoun's
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_NARRATOR = frozenset("i me my we us our myself".split())


@dataclass(slots=True)
class _Where:
    """A place as a scene has it now, and the sentence that told it, by number."""

    mention: int
    evidence: Span
    sentence: int


@dataclass(slots=True)
class _Part:
    """What the signs so far say of one name in one scene."""

    mention: int
    evidence: Span
    best: float = -1.0
    signs: dict[str, float] = field(default_factory=dict)
    own: _Where | None = None
    places: dict[str, tuple[_Where, Span]] = field(default_factory=dict)


def read_presences(
    chapter: ParsedChapter, arguments: Arguments, quotations: Sequence[Quotation]
) -> Iterator[Presence]:
    """Everybody who may be on stage, by scene: one record for each place where the scene has him, or one
    without. The confidence is a chance by the narration alone (and by dialogue where there are no
    ``quotations``); who speaks and hears is added when the speakers are known."""
    stage = _Stage(chapter, arguments)
    stage.read(spoken=not quotations)
    for (scene, _), part in stage.parts.items():
        confidence = round(chance(odds(part.signs)), 3)
        if confidence < LEAST:
            continue
        if not part.places:
            yield Presence(part.mention, scene, None, part.evidence, confidence)
        for where, evidence in part.places.values():
            yield Presence(part.mention, scene, where.mention, evidence, confidence, where.evidence)


@dataclass(slots=True)
class _Stage:
    chapter: ParsedChapter
    arguments: Arguments
    parts: dict[tuple[int, str], _Part] = field(default_factory=dict)
    _scene: int = -1
    _here: _Where | None = None

    def read(self, *, spoken: bool) -> None:
        signs = SignReader(self.chapter)
        places = PlaceReader(self.chapter, self.arguments, signs)
        mentions = self.chapter.mentions
        for paragraph in self.chapter.paragraphs:
            self._go_on(paragraph)
            for token, number, factor in self._referring(paragraph):
                if paragraph.spoken(token):
                    if mentions[number].kind in _PEOPLE:
                        self._add(paragraph, token, number, "spoken of", factor)
                elif mentions[number].kind in _PEOPLE:
                    self._person(paragraph, token, number, factor, signs)
                elif mentions[number].kind is EntityKind.LOCATION:
                    told = places.told(paragraph, token, number)
                    if told is not None:
                        self._move(told, paragraph.sentence(token).index)
            if spoken and paragraph.prose.quotes:
                self._speech(paragraph)

    def _go_on(self, paragraph: ParsedParagraph) -> None:
        """A place holds no further than the scene and the time of the day."""
        if paragraph.prose.scene != self._scene:
            self._scene, self._here = paragraph.prose.scene, None
        elif shifts(paragraph.prose.text):
            self._here = None
            self._stay()

    def _stay(self) -> None:
        """Nobody of the scene is at a place of his own any more."""
        for (scene, _), part in self.parts.items():
            if scene == self._scene:
                part.own = None

    def _referring(self, paragraph: ParsedParagraph) -> Iterator[tuple[Any, int, float]]:
        """(head word, mention, factor) of each name, and of each pronoun that is understood."""
        mention_of, pronouns = paragraph.mention_of, self.arguments.pronouns
        narrator = self.chapter.narrator
        for token in paragraph.words:
            number = mention_of.get(token.i)
            if number is not None:
                if mention_of.get(token.head.i) != number:
                    yield token, number, NAMED
                continue
            word = token.lower_
            if word in PRONOUNS:
                meant = pronouns.resolve(paragraph, token)
                if meant is not None:
                    yield token, meant.mention, meant.factor * MEANT
            elif narrator is not None and word in _NARRATOR and not paragraph.spoken(token):
                yield token, narrator, NAMED

    def _person(
        self, paragraph: ParsedParagraph, token: Word, number: int, factor: float, signs: SignReader
    ) -> None:
        part = self._part(number)
        if part is not None and part.signs.get("acts", 0.0) >= ENOUGH:
            if token.dep_ == "nsubj":
                self._found(part, paragraph.sentence(token))
            return
        self._add(paragraph, token, number, signs.sign(paragraph, token), factor)

    def _speech(self, paragraph: ParsedParagraph) -> None:
        speech = self.arguments.dialogue.speech(paragraph)
        for voice, sign in ((speech.speaker, "says"), (speech.hearer, "called")):
            if voice is not None:
                self._add(paragraph, paragraph.words[0], voice[0], sign, voice[1])

    def _part(self, number: int) -> _Part | None:
        return self.parts.get((self._scene, self._name(number)))

    def _name(self, number: int) -> str:
        return self.chapter.mentions[number].surface.casefold()

    def _add(self, paragraph: ParsedParagraph, token: Word, number: int, sign: str, factor: float) -> None:
        sentence = paragraph.sentence(token)
        span = sentence.span
        part = self.parts.setdefault((self._scene, self._name(number)), _Part(number, span))
        part.signs[sign] = part.signs.get(sign, 0.0) + factor
        if WEIGHTS[sign] * factor > part.best:
            part.best, part.mention, part.evidence = WEIGHTS[sign] * factor, number, span
        if WEIGHTS[sign] >= THERE:
            self._found(part, sentence)

    def _found(self, part: _Part, sentence: Sentence) -> None:
        """Somebody is seen in this sentence, and so at the place last told, if that was not long ago."""
        where = part.own or self._here
        if where is not None and sentence.index - where.sentence <= CARRIES:
            part.places.setdefault(self._name(where.mention), (where, sentence.span))

    # --- where ---------------------------------------------------------------------------------------

    def _move(self, told: Told, sentence: int) -> None:
        for number in told.who:
            part = self.parts.setdefault((self._scene, self._name(number)), _Part(number, told.evidence))
            before, part.own = part.own or self._here, None
            if not told.left:
                part.signs["acts"] = part.signs.get("acts", 0.0) + NAMED
                where = self._within(told, before, sentence)
                part.places.setdefault(self._name(where.mention), (where, told.evidence))
                part.own = where
        if told.left:
            if self._here is not None and self._name(self._here.mention) == self._name(told.place):
                self._here = None
        elif told.carries:
            self._stay()
            self._here = self._within(told, self._here, sentence)

    def _within(self, told: Told, before: _Where | None, sentence: int) -> _Where:
        """The place told; a nameless room is within the place that the scene has, and that is named."""
        surface = self.chapter.mentions[told.place].surface
        nameless = surface.startswith("the ") and is_room(surface)
        if nameless and before is not None and not self._nameless(before.mention):
            return _Where(before.mention, before.evidence, sentence)
        return _Where(told.place, told.evidence, sentence)

    def _nameless(self, number: int) -> bool:
        return self.chapter.mentions[number].surface.startswith("the ")
