"""What a passage does: dialogue, action, description, introspection, flashback or revelation.

Rules by hand over surface cues. Each kind has a score of which 1 says "plainly so", and the highest wins.
What is told (flashback, revelation) lies across how it is told, so those two compete with the rest only by
their own cues: a turn of the plot in dialogue is a revelation. Cues of action, thought and sight are counted
in what the narrator says, never in direct speech.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from .scene_cues import PLAIN_WORDS, Weights, phrase_table, phrases, stem, weights

_CUES = phrase_table()
PAST_PERFECT, LED_BACK, REMEMBERED = (
    phrases(_CUES[name]) for name in ("past_perfect", "led_back", "remembered")
)
UNVEILED: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (each["weight"], phrases(each["any"])) for each in _CUES["unveiled"]
)


class SceneKind(StrEnum):
    """What a passage mostly does."""

    DIALOGUE = "dialogue"
    ACTION = "action"
    DESCRIPTION = "description"
    INTROSPECTION = "introspection"
    FLASHBACK = "flashback"
    REVELATION = "revelation"


@dataclass(frozen=True, slots=True)
class Telling:
    """A passage as it is told: what the narrator says, what is said aloud, and what a parser saw in it; white
    space in both is single spaces, but for line ends between pieces that stand apart.

    ``turns`` counts stretches of direct speech; ``flashback`` says that its scene opens as one;
    ``deeds`` counts the events of force or flight in it that happen now, ``learnt`` the names that turn out
    to be one person's and the things that somebody learns.
    """

    narrated: str
    spoken: str = ""
    turns: int = 0
    flashback: bool = False
    deeds: int = 0
    learnt: int = 0


# What makes a score of 1.
SPOKEN = 0.5  # share of the words
DEEDS_RATE, THOUGHTS_RATE, SIGHTS_RATE = 9.0, 9.0, 14.0  # weight in 100 narrated words
PERFECT, PERFECT_RATE = 0.75, 4.5  # past perfects in a narrated sentence and in 100 words, from three on
REVEALED = 1.6  # weight of cues
FAINT = 0.4  # what a flashback or revelation that does not show plainly is worth
FEWEST = 12  # narrated words by which a way of telling is judged

_SENTENCE = re.compile(r"[.!?;:]+(?=[\s\"'”’)]|$)")


def strongest(scores: Mapping[SceneKind, float]) -> SceneKind:
    """The kind with the highest score, ties in the order of :class:`SceneKind`; an empty passage, which
    shows no cue at all, is description."""
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] > 0 else SceneKind.DESCRIPTION


def scene_scores(telling: Telling) -> Mapping[SceneKind, float]:
    """Score of each kind, from 0 up. Costs one pass over the passage."""
    narration = telling.narrated.lower()
    words = [stem(word) for word in PLAIN_WORDS.findall(narration)]
    narrated, spoken = len(words), len(PLAIN_WORDS.findall(telling.spoken))
    share = spoken / max(1, narrated + spoken)
    told = 1.0 - share if narrated >= FEWEST else 0.5 * (1.0 - share)
    per = 100.0 / max(narrated, 25)
    deeds = _weigh(words, weights("deeds")) + 1.5 * telling.deeds
    thoughts = _weigh(words, weights("thoughts")) + narration.count("?")
    sights = _weigh(words, weights("sights"))
    earlier = told * _led_back(narration, narrated) + 1.5 * telling.flashback
    revealed = _revealed(f"{narration}\n{telling.spoken.lower()}", telling.learnt)
    return {
        SceneKind.DIALOGUE: share / SPOKEN + 0.05 * min(telling.turns, 6),
        SceneKind.ACTION: told * deeds * per / DEEDS_RATE,
        SceneKind.DESCRIPTION: told * sights * per / SIGHTS_RATE,
        SceneKind.INTROSPECTION: told * thoughts * per / THOUGHTS_RATE,
        SceneKind.FLASHBACK: _plain_or_faint(earlier if revealed < 1.0 else 0.6 * earlier),
        SceneKind.REVELATION: _plain_or_faint(revealed),
    }


def _plain_or_faint(score: float) -> float:
    """What is told is claimed only where it shows plainly: a hint of it is in many a passage."""
    return score if score >= 1.0 else FAINT * score


def _weigh(stems: list[str], cues: Weights) -> float:
    return sum(cues.get(word, 0.0) for word in stems)


def _led_back(narrated: str, words: int) -> float:
    """By the past perfect where it is the tense of the passage, and by phrases that lead back."""
    perfect, sentences = len(PAST_PERFECT.findall(narrated)), max(1, len(_SENTENCE.findall(narrated)))
    often = min(perfect / (PERFECT * sentences), 100 * perfect / (PERFECT_RATE * max(words, 1)), 2.0)
    phrases = 0.6 * min(len(LED_BACK.findall(narrated)), 2) + 0.4 * bool(REMEMBERED.search(narrated))
    return often * min(1.0, perfect / 3) + phrases


def _revealed(said: str, learnt: int) -> float:
    cues = sum(weight * min(2, len(pattern.findall(said))) for weight, pattern in UNVEILED)
    return (cues + learnt) / REVEALED
