"""Imports: another program's graph of a book as a log whose every quote stands in the book."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.text.sentences import sentences
from ...core.types import Document, Evidence, Span
from ...errors import ProjectError, UsageError
from ..graph_rag.views.story_view import StoryView
from ..model.types import EntityKind, EntityMention, StoryLog
from .alignment import Edition

SOURCES = ("booknlp", "graphrag")
MOST_BYTES = 200_000_000  # of one file; more than the longest novel makes


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a foreign graph: how many records of each table were kept (tables with none left out),
    how many things were dropped and why, and what a reader must know."""

    source: str
    entities: int
    kept: tuple[tuple[str, int], ...]
    dropped: tuple[tuple[str, int], ...]
    note: str = "who is who, and its wording, was settled with the whole book in view, whatever the horizon"


@dataclass(frozen=True, slots=True)
class Imported:
    """The log of a foreign graph, the document that its spans index, and the report."""

    log: StoryLog
    document: Document
    report: ImportReport


def import_story(path: Path, *, source: str, document: Document, view: StoryView | None = None) -> Imported:
    """The graph at ``path``, every quote of it checked against ``document``. ``source`` is one of SOURCES;
    ``view`` is the story's own graph, whose kind an entity gets that has none.

    Raises UsageError for another source; ProjectError, naming the file, for what is missing, damaged or too
    large; ModelMissing for Parquet without pyarrow.
    """
    from .booknlp import import_booknlp
    from .graphrag import import_graphrag

    if source not in SOURCES:
        raise UsageError(f"there is no importer for {source!r}: choose one of {', '.join(SOURCES)}")
    places = Places(document)
    tables = import_booknlp(path, places) if source == "booknlp" else import_graphrag(path, places, view)
    log = StoryLog(**{name: tuple(sorted(rows, key=_order)) for name, rows in tables.items()})
    kept = tuple((each.name, len(rows)) for each in fields(log) if (rows := getattr(log, each.name)))
    dropped = tuple(sorted((reason, count) for reason, count in places.dropped.items() if count))
    entities = len({mention.entity for mention in log.mentions})
    return Imported(log, document, ImportReport(source, entities, kept, dropped))


class Places:
    """Where things stand in a document, and a count of those that do not."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.book = Edition(document.text)
        self.dropped: Counter[str] = Counter()
        self._starts = [chapter.heading.start for chapter in document.chapters]

    def chapter(self, offset: int) -> int:
        """The chapter that tells what stands there; what stands before the first belongs to it."""
        return self.document.chapters[max(0, bisect_right(self._starts, offset) - 1)].number

    def evidence(self, span: Span | None) -> Evidence | None:
        """What stands at the span; None where two chapters tell it."""
        if span is None or self.chapter(span.start) != self.chapter(span.end - 1):
            return None
        return Evidence.of(self.document, self.chapter(span.start), span)

    def mention(self, entity: str, kind: EntityKind, evidence: Evidence, gender: str = "") -> EntityMention:
        """What stands there as a name of the entity."""
        surface = " ".join(evidence.quote.replace("’", "'").split()).removesuffix("'s")
        return EntityMention(entity, kind, surface, evidence.chapter, evidence, gender)

    def sentence(self, offset: int) -> Span:
        """The sentence that covers the character (or comes before it)."""
        return self._sentences[max(0, bisect_right(self._sentences, offset, key=lambda one: one.start) - 1)]

    @cached_property
    def _sentences(self) -> list[Span]:
        return sentences(self.document.text)


def quotes_of(record: Any) -> tuple[Evidence, ...]:
    """The quotes of any record of a log, be its ``evidence`` one or several."""
    found = record.evidence
    return found if isinstance(found, tuple) else (found,)


def _order(record: Any) -> tuple[Any, ...]:
    return record.told, quotes_of(record)[0].span, repr(record)


def read_text(path: Path) -> str:
    """Raises ProjectError for a file that is not there, is too large, or is not in UTF-8."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ProjectError(f"{path} has more than {MOST_BYTES:,} bytes: import the book in parts")
        data = path.read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise ProjectError(
            f"{path} cannot be read ({error.strerror}): name the folder that the program wrote"
        ) from error
    except UnicodeDecodeError as error:
        at, likely = error.start, "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp1252"
        raise ProjectError(
            f"{path} is not in UTF-8 (byte {data[at]:#04x} at {at}), perhaps in {likely}: save it in UTF-8"
        ) from error
