"""TOML from files that others may have written: read within limits of size and depth.

A small file can be made to nest so deep that a parser ends the process, or to write keys of thousands of
parts, each of which is walked again for every line. Both are found here before the parser sees them.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..text.encodings import decoded

LARGEST = 4_000_000
"""Characters of one file."""

DEEPEST = 64
"""Levels of brackets, and parts of one dotted key."""

_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+"
    r"|[][{}.,=\n]",
    re.DOTALL,
)
_FRESH = frozenset(",=\n")  # a new key or value begins


class TomlError(ValueError):
    """A text that is no TOML, or more of it than is read; the message is one line."""


def parse_toml(text: str) -> dict[str, Any]:
    """The table that a text holds. Raises TomlError where it is no TOML, longer than :data:`LARGEST` or
    nested deeper than :data:`DEEPEST`."""
    if len(text) > LARGEST:
        raise TomlError(f"it has {len(text):,} characters, at most {LARGEST:,} are read")
    _refuse_deep(text)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # no TOML, or a number of 5,000 digits
        raise TomlError(" ".join(str(error).split())) from None


def load_toml(path: Path) -> dict[str, Any]:
    """The table in a UTF-8 file. Raises OSError, and TomlError as :func:`parse_toml`."""
    with path.open("rb") as file:
        raw = file.read(4 * LARGEST + 1)  # at most four bytes a character
    try:
        return parse_toml(decoded(raw))
    except UnicodeDecodeError as error:
        raise TomlError(f"it is no UTF-8 text ({error.reason} at byte {error.start})") from None


def list_text(path: Path, what: str) -> str:
    """The text of a file in which an author lists ``what``. Raises UsageError where it cannot be read."""
    try:
        raw = path.read_bytes()
        if len(raw) > LARGEST:
            raise UsageError(f"{path} holds {len(raw):,} bytes: {what} are a short list")
        return decoded(raw)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"the {what} {path} cannot be read ({reason}): check the file") from error


def tables_of(text: str, name: str, *, source: str) -> list[Any]:
    """What stands under ``[[name]]`` in a text that holds nothing else. Raises UsageError."""
    try:
        content = parse_toml(text)
    except TomlError as error:
        raise UsageError(f"{source} is not TOML ({error}): fix that place") from error
    tables = content.pop(name, [])
    if content or not isinstance(tables, list):
        other = ", ".join(sorted(content)) or f"{name} = …"
        raise UsageError(f"{source} holds {other}: it takes [[{name}]] tables and nothing else")
    return tables


def _refuse_deep(text: str) -> None:
    depth = dots = 0
    for match in _TOKEN.finditer(text):
        mark = match[0]
        if mark in {"[", "{"}:
            depth, dots = depth + 1, 0
        elif mark in {"]", "}"}:
            depth = max(0, depth - 1)
        elif mark == ".":
            dots += 1
        elif mark in _FRESH:
            dots = 0
        if depth > DEEPEST or dots >= DEEPEST:
            line = text.count("\n", 0, match.start()) + 1
            raise TomlError(f"it nests deeper than {DEEPEST} levels (at line {line})")
