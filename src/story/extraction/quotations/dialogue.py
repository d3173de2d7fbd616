"""Direct speech, who speaks and to whom: by the words beside the speech, by name called, and by turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ....core.types import Span
from ...model.chapter_reading import Quotation, Voice
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word
from ..pronouns import NOBODY, PRONOUNS, ChapterCast, PronounReader
from .turn_taking import Turn, around, take_turns
from .utterances import Resolve, Utterance, find_utterances

LEAST = 0.5  # of a speaker's probability, for what is said through him
TURN = 0.7
CALLED = 0.9  # the confidence of a hearer whose name is called; others have less
MOST = 10


@dataclass(frozen=True, slots=True)
class Speech:
    """``speaker`` and ``hearer`` are mentions with a factor (0 to 1) for what is said through them; ``verb``
    is the verb of saying, None where the speaker is known by turns alone; ``called``: the hearer's name
    is called out in the speech."""

    speaker: tuple[int, float] | None = None
    hearer: tuple[int, float] | None = None
    verb: Word | None = None
    called: bool = False


@dataclass(slots=True)
class Dialogue:
    """One answer a paragraph; in one with two speakers, an answer for each word that is said."""

    chapter: ParsedChapter
    utterances: list[Utterance] = field(default_factory=list)
    _speeches: dict[int, list[tuple[Utterance, Speech]]] = field(default_factory=dict)

    @classmethod
    def of(cls, chapter: ParsedChapter, pronouns: PronounReader, resolve: Resolve) -> Dialogue:
        """``resolve`` says whom a noun outside the speech means. What the turns tell of pronouns beside
        speech is told to ``pronouns``."""
        dialogue = cls(chapter, find_utterances(chapter, pronouns, resolve))
        cast = pronouns.cast
        ranked = take_turns([_turn(each, cast) for each in dialogue.utterances])
        meant = [
            _meant(dialogue.utterances, i, ranks, cast) if ranks and ranks[0][1] >= LEAST else None
            for i, ranks in enumerate(ranked)
        ]
        dialogue._tell(meant, cast)
        tags, speakers = {}, {}
        for utterance, speaker in zip(dialogue.utterances, meant, strict=True):
            if speaker is None:
                continue
            number = utterance.paragraph.number
            if utterance.tag is not None and utterance.tag.word in PRONOUNS:
                tags[number, utterance.tag.subject.i] = speaker
            elif utterance.tag is None or utterance.tag.mention is None:
                speakers[number] = speaker
        pronouns.hear(tags, speakers)
        return dialogue

    def speech(self, paragraph: ParsedParagraph, word: Word | None = None) -> Speech:
        """The paragraph's only speech; where it has several, that which holds the word, or an empty one."""
        found = self._speeches.get(paragraph.number, [])
        if len(found) > 1 and word is not None:
            found = [(utterance, speech) for utterance, speech in found if utterance.holds(paragraph, word)]
        return found[0][1] if len(found) == 1 else Speech()

    def _tell(self, meant: list[tuple[int, float] | None], cast: ChapterCast) -> None:
        for i, utterance in enumerate(self.utterances):
            speaker = meant[i]
            who = cast.who[speaker[0]] if speaker else NOBODY
            own = [number for number in utterance.called if cast.who[number] != who]
            hearer: tuple[int, float] | None = None
            if len({cast.who[number] for number in own}) == 1:
                hearer = own[0], CALLED
            elif not own:
                hearer = self._other(i, meant, who, cast)
            verb = utterance.tag.verb if utterance.tag is not None and utterance.tag.plain else None
            speech = Speech(speaker, hearer, verb, bool(own) and hearer is not None)
            for number in {utterance.paragraph.number, utterance.last.number}:
                self._speeches.setdefault(number, []).append((self.utterances[i], speech))

    def _other(
        self, i: int, meant: list[tuple[int, float] | None], who: int, cast: ChapterCast
    ) -> tuple[int, float] | None:
        """Who spoke just before, as a rule, is spoken to."""
        if i == 0 or self.utterances[i].paragraph.number - self.utterances[i - 1].last.number > 1:
            return None
        last = meant[i - 1]
        if who == NOBODY or last is None or cast.who[last[0]] == who:
            return None
        return last[0], round(TURN * last[1], 3)


def _turn(utterance: Utterance, cast: ChapterCast) -> Turn:
    voices: dict[int, float] = {}
    for voice in utterance.voices:
        who = cast.who[voice.mention]
        known = cast.gender(who)
        if who != NOBODY and not (voice.gender and known and known != voice.gender):
            voices[who] = 1 - (1 - voices.get(who, 0.0)) * (1 - voice.confidence)
    other = {"f": "m", "m": "f"}.get(utterance.gender, "?")
    barred = frozenset(who for who in set(cast.who) if cast.gender(who) == other)
    return Turn(
        utterance.paragraph.number,
        utterance.last.number,
        utterance.paragraph.prose.scene,
        voices,
        frozenset(cast.who[number] for number in utterance.called) - {NOBODY},
        frozenset(cast.who[number] for number in utterance.named) - {NOBODY},
        barred,
    )


def _meant(
    utterances: list[Utterance], i: int, ranks: list[tuple[Any, float]], cast: ChapterCast
) -> tuple[int, float]:
    """The mention that stands for the likeliest speaker: of this turn, else of the nearest one around."""
    who, sure = ranks[0]
    for k in around(i, len(utterances)):
        for voice in utterances[k].voices:
            if cast.who[voice.mention] == who:
                return voice.mention, sure
    return next(n for n, other in enumerate(cast.who) if other == who), sure


def read_quotations(chapter: ParsedChapter, dialogue: Dialogue) -> Iterator[Quotation]:
    """Every utterance in order of the text. Speakers are weighed by what is said beside the speech alone:
    the turns of the conversation are for the linker, who knows which names are one person's."""
    for utterance in dialogue.utterances:
        speech = dialogue.speech(utterance.paragraph)
        hearers = [Voice(number, CALLED, _sentence(chapter, number)) for number in utterance.called]
        if speech.hearer is not None and not speech.called:
            number, sure = speech.hearer
            hearers.append(Voice(number, min(sure, CALLED - 0.1), _sentence(chapter, number)))
        speakers = _ranked(utterance)
        yield Quotation(utterance.pieces, speakers, tuple(hearers), utterance.kind)


def _ranked(utterance: Utterance) -> tuple[Voice, ...]:
    best: dict[int, Voice] = {}
    for voice in utterance.voices:
        known = best.get(voice.mention)
        if known is None or voice.confidence > known.confidence:
            best[voice.mention] = voice
    return tuple(sorted(best.values(), key=lambda voice: (-voice.confidence, voice.mention))[:MOST])


def _sentence(chapter: ParsedChapter, number: int) -> tuple[Span, ...]:
    return (chapter.mentions[number].sentence,)
