"""Experiments: stories x prompts x pipelines x seeds x settings, from a TOML file, each combination run once.

Each item (story, prompt, seed, settings) is a file that is there whole or not at all, so a run that is killed
at any instant goes on where it stopped, and one that is made longer repeats nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import product
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..cluster.pools import spread
from ..config import load_config
from ..core.documents import read_document
from ..core.files.atomic import replace_file
from ..core.files.toml import TomlError, load_toml
from ..core.store.sqlite import digest
from ..demo import prompts, save_story
from ..engine import Project
from ..errors import ConfigError
from ..project.indexing import Progress
from ..project.storage.opening import open_store
from ..story.writing.pipelines import ABLATIONS, PIPELINES, STANDARD
from ..views.text.render import Answer
from .results import MEASURES, RESULT, result_of, rows_of, tables
from .shared import Models, copy_project, keep, kept

_DEMO = "demo"
_PIPELINES = {one.name: one for one in (*PIPELINES, *ABLATIONS)}
T = TypeVar("T")
_Some = Annotated[list[T], Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class GridPrompt(_Strict):
    """A prompt, and the chapter after which its scene is set."""

    chapter: int = Field(ge=1)
    prompt: str = Field(pattern=r"\S")


class GridStory(_Strict):
    """A book (a path, or ``"demo"``, which has prompts of its own) and what is asked of it. ``project`` is a
    folder in which it is indexed already: a copy of that is used as it is, and ``book`` is only a name."""

    book: str
    prompts: list[GridPrompt] = []
    project: str = ""

    @property
    def name(self) -> str:
        """The file's, without its ending."""
        return Path(self.book).stem


class GridConfig(_Strict):
    """Every story's prompts x variants x seeds, each through all ``pipelines``. ``metrics`` are names of
    scores; ``baseline`` is the pipeline that the others are set against. ``settings`` are values by
    ``section.key`` that hold for all, ``grid`` lists of values, all combinations of which are run."""

    question: str = ""
    stories: _Some[GridStory] = [GridStory(book=_DEMO)]
    pipelines: _Some[str] = [one.name for one in PIPELINES]
    seeds: _Some[int] = [0]
    metrics: _Some[str] = list(MEASURES)
    baseline: str = ""
    settings: dict[str, Any] = {}
    grid: dict[str, _Some[Any]] = {}

    @property
    def items(self) -> int:
        """Stories' prompts x seeds, in each variant."""
        return sum(len(story.prompts) for story in self.stories) * len(self.seeds)

    @property
    def variants(self) -> dict[str, list[str]]:
        """All settings at each point of the grid, by its name in words (empty where there is no grid). Raises
        ConfigError for a key that is none."""
        fixed = [_assignment(key, value) for key, value in self.settings.items()]
        axes = ([_assignment(key, value) for value in values] for key, values in self.grid.items())
        return {", ".join(point): [*fixed, *point] for point in product(*axes)}


def _assignment(key: str, value: Any) -> str:
    if isinstance(value, dict):
        raise ConfigError(f'{key}: write it as one quoted key, e.g. "comparison.budget" = 700')
    return f"{key}={json.dumps(value)}"


