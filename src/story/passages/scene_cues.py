"""The words by which scene types and tones are told, with their weights, by Porter 2 stem."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ..lexicon.tables import read_table, share, text

if TYPE_CHECKING:
    from Stemmer import Stemmer

Weights = Mapping[str, float]

PLAIN_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
"""One word, with what an apostrophe joins to it."""

_COLUMNS = ("deeds", "thoughts", "sights", "tense", "sad", "happy", "angry", "mysterious", "romantic")


@cache
def weights(column: str) -> Weights:
    """Stem to weight of the cues of one kind of scene ("deeds") or tone ("sad"). Reads the table at the first
    call."""
    table = read_table("scene_cues.tsv", word=text, **dict.fromkeys(_COLUMNS, share))
    return {stem(word): weight for word, weight in table.column(column).items()}


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The Porter 2 stem of a word in small letters."""
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer:
    from Stemmer import Stemmer

    return Stemmer("english")
