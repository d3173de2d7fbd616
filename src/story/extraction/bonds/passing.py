"""Feelings that a sentence tells to be over, of an hour, or not so: "had been friends once", "for the length
of a waltz", "it cannot be said that"."""

from __future__ import annotations

import re

__all__ = ["passing"]

_PASSING = re.compile(
    r"(?<!at )(?<!for )(?<!all at )\bonce\b(?! (?:more|and for all|again|they met|he|she))|\blong ago\b|"
    r"\b(?:boyhood|girlhood|at school|schooldays)\b|\bwhen (?:they were|he was|she was) (?:a )?(?:young|"
    r"boys?|girls?|child(?:ren)?)\b|\bfor (?:the length of|one|half an?|a whole|an entire) (?:\w+ "
    r")?(?:evening|night|afternoon|waltz|dance|song|hour|moment|minute|supper)\b|\bbelieved (?:him|"
    r"her)self\b|\b(?:cannot|could not|can hardly) be said\b|\b(?:could not|never could|cannot) (?:\w+ "
    r")?(?:learn|bring (?:him|her)self)\b|\bought to have\b|\b(?:without|no) foundation\b|\bpeople (?:took|"
    r"supposed|fancied|believed)\b|\b(?:got over it|outgrown|gone off|thought better of it|closest of "
    r"friends now)\b|\bat (?:whist|chess|cards|billiards|tennis|draughts)\b"
)


def passing(words: str) -> bool:
    """Do masked words tell a bond that does not last, or none at all?"""
    return _PASSING.search(words) is not None
