"""Tales and novels put together again from their sections, cut anew, and what is gold in them.

Everything is counted in words (pieces between white space) of one ``Book``: a tale, a novel, or many tales
in a row. A chunk, a section and an answer are half-open ranges of word numbers.
"""

from __future__ import annotations

import csv
import json
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabula.core.chunks.chunking import chunk_chapter
from fabula.core.types import Chapter, Document, Span

__all__ = ["Book", "Query", "Tale", "as_sections", "book_of", "by_size", "load"]

Ints = NDArray[np.int64]
Cutter = Callable[["Tale"], list[Span]]
_WORD = re.compile(r"\S+")
_EDGE = re.compile(r"^\W+|\W+$")
_start, _end = attrgetter("start"), attrgetter("end")


@dataclass(frozen=True, slots=True)
class Query:
    """A question; ``gold`` are sections of its tale, ``answers`` word ranges in them that hold an answer
    word for word (none where the answer is not explicit)."""

    id: str
    text: str
    tale: str
    gold: tuple[int, ...]
    answers: tuple[tuple[int, int], ...]
    open: bool


@dataclass(frozen=True, slots=True)
class Tale:
    """One document of one chapter; ``words`` and ``sections`` are spans of its text."""

    document: Document
    words: tuple[Span, ...]
    sections: tuple[Span, ...]


@dataclass(frozen=True, eq=False)
class Book:
    """Tales in a row, cut: per chunk its text, words (n, 2) and tale; per section its words (s, 2)."""

    texts: list[list[str]]
    chunks: Ints
    tale_of: Ints
    sections: Ints
    first_section: dict[str, int]
    first_word: dict[str, int]
    words: int


def load(folder: Path, *, separator: str) -> tuple[dict[str, Tale], list[Query]]:
    """The tales of a set by name and its queries. Sections are joined by ``separator``; a line break in
    one becomes a blank line, which is what parts paragraphs in a book."""
    rows = _lines(folder / "corpus.jsonl")
    sections: dict[str, list[dict[str, Any]]] = defaultdict(list)
    place = {}
    for row in sorted(rows, key=lambda row: (row["doc"], row["n"])):
        place[row["_id"]] = len(sections[row["doc"]])
        sections[row["doc"]].append(row)
    tales = {name: _tale(name, own, separator) for name, own in sections.items()}
    gold: dict[str, list[int]] = defaultdict(list)
    with (folder / "qrels.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if float(row["score"]) > 0:
                gold[row["query-id"]].append(place[row["corpus-id"]])
    queries = [_query(row, tuple(gold[row["_id"]]), tales[row["doc"]]) for row in _rows_with(folder, gold)]
    return tales, queries


def by_size(size: int, overlap: int) -> Cutter:
    """Chunks as fabula cuts them; both in characters."""

    def cut(tale: Tale) -> list[Span]:
        chapter = tale.document.chapters[0]
        chunks = chunk_chapter(tale.document, chapter, first_ordinal=0, size=size, overlap=overlap)
        return [chunk.span for chunk in chunks]

    return cut


def as_sections(tale: Tale) -> list[Span]:
    """The set's own sections as chunks: what the gold was marked on."""
    return list(tale.sections)


def book_of(tales: Sequence[Tale], cut: Cutter) -> Book:
    """The tales in this order, cut by ``cut``."""
    texts, chunks, owners, sections = [], [], [], []
    first_section: dict[str, int] = {}
    first_word: dict[str, int] = {}
    at = 0
    for number, tale in enumerate(tales):
        name = tale.document.id
        spans = cut(tale)
        texts.append([span.of(tale.document.text) for span in spans])
        first_section[name], first_word[name] = sum(map(len, sections)), at
        chunks.append(_in_words(tale, spans) + at)
        sections.append(_in_words(tale, tale.sections) + at)
        owners.append(np.full(len(spans), number))
        at += len(tale.words)
    return Book(
        texts,
        np.concatenate(chunks),
        np.concatenate(owners),
        np.concatenate(sections),
        first_section,
        first_word,
        at,
    )


def _tale(name: str, rows: Sequence[dict[str, Any]], separator: str) -> Tale:
    pieces, spans, at = [], [], 0
    for row in rows:
        piece = "\n\n".join(line.strip() for line in row["text"].splitlines() if line.strip())
        pieces.append(piece)
        spans.append(Span(at, at + len(piece)))
        at += len(piece) + len(separator)
    text = separator.join(pieces)
    title = str(rows[0]["title"])
    document = Document(name, title, text, (Chapter(1, title, Span(0, 0), Span(0, len(text))),))
    words = tuple(Span(*match.span()) for match in _WORD.finditer(text))
    return Tale(document, words, tuple(spans))


def _in_words(tale: Tale, spans: Sequence[Span]) -> Ints:
    """Word ranges of character spans; a word that a span cuts belongs to it."""
    first = [bisect_right(tale.words, span.start, key=_end) for span in spans]
    last = [bisect_left(tale.words, span.end, key=_start) for span in spans]
    return np.stack([first, last], axis=1).astype(np.int64)


def _query(row: dict[str, Any], gold: tuple[int, ...], tale: Tale) -> Query:
    explicit = row.get("explicitness", "explicit") == "explicit"
    found = _answers(row["answers"], gold, tale) if explicit else ()
    return Query(row["_id"], row["text"], row["doc"], gold, found, bool(row.get("open_ok", False)))


def _answers(answers: Sequence[str], gold: Sequence[int], tale: Tale) -> tuple[tuple[int, int], ...]:
    """Where an answer stands in a gold section, letter case and punctuation at word edges aside."""
    found = set()
    wanted = [[_bare(word) for word in answer.split()] for answer in answers]
    for start, end in _in_words(tale, [tale.sections[g] for g in gold]).tolist():
        told = [_bare(word.of(tale.document.text)) for word in tale.words[start:end]]
        for asked in filter(any, wanted):
            for at in range(len(told) - len(asked) + 1):
                if told[at : at + len(asked)] == asked:
                    found.add((start + at, start + at + len(asked)))
    return tuple(sorted(found))


def _bare(word: str) -> str:
    return _EDGE.sub("", word).lower()


def _rows_with(folder: Path, gold: dict[str, list[int]]) -> list[dict[str, Any]]:
    return [row for row in _lines(folder / "queries.jsonl") if row["_id"] in gold]


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
