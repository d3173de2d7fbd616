"""Finished comparisons, kept as JSON files in the project's folder until there are too many."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.files.atomic import replace_file
from ...core.runtime.memory_monitor import MemoryReport
from ...core.types import Document
from ...project.factories import keep_answers
from ...story.comparison.report import ComparisonReport

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from ...core.interfaces import Generator
    from ...engine import Project

FOLDER = "comparisons"
_ASKED = "asked.json"
_MOST = 50
_MOST_BYTES = 32 * 1024 * 1024
_SCHEMA = "fabula.comparisons/1"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One report a seed, made after chapter ``as_of``; ``known`` is a digest of the text up to there,
    ``made`` when (UTC), ``memory`` what the guard had seen by then."""

    made: datetime
    as_of: int
    known: str
    reports: tuple[ComparisonReport, ...]
    memory: MemoryReport
    schema: str = _SCHEMA

    @property
    def label(self) -> str:
        """What to call it in a list."""
        words = " ".join(self.reports[0].prompt.split())
        day = self.made.astimezone()
        return f"{words[:60]}{'…' * (len(words) > 60)} (after chapter {self.as_of}, {day:%d %b %H:%M})"


def digest_up_to(document: Document, chapter: int) -> str:
    """Of the text up to a chapter: it changes where anything in it does."""
    text = document.text[: document.chapters[chapter - 1].body.end]
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def keep(
    folder: Path, document: Document, as_of: int, reports: tuple[ComparisonReport, ...], memory: MemoryReport
) -> str:
    """Writes a comparison, whole or not at all; gives its name. The oldest go where there are more than 50.
    Raises UsageError where it cannot be written."""
    made = datetime.now(UTC)
    one = Comparison(made, as_of, digest_up_to(document, as_of), reports, memory)
    name = f"{made:%Y%m%d-%H%M%S-%f}"
    replace_file(folder / FOLDER / f"{name}.json", _form().dump_json(one))
    for old in _files(folder)[_MOST:]:
        old.unlink(missing_ok=True)
    return name


def kept(folder: Path, document: Document, as_of: int) -> tuple[dict[str, Comparison], int]:
    """Those that a reader at the chapter may see, newest first, by name, and how many others there are: the
    text that they were written from stands in the book up to there, or the whole book has been read. A
    damaged file is passed over."""
    read = {file.stem: _loaded(file, file.stat().st_mtime_ns) for file in _files(folder)}
    every = {name: one for name, one in read.items() if one is not None}
    whole = as_of == len(document.chapters)
    found = {
        name: one
        for name, one in every.items()
        if one.as_of <= as_of and (whole or one.known == digest_up_to(document, one.as_of))
    }
    return found, len(every) - len(found)


@contextmanager
def begun(project: Project, prompt: str, drafts: int, as_of: int) -> Iterator[Generator]:
    """The language model for one comparison, with each answer kept at once: where the block does not come to
    its end, or the process dies, the same comparison takes them from there. At its end they are deleted."""
    place, made = project.folder / FOLDER / f"unfinished-{as_of}", project.generator
    told = {"prompt": prompt, "drafts": drafts, "known": digest_up_to(project.document, as_of)}
    replace_file(place / _ASKED, json.dumps(told).encode())
    kept = keep_answers(made, place, project.config, lent=True)
    with nullcontext() if kept is made else closing(kept):
        yield kept
    give_up(project.folder, as_of)


def unfinished(folder: Path, document: Document, as_of: int) -> tuple[str, int] | None:
    """Prompt and number of drafts of what was begun after this chapter and did not come to its end."""
    try:
        told = json.loads((folder / FOLDER / f"unfinished-{as_of}" / _ASKED).read_bytes())
        found = str(told["prompt"]), int(told["drafts"])
        return found if told["known"] == digest_up_to(document, as_of) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def give_up(folder: Path, as_of: int) -> None:
    """Deletes what was begun after this chapter."""
    shutil.rmtree(folder / FOLDER / f"unfinished-{as_of}", ignore_errors=True)


def delete(folder: Path, name: str) -> None:
    """Removes one; nothing happens where it is not there."""
    for file in _files(folder):
        if file.stem == name:
            file.unlink(missing_ok=True)


def _files(folder: Path) -> list[Path]:
    return sorted((folder / FOLDER).glob("*.json"), reverse=True)


@lru_cache(maxsize=2 * _MOST)
def _loaded(file: Path, changed: int) -> Comparison | None:  # noqa: ARG001 (of the key)
    try:
        if file.stat().st_size > _MOST_BYTES:
            return None
        one = _form().validate_json(file.read_bytes())
    except (OSError, ValueError):
        return None
    results = [result for report in one.reports for result in report.results]
    whole = all(0 <= result.kept < max(1, len(result.drafts)) for result in results)
    return one if one.schema == _SCHEMA and one.reports and one.as_of >= 1 and whole else None


@cache
def _form() -> TypeAdapter[Comparison]:
    from pydantic import TypeAdapter

    return TypeAdapter(Comparison)
