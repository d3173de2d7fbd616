"""Sentences with the people in them numbered, so that a wording can be looked for whoever they are: "Anna
would have died for him" becomes "§0 would have died for §1"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..types import EntityKind
from .arguments import Arguments
from .parsed import ParsedChapter, ParsedParagraph, Sentence
from .pronouns import PRONOUNS, Reference

__all__ = ["Masked", "masked", "text_of", "wording"]

_SELF = frozenset("i me my myself".split())
_SPOKEN = _SELF | {"you", "your"}
_WHOLE = frozenset("himself herself myself".split())
_LEAST = 0.6  # of a pronoun's factor


@dataclass(frozen=True, slots=True)
class Masked:
    """``words`` is the sentence in lower case with "§0", "§1" for people, possessives as "§0's";
    ``people`` are they, each with the least sure way in which the sentence names them; ``opens`` is the index
    of its first token."""

    words: str
    people: tuple[Reference, ...]
    opens: int


def text_of(paragraph: ParsedParagraph, sentence: Sentence) -> str:
    """The sentence as it is written, cut out of its paragraph."""
    doc = paragraph.doc
    last = doc[sentence.end - 1]
    return paragraph.prose.text[doc[sentence.start].idx : last.idx + len(last)]


def wording(pattern: str) -> re.Pattern[str]:
    """A pattern over masked sentences: ``E`` and ``T`` stand for two people (groups ``e`` and ``t``), ``~``
    for up to seven words. What is said to "you" is
    said to the one called by name behind it."""
    body = pattern.replace("~", r"(?:[§\w’'-]+,? ){0,7}?")
    body = re.sub(r"\bE\b", r"§(?P<e>\\d)", body, count=1)
    body = re.sub(r"\bE\b", r"§(?P=e)", body)
    body = re.sub(r"\bT\b", r"(?:you, )?§(?P<t>\\d)", body, count=1)
    body = re.sub(r"\bT\b", r"§(?P=t)", body)
    return re.compile(rf"(?<![\w-]){body}(?!\w|'s)")


def masked(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Masked:
    """The sentence with its people numbered in order of appearance. Pronouns of which it is unclear whom they
    mean stay words."""
    who, narrator = arguments.pronouns.cast.who, chapter.narrator
    people: dict[int, Reference] = {}
    order: list[int] = []
    parts: list[str] = []
    last: int | None = None
    for token in paragraph.tokens(sentence):
        number = paragraph.mention_of.get(token.i)
        if number is not None and chapter.mentions[number].kind is EntityKind.CHARACTER:
            found: Reference | None = Reference(number)
            if last == number:
                parts[-1] = parts[-1].rstrip() + token.whitespace_
                continue
        else:
            found = _pronoun(arguments, paragraph, token, narrator)
        last = number
        if found is None:
            parts.append(token.lower_ + token.whitespace_)
            continue
        key = who[found.mention]
        if key not in people:
            people[key] = found
            order.append(key)
        elif found.factor < people[key].factor:
            people[key] = found
        own = token.dep_ == "poss" and number is None
        parts.append(f"§{order.index(key)}{chr(39) + 's' if own else ''}{token.whitespace_}")
    text = "".join(parts).replace("’", "'")
    return Masked(text, tuple(people[key] for key in order), sentence.start)


def _pronoun(
    arguments: Arguments, paragraph: ParsedParagraph, token: Any, narrator: int | None
) -> Reference | None:
    if token.lower_ in _WHOLE:
        return None
    if token.lower_ in _SELF and not paragraph.spoken(token):
        return Reference(narrator) if narrator is not None else None
    if token.lower_ not in PRONOUNS and not (token.lower_ in _SPOKEN and paragraph.spoken(token)):
        return None
    found = arguments.single(paragraph, token)
    return found if found is not None and found.factor >= _LEAST else None
