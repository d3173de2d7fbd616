"""Whose wife, whose uncle, whose master: nouns that belong to somebody, and who stands near them.

"His wife" names no one. Said often of one man while one woman is always near, it tells who she is; which
nouns tell what is learnt from labelled novels and is no list here.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...core.types import Span
from .windows import Mark, Speech

NARRATOR = "I"
SHARES = 60
"""The nearest of those near gets so much, the next half of it, then a third …"""

BACK, AHEAD = 350, 250  # characters, in which somebody stands near
OWNER_BACK, OWNERS = 400, 8  # characters and names back to the owner of "his" and "her"
MOST = 6  # people near
_LATER = 80  # who is named after the noun counts as so many characters farther
_GENDER = {"his": "m", "her": "f"}
_POSSESSIVE = re.compile(r"\b(?:his|her|my|your|our)\b", re.IGNORECASE)
_NOUN = re.compile(r"\s+([a-z][a-z-]{2,})(?:\s+([a-z][a-z-]{2,}))?(?![a-z-])")
_GENITIVE = re.compile(r"['’]s?(?=\s)")


@dataclass(frozen=True, slots=True)
class Belonging:
    """``nouns`` (the one or two words after the possessive, a noun among them) of ``owner``; ``near``: the
    people about, nearest first; ``span`` is from possessive to noun."""

    owner: str
    nouns: tuple[str, ...]
    near: tuple[str, ...]
    span: Span


def belongings(
    text: str, marks: Sequence[Mark], speeches: Sequence[Speech], genders: Mapping[str, str]
) -> Iterator[Belonging]:
    """All of a chapter's text, in order of kind. "My" is the speaker's, or in narration that of who is marked
    by "I"; "your" the hearer's; "his" and "her" that of the last named whose gender (``"f"``, ``"m"`` or
    ``""``) allows it; a genitive that of the name. Spans are offsets into ``text``."""
    yield from _Finder(text, marks, speeches, genders).found()


class _Finder:
    def __init__(
        self, text: str, marks: Sequence[Mark], speeches: Sequence[Speech], genders: Mapping[str, str]
    ) -> None:
        self._text, self._genders = text, genders
        self._marks = sorted(marks, key=lambda mark: (mark.start, mark.end))
        self._starts = [mark.start for mark in self._marks]
        self._said = sorted(
            ((piece.start, piece.end, speech) for speech in speeches for piece in speech.pieces),
            key=lambda each: each[:2],
        )
        self._said_at = [start for start, _, _ in self._said]
        self._teller = next((m.who for m in self._marks if text[m.start : m.end] == NARRATOR), None)

    def found(self) -> Iterator[Belonging]:
        for match in _POSSESSIVE.finditer(self._text):
            owner = self._owner(match[0].lower(), match.start())
            if owner is not None:
                yield from self._of(owner, match.start(), match.end())
        for mark in self._marks:
            genitive = _GENITIVE.match(self._text, mark.end)
            if genitive:
                yield from self._of(mark.who, mark.start, genitive.end())

    def _of(self, owner: str, start: int, end: int) -> Iterator[Belonging]:
        noun = _NOUN.match(self._text, end)
        if noun is None:
            return
        words = tuple(word for word in noun.groups() if word)
        yield Belonging(owner, words, self._near(start, owner), Span(start, noun.end()))

    def _owner(self, word: str, at: int) -> str | None:
        speech = self._speech(at)
        if word in _GENDER:
            return self._last(at, _GENDER[word], speech)
        if word == "your":
            return speech.hearers[0] if speech and speech.hearers else None
        return speech.speaker if speech else self._teller

    def _last(self, at: int, gender: str, speech: Speech | None) -> str | None:
        last = bisect_left(self._starts, at) - 1
        for mark in reversed(self._marks[max(0, last + 1 - OWNERS) : last + 1]):
            if at - mark.start >= OWNER_BACK:
                return None
            if speech is not None and mark.who == speech.speaker:
                continue
            own_voice = self._text[mark.start : mark.end] == NARRATOR
            if self._genders.get(mark.who, "") in (gender, "") and not own_voice:
                return mark.who
        return None

    def _speech(self, at: int) -> Speech | None:
        last = bisect_right(self._said_at, at) - 1
        if last < 0 or self._said[last][1] <= at:
            return None
        return self._said[last][2]

    def _near(self, at: int, owner: str) -> tuple[str, ...]:
        found: dict[str, int] = {}
        first, end = bisect_left(self._starts, at - BACK), bisect_left(self._starts, at + AHEAD)
        for mark in self._marks[first:end]:
            if mark.who != owner:
                far = abs(mark.start - at) + (_LATER if mark.start > at else 0)
                found[mark.who] = min(found.get(mark.who, far), far)
        ranked = sorted(found, key=lambda who: (found[who], who))
        return tuple(ranked[:MOST])
