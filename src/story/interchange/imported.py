"""What an import gives: a log whose every quote stands in the text, and a report of what did not make it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.documents import document_from_text
from ...core.text.sentences import sentences
from ...core.types import Document, Evidence, Span
from ...errors import ProjectError
from ..model.types import StoryLog

__all__ = [
    "ImportReport",
    "Imported",
    "Places",
    "Slugs",
    "in_order",
    "plain_document",
    "quotes_of",
    "read_text",
    "slug",
]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a foreign graph.

    ``kept`` counts the records of each table (tables with none left out), ``dropped`` what was left out and
    why, ``notes`` says in words what a reader must know. ``text`` is ``"given"``, ``"in the export"`` or
    ``"rebuilt"``: where the text came from that the quotes were checked against.
    """

    source: str
    text: str
    entities: int
    kept: tuple[tuple[str, int], ...]
    dropped: tuple[tuple[str, int], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """The log of a foreign graph, the document that its spans index, and the report."""

    log: StoryLog
    document: Document
    report: ImportReport

    @classmethod
    def of(
        cls,
        log: StoryLog,
        document: Document,
        *,
        source: str,
        text: str,
        dropped: Counter[str],
        notes: Iterable[str] = (),
    ) -> Imported:
        """Checks every quote of the log against the text. Raises EvidenceError where one does not stand
        there: the importer is at fault then, not the data."""
        tables = {each.name: getattr(log, each.name) for each in fields(log)}
        for records in tables.values():
            for record in records:
                for quote in quotes_of(record):
                    quote.verify(document.text)
        entities = len({mention.entity for mention in log.mentions})
        kept = tuple((name, len(records)) for name, records in tables.items() if records)
        left = tuple(sorted((reason, count) for reason, count in dropped.items() if count))
        return cls(log, document, ImportReport(source, text, entities, kept, left, tuple(notes)))


class Places:
    """Where things stand in a document: chapters and sentences by character."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._starts = [chapter.heading.start for chapter in document.chapters]

    def chapter(self, offset: int) -> int:
        """The chapter that tells what stands there; what stands before the first belongs to it."""
        return self.document.chapters[max(0, bisect_right(self._starts, offset) - 1)].number

    def evidence(self, span: Span) -> Evidence:
        """What stands at the span, in the chapter where the span begins."""
        return Evidence.of(self.document, self.chapter(span.start), span)

    @cached_property
    def sentences(self) -> list[Span]:
        """The sentences of the whole text, in order; found on first use."""
        return sentences(self.document.text)

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [sentence.start for sentence in self.sentences]

    def sentence(self, offset: int) -> int:
        """The number of the sentence that covers the character (or comes before it)."""
        return max(0, bisect_right(self._sentence_starts, offset) - 1)


def quotes_of(record: Any) -> tuple[Evidence, ...]:
    """The quotes of any record of a log, be its ``evidence`` one or several."""
    found = record.evidence
    return found if isinstance(found, tuple) else (found,)


def in_order(records: Iterable[Any]) -> tuple[Any, ...]:
    """In order of telling: chapter, place of the first quote, then the record's own words."""

    def key(record: Any) -> tuple[Any, ...]:
        quotes = quotes_of(record)
        return record.told, quotes[0].span if quotes else Span(-1, -1), repr(record)

    return tuple(sorted(records, key=key))


def plain_document(text: str, *, name: str) -> Document:
    """A document of the text that an export holds, or that was rebuilt from it. Raises ProjectError where
    that is blank."""
    if not text.strip():
        raise ProjectError(f"{name} holds no text to check its graph against: give the text of the book")
    return document_from_text(text.replace("\0", "\ufffd"), id=slug(name), title=name)


def slug(name: str) -> str:
    """The name as an id: lower case and dashes."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "entity"


class Slugs:
    """Ids made of names, each given once: numbered from 2 where another has it."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """An id of this name that was not given before."""
        base = slug(name)
        number = self._last.get(base, 0) + 1
        while (found := base if number == 1 else f"{base}-{number}") in self._taken:
            number += 1
        self._last[base] = number
        self._taken.add(found)
        return found


def read_text(path: Path, *, what: str) -> str:
    """A UTF-8 file's text, line ends as they are. Raises ProjectError that names ``what``."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ProjectError(f"{path.name}, {what}, cannot be read ({reason}): check the path") from error
