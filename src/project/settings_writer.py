"""Keeps settings in a ``fabula.toml``: what is not asked to change stays as it was written, comments too."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..config import Config, Source, load_config, named_settings
from ..core.files.atomic import changing, replace_file
from ..core.files.toml import TomlError, parse_toml
from ..errors import ConfigError
from .trust import folder_settings, trust

Change = Mapping[str, Mapping[str, str | int | float | bool | Sequence[str] | None]]

_HEADER = re.compile(r"\s*\[\s*([A-Za-z_][\w-]*)\s*\]\s*(?:#.*)?\Z")
_ANY_HEADER = re.compile(r"\s*\[")
_KEY = re.compile(r"\s*([A-Za-z_][\w-]*)\s*=")


def save_settings(file: Path, change: Change) -> Config:
    """Writes ``change`` (section → key → value; None takes the key out) into ``file``, made where there is
    none, and gives the settings that it now holds. The file is replaced whole, and only where everything in
    it is valid; who writes at the same time waits. What is set so counts as confirmed (see
    :mod:`.project.trust`), unless the file held something that was not.

    Raises ConfigError for a setting that does not exist or is out of range, or a file that is written in a
    way that cannot be changed line by line; UsageError where it cannot be written. Then nothing has changed.
    """
    with changing(file):
        text = _read(file)
        before = _parsed(text, file)
        wanted = _merged(before, change)
        lines = text.splitlines()
        for section, values in change.items():
            for key, value in values.items():
                lines = _with(lines, section, key, value)
        new = "\n".join(lines).strip("\n") + "\n"
        if not _says(new, wanted):
            raise ConfigError(f"{file.name} is written in a way that cannot be changed here: edit it by hand")
        config = _valid(wanted)
        if new != text:
            known = not folder_settings(file.parent).withheld
            replace_file(file, new)
            if known:
                trust(file.parent)
    return config


def keep_generator(folder: Path, settings: Sequence[Source], assignments: Sequence[str]) -> None:
    """Writes the language model that was named for this project alone into its own settings, so that it holds
    for whatever is done with the project later. Files are named from here on by their whole path."""
    named = named_settings(settings, assignments).get("generator", {})
    for key in named.keys() & {"folder", "recording", "prices"}:
        named[key] = str(Path(named[key]).resolve()) if named[key] else ""
    if named:
        save_settings(folder / "fabula.toml", {"generator": named})


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8") if file.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file.name} cannot be read ({error}): mend or remove it") from error


def _valid(settings: Mapping[str, Any]) -> Config:
    assignments = [
        f"{section}.{key}={_toml(value)}"
        for section, values in settings.items()
        if isinstance(values, Mapping)
        for key, value in values.items()
    ]
    return load_config(assignments=assignments)


def _parsed(text: str, file: Path) -> dict[str, Any]:
    try:
        return parse_toml(text)
    except TomlError as error:
        raise ConfigError(f"{file.name} cannot be read ({error}): mend or remove it") from error


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return parse_toml(text) == wanted
    except TomlError:
        return False


def _merged(before: Mapping[str, Any], change: Change) -> dict[str, Any]:
    merged = {key: dict(value) if isinstance(value, Mapping) else value for key, value in before.items()}
    for section, values in change.items():
        inside = merged.setdefault(section, {})
        if not isinstance(inside, dict):
            raise ConfigError(f"{section} is no section of settings")
        for key, value in values.items():
            if value is None:
                inside.pop(key, None)
            else:
                inside[key] = value
    return {key: value for key, value in merged.items() if value != {} or key in before}


def _with(lines: list[str], section: str, key: str, value: object) -> list[str]:
    """The lines with the key set, or taken out."""
    start = next((i for i, line in enumerate(lines) if _is_section(line, section)), None)
    written = None if value is None else f"{key} = {_toml(value)}"
    if start is None:
        return lines if written is None else [*lines, *([""] if lines else []), f"[{section}]", written]
    end = next((i for i in range(start + 1, len(lines)) if _ANY_HEADER.match(lines[i])), len(lines))
    for i in range(start + 1, end):
        found = _KEY.match(lines[i])
        if found and found[1] == key:
            return [*lines[:i], *([] if written is None else [written]), *lines[i + 1 :]]
    return lines if written is None else [*lines[: start + 1], written, *lines[start + 1 :]]


def _is_section(line: str, section: str) -> bool:
    found = _HEADER.match(line)
    return found is not None and found[1] == section


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