def load_grid(path: Path) -> GridConfig:
    """Reads a config; its paths are relative to its folder. Raises ConfigError, which names the key, for a
    file that cannot be read, an unknown key or a wrong value."""
    try:
        grid = GridConfig.model_validate(load_toml(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        known = f"no such key: there are {', '.join(sorted(GridConfig.model_fields))}"
        message = known if first["type"] == "extra_forbidden" else first["msg"]
        raise ConfigError(f"{path}: {place}: {message}") from None
    except (OSError, TomlError) as error:
        raise ConfigError(f"{path} cannot be read as TOML ({error})") from error
    names = grid.pipelines
    grid.baseline = grid.baseline or (STANDARD.name if STANDARD.name in names else names[0])
    if unknown := [one for one in names if one not in _PIPELINES]:
        raise ConfigError(f"there is no pipeline {unknown[0]!r}: name some of {', '.join(_PIPELINES)}")
    if len(set(names)) < len(names):
        raise ConfigError("pipelines: each one once")
    if grid.baseline not in names:
        raise ConfigError(f"the baseline {grid.baseline!r} is none of the pipelines {', '.join(names)}")
    for story in grid.stories:
        if story.book == _DEMO and not story.project and not story.prompts:
            story.prompts = [GridPrompt(chapter=one.chapter, prompt=one.prompt) for one in prompts()]
        if not story.prompts:
            raise ConfigError(f"the prompts of {story.book}: a list of one thing at least is wanted")
        if story.book != _DEMO and not story.project:
            story.book = str(path.parent / story.book)
            if not Path(story.book).is_file():
                raise ConfigError(f"stories: there is no file {story.book}")
    if len({story.name for story in grid.stories}) < len(grid.stories):
        raise ConfigError("stories: two have one name: rename a file")
    _ = grid.variants  # which refuses a key that is none
    return grid


def ran(
    config: Path,
    out: Path,
    *,
    workers: int = 1,
    cluster: str | None = None,
    progress: Progress = lambda *_: None,
) -> Answer:
    """Runs what is missing, in several processes or on a cluster where that is asked for, and writes
    ``result.json`` and tables into the run's folder. What cannot be done there is done here, which
    then says why."""
    grid = load_grid(config)
    if workers > 1 or cluster:
        tasks = [(str(config.resolve()), str(out.resolve()), place) for place in range(len(grid.stories))]
        progress("stories", 0, len(tasks))
        for done, _ in enumerate(spread(tasks, run_story, workers=workers, cluster=cluster), 1):
            progress("stories", done, len(tasks))
    items = run_grid(grid, out, progress=progress)
    result = result_of(grid, items)
    keep(out / RESULT, result)
    table = tables(result)
    replace_file(out / "tables.md", table)
    failed = [row for row in result["facts"]["rows"] if row["error"]]
    told = "".join(f"\n{row['group']}, {row['pipeline']}: {row['error']}" for row in failed)
    return Answer(result, f"{len(items)} comparisons; all is in {out}.\n\n{table}{told}".rstrip())


def run_story(task: tuple[str, str, int]) -> None:
    """Runs what a run's folder does not hold yet of a story: the config's file, the folder, and the story's
    place in the config. Raises what :func:`run_grid` does."""
    file, out, place = task
    config = load_grid(Path(file))
    run_grid(config.model_copy(update={"stories": [config.stories[place]]}), Path(out))


def run_grid(config: GridConfig, out: Path, *, progress: Progress = lambda *_: None) -> list[dict[str, Any]]:
    """Runs what ``out`` does not hold yet; all items, in order of variant, story, prompt and seed: each a
    report as ``compare --out`` writes it, and under ``item`` what it is of.

    An item of which a pipeline brought no draft is run again the next time. Raises HorizonError for a
    prompt at a chapter that its story does not have, ConfigError for settings that are none, ProjectError
    where ``out`` holds a damaged file, and ModelError where a model cannot be used at all.
    """
    total = config.items * len(config.variants)
    found: list[dict[str, Any]] = []
    progress("compare", 0, total)
    for variant, assignments in config.variants.items():
        with closing(Models(load_config(assignments=assignments))) as models:
            for story in config.stories:
                for item in _items(out, config, story, variant, models):
                    found.append(item)
                    progress("compare", len(found), total)
    return found


def _items(
    out: Path, config: GridConfig, story: GridStory, variant: str, models: Models
) -> Iterator[dict[str, Any]]:
    settings, reader = models.config.model_dump(mode="json"), models.parts["reader"]
    same = [config.pipelines, [settings, models.generator.name, reader.version]]
    indexed = models.config.model_dump_json(include={"chunking", "embedding", "parsing"})
    place = out / "projects" / f"{story.name}-{digest(indexed)[:8]}"
    if story.project:
        if not place.exists():
            copy_project(Path(story.project), place)
        with open_store(place) as store:
            text = digest(store.snapshot().document.text)
    else:
        book = save_story(out) if story.book == _DEMO else Path(story.book)
        text = digest(read_document(book).text)
    project: Project | None = None
    with ExitStack() as opened:
        for prompt, seed in product(story.prompts, config.seeds):
            told = digest(json.dumps([text, prompt.chapter, prompt.prompt, seed, *same]))
            path = out / "items" / f"{told[:24]}.json"
            item = _kept(path) if path.is_file() else None
            if item is None or any(not one["drafts"] for one in item["facts"]["pipelines"]):
                if project is None:
                    if not story.project:
                        models.index(book, place)
                    project = opened.enter_context(models.project(place))
                pipelines = [_PIPELINES[name] for name in config.pipelines]
                report = project.compare(
                    prompt.prompt, chapter=prompt.chapter, pipelines=pipelines, seed=seed
                )
                own = {"story": story.name, "chapter": prompt.chapter, "seed": seed, "variant": variant}
                keep(path, {**report.to_dict(), "item": own})
                item = _kept(path)
            yield item


def _kept(path: Path) -> dict[str, Any]:
    def sound(item: dict[str, Any]) -> dict[str, Any]:
        rows_of(item)
        return item

    return kept(path, sound, "delete it, and it is run again")
