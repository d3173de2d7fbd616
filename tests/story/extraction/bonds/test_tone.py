"""Bonds told by words of feeling beside two people, and harm told by turns of phrase: one reading for all."""

from __future__ import annotations

import pytest

from fabula.story.extraction.bonds.tone_table import BARE, TONES
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.types import Modality

WARM = frozenset({"LOVES", "FRIEND_OF", "TRUSTS"})
COLD = frozenset({"HATES", "ENEMY_OF", "DISTRUSTS"})
HARM = frozenset({"ATTACKS", "BETRAYS", "STEALS_FROM"})
AT_HOME = (
    "Marcus Hale bowed. Elena Voss smiled at him. Mr. Reed coughed, and Mrs. Reed poured the tea. "
    + "Marcus said so. Elena said so. Marcus laughed. Elena laughed. Marcus sat down and thought. " * 12
)
RAIN = "The rain went on, the lamps were lit, and the town was quiet afterwards."
TOLD = {
    "How fond Elena was, and always had been, of Marcus!": WARM,
    "No cross word had ever passed between Elena and Marcus.": WARM,
    "Elena and Marcus shared one purse and one heart.": WARM,
    "Elena thought Marcus the kindest man alive.": WARM,
    "Marcus was a second mother to Elena.": WARM,
    "Elena and Marcus walked arm in arm about the garden.": WARM,
    "“I would go through fire for Marcus,” said Elena.": WARM,
    "Elena and Marcus had not been on speaking terms for years.": COLD,
    "Elena had always been harsh to Marcus.": COLD,
    "Elena treated Marcus with a cold contempt.": COLD,
    "“I despise that old man,” said Elena of Mr. Reed.": COLD,
    "Elena was never kind to Marcus.": COLD,
}
UNTOLD = (
    "“My dear Marcus,” said Elena, “it rains.”",
    "If Elena was fond of Marcus, nobody knew it.",
    "Elena wondered whether she had been harsh to Marcus.",
    "Elena seemed to be on the best of terms with Marcus.",
    "Elena told Marcus that she was fond of apples.",
    "Elena was no longer proud of Marcus.",
    "Elena dreamt that she turned the key upon Marcus.",
    "Elena never told the police where Marcus was.",
    "Elena would have burned Marcus's manuscript.",
    "Elena poured the milk into Marcus's cup.",
    "“Did Elena go to the magistrates about Marcus?”",
)


@pytest.fixture(scope="module")
def told():
    sentences = (*TOLD, *UNTOLD)
    text = "\n\n".join((AT_HOME.strip(), *(f"{sentence}\n\n{RAIN}" for sentence in sentences)))
    found: dict[str, set[str]] = {sentence: set() for sentence in sentences}
    reading = StoryReader().read(text)
    for record in (*reading.statements, *reading.happenings):
        place = text[: record.evidence[0].end].count("\n\n")
        if place and record.modality in (Modality.FACT, Modality.REPORTED):
            found[sentences[(place - 1) // 2]].add(record.predicate)
    return found


@pytest.mark.parametrize("sentence", TOLD)
def test_what_is_told(told, sentence) -> None:
    others = (WARM | COLD | HARM) - TOLD[sentence]
    assert told[sentence] & TOLD[sentence]
    assert not told[sentence] & (others - HARM if TOLD[sentence] is COLD else others - COLD)


@pytest.mark.parametrize("sentence", UNTOLD)
def test_what_is_not(told, sentence) -> None:
    assert not told[sentence] & (WARM | COLD | HARM)


def test_every_wording_names_one_of_the_two() -> None:
    assert all({"e", "t"} & set(tone.pattern.groupindex) for tone in TONES)
    assert all(tone.mutual and tone.sign for tone in BARE)
