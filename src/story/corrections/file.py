"""Corrections as they are written down: TOML, edited by hand or by :func:`added` and :func:`without`.

One table a correction, in the author's order::

    [[correct]]
    kind = "split"
    who = "Mr. Emerson"
    names = ["George Emerson", "George"]
    from_chapter = 3

A name may be a list of names. What stands in the file stays as it is written when another is added.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

from ...core.files.toml import TomlError, parse_toml
from ...errors import UsageError
from .corrections import KINDS, Correction, Corrections

CORRECTIONS_FILE = "corrections.toml"  # in a project's folder
_HEAD = "# Who is who, by the author's word: see fabula correct --help.\n"
_TABLE = re.compile(r"\s*\[\[\s*correct\s*\]\]\s*(?:#.*)?")
_SINCE = re.compile(r"^(\s*from_chapter\s*=\s*)(\d+)(?=\s*(?:#.*)?$)", re.MULTILINE)
_KEYS = ("kind", "who", "names", "into", "to", "from_chapter")
_LARGEST = 1024 * 1024


def read_corrections(path: Path) -> Corrections:
    """Those of a file; none where there is no file. Raises UsageError, with the line, for what is wrong."""
    return parse_corrections(read_text(path), source=path.name)


def read_text(path: Path) -> str:
    """The file's text, empty where there is none. Raises UsageError where it cannot be read."""
    try:
        raw = path.read_bytes() if path.is_file() else b""
        if len(raw) > _LARGEST:
            raise UsageError(f"{path} holds {len(raw):,} bytes: corrections are a short list")
        return raw.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"the corrections {path} cannot be read ({reason}): check the file") from error


def parse_corrections(text: str, *, source: str = CORRECTIONS_FILE) -> Corrections:
    """Those of a TOML text. Raises UsageError, with the line, for what is no correction, or says against
    another."""
    try:
        content = parse_toml(text)
    except TomlError as error:
        raise UsageError(f"{source} is no TOML ({error}): mend that place") from error
    tables = content.pop("correct", [])
    if content or not isinstance(tables, list):
        other = ", ".join(sorted(content)) or "correct = …"
        raise UsageError(f"{source} holds {other}: it takes [[correct]] tables and nothing else")
    starts = [number for number, line in enumerate(text.splitlines(), 1) if _TABLE.fullmatch(line)]
    lines = starts if len(starts) == len(tables) else [0] * len(tables)
    where = [f"line {line}" if line else f"correction {n}" for n, line in enumerate(lines, 1)]
    read = [_correction(table, f"{source}, {place}") for table, place in zip(tables, where, strict=True)]
    return Corrections.of(read, lines=lines, source=source)


def added(text: str, correction: Correction) -> str:
    """The text with one more correction at its end."""
    table = ["[[correct]]", f"kind = {_toml(correction.kind)}"]
    for key in ("who", "names", "into"):
        if names := getattr(correction, key):
            alone = len(names) == 1 and key != "names"
            table.append(f"{key} = {_toml(names[0]) if alone else _listed(names)}")
    table += [f"to = {_toml(correction.to)}"] if correction.to else []
    table += [f"from_chapter = {correction.from_chapter}"] if correction.from_chapter is not None else []
    return f"{text.rstrip() or _HEAD.rstrip()}\n\n" + "\n".join(table) + "\n"


def as_toml(corrections: Corrections) -> str:
    """All of them as a file of their own."""
    return reduce(added, corrections.entries, "")


def without(text: str, number: int) -> str:
    """The text without the correction of that number (from 0) and the comment right above it. Raises
    UsageError where the file is written in a way that cannot be changed by lines."""
    lines = text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if _TABLE.fullmatch(line.rstrip("\r\n"))]
    before = parse_corrections(text).entries
    kept = (*before[:number], *before[number + 1 :])
    if len(starts) == len(before):
        start = _with_comment(lines, starts[number])
        end = _with_comment(lines, starts[number + 1]) if number + 1 < len(starts) else len(lines)
        left = "".join(lines[:start] + lines[end:]).rstrip() + "\n"
        if parse_corrections(left).entries == kept:
            return left
    raise UsageError(f"{CORRECTIONS_FILE} is written in a way that cannot be changed here: edit it by hand")


def with_chapters(text: str, wanted: Corrections) -> str:
    """The text with the chapters of corrections that are ``wanted`` in place of its own, and are the same but
    for these; comments and all stay. Written anew where it is written in a way that cannot be changed by
    lines."""
    chapters = iter([one.from_chapter for one in wanted.entries if one.from_chapter is not None])
    moved = _SINCE.sub(lambda found: f"{found[1]}{next(chapters, found[2])}", text)
    try:
        if parse_corrections(moved) == wanted:
            return moved
    except UsageError:
        pass
    return as_toml(wanted)


def _with_comment(lines: Sequence[str], start: int) -> int:
    while start > 1 and lines[start - 1].lstrip().startswith("#"):  # the first line is the file's own
        start -= 1
    return start


def _correction(table: object, where: str) -> Correction:
    if not isinstance(table, dict):
        raise UsageError(f"{where} is no table: write [[correct]] above its keys")
    unknown = sorted(set(table) - set(_KEYS))
    if unknown:
        raise UsageError(f"{where}: there is no key {unknown[0]!r}: a correction takes {', '.join(_KEYS)}")
    if "kind" not in table:
        raise UsageError(f"{where}: it has no kind: write kind = and one of {', '.join(KINDS)}")
    since = table.get("from_chapter")
    if since is not None and (not isinstance(since, int) or isinstance(since, bool)):
        raise UsageError(f"{where}: from_chapter is a number: write it without quotation marks")
    who, names, into = (_names(table, key, where) for key in ("who", "names", "into"))
    kind = re.sub(r"[\s-]+", "_", _text(table, "kind", where).casefold())
    return Correction(kind, who, names, into, _text(table, "to", where), since)


def _text(table: dict[str, object], key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{where}: {key} is no text: put it in quotation marks")
    return " ".join(value.split())


def _names(table: dict[str, object], key: str, where: str) -> tuple[str, ...]:
    value = table.get(key, [])
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise UsageError(f'{where}: {key} is a name or a list of names: write {key} = "…"')
    return tuple(" ".join(one.split()) for one in listed)


def _toml(text: str) -> str:
    # a JSON string without control characters is a TOML basic string
    return json.dumps(text, ensure_ascii=False)


def _listed(names: Sequence[str]) -> str:
    return f"[{', '.join(map(_toml, names))}]"
