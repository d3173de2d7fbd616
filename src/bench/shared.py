"""What all runs share: models that outlive the projects they work for, and files that are read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from ..config import Config
from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json, plain
from ..core.interfaces import Generator
from ..engine import Project, index_book, make_embedder, make_reader
from ..errors import ProjectError
from ..project.factories import make_generator
from ..project.keeping.backup import back_up, restore

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

    @contextmanager
    def project(self, place: Path) -> Iterator[Project]:
        """The project in a folder, with these models, which outlive it, and settings in place of its own."""
        with Project.open(place) as project:
            project.config = self.config
            project.__dict__.update(generator=self.generator, **self.parts)
            try:
                yield project
            finally:
                del project.__dict__["generator"]

    def close(self) -> None:
        """Closes the generator, where there is one."""
        if "generator" in self.__dict__:
            self.generator.close()


def copy_project(project: Path, place: Path) -> None:
    """As it is now, while others may read and write it; ``place`` is there whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=place.parent) as scratch:
        back_up(project, Path(scratch) / "backup")
        restore(Path(scratch) / "backup", place)


def keep(path: Path, value: object) -> None:
    """Writes a value as JSON, whole or not at all."""
    replace_file(path, json.dumps(plain(value), indent=1, ensure_ascii=False) + "\n")


def kept(path: Path, make: Callable[[Any], T], cure: str) -> T:
    """What ``make`` makes of the JSON in a file. Raises ProjectError, which names the cure, where the file is
    not there or damaged."""
    try:
        return make(parse_json(path.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProjectError(f"{path} is missing or damaged ({error}): {cure}") from error
