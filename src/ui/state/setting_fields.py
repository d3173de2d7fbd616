"""The settings that the page Settings offers, as data: what they are, not how they are drawn."""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...config import Config
from ...project.settings_writer import Change

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


GROUPS = (
    Group(
        "Language model",
        "How it is asked. Which one it is, is chosen above.",
        (
            Field("generator", "context_tokens", "Context, tokens", step=256),
            Field("generator", "timeout_s", "Seconds to wait for an answer", step=10),
            Field("generator", "concurrency", "Requests at the same time"),
        ),
    ),
    Group(
        "Writing",
        "The same for every pipeline in a comparison.",
        (
            Field("comparison", "temperature", "Temperature", "0: always the likeliest word.", 0.1),
            Field("comparison", "max_tokens", "Longest draft, tokens", step=20),
            Field("comparison", "budget", "Context of a draft, tokens", step=50),
            Field("comparison", "seed", "Seed"),
        ),
    ),
    Group(
        "Answers",
        "What an answer may be made from.",
        (
            Field(
                "answering",
                "model",
                "Let the model write answers",
                "auto: where one is chosen above. If off, the story's own sentences answer.",
            ),
            Field("answering", "max_tokens", "Longest answer, tokens", step=20),
            Field("answering", "budget", "Sources of an answer, tokens", step=50),
        ),
    ),
    Group(
        "Reading",
        "For stories indexed from now on; existing ones keep what they were made with.",
        (
            Field(
                "embedding", "provider", "Vectors by", "local: computed here. Others are sent the whole text."
            ),
            Field(
                "embedding",
                "model",
                "Embedding model",
                "A sentence-transformers name or a folder; or its name at the endpoint.",
            ),
            Field("embedding", "base_url", "Address for vectors", "Empty: the provider's own."),
            Field("embedding", "device", "Device", "auto, cpu or cuda."),
            Field("parsing", "model_extractor", "Let the language model read chapters too", "Slow."),
        ),
    ),
    Group(
        "Memory",
        "Above its budget, the guard closes what can be reopened later.",
        (Field("memory", "budget_gb", "Budget, GiB", "0: 75 % of 16 GiB, or of this machine.", 0.5),),
    ),
)


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
