"""Fault isolation: a sentence on which a reader fails is logged, counted and passed over.

Readers share what they found, so one that stopped half way cannot go on from there. The chapter is read once
more without the sentence instead, as if a paragraph ended before it and another began behind it; what fails
and what is passed over depends on the text alone.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ...core.types import Span
from ..model.chapter_reading import ReaderFailure
from .parsing.chapter import ParsedParagraph, Sentence
from .parsing.words import Word

MOST_SENTENCES = 8
"""Sentences of one chapter that are passed over, each at the price of a reading; then the reader is, for that
chapter."""

_BETWEEN = "pipeline"  # where no single reader is at work
_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class Failures:
    """Of one chapter: the sentences that are passed over, and the readers that are."""

    def __init__(self) -> None:
        self.sentences: list[Span] = []
        self._readers: set[str] = set()
        self._counts: dict[str, int] = {}
        self._running = _BETWEEN
        self.unreadable = False

    @property
    def counted(self) -> tuple[ReaderFailure, ...]:
        """How often each reader failed, in order of their names."""
        return tuple(ReaderFailure(name, count) for name, count in sorted(self._counts.items()))

    def run(self, name: str, read: Callable[[_T], object], given: _T) -> None:
        """Lets the reader read, where it is not passed over for the chapter."""
        if name not in self._readers:
            self._running = name
            read(given)
            self._running = _BETWEEN

    def add(self, error: Exception) -> None:
        """Notes what is to be passed over from now on."""
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        name, self._running = self._running, _BETWEEN
        self._counts[name] = self._counts.get(name, 0) + 1
        where = _sentence([frame.f_locals for frame in reversed(frames)])
        problem = f"{type(error).__name__}: {str(error)[:80]!r}"
        if where is not None and len(self.sentences) < MOST_SENTENCES:
            self.sentences.append(where)
            _log.warning(
                "%s fails on the sentence at %d to %d of a chapter (%s): it is passed over",
                *(name, where.start, where.end, problem),
            )
        elif name not in self._readers:
            self._readers.add(name)
            _log.warning("%s fails on a chapter (%s): the others read on", name, problem)
        else:
            self.unreadable = True
            _log.warning("%s fails on a chapter (%s), which stays unread", name, problem)


def _sentence(frames: Iterable[dict[str, Any]]) -> Span | None:
    """The sentence of the word that was looked at last, or its paragraph; None where none was."""
    inner: list[Any] = []
    for names in frames:
        inner += names.values()
        paragraph = next((one for one in names.values() if isinstance(one, ParsedParagraph)), None)
        if paragraph is None:
            continue
        for value in inner:
            if isinstance(value, Word) and value.doc is paragraph.doc:
                return paragraph.sentence(value).span
            if isinstance(value, Sentence) and value in paragraph.sentences:
                return value.span
        return paragraph.prose.span(0, len(paragraph.prose.text))
    return None
