"""Could two written names be one person's: the same, a short form, or one letter off?"""

from __future__ import annotations

__all__ = ["same_word"]

_PREFIX = 3  # letters of a short form: "Ben" of "Benvolio"


def same_word(one: str, other: str) -> bool:
    """One name, a single word in lower case, in two spellings or in a short form?"""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) >= _PREFIX and long.startswith(short):
        return True
    return len(short) > _PREFIX + 1 and one[0] == other[0] and _one_edit(short, long)


def _one_edit(short: str, long: str) -> bool:
    """Is one letter put in, left out or changed?"""
    if len(long) - len(short) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    rest = at + (len(short) == len(long))
    return short[rest:] == long[at + 1 :]
