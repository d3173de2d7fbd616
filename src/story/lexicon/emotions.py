"""Eight named emotions and their words, two moods that only a tone shows, the valence of a sentence.

Valence (-1 to 1) and arousal (0 to 1) place each emotion on the circumplex of Russell (1980); the places are
set by hand. A sentence's tone is VADER's compound score (Hutto and Gilbert, 2014; MIT), which is
negation-aware.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ..tables import one_of, read_records, read_table, text


@dataclass(frozen=True, slots=True)
class Emotion:
    name: str
    valence: float
    arousal: float


EMOTIONS = read_records("emotions.tsv", Emotion)

# what only the tone of a sentence shows: enough for a curve, too little to tell a writer
TONE_MOODS = frozenset({"good spirits", "distress"})

# what a denied feeling leaves: "not happy" is sad, "not afraid" is calm; the rest leaves nothing
CONTRARY: MappingProxyType[str, str] = MappingProxyType({"joy": "sadness", "hope": "despair", "fear": "calm"})

EMOTION_WORDS: MappingProxyType[str, str] = read_table(
    "emotion_words.tsv", word=text, emotion=one_of("emotion", EMOTIONS)
).column("emotion")
"""Word form → the emotion that it names."""


@lru_cache(maxsize=1)
def _vader() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


def tone(sentence: str) -> float:
    """VADER's compound score of a sentence, -1 to 1."""
    return float(_vader().polarity_scores(sentence)["compound"])


def valence_of(emotion: str, sentence_tone: float) -> float:
    """The emotion's own valence moved a quarter of the way to the sentence's tone; -1 to 1, three digits.

    The sign stays that of the emotion: the word is surer than the tone of all that stands around it.
    """
    own = EMOTIONS[emotion].valence
    mixed = 0.75 * own + 0.25 * sentence_tone
    return round(max(mixed, 0.1) if own > 0 else min(mixed, -0.1), 3)


def mood_of(sentence_tone: float) -> str:
    """The mood that a tone alone shows; empty under 0.4 either way, where VADER's sign is little worth."""
    if abs(sentence_tone) < 0.4:
        return ""
    return "good spirits" if sentence_tone > 0 else "distress"
