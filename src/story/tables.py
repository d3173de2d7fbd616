"""The loader of word tables (TSV) and wordings (TOML) under ``lexicon/data/``, read once and checked.

A table opens with comment lines ("#": what it holds, its source, its licence). The first other line names the
columns, each further one is a row: the word first, one tab between two cells, "-" where a cell is empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_type_hints

from ..errors import ConfigError

DATA = Path(__file__).with_name("lexicon") / "data"
Made = TypeVar("Made")
Cell = Callable[[str], Any]
"""What a column holds: the text of a cell to its value; raises ValueError for what may not stand there."""

_SHARE = re.compile(r"0?\.\d+|[01]")
_GENDERS = MappingProxyType({"f": "f", "m": "m", "either": ""})
_NAMED = re.compile(r"<([a-z_]+)>")


def text(cell: str) -> str:
    """A word or phrase as it is looked up: in small letters."""
    if cell in ("", "-") or cell != cell.strip().lower():
        raise ValueError(f"{cell!r} is never looked up: write a word in small letters, no blanks around it")
    return cell


def share(cell: str) -> float:
    """A confidence or a weight."""
    if not _SHARE.fullmatch(cell):
        raise ValueError(f"{cell!r} is no number from 0 to 1")
    return float(cell)


def yes(cell: str) -> bool:
    """A mark: ``yes`` or nothing."""
    return bool(one_of("mark", ("yes",))(cell))


def gender(cell: str) -> str:
    """``"f"``, ``"m"``, or ``""`` for ``either``."""
    return _GENDERS[one_of("gender", _GENDERS)(cell)]


def one_of(what: str, known: Collection[str]) -> Cell:
    """One of the ``known`` names; ``what`` they are is said where another one stands."""

    def value(cell: str) -> str:
        if cell not in known:
            raise ValueError(f"unknown {what} {cell!r}: use one of {', '.join(sorted(known))}")
        return cell

    return value


def several(cell_kind: Cell) -> Cell:
    """One or more values, a blank between two."""
    return lambda cell: tuple(cell_kind(part) for part in cell.split(" "))


def lists(*known: str) -> Cell:
    """The column ``lists`` of a table: the lists on which a word stands, of those that are ``known``."""
    return several(one_of("list", known))


@dataclass(frozen=True, slots=True)
class Table:
    """The rows in the order of the file; None stands for an empty cell."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def column(self, name: str) -> MappingProxyType[str, Any]:
        """Word to cell of the column ``name``, where it is not empty."""
        at = self.columns.index(name)
        return MappingProxyType({row[0]: row[at] for row in self.rows if row[at] is not None})

    def listed(self, name: str) -> frozenset[str]:
        """The words that the column ``lists`` puts on the list ``name``."""
        at = self.columns.index("lists")
        return frozenset(row[0] for row in self.rows if name in (row[at] or ()))


@cache
def read_table(name: str, /, *, key: int = 1, folder: Path = DATA, **columns: Cell) -> Table:
    """The file ``name``, read once. ``columns`` says what may stand in each; no two rows may agree in the
    first ``key`` of them.

    ConfigError, with file and line: a row of more or fewer cells, columns other than these, a cell that its
    column does not allow, a row that comes twice.
    """
    path = folder / name
    lines = _read(path).splitlines()
    head = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    _check_columns(path, head + 1, lines[head].split("\t") if head < len(lines) else [], tuple(columns))
    first, rows = head + 2, [line.split("\t") for line in lines[head + 1 :]]
    odd = next((i for i, row in enumerate(rows) if len(row) != len(columns)), None)
    if odd is not None:
        hint = "put one tab between two cells, and - where there is nothing"
        raise _damage(path, first + odd, f"{len(rows[odd])} cells for {len(columns)} columns: {hint}")
    values: list[list[Any]] = []
    for column, kind in columns.items():
        cells = [row[len(values)] for row in rows]
        known: dict[str, Any] = {"-": None} if values else {}
        for cell in dict.fromkeys(cells):
            try:
                known[cell] = known[cell] if cell in known else kind(cell)
            except ValueError as error:
                raise _damage(path, first + cells.index(cell), f"column {column}: {error}") from None
        values.append([known[cell] for cell in cells])
    table = Table(tuple(columns), tuple(zip(*values, strict=True)))
    keys = [row[:key] for row in table.rows]
    if len(set(keys)) < len(keys):
        again = next(i for i, each in enumerate(keys) if each in keys[:i])
        earlier = first + keys.index(keys[again])
        raise _damage(path, first + again, f"{keys[again]} stands in line {earlier} already: keep one row")
    return table


