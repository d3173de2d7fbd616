"""Where two characters meet in the text: the places that a reader of pairs weighs, with the two masked.

A window is a sentence (or two neighbours) that names both, what one says to the other, or what one says of
the other. In its words the two are ``§a`` and ``§b``, anybody else ``§c``, so that nothing of who they are
can be learnt by heart (distant supervision masks the ends of a relation for the same reason, Zhang et al.
2017).

Nouns belong to somebody, too, and others stand near them. "His wife" names no one. Said often of one man
while one woman is always near, it tells who she is; which nouns tell what is learnt from labelled novels and
is no list here.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...core.types import Span
from ..model.types import gathered

KINDS = ("sentence", "next", "says to", "hears from", "says of", "is said of by")
"""How the two meet, seen from ``§a``: one sentence names both; two neighbours do; ``§a`` says it to ``§b``;
``§b`` to ``§a``; ``§a`` says it to somebody else and names ``§b``; the other way round."""

LONGEST = 600  # characters of a sentence, from its start
SAID = 400  # of a speech
BOTH = 500  # of two neighbours
_ENDS = re.compile(r"(?<=[.!?;])[\"”’')]*\s+|\n\s*\n")
_BACK = {"says to": "hears from", "says of": "is said of by"}
TURNED = _BACK | {there: here for here, there in _BACK.items()}


@dataclass(frozen=True, slots=True)
class Mark:
    """A character's name (or "I") at a place of the text."""

    start: int
    end: int
    who: str


@dataclass(frozen=True, slots=True)
class Speech:
    """Direct speech in pieces; ``speaker`` is None where nobody knows, ``hearers`` may be empty."""

    pieces: tuple[Span, ...]
    speaker: str | None
    hearers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """One meeting of ``one`` (``§a``) and ``other`` (``§b``), ``one`` the lesser id; ``span`` is what it was
    cut from, of a speech in pieces the first."""

    one: str
    other: str
    kind: str
    words: str
    span: Span


def sentence_around(text: str, span: Span) -> Span:
    """The sentence in which the span begins, at most ``LONGEST`` characters of it."""
    lowest = max(0, span.start - LONGEST)
    before = [match.end() for match in _ENDS.finditer(text, lowest, span.start)]
    start = before[-1] if before else lowest
    after = _ENDS.search(text, span.end, start + LONGEST)
    return Span(start, max(span.end, after.start() if after else min(len(text), start + LONGEST)))


class Windows:
    """What is cut from a chapter's text; spans are offsets into it."""

    def __init__(self, text: str, marks: Sequence[Mark]) -> None:
        self._text = text
        self._marks = _apart(marks)
        self._starts = [mark.start for mark in self._marks]
        ends = [match.end() for match in _ENDS.finditer(text)]
        self._sentences = [0, *ends, len(text)]

    def meetings(self, speeches: Sequence[Speech]) -> Iterator[Window]:
        """All, sentences first, in order."""
        by = gathered((bisect_right(self._sentences, mark.start) - 1, mark) for mark in self._marks)
        for number, here in by.items():
            yield from self._sentence(number, here, by.get(number + 1, []))
        for speech in speeches:
            yield from self._speech(speech)

    def _sentence(self, number: int, here: list[Mark], after: list[Mark]) -> Iterator[Window]:
        start, end = self._sentences[number], self._end(number)
        people = list(dict.fromkeys(mark.who for mark in here))
        span = self._cut(Span(start, end), LONGEST)
        for at, one in enumerate(people):
            for other in people[at + 1 :]:
                yield self._window("sentence", one, other, (span,))
        stop = self._end(number + 1) if after else end
        if not after or stop - start >= BOTH or "\n\n" in self._text[start:stop]:
            return
        for one in people:
            for other in dict.fromkeys(mark.who for mark in after):
                if other not in people:
                    yield self._window("next", one, other, (Span(start, stop),))

    def _cut(self, span: Span, most: int) -> Span:
        """The span, or as many whole words of it as ``most`` characters hold."""
        if span.end - span.start <= most:
            return span
        kept = self._text[span.start : span.start + most]
        blank = max(kept.rfind(" "), kept.rfind("\n"))
        return Span(span.start, span.start + (blank if blank > 0 else most))

    def _end(self, number: int) -> int:
        """Where a sentence ends, without the white space behind it."""
        start, end = self._sentences[number], self._sentences[number + 1]
        return start + len(self._text[start:end].rstrip())

    def _speech(self, speech: Speech) -> Iterator[Window]:
        if speech.speaker is None:
            return
        pieces = tuple(self._cut(one, SAID) for one in speech.pieces)
        for hearer in speech.hearers:
            if hearer != speech.speaker:
                yield self._window("says to", speech.speaker, hearer, pieces)
        named = dict.fromkeys(mark.who for one in pieces for mark in self._within(one))
        for other in named:
            if other != speech.speaker and other not in speech.hearers:
                yield self._window("says of", speech.speaker, other, pieces)

    def _window(self, kind: str, one: str, other: str, spans: Sequence[Span]) -> Window:
        """``one`` is who ``kind`` is told from."""
        first, second = min(one, other), max(one, other)
        seen = kind if one == first else TURNED.get(kind, kind)
        words = " ".join(self._masked(span, first, second) for span in spans)
        return Window(first, second, seen, words, spans[0])

    def _within(self, span: Span) -> list[Mark]:
        found = self._marks[bisect_left(self._starts, span.start) : bisect_left(self._starts, span.end)]
        return [mark for mark in found if mark.end <= span.end]

    def _masked(self, span: Span, one: str, other: str) -> str:
        parts, at = [], span.start
        for mark in self._within(span):
            mask = "§a" if mark.who == one else "§b" if mark.who == other else "§c"
            parts += [self._text[at : mark.start], f" {mask} "]
            at = mark.end
        parts.append(self._text[at : span.end])
        return " ".join("".join(parts).lower().replace("’", "'").split())


def _apart(marks: Sequence[Mark]) -> list[Mark]:
    """In order; of two that overlap the longer, else the first."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda each: (each.start, -each.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


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


class Belongings:
    """All of a chapter's text. "My" is the speaker's, or in narration that of who is marked
    by "I"; "your" the hearer's; "his" and "her" that of the last named whose gender (``"f"``, ``"m"`` or
    ``""``) allows it; a genitive that of the name. Spans are offsets into ``text``."""

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

    def __iter__(self) -> Iterator[Belonging]:
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
