"""The settings and keys that the pages Settings and Model offer, as data: not how they are drawn."""

from __future__ import annotations

import os
import re
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...config import Config
from ...core.files.toml import load_toml
from ...errors import UsageError
from ...project.connecting import Change

# Only what is plainly a key's name: no page may set PATH.
_NAME, _LONGEST = re.compile(r"[A-Z][A-Z0-9_]{0,60}_API_KEY"), 1000
Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Field:
    """A setting of ``[section]``. ``step`` is for numbers."""

    section: str
    key: str
    label: str
    help: str = ""
    step: float = 1

    @property
    def name(self) -> str:
        """``section.key``."""
        return f"{self.section}.{self.key}"

    @property
    def choices(self) -> tuple[str, ...]:
        """The words it can be; empty where it is free."""
        section = Config.model_fields[self.section].annotation
        kind = section.model_fields[self.key].annotation if section is not None else None
        return tuple(map(str, typing.get_args(kind))) if typing.get_origin(kind) is typing.Literal else ()

    def of(self, config: Config) -> Value:
        """Its value in these settings."""
        value: Value = getattr(getattr(config, self.section), self.key)
        return value


@dataclass(frozen=True, slots=True)
class Group:
    """Settings that are saved together."""

    title: str
    lead: str
    fields: tuple[Field, ...]


def _kind_of_group(told: dict[str, Any]) -> Group:
    fields = [dict(one) for one in told["fields"]]
    made = tuple(Field(*one.pop("setting").split("."), **one) for one in fields)
    return Group(told["title"], told["lead"], made)


_FILE = Path(__file__).with_name("setting_groups.toml")
GROUPS = {one.title: one for one in map(_kind_of_group, load_toml(_FILE)["group"])}
"""By title, in order."""


def changes(fields: Sequence[Field], values: Mapping[str, Value], *, now: Config) -> Change:
    """What has to be written so that the settings have these values, by their names; a value that is the
    default needs no line."""
    default = Config()
    found: dict[str, dict[str, Value | None]] = {}
    for field in fields:
        value = values[field.name]
        value = value.strip() if isinstance(value, str) else value
        if value != field.of(now):
            written = None if value == field.of(default) else value
            found.setdefault(field.section, {})[field.key] = written
    return found


def keep_key(name: str, value: str) -> None:
    """From now on, and until the app ends, ``value`` is in the variable ``name``. Raises UsageError for a
    name that is none of a key (capitals, ``_API_KEY`` at the end), or a value that cannot be one."""
    _check(name)
    key = value.strip()
    if not key or len(key) > _LONGEST or not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError("that does not look like a key: paste it as the provider shows it, in one piece")
    os.environ[name] = key


def forget_key(name: str) -> None:
    """Takes it out of the environment. Raises UsageError as :func:`keep_key`."""
    _check(name)
    os.environ.pop(name, None)


def has_key(name: str) -> bool:
    """Is there one? Its value is for the model alone."""
    return bool(os.environ.get(name))


def _check(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name[:80]!r} is not the name of a key: use capitals, and _API_KEY at the end")
