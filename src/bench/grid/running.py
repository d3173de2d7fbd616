"""Runs an experiment: each item (story, prompt, seed, variant) is a file that is there whole or not at all,
so a run that is killed at any instant goes on where it stopped, and one that is made longer repeats nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...config import Config, load_config
from ...core.documents import read_document
from ...core.files.atomic import replace_file
from ...core.files.plain_json import parse_json
from ...engine import Project, index_book, make_embedder, make_reader
from ...errors import ProjectError
from ...project.factories import make_generator
from ..continuing import SharedGenerator
from .config import GridConfig, GridPrompt, GridStory, Variant

if TYPE_CHECKING:
    from ...core.interfaces import Generator
    from ...project.indexing import Progress

__all__ = ["Item", "run_grid"]


@dataclass(frozen=True, slots=True)
class Item:
    """One comparison of the grid. ``report`` is what ``compare --out`` writes, under ``facts`` and
    ``machine``; ``variant`` is empty where the config has no grid."""

    story: str
    chapter: int
    prompt: str
    seed: int
    variant: str
    report: dict[str, Any]

    @property
    def group(self) -> str:
        """What its seeds and variants have in common: they are no independent witnesses."""
        return f"{self.story}, ch. {self.chapter}: {self.prompt}"


def run_grid(config: GridConfig, out: Path, *, progress: Progress = lambda *_: None) -> tuple[Item, ...]:
    """Runs what ``out`` does not hold yet; all items, in order of variant, story, prompt and seed.

    An item of which a pipeline brought no draft is run again the next time. Raises HorizonError for a
    prompt at a chapter that its story does not have, ConfigError for settings that are none, ProjectError
    where ``out`` holds a damaged file, and ModelError where a model cannot be used at all.
    """
    bench = _Bench(out)
    total = sum(len(story.prompts) for story in config.stories) * len(config.seeds) * len(config.variants)
    found: list[Item] = []
    progress("compare", 0, total)
    for variant in config.variants:
        with closing(_Models(load_config(assignments=variant.assignments))) as models:
            for story in config.stories:
                for item in bench.items(config, story, variant, models):
                    found.append(item)
                    progress("compare", len(found), total)
    return tuple(found)


class _Models:
    """What a variant's items share, each part loaded when it is first needed."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._generator: Generator | None = None
        self._parts: dict[str, Any] = {}

    @property
    def generator(self) -> Generator:
        if self._generator is None:
            self._generator = make_generator(self.config)
        return self._generator

    @property
    def parts(self) -> dict[str, Any]:
        """Embedder and reader."""
        if not self._parts:
            self._parts = {"embedder": make_embedder(self.config), "reader": make_reader(self.config)}
        return self._parts

    @property
    def identity(self) -> list[Any]:
        """All that can change an item but its story, prompt and seed."""
        return [self.config.model_dump(mode="json"), self.generator.name, self.parts["reader"].version]

    def close(self) -> None:
        if self._generator is not None:
            self._generator.close()


class _Bench:
    """The folder of a run: ``items``, a file each, and ``projects``, an index for each story and way to
    index it."""

    def __init__(self, out: Path) -> None:
        self._out = out

    def items(
        self, config: GridConfig, story: GridStory, variant: Variant, models: _Models
    ) -> Iterator[Item]:
        from ...core.store.sqlite import digest

        book = self._book(story)
        text = digest(read_document(book).text)
        project: Project | None = None
        names = [one.name for one in config.pipelines]
        try:
            for prompt in story.prompts:
                for seed in config.seeds:
                    told = [text, prompt.chapter, prompt.prompt, seed, names, models.identity]
                    path = self._out / "items" / f"{digest(json.dumps(told))[:24]}.json"
                    item = _load(path) if path.is_file() else None
                    if item is None or _failed(item):
                        project = project or self._project(story, book, models)
                        replace_file(path, _dump(_compared(project, config, story, prompt, seed, variant)))
                        item = _load(path)
                    yield item
        finally:
            if project is not None:
                project.close()

    def _book(self, story: GridStory) -> Path:
        if story.book is not None:
            return story.book
        from ...demo import save_story

        return save_story(self._out)

    def _project(self, story: GridStory, book: Path, models: _Models) -> Project:
        from ...core.store.sqlite import digest

        indexed = models.config.model_dump_json(include={"chunking", "embedding", "parsing"})
        place = self._out / "projects" / f"{story.name}-{digest(indexed)[:8]}"
        index_book(book, place, config=models.config, **models.parts)
        project = Project.open(place)
        project.config = models.config
        project.__dict__.update(generator=SharedGenerator(models.generator), **models.parts)
        return project


def _compared(
    project: Project, config: GridConfig, story: GridStory, prompt: GridPrompt, seed: int, variant: Variant
) -> Item:
    report = project.compare(prompt.prompt, chapter=prompt.chapter, pipelines=config.pipelines, seed=seed)
    return Item(story.name, prompt.chapter, prompt.prompt, seed, variant.name, report.to_dict())


def _failed(item: Item) -> bool:
    return any(not one["drafts"] for one in item.report["facts"]["pipelines"])


def _dump(item: Item) -> str:
    """The report as ``compare --out`` writes it, so that ``bench sheet`` reads it, and what it is of."""
    own = {"story": item.story, "chapter": item.chapter, "seed": item.seed, "variant": item.variant}
    return json.dumps({**item.report, "item": own}, indent=1, ensure_ascii=False) + "\n"


def _load(path: Path) -> Item:
    try:
        report = parse_json(path.read_text(encoding="utf-8"))
        own = report.pop("item")
        return Item(
            str(own["story"]),
            int(own["chapter"]),
            str(report["facts"]["prompt"]),
            int(own["seed"]),
            str(own["variant"]),
            report,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProjectError(f"{path} is damaged ({error}): delete it, and it is run again") from error
