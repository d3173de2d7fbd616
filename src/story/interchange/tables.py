"""Tables that other programs export: Parquet, CSV, JSON or JSON lines, as rows of plain values."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.files.plain_json import parse_json
from ...errors import ModelMissing, ProjectError
from .imported import read_text

__all__ = ["find_table", "listed", "read_table"]

_SUFFIXES = (".parquet", ".csv", ".json", ".jsonl")
_NUMPY = re.compile(r"['\"]\s+['\"]")  # numpy prints no commas
Row = dict[str, Any]


def find_table(folder: Path, names: Sequence[str]) -> Path | None:
    """The first file of one of these names with a suffix that can be read."""
    paths = (folder / f"{name}{suffix}" for name in names for suffix in _SUFFIXES)
    return next((path for path in paths if path.is_file()), None)


def read_table(path: Path, *, columns: Sequence[str]) -> list[Row]:
    """The rows. Raises ProjectError where the file is damaged or lacks one of ``columns``, ModelMissing where
    it is Parquet and pyarrow is not installed."""
    rows = _parquet(path) if path.suffix == ".parquet" else _plain(path)
    missing = [name for name in columns if rows and name not in rows[0]]
    if missing:
        raise ProjectError(
            f"{path.name} has no column {', '.join(missing)} but {', '.join(rows[0])}: "
            "export it with GraphRAG 0.5 or later"
        )
    return rows


def listed(value: Any) -> tuple[str, ...]:
    """A cell that holds a list: as one, as JSON, as Python or numpy prints it, or comma-separated."""
    if value is None:
        return ()
    if not isinstance(value, str):
        return tuple(str(item) for item in value)
    text = value.strip()
    if not text.startswith("["):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if _NUMPY.search(text):
        return tuple(part.strip("'\"") for part in text.strip("[]").split())
    try:
        found = parse_json(text)
    except ValueError:
        try:
            found = ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            found = text.strip("[]").split()
    return tuple(str(item).strip("'\"") for item in found) if isinstance(found, list) else ()


def _parquet(path: Path) -> list[Row]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ModelMissing(f"{path.name} is Parquet, which needs pyarrow: pip install pyarrow") from error
    try:
        rows: list[Row] = parquet.read_table(path).to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise ProjectError(f"{path.name} cannot be read as Parquet ({error}): copy it again") from error
    return rows


def _plain(path: Path) -> list[Row]:
    text = read_text(path, what="a table")
    try:
        if path.suffix == ".csv":
            csv.field_size_limit(2**31 - 1)
            return [dict(row) for row in csv.DictReader(io.StringIO(text, newline=""), strict=True)]
        if path.suffix == ".jsonl":
            return [_row(parse_json(line)) for line in text.split("\n") if line.strip()]
        return _json_rows(parse_json(text))
    except (ValueError, csv.Error) as error:
        raise ProjectError(f"{path.name} is damaged ({error}): export it again") from error


def _json_rows(content: Any) -> list[Row]:
    """Records, or pandas' columns of rows by index."""
    if isinstance(content, list):
        return [_row(each) for each in content]
    columns = _row(content)
    keys = list(next(iter(columns.values()), {}))
    return [{name: cells[key] for name, cells in columns.items()} for key in keys]


def _row(value: Any) -> Row:
    if not isinstance(value, dict):
        raise ValueError("a row is no object")
    return value
