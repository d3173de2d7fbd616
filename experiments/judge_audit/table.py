"""Findings of language-model judges as tables, read with suspicion.

Two layouts are read, told apart by their columns.

*Plain*: one row a finding, columns ``text_id, judge, system, rule, quote, other_quote, message``. Only
``text_id`` and ``quote`` must be there. Other spellings are understood (``_NAMES``), such as ``story_id``,
``category`` and ``subcategory``, ``exact_quote``, ``contradiction_pair``, ``reasoning``.

*ConStory-Checker* (Li et al., "Lost in Stories", 2026): one row a story, with ``id``, ``judge_model``,
``generated_story`` and a column for each of 19 kinds of error, which holds a JSON list of objects with
``exact_quote``, ``contradiction_pair`` and ``context``. Stories are taken from it as texts.

A judge that found nothing in a text leaves no row in the plain layout, unless one with an empty quote says
that it read it: such rows count as read. A row without a text id, or of an evaluation that failed as a whole,
counts as damaged and not as read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.common.story_data import rows as rows_of
from fabula.core.files.plain_json import parse_json
from fabula.errors import UsageError

__all__ = ["GROUPS", "JudgeFinding", "JudgeTable", "Reading", "TextKey", "read_judgements", "read_public"]

LARGEST_FILE = 512 * 1024 * 1024
LARGEST_FIELD = 8 * 1024 * 1024
LONGEST_QUOTE = 4000
_NAMES: Mapping[str, tuple[str, ...]] = {
    "text_id": ("text_id", "story_id", "doc_id", "document_id", "original_id", "id"),
    "judge": ("judge", "judge_model", "judge_name", "annotator", "rater"),
    "system": ("system", "model_name", "generator", "writer", "model", "pipeline"),
    "rule": ("rule", "subcategory", "error_category", "error_type", "subtype", "category", "type"),
    "quote": ("quote", "exact_quote", "later_quote", "error_quote", "evidence"),
    "other_quote": (
        "other_quote",
        "contradicting_quote",
        "contradiction_pair",
        "contradiction_quote",
        "earlier_quote",
    ),
    "message": ("message", "reasoning", "context", "explanation", "reason", "description"),
}
_STORY = ("generated_story", "story", "story_text", "text")
GROUPS = ("characterization_", "factual_detail_", "narrative_style_", "timeline_plot_", "world_building_")


TextKey = tuple[str, str]
"""System and text id."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One judge's reading of one text. ``system`` wrote the text."""

    text_id: str
    judge: str
    system: str

    @property
    def text(self) -> TextKey:
        return self.system, self.text_id


@dataclass(frozen=True, slots=True)
class JudgeFinding:
    """One finding of a judge; nothing in it is checked yet. ``other_quote`` is empty where it gives none."""

    reading: Reading
    rule: str
    quote: str
    other_quote: str
    message: str

    @property
    def quotes(self) -> tuple[str, ...]:
        return tuple(quote for quote in (self.quote, self.other_quote) if quote)


@dataclass(frozen=True, slots=True)
class JudgeTable:
    """Everything in the files, in their order. ``texts`` are stories that stood in them;
    ``damaged`` counts cells that should have held a list of findings and did not."""

    readings: tuple[Reading, ...]
    findings: tuple[JudgeFinding, ...]
    texts: Mapping[TextKey, str]
    damaged: int


def read_judgements(paths: Sequence[Path], *, encoding: str = "utf-8") -> JudgeTable:
    """The findings in CSV files; where no column tells the system, it is the file's name.

    Raises UsageError, one line, for a file that is missing, too large, no text in ``encoding``, no table, or
    without the columns that are needed.
    """
    readings: dict[Reading, None] = {}
    findings: list[JudgeFinding] = []
    texts: dict[TextKey, str] = {}
    damaged = 0
    for path in paths:
        rows = _rows(path, encoding)
        header = next(rows)
        layout = _Layout.of(header, path)
        for row in rows:
            taken = layout.take(dict(zip(header, row, strict=True)))
            damaged += taken.damaged
            if taken.lost:
                continue
            readings[taken.reading] = None
            findings += taken.findings
            if taken.text:
                texts.setdefault(taken.reading.text, taken.text)
    return JudgeTable(tuple(readings), tuple(findings), texts, damaged)


def read_public(path: Path) -> JudgeTable:
    """The stories of the evaluation data with a judge's findings, a JSON object a line; a blank one was not
    read."""
    texts: dict[TextKey, str] = {}
    readings, findings = [], []
    for row in rows_of(path):
        if row["story"].strip():
            readings.append(Reading(row["doc"], row["judge_model"], row["story_model"]))
            texts[readings[-1].text] = row["story"]
            findings += [
                JudgeFinding(readings[-1], e["category"], e["quote"], e["contradicts"], e["context"])
                for e in row["errors"]
            ]
    return JudgeTable(tuple(readings), tuple(findings), texts, 0)


