"""An experiment planned without a file: stories of a library, prompts, pipelines and seeds make its TOML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tomlkit

from ..config import Config
from ..core.files.atomic import replace_file
from ..core.files.toml import TomlError, load_toml
from ..core.runtime.model_requests import ModelPlan
from ..errors import UsageError
from ..project.spending import with_cost
from ..story.writing.pipelines import FUSED
from .continuing import TEMPERATURE
from .results import BENCH

PLAN = "run.toml"
_SECTIONS = {"retrieval", "generator", "comparison", "wishes", "chunking", "embedding", "parsing"}
_REACHING = ("generator.", "embedding.base_url", "embedding.api_key_env")
_ASKED = 500  # tokens of a prompt beside its context, at most


@dataclass(frozen=True, slots=True)
class PlannedStory:
    """A project of the library, and what is asked of it: each prompt after the chapter ``after``."""

    folder: Path
    name: str
    after: int
    prompts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Stories x prompts x pipelines x seeds, with the settings of ``config``. ``most_cost`` bounds the
    dollars that the language model may cost, 0 for no bound."""

    stories: tuple[PlannedStory, ...]
    pipelines: tuple[str, ...]
    seeds: int
    config: Config
    question: str = ""
    most_cost: float = 0.0

    @property
    def drafts(self) -> int:
        """How many are written, revisions apart."""
        return sum(len(story.prompts) for story in self.stories) * len(self.pipelines) * self.seeds

    def price(self, model: str, context_tokens: int) -> ModelPlan:
        """The most that the drafts can take, a revision of each *fused* one included, and what that costs
        where the model has a price."""
        revised = self.drafts // max(1, len(self.pipelines)) * (FUSED.name in self.pipelines)
        c, requests = self.config.comparison, self.drafts + revised
        given = (c.budget or min(3000, max(700, context_tokens // 10))) + _ASKED
        plan = ModelPlan(model, requests, 0, requests * (given + c.max_tokens), requests * c.max_tokens)
        return with_cost(plan, self.config)


def save_run(library: Path, plan: RunPlan) -> Path:
    """Writes the plan into a new folder under the library's ``bench``; gives that folder. :func:`.grid.ran`
    runs its file, as often as it takes. Raises UsageError for a plan without story, prompt or pipeline."""
    if not (plan.stories and plan.pipelines and all(story.prompts for story in plan.stories)):
        raise UsageError("choose one story, one prompt and one pipeline at least")
    folder = _new_folder(library / BENCH, plan.stories[0].name)
    table = {
        "question": plan.question,
        "pipelines": [*plan.pipelines],
        "seeds": [*range(plan.seeds)],
        "settings": _settings(plan),
        "stories": [
            {
                "book": story.name,
                "project": str(story.folder),
                "prompts": [{"chapter": story.after, "prompt": one} for one in story.prompts],
            }
            for story in plan.stories
        ],
    }
    replace_file(folder / PLAN, tomlkit.dumps(table))
    return folder


def planned(folder: Path) -> dict[str, Any]:
    """What the plan of a run says; empty where its folder holds none that can be read."""
    try:
        return dict(load_toml(folder / PLAN))
    except (OSError, TomlError):
        return {}


def require_own(folder: Path, config: Config) -> None:
    """Raises UsageError where the plan of a run, which others may have written, reaches beyond the library or
    names another language model, address or key than the user's settings do."""
    plan, library = planned(folder), folder.parents[1].resolve()
    told = {name: value for name, value in plan.get("settings", {}).items() if name.startswith(_REACHING)}
    told.pop("generator.max_cost", None)
    own = config.model_dump(mode="json")
    same = all(own.get(name.partition(".")[0], {}).get(name.partition(".")[2]) == told[name] for name in told)
    near = all(Path(one.get("project", "")).resolve().parent == library for one in plan.get("stories", ()))
    if not (same and near):
        raise UsageError(
            f"{folder.name} was planned with another language model or in another library: connect that "
            f"model again, plan a new run, or use fabula bench run {folder / PLAN} -o {folder}"
        )


def _settings(plan: RunPlan) -> dict[str, Any]:
    """Those that are not the defaults. The rules alone read and check the drafts: a model that reads every
    draft would cost more than one that writes them."""
    told = plan.config.model_dump(mode="json", exclude_unset=True, include=_SECTIONS)
    found = {f"{section}.{key}": value for section, values in told.items() for key, value in values.items()}
    found["parsing.model_extractor"] = "off"
    if plan.seeds > 1 and not plan.config.comparison.temperature:
        key, _, value = TEMPERATURE.partition("=")
        found[key] = float(value)
    if plan.most_cost:
        found["generator.max_cost"] = plan.most_cost
    return {key: value for key, value in found.items() if value is not None}


def _new_folder(bench: Path, name: str) -> Path:
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "run"
    stem = f"{plain}-{datetime.now(UTC).astimezone():%Y-%m-%d-%H%M}"
    tries = (bench / (f"{stem}-{number}" if number else stem) for number in range(1000))
    return next(place for place in tries if not place.exists())
