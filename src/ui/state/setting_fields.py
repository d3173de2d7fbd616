"""The settings that the page Settings offers, as data: what they are, not how they are drawn."""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...config import Config
from ...core.files.toml import load_toml
from ...project.connecting import Change

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
GROUPS = tuple(map(_kind_of_group, load_toml(_FILE)["group"]))


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
