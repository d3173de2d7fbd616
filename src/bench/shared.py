"""What all runs share: models that outlive the projects they work for, and files that are read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from ..config import Config
from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json, plain
from ..core.interfaces import Generator
from ..engine import Project, index_book, make_embedder, make_reader
from ..errors import ProjectError
from ..project.factories import make_generator

T = TypeVar("T")


class Models:
    """The models of a configuration, each loaded when it is first needed."""

    def __init__(self, config: Config) -> None:
        self.config = config

    @cached_property
    def generator(self) -> Generator:
        """Writes the drafts."""
        return make_generator(self.config)

    @cached_property
    def parts(self) -> dict[str, Any]:
        """Embedder and reader."""
        return {"embedder": make_embedder(self.config), "reader": make_reader(self.config)}

    def index(self, book: Path, place: Path) -> None:
        """As ``index_book``."""
        index_book(book, place, config=self.config, **self.parts)

    def project(self, place: Path) -> Project:
        """The project in a folder, with these models and settings in place of its own."""
        project = Project.open(place)
        project.config = self.config
        project.__dict__.update(generator=_StaysOpen(self.generator), **self.parts)
        return project

    def close(self) -> None:
        """Closes the generator, where there is one."""
        if "generator" in self.__dict__:
            self.generator.close()


class _StaysOpen:
    """A generator that outlives the projects that use it."""

    def __init__(self, inner: Generator) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def close(self) -> None:
        """Left open."""


def keep(path: Path, value: object) -> None:
    """Writes a value as JSON, whole or not at all."""
    replace_file(path, json.dumps(plain(value), indent=1, ensure_ascii=False) + "\n")


def kept(path: Path, make: Callable[[Any], T], cure: str) -> T:
    """What ``make`` makes of the JSON in a file. Raises ProjectError, which names the cure, where the file is
    damaged."""
    try:
        return make(parse_json(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProjectError(f"{path} is damaged ({error}): {cure}") from error