_CELLS: Mapping[Any, Cell] = {
    str | None: str,
    bool: yes,
    frozenset[str]: lambda cell: frozenset(cell.split()),
}


def read_records(name: str, make: type[Made]) -> MappingProxyType[str, Made]:
    """The rows as values of the class ``make``, a column for each field, by their first cells; an empty cell
    leaves the field its default. ConfigError as :func:`read_table`."""
    kinds = {field: _CELLS.get(kind, kind) for field, kind in get_type_hints(make).items()}
    records: dict[str, Made] = {}
    for row in read_table(name, **kinds).rows:
        told = zip(kinds, row, strict=True)
        records[row[0]] = make(**{field: cell for field, cell in told if cell is not None})
    return MappingProxyType(records)


def _check_columns(path: Path, line: int, found: Sequence[str], columns: Sequence[str]) -> None:
    hint = f"the columns are {', '.join(columns)}, one tab between two"
    for name in found:
        if name not in columns:
            raise _damage(path, line, f"unknown column {name!r}: {hint}")
    if list(found) != list(columns):
        raise _damage(path, line, f"columns missing or in another order: {hint}")


@cache
def read_toml(name: str, /, *keys: str, folder: Path = DATA) -> Mapping[str, Any]:
    """The file ``name``, read once, with just these ``keys``; ConfigError where it is damaged."""
    from ..core.files.toml import TomlError, parse_toml

    path = folder / name
    source = _read(path)
    try:
        found = parse_toml(source)
    except TomlError as error:
        raise ConfigError(f"{path}: {error}") from None
    for key in sorted(found.keys() - set(keys)):
        raise _damage(path, _line_of(source, key), f"unknown key {key!r}: use {', '.join(keys)}")
    for key in sorted(set(keys) - found.keys()):
        raise _damage(path, 1, f"there is no {key!r}")
    return MappingProxyType(found)


def compiled(
    name: str, wordings: Sequence[str], words: Mapping[str, str], *, folder: Path = DATA
) -> re.Pattern[str]:
    """Any of the ``wordings`` of the file ``name``, from the start of a word on. ``<kin>`` in them stands for
    the pattern ``words["kin"]``; ConfigError where there is none, or a wording does not compile."""
    try:
        return re.compile(rf"\b(?:{'|'.join(_filled(wording, words) for wording in wordings)})")
    except re.error:
        path = folder / name
        for wording in wordings:
            try:
                re.compile(_filled(wording, words))
            except re.error as error:
                raise _damage(path, _line_of(_read(path), wording), f"{wording!r}: {error}") from None
        raise


def _filled(wording: str, words: Mapping[str, str]) -> str:
    for name in _NAMED.findall(wording):
        if name not in words:
            raise re.error(f"there is no <{name}>")
    return _NAMED.sub(lambda found: words[found[1]], wording)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _line_of(source: str, start: str) -> int:
    """The first line that opens with ``start``, brackets and quotes aside."""
    lines = enumerate(source.splitlines(), 1)
    return next((n for n, line in lines if line.lstrip("[ '\"").startswith(start)), 1)


def _damage(path: Path, line: int, what: str) -> ConfigError:
    return ConfigError(f"{path}, line {line}: {what}")
