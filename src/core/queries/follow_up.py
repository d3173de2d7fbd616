"""A question that leans on those before it, as one that can be searched for by itself.

A pronoun stands for whoever of its gender was named last, in a question rather than in its answer, since the
asker's "he" is most often whom the asker named. A question too short to say what it is about, or one with
"it" or "there", is asked together with the one before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

__all__ = ["LOOKED_BACK", "Named", "standalone"]

Named = Callable[[str], Sequence[tuple[str, str]]]
"""The people whom a text names, in order, each by the story's name and gender ("" where it is not known)."""

LOOKED_BACK = 3
"""So many turns before a question may say whom its pronouns mean."""

_SHORT = 4  # words: "And then?" is about what was asked before
_FORMS = (("m", r"\b(?:he|him|his)\b"), ("f", r"\b(?:she|hers?)\b"))
_LEANS = re.compile(
    r"\b(?:he|him|his|she|hers?|they|them|their|it|its|that|this|there|then)\b", re.IGNORECASE
)
_AFTER_OWNER = re.compile(r"\s+[^\W\d_]")
_NOT_OWNED = re.compile(
    r"\s+(?:and|at|before|after|by|for|from|in|into|of|on|or|out|then|to|when|where|while|why|with)\b",
    re.IGNORECASE,
)


def standalone(question: str, history: Sequence[tuple[str, str]], named: Named) -> str:
    """The question with its pronouns named, or with the question before in front of it, or as it is.

    ``history`` holds earlier questions and their answers, latest last; the last :data:`LOOKED_BACK` count."""
    if not history:
        return question
    own = {gender for _, gender in named(question)}
    found = question
    for gender, forms in _FORMS:
        pronoun = re.search(forms, found, re.IGNORECASE)
        if pronoun and gender not in own:
            name = _last(history[-LOOKED_BACK:], named, gender)
            if name:
                found = _put(found, pronoun, name)
    if found != question:
        return found
    if len(question.split()) <= _SHORT or _LEANS.search(question):
        return f"{history[-1][0]} {question}"
    return question


def _last(history: Sequence[tuple[str, str]], named: Named, gender: str) -> str:
    """Who of that gender was named last; else who was of a gender that is not known."""
    unknown = ""
    for asked, answer in reversed(history):
        for text in (asked, answer):
            for name, of in named(text):
                if of == gender:
                    return name
                unknown = unknown or (name if not of else "")
    return unknown


def _put(question: str, pronoun: re.Match[str], name: str) -> str:
    """The name in the pronoun's place; those that follow then mean the same as before."""
    said, rest = pronoun[0].casefold(), question[pronoun.end() :]
    owns = said == "his" or (said == "her" and _AFTER_OWNER.match(rest) and not _NOT_OWNED.match(rest))
    return f"{question[: pronoun.start()]}{name}{'’s' if owns else ''}{rest}"
