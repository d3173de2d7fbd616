"""Quotations: each piece of direct speech, who may be speaking and to whom."""

from __future__ import annotations

from collections.abc import Iterator

from ....core.types import Span
from ...model.chapter_reading import Quotation, Voice
from ..parsing.chapter import ParsedChapter
from .dialogue import Dialogue
from .utterances import Utterance

CALLED = 0.9  # the confidence of a hearer whose name is called; others have less
MOST = 10


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
