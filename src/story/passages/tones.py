"""The emotional tone of a passage: tense, sad, happy, angry, mysterious, romantic or neutral."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

from ..lexicon.emotions import tone as valence
from .scene_cues import PLAIN_WORDS, phrase_table, phrases, stem, weights


class Tone(StrEnum):
    """What a passage feels like; NEUTRAL where no tone is marked."""

    TENSE = "tense"
    SAD = "sad"
    HAPPY = "happy"
    ANGRY = "angry"
    MYSTERIOUS = "mysterious"
    ROMANTIC = "romantic"
    NEUTRAL = "neutral"


MARKED = 1.6  # least weight of cues, in 100 words, that marks a tone
FEWEST = 50  # a shorter passage is weighed as if it had so many words
LEANING = 0.5  # how far the valence of the whole passage makes a tone of its sign stronger, or weaker
_SIGNS = {
    Tone.TENSE: -0.7,
    Tone.SAD: -1.0,
    Tone.HAPPY: 1.0,
    Tone.ANGRY: -1.0,
    Tone.MYSTERIOUS: 0.0,
    Tone.ROMANTIC: 0.8,
}
_DENIED = frozenset("not no never neither nor without hardly scarcely cannot nothing".split())


@lru_cache(maxsize=1)
def _phrases() -> tuple[tuple[Tone, float, re.Pattern[str]], ...]:
    return tuple((Tone(row["tone"]), row["weight"], phrases(row["any"])) for row in phrase_table()["toned"])


def tone_of(text: str) -> Tone:
    """The tone whose cues weigh most, if they weigh enough; ties in the order of :class:`Tone`. Costs about
    10 microseconds a word."""
    scores = tone_scores(text)
    best = max(scores, key=lambda tone: scores[tone])
    return best if scores[best] >= MARKED else Tone.NEUTRAL


def tone_scores(text: str) -> Mapping[Tone, float]:
    """Weight of each tone's cues in 100 words, from 0 up, NEUTRAL left out. A cue counts half where it comes
    again, and nothing within three words of a denial; VADER's compound score of the whole (Hutto and Gilbert,
    2014) strengthens the tones of its own sign and weakens the others."""
    said = " ".join(text.lower().split())
    words = PLAIN_WORDS.findall(said)
    lexicon = _lexicon()
    found: dict[Tone, float] = {tone: 0.0 for tone in Tone if tone is not Tone.NEUTRAL}
    seen: set[str] = set()
    denied = -4
    for place, word in enumerate(words):
        if word in _DENIED or word.endswith(("n't", "n’t")):
            denied = place
            continue
        root = stem(word)
        cues = lexicon.get(root)
        if cues is None or place - denied <= 3:
            continue
        share = 0.5 if root in seen else 1.0
        seen.add(root)
        for tone, weight in cues:
            found[tone] += share * weight
    for tone, weight, pattern in _phrases():
        found[tone] += weight * min(2, len(pattern.findall(said)))
    per = 100.0 / max(len(words), FEWEST)
    leaning = valence(text)
    return {tone: weight * per * (1.0 + LEANING * _SIGNS[tone] * leaning) for tone, weight in found.items()}


@lru_cache(maxsize=1)
def _lexicon() -> Mapping[str, tuple[tuple[Tone, float], ...]]:
    lexicon: dict[str, list[tuple[Tone, float]]] = {}
    for tone in Tone:
        for root, weight in weights(tone.value).items() if tone is not Tone.NEUTRAL else ():
            lexicon.setdefault(root, []).append((tone, weight))
    return {root: tuple(cues) for root, cues in lexicon.items()}
