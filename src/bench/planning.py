"""An experiment planned without a file: stories of a library, prompts, pipelines and seeds make its TOML."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tomlkit

from ..config import Config
from ..core.files.atomic import replace_file
from ..core.runtime.model_requests import ModelPlan
from ..errors import ConfigError, UsageError
from ..project.spending import with_cost
from ..story.writing.pipelines import FUSED
from .continuing import TEMPERATURE
from .grid import GridConfig, load_grid
from .results import BENCH, PLAN

_SECTIONS = {"retrieval", "generator", "comparison", "wishes", "chunking", "embedding", "parsing"}
_REACHING = ("generator.", "embedding.base_url", "embedding.api_key_env")
_ASKED = 500  # tokens of a prompt beside its context, at most
BY_RULES = "Rules alone check the drafts, whichever model writes them, and miss most mistakes."


def price(plan: GridConfig, config: Config, *, model: str, context_tokens: int) -> ModelPlan:
    """The most that the drafts can take, a revision of each *fused* one included, and what that costs
    where the model has a price."""
    c, requests = config.comparison, plan.items * (len(plan.pipelines) + (FUSED.name in plan.pipelines))
    given = (c.budget or min(3000, max(700, context_tokens // 10))) + _ASKED
    asked = ModelPlan(model, requests, 0, requests * (given + c.max_tokens), requests * c.max_tokens)
    return with_cost(asked, config)


def save_run(library: Path, plan: GridConfig, config: Config, *, most_cost: float = 0.0) -> Path:
    """Writes the plan, with the settings of ``config``, into a new folder under the library's ``bench``, and
    gives that. ``most_cost`` bounds the dollars that the language model may cost, 0 for no bound.
    :func:`.grid.ran` runs the file, as often as it takes."""
    folder = _new_folder(library / BENCH, plan.stories[0].name)
    table = plan.model_dump(include={"question", "stories", "pipelines", "seeds"})
    table["settings"] = _settings(config, several=len(plan.seeds) > 1, most_cost=most_cost)
    replace_file(folder / PLAN, tomlkit.dumps(table))
    return folder


def planned(folder: Path) -> GridConfig | None:
    """The plan of a run; None where its folder holds none that can be read."""
    try:
        return load_grid(folder / PLAN)
    except ConfigError:
        return None


def require_own(folder: Path, config: Config) -> None:
    """Raises UsageError where the plan of a run, which others may have written, reaches beyond the library or
    names another language model, address or key than the user's settings do; ConfigError where it is none."""
    plan, own = load_grid(folder / PLAN), config.model_dump(mode="json")
    same = all(
        own.get(section, {}).get(key) == value
        for name, value in (plan.settings | plan.grid).items()
        for section, _, key in [name.partition(".")]
        if name.startswith(_REACHING) and name != "generator.max_cost"
    )
    library = folder.parents[1].resolve()
    near = all(Path(one.project).resolve().parent == library for one in plan.stories)
    if not (same and near):
        raise UsageError(
            f"{folder.name} was planned with another language model or in another library: connect that "
            f"model again, plan a new run, or use fabula bench run {folder / PLAN} -o {folder}"
        )


def _settings(config: Config, *, several: bool, most_cost: float) -> dict[str, Any]:
    """Those that are not the defaults. The rules alone read and check the drafts: a model that reads every
    draft would cost more than one that writes them."""
    told = config.model_dump(mode="json", exclude_unset=True, include=_SECTIONS)
    found = {f"{section}.{key}": value for section, values in told.items() for key, value in values.items()}
    found["parsing.model_extractor"] = "off"
    if several and not config.comparison.temperature:
        key, _, value = TEMPERATURE.partition("=")
        found[key] = float(value)
    if most_cost:
        found["generator.max_cost"] = most_cost
    return {key: value for key, value in found.items() if value is not None}


def _new_folder(bench: Path, name: str) -> Path:
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "run"
    stem = f"{plain}-{datetime.now(UTC).astimezone():%Y-%m-%d-%H%M}"
    tries = (bench / (f"{stem}-{number}" if number else stem) for number in range(1000))
    return next(place for place in tries if not place.exists())
