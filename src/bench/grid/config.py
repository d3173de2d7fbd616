"""What an experiment runs: stories, prompts, pipelines, seeds, and a grid of settings, from a TOML file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path
from typing import Any

from ...core.files.toml import TomlError, load_toml
from ...errors import ConfigError
from ...story.writing.pipelines import ABLATIONS, PIPELINES, STANDARD, Pipeline

__all__ = ["DEMO", "GridConfig", "GridPrompt", "GridStory", "Variant", "load_grid"]

DEMO = "demo"
_MEASURES = ("consistency", "violations_per_10k_words", "coverage", "presence", "repetition")


@dataclass(frozen=True, slots=True)
class GridPrompt:
    """A prompt, and the chapter after which its scene is set."""

    chapter: int
    prompt: str


@dataclass(frozen=True, slots=True)
class GridStory:
    """A book and what is asked of it. ``book`` is None for the demo story."""

    name: str
    book: Path | None
    prompts: tuple[GridPrompt, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """One point of the grid: its name in words (empty where there is no grid), and all settings there."""

    name: str
    assignments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GridConfig:
    """An experiment: every story's prompts x variants x seeds, each through all ``pipelines``. ``metrics``
    are names of scores; ``baseline`` is the pipeline that the others are set against."""

    question: str
    stories: tuple[GridStory, ...]
    pipelines: tuple[Pipeline, ...]
    seeds: tuple[int, ...]
    variants: tuple[Variant, ...]
    metrics: tuple[str, ...]
    baseline: str


def load_grid(path: Path) -> GridConfig:
    """Reads a config; its paths are relative to its folder. Keys: ``question``, ``stories`` (tables with
    ``book``, a path or ``"demo"``, and ``prompts``, tables with ``chapter`` and ``prompt``; the demo story
    has prompts of its own), ``pipelines``, ``seeds``, ``metrics``, ``baseline``, ``settings`` (values by
    ``section.key``) and ``grid`` (lists of values by ``section.key``, all combinations of which are run).

    Raises ConfigError, which names the key, for a file that cannot be read, an unknown key or a wrong value.
    """
    try:
        told = load_toml(path)
    except (OSError, TomlError) as error:
        raise ConfigError(f"{path} cannot be read as TOML ({error})") from error
    known = {"question", "stories", "pipelines", "seeds", "metrics", "baseline", "settings", "grid"}
    if unknown := sorted(told.keys() - known):
        raise ConfigError(f"{path}: no such key {unknown[0]!r}: there are {', '.join(sorted(known))}")
    pipelines = _pipelines(told.get("pipelines", [one.name for one in PIPELINES]))
    names = [one.name for one in pipelines]
    baseline = told.get("baseline", STANDARD.name if STANDARD.name in names else names[0])
    if baseline not in names:
        raise ConfigError(f"the baseline {baseline!r} is none of the pipelines {', '.join(names)}")
    return GridConfig(
        question=_of(str, told.get("question", ""), "question"),
        stories=_stories(told.get("stories", [{"book": DEMO}]), path.parent),
        pipelines=pipelines,
        seeds=tuple(_of(int, seed, "seeds") for seed in _listed(told.get("seeds", [0]), "seeds")),
        variants=_variants(
            _table(told.get("settings", {}), "settings"), _table(told.get("grid", {}), "grid")
        ),
        metrics=tuple(
            _of(str, one, "metrics") for one in _listed(told.get("metrics", list(_MEASURES)), "metrics")
        ),
        baseline=baseline,
    )


def _pipelines(names: Any) -> tuple[Pipeline, ...]:
    by_name = {one.name: one for one in (*PIPELINES, *ABLATIONS)}
    listed = _listed(names, "pipelines")
    for name in listed:
        if name not in by_name:
            raise ConfigError(f"there is no pipeline {name!r}: name some of {', '.join(by_name)}")
    if len(set(listed)) < len(listed):
        raise ConfigError("pipelines: each one once")
    return tuple(by_name[name] for name in listed)


def _stories(told: Any, folder: Path) -> tuple[GridStory, ...]:
    found = []
    for each in _listed(told, "stories"):
        table = _table(each, "stories")
        if unknown := sorted(table.keys() - {"book", "prompts"}):
            raise ConfigError(f"stories: no such key {unknown[0]!r}: there are book, prompts")
        book = _of(str, table.get("book"), "stories.book")
        prompts = _prompts(table.get("prompts"), book)
        place = None if book == DEMO else folder / book
        if place is not None and not place.is_file():
            raise ConfigError(f"stories: there is no file {place}")
        found.append(GridStory(DEMO if place is None else place.stem, place, prompts))
    if len({story.name for story in found}) < len(found):
        raise ConfigError("stories: two have one name: rename a file")
    return tuple(found)


def _prompts(told: Any, book: str) -> tuple[GridPrompt, ...]:
    if told is None and book == DEMO:
        from ...demo import gold

        return tuple(GridPrompt(one.chapter, one.prompt) for one in gold().prompts)
    found = []
    for each in _listed(told, f"the prompts of {book}"):
        table = _table(each, "prompts")
        if table.keys() != {one.name for one in fields(GridPrompt)}:
            raise ConfigError(f"{book}: a prompt has a chapter and a prompt, not {', '.join(table)}")
        chapter, prompt = _of(int, table["chapter"], "chapter"), _of(str, table["prompt"], "prompt")
        if chapter < 1 or not prompt.strip():
            raise ConfigError(f"{book}: a prompt needs a chapter from 1 on, and words")
        found.append(GridPrompt(chapter, prompt))
    return tuple(found)


def _variants(settings: Mapping[str, Any], grid: Mapping[str, Any]) -> tuple[Variant, ...]:
    fixed = tuple(_assignment(key, value) for key, value in settings.items())
    axes = [[(key, value) for value in _listed(values, f"grid.{key}")] for key, values in grid.items()]
    found = []
    for point in product(*axes):
        own = tuple(_assignment(key, value) for key, value in point)
        found.append(Variant(", ".join(own), (*fixed, *own)))
    return tuple(found)


def _assignment(key: str, value: Any) -> str:
    if isinstance(value, dict):
        raise ConfigError(f'{key}: write it as one quoted key, e.g. "comparison.budget" = 700')
    return f"{key}={json.dumps(value)}"


def _listed(value: Any, key: str) -> Sequence[Any]:
    if not isinstance(value, list) or not value:
        raise ConfigError(f"{key}: a list of one thing at least is wanted, not {value!r}")
    return value


def _table(value: Any, key: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{key}: a table is wanted, not {value!r}")
    return value


def _of(kind: type, value: Any, key: str) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ConfigError(f"{key}: a value like {kind()!r} is wanted, not {value!r}")
    return value
