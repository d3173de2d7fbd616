"""What a passage does (dialogue, action, flashback and so on), and what it feels like (tense, sad and so on).

Rules by hand over surface cues. Each kind has a score of which 1 says "plainly so", and the highest wins.
What is told (flashback, revelation) lies across how it is told, so those two compete with the rest only by
their own cues: a turn of the plot in dialogue is a revelation. Cues of action, thought and sight are counted
in what the narrator says, never in direct speech.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from ..lexicon.emotions import tone as valence
from ..model.types import gathered
from ..tables import compiled, read_table, read_toml, share, text

if TYPE_CHECKING:
    from Stemmer import Stemmer

Weights = Mapping[str, float]

PLAIN_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
"""One word, with what an apostrophe joins to it."""

_FILE = "plot_cues.toml"
_COLUMNS = ("deeds", "thoughts", "sights", "tense", "sad", "happy", "angry", "mysterious", "romantic")


@cache
def weights(column: str) -> Weights:
    """Stem to weight of the cues of one kind of scene ("deeds") or tone ("sad"). Reads the table at the first
    call."""
    table = read_table("scene_cues.tsv", word=text, **dict.fromkeys(_COLUMNS, share))
    return {stem(word): weight for word, weight in table.column(column).items()}


@cache
def phrase_table() -> Mapping[str, Any]:
    """The phrases by which scene types and tones are told, as they stand in the file."""
    return read_toml(_FILE, "past_perfect", "led_back", "remembered", "unveiled", "toned", "words")


def phrases(wordings: Sequence[str]) -> re.Pattern[str]:
    """Any of these wordings of the file, for text in small letters."""
    words = phrase_table()["words"]
    return compiled(_FILE, wordings, {**words, "participle": "|".join(words["participle"].split())})


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The Porter 2 stem of a word in small letters."""
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer:
    from Stemmer import Stemmer

    return Stemmer("english")


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
SHORTEST = 50  # a shorter passage is weighed as if it had so many words
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
    per = 100.0 / max(len(words), SHORTEST)
    leaning = valence(text)
    return {tone: weight * per * (1.0 + LEANING * _SIGNS[tone] * leaning) for tone, weight in found.items()}


@lru_cache(maxsize=1)
def _lexicon() -> Mapping[str, Sequence[tuple[Tone, float]]]:
    tones = [tone for tone in Tone if tone is not Tone.NEUTRAL]
    return gathered((root, (tone, weight)) for tone in tones for root, weight in weights(tone).items())


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
    deeds, thoughts, sights = (
        sum(cues.get(word, 0.0) for word in words) for cues in map(weights, ("deeds", "thoughts", "sights"))
    )
    deeds, thoughts = deeds + 1.5 * telling.deeds, thoughts + narration.count("?")
    earlier = told * _led_back(narration, narrated) + 1.5 * telling.flashback
    said = f"{narration}\n{telling.spoken.lower()}"
    cues = sum(weight * min(2, len(pattern.findall(said))) for weight, pattern in UNVEILED)
    revealed = (cues + telling.learnt) / REVEALED
    return {
        SceneKind.DIALOGUE: share / SPOKEN + 0.05 * min(telling.turns, 6),
        SceneKind.ACTION: told * deeds * per / DEEDS_RATE,
        SceneKind.DESCRIPTION: told * sights * per / SIGHTS_RATE,
        SceneKind.INTROSPECTION: told * thoughts * per / THOUGHTS_RATE,
        SceneKind.FLASHBACK: _plain_or_faint(earlier if revealed < 1.0 else 0.6 * earlier),
        SceneKind.REVELATION: _plain_or_faint(revealed),
    }


def _plain_or_faint(score: float) -> float:
    """A hint of it is in many a passage."""
    return score if score >= 1.0 else FAINT * score


def _led_back(narrated: str, words: int) -> float:
    """By the past perfect where it is the tense of the passage, and by phrases that lead back."""
    perfect, sentences = len(PAST_PERFECT.findall(narrated)), max(1, len(_SENTENCE.findall(narrated)))
    often = min(perfect / (PERFECT * sentences), 100 * perfect / (PERFECT_RATE * max(words, 1)), 2.0)
    phrases = 0.6 * min(len(LED_BACK.findall(narrated)), 2) + 0.4 * bool(REMEMBERED.search(narrated))
    return often * min(1.0, perfect / 3) + phrases
