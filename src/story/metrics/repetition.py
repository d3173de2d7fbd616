"""Does a text say the same over again?"""

from __future__ import annotations

from .score import Score
from .words import n_grams, words_of

__all__ = ["distinct", "longest_repeat", "repetition"]


def repetition(text: str) -> Score:
    """Share of the word 4-grams that repeat an earlier one: ``1 - distinct / all``, 0 to below 1.

    Words are compared in lower case, without punctuation. None for fewer than four words; ``n`` is the
    number of 4-grams. It is seq-rep-4 of Welleck et al., "Neural text generation with unlikelihood
    training", ICLR 2020, on words.
    """
    grams = n_grams(text, 4)
    if not grams:
        return Score("repetition", None, False, 0)
    return Score("repetition", 1.0 - len(set(grams)) / len(grams), False, len(grams))


def distinct(text: str, *, n: int) -> Score:
    """distinct-n: different word n-grams / all word n-grams, above 0 to 1, under the name ``distinct_N``.

    None for fewer than ``n`` words; its ``n`` is the number of n-grams. Li et al., "A diversity-promoting
    objective function for neural conversation models", NAACL 2016. It falls with length, so compare texts
    of about the same.
    """
    grams = n_grams(text, n)
    value = len(set(grams)) / len(grams) if grams else None
    return Score(f"distinct_{n}", value, True, len(grams))


def longest_repeat(text: str) -> Score:
    """Words in the longest run that stands in the text twice, the two not overlapping: 0 to half of ``n``.

    Words as for ``repetition``; None for a text without words; ``n`` is the number of words. Found by
    halving, since every part of a repeated run is repeated: about ``n log n`` steps. Speech tags and set
    phrases repeat in good prose too: some four words mean nothing, a sentence does.
    """
    words = words_of(text)
    low, high = 0, len(words) // 2
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _repeats(words, middle) else (low, middle - 1)
    return Score("longest_repeat", float(low) if words else None, False, len(words))


def _repeats(words: list[str], length: int) -> bool:
    first: dict[tuple[str, ...], int] = {}
    for start in range(len(words) - length + 1):
        if start - first.setdefault(tuple(words[start : start + length]), start) >= length:
            return True
    return False
