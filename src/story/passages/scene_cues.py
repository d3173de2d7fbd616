"""The words by which scene types and tones are told, with their weights, by Porter 2 stem; and phrases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from ..lexicon.tables import compiled, read_table, read_toml, share, text

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