def _rows(path: Path, encoding: str) -> Iterator[list[str]]:
    """The header, lower case, then rows of as many cells."""
    reader = csv.reader(io.StringIO(_text(path, encoding), newline=""), strict=True)
    before = csv.field_size_limit(LARGEST_FIELD)
    try:
        header = [name.strip().casefold().replace(" ", "_") for name in next(reader, [])]
        twice = next((name for i, name in enumerate(header) if name and name in header[:i]), "")
        if twice:
            raise UsageError(f"{path} has the column {twice!r} twice: rename one")
        yield header
        for row in reader:
            if len(row) == len(header):
                yield row
            elif row:
                cells = f"{len(row)} cells under {len(header)} columns"
                raise UsageError(f"{path}, line {reader.line_num}: {cells}: mend that row")
    except csv.Error as error:
        raise UsageError(f"{path}, line {reader.line_num} is no CSV ({error}): mend that row") from error
    finally:
        csv.field_size_limit(before)


def _text(path: Path, encoding: str) -> str:
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise UsageError(f"{path} holds {size:,} bytes, more than {LARGEST_FILE:,}: split it")
        data = path.read_bytes()
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            encoding = "utf-16"
        elif b"\0" in data:
            raise UsageError(f"{path} holds NUL bytes and is no CSV: save it as CSV in UTF-8")
        return data.decode("utf-8-sig" if encoding.lower().replace("_", "-") == "utf-8" else encoding)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): check its name") from error
    except (UnicodeError, LookupError) as error:
        raise UsageError(
            f"{path} is not in {encoding}: give its encoding, e.g. --encoding cp1252, or save it in UTF-8"
        ) from error


@dataclass(frozen=True, slots=True)
class _Taken:
    """A row. ``lost``: its judge did not get as far as an answer, so its silence is no praise."""

    reading: Reading
    findings: tuple[JudgeFinding, ...]
    damaged: int = 0
    text: str = ""
    lost: bool = False


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which column holds what."""

    columns: Mapping[str, str]
    kinds: tuple[str, ...]
    story: str
    defaults: Mapping[str, str]

    @classmethod
    def of(cls, header: Sequence[str], path: Path) -> _Layout:
        columns = {
            field: next(name for name in names if name in header)
            for field, names in _NAMES.items()
            if any(name in header for name in names)
        }
        kinds = tuple(name for name in header if name.startswith(GROUPS))
        needed = ["text_id"] if kinds else ["text_id", "quote"]
        missing = [field for field in needed if field not in columns]
        if missing:
            there = ", ".join(header[:12]) or "none"
            raise UsageError(f"{path} has no column {' and no '.join(missing)} (it has {there}): name one so")
        defaults = {"judge": "judge", "system": path.stem, "rule": "other"}
        story = next((name for name in _STORY if name in header), "")
        return cls(columns, kinds, story, defaults)

    def take(self, row: Mapping[str, str]) -> _Taken:
        reading = Reading(*(self._cell(row, name) for name in ("text_id", "judge", "system")))
        text = row[self.story] if self.story else ""
        if not reading.text_id or row.get("evaluation_status", "").strip().casefold().startswith("error"):
            return _Taken(reading, (), 1, lost=True)
        if not self.kinds:
            quote = self._cell(row, "quote")
            names = ("rule", "quote", "other_quote", "message")
            found = (JudgeFinding(reading, *(self._cell(row, name) for name in names)),) if quote else ()
            return _Taken(reading, found, 0, text)
        found_all: list[JudgeFinding] = []
        damaged = 0
        for kind in self.kinds:
            items = _items(row[kind])
            if items is None:
                damaged += 1
                continue
            made = [_finding(reading, kind, item) for item in items]
            found_all += [one for one in made if one is not None]
            damaged += sum(one is None for one in made)
        unread = damaged >= len(self.kinds) and not found_all
        return _Taken(reading, tuple(found_all), damaged, text, lost=unread)

    def _cell(self, row: Mapping[str, str], field: str) -> str:
        value = row[self.columns[field]].strip() if field in self.columns else ""
        return value[:LONGEST_QUOTE] or self.defaults.get(field, "")


def _items(cell: str) -> list[object] | None:
    """The list in a cell; None where it holds something else."""
    if not cell.strip():
        return []
    try:
        value = parse_json(cell)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _finding(reading: Reading, kind: str, item: object) -> JudgeFinding | None:
    if not isinstance(item, dict):
        return None
    quote = _one(item, _NAMES["quote"])
    return (
        JudgeFinding(reading, kind, quote, _one(item, _NAMES["other_quote"]), _one(item, _NAMES["message"]))
        if quote
        else None
    )


def _one(item: Mapping[str, object], names: Iterable[str]) -> str:
    value = next((item[name] for name in names if isinstance(item.get(name), str)), "")
    return re.sub(r"\s+", " ", str(value)).strip()[:LONGEST_QUOTE]
