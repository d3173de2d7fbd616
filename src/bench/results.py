"""What a run shows: means with intervals, each pipeline against the baseline, and tables of both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import NormalDist, fmean, median
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.store.sqlite import digest
from ..story.model.findings import bootstrap_interval
from ..views.text.comparison import versions
from .rating import RatingDesk
from .shared import kept

if TYPE_CHECKING:
    from .grid import GridConfig

_EXACT = 13  # so many differences are tested with every pattern of signs
Item = Mapping[str, Any]
Values = dict[Any, float]
"""By an item's key, of which the first part is the unit that it belongs to: a prompt, or a seed. Items of one
unit are no independent witnesses."""


def compare_paired(one: Values, other: Values) -> dict[str, Any] | None:
    """One system against another on the ``items`` that both were given; None where there are none.

    ``difference`` is the mean of (one - other) over items, ``low`` to ``high`` its 95 % interval with whole
    units resampled, ``groups`` their number. ``p`` is two-sided, by units. ``effect`` is Cohen's d_z over
    units (mean of their means by its standard deviation; None below two units or where they do not vary).
    ``wins``, ``ties`` and ``losses`` count items. ``needed`` is how many units a study would need to see this
    effect with power .8 at .05; None where there is no effect to see.
    """
    items = [item for item in one if item in other]
    if not items:
        return None
    differences = [one[item] - other[item] for item in items]
    units = [str(item[0]) for item in items]
    by_unit: dict[str, list[float]] = {}
    for name, difference in zip(units, differences, strict=True):
        by_unit.setdefault(name, []).append(difference)
    means = np.array([np.mean(by_unit[name]) for name in sorted(by_unit)])
    spread = float(means.std(ddof=1)) if len(means) > 1 else 0.0
    effect = float(means.mean()) / spread if spread > 0 else None
    low, high = bootstrap_interval(differences, groups=units)
    return {
        "items": len(items),
        "groups": len(means),
        "difference": round(float(np.mean(differences)), 4),
        "low": low,
        "high": high,
        "p": round(sign_flip_test(means.tolist()), 4),
        "effect": None if effect is None else round(effect, 3),
        "wins": sum(d > 0 for d in differences),
        "ties": sum(d == 0 for d in differences),
        "losses": sum(d < 0 for d in differences),
        "needed": None if effect is None else items_needed(effect),
    }


def sign_flip_test(differences: Sequence[float], *, seed: int = 0, draws: int = 10_000) -> float:
    """Two-sided p of a paired permutation test on the mean difference: exact up to 2^13 sign patterns,
    else Monte Carlo with the observed pattern counted (Phipson & Smyth 2010)."""
    d: NDArray[np.float64] = np.asarray(differences, dtype=np.float64)
    if len(d) == 0 or not d.any():
        return 1.0
    if drawn := len(d) > _EXACT:
        signs = np.random.default_rng(seed).choice([-1, 1], size=(draws, len(d)))
    else:
        signs = 1 - 2 * ((np.arange(2 ** len(d))[:, None] >> np.arange(len(d))) & 1)
    as_far = np.abs((signs * d).mean(axis=1)) >= abs(d.mean()) - 1e-12
    return float((as_far.sum() + drawn) / (len(signs) + drawn))


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """The p values adjusted for being several, in the order given (Holm, "A simple sequentially rejective
    multiple test procedure", Scandinavian Journal of Statistics 6, 1979)."""
    order = sorted(range(len(ps)), key=lambda i: (ps[i], i))
    adjusted, highest = [0.0] * len(ps), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[i]))
        adjusted[i] = highest
    return tuple(adjusted)


def items_needed(effect: float, *, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """How many pairs a two-sided test needs to see a standardised difference (Cohen's d_z), by the normal
    approximation ``((z(1 - alpha/2) + z(power)) / effect)²``, 2 at least; None for no effect."""
    if effect == 0 or not math.isfinite(effect):
        return None
    z = NormalDist().inv_cdf
    return max(2, math.ceil(((z(1 - alpha / 2) + z(power)) / effect) ** 2))


BENCH = "bench"  # in the library's folder
PLAN, RESULT = "run.toml", "result.json"
MEASURES = ("consistency", "violations_per_10k_words", "coverage", "presence", "repetition")
"""What is summed up where nothing else is asked for."""
_SCHEMA = "fabula.grid/2"
_NOTE = (
    "Intervals resample prompts; p by flipping the signs of prompts, adjusted by Holm over pipelines and "
    "metrics; d_z is the mean difference of prompts by its spread; needed: how many prompts would show such "
    "a difference with power .8."
)


def result_of(config: GridConfig, items: Sequence[Item]) -> dict[str, Any]:
    """``facts``, the same whenever the models repeat themselves, and ``machine``; see :func:`summed_up`, a
    prompt being the unit, and ``p_holm`` adjusted for the pipelines and metrics of each variant."""
    rows = [row for item in items for row in rows_of(item)]
    found: dict[str, list[Any]] = {"means": [], "paired": []}
    for variant in config.variants:
        own = [row for row in rows if row["variant"] == variant]
        key = ("group", "seed")
        for name, lines in summed_up(own, config.model_dump(), key=key, variant=variant).items():
            found[name] += lines
    settings = config.model_dump(mode="json", exclude={"stories", "settings", "grid"})
    settings["variants"] = [{"name": name, "assignments": own} for name, own in config.variants.items()]
    first = items[0]["facts"] if items else {"model": "", "embedder": ""}
    facts = {
        "config": {**settings, "stories": [story.name for story in config.stories]},
        "config_digest": digest(config.model_dump_json())[:12],
        "model": first["model"],
        "embedder": first["embedder"],
        "documents": sorted({item["facts"]["document"]["id"] for item in items}),
        **found,
        "rows": [{key: value for key, value in row.items() if key != "seconds"} for row in rows],
    }
    seconds = {name: [row["seconds"] for row in rows if row["pipeline"] == name] for name in config.pipelines}
    middle = {name: round(median(own), 3) if own else None for name, own in seconds.items()}
    machine = {"versions": versions(), "median_response_seconds": middle}
    return {"schema": _SCHEMA, "facts": facts, "machine": machine}


def rows_of(item: Item) -> list[dict[str, Any]]:
    """A row for each pipeline of an item. ``group`` is what its seeds and variants have in common: they are
    no independent witnesses."""
    own, facts, seconds = item["item"], item["facts"], item["machine"]["seconds"]
    found = []
    for result in facts["pipelines"]:
        check = result["drafts"][result["kept"]]["check"] if result["drafts"] else None
        found.append(
            {
                **own,
                "group": f"{own['story']}, ch. {own['chapter']}: {facts['prompt']}",
                "pipeline": result["pipeline"],
                "error": result["error"],
                "revised": len(result["drafts"]) > 1,
                "violations": [one["rule"] for one in check["violations"]] if check else [],
                "scores": {score["name"]: score["value"] for score in result["scores"]},
                "seconds": sum(seconds[result["pipeline"]]["stages"].values()),
            }
        )
    return found


def summed_up(rows: Iterable[Item], config: Item, *, key: Sequence[str], **called: str) -> dict[str, Any]:
    """``means``: each of the ``metrics`` and ``pipelines`` of a config, :func:`summed` over the rows; and
    ``paired``: each pipeline :func:`against` the ``baseline``. ``key`` names what tells a row from the others
    of its pipeline, its unit first."""
    names = product(config["metrics"], config["pipelines"])
    cells: dict[tuple[str, str], Values] = {name: {} for name in names}
    for row in rows:
        for (metric, name), values in cells.items():
            if row["pipeline"] == name and row["scores"].get(metric) is not None:
                values[tuple(row[part] for part in key)] = row["scores"][metric]
    named = {cell: {**called, "metric": cell[0], "pipeline": cell[1]} for cell in cells}
    base = config["baseline"]
    return {
        "means": [{**named[cell], **summed(values)} for cell, values in cells.items()],
        "paired": against(
            (named[metric, name], values, cells.get((metric, base), {}))
            for (metric, name), values in cells.items()
            if name != base
        ),
    }


def summed(values: Values) -> dict[str, Any]:
    """``n``, the number of ``units``, their ``mean``, and its 95 % ``interval``, whole units resampled (None
    for a single unit, which says nothing of others); both None without values."""
    units = [str(key[0]) for key in values]
    several = len(set(units)) > 1
    return {
        "n": len(values),
        "units": len(set(units)),
        "mean": round(fmean(values.values()), 4) if values else None,
        "interval": bootstrap_interval(list(values.values()), groups=units) if several else None,
    }


def against(pairs: Iterable[tuple[Mapping[str, str], Values, Values]]) -> list[dict[str, Any]]:
    """For each pair of values that have items in common: what it is called, :func:`compare_paired`, and
    ``p_holm``, which is adjusted for all of them."""
    compared = ((called, compare_paired(one, other)) for called, one, other in pairs)
    found = [{**called, **pair} for called, pair in compared if pair is not None]
    adjusted = holm([one["p"] for one in found])
    return [{**one, "p_holm": round(p, 4)} for one, p in zip(found, adjusted, strict=True)]


def load_result(folder: Path) -> dict[str, Any]:
    """The result that ``bench run`` left in its folder. Raises ProjectError where there is none."""

    def sound(result: dict[str, Any]) -> dict[str, Any]:
        if result["schema"] != _SCHEMA:
            raise ValueError(f"schema {result['schema']!r}, not {_SCHEMA}")
        return result

    return kept(folder / RESULT, sound, "fabula bench run writes one")


def tables(result: Item) -> str:
    """Two tables for each variant, in Markdown: means, and differences from the baseline with what they are
    worth."""
    facts = result["facts"]
    parts = []
    for variant in [one["name"] for one in facts["config"]["variants"]]:
        header, rows = differences(facts, variant)
        parts += [variant] if variant else []
        parts.append(_markdown(*means(facts, variant)))
        parts.append(_markdown(header, rows) if rows else "No item was scored by both of two pipelines.")
    seeds = len(facts["config"]["seeds"])
    note = f"{facts['model']}; {seeds} seed{'' if seeds == 1 else 's'} a prompt. {_NOTE}"
    return "\n\n".join([*parts, note]) + "\n"


def means(facts: Item, variant: str = "") -> tuple[list[str], list[list[str]]]:
    """Header and rows of a variant's means."""

    def cell(metric: str, name: str) -> str:
        one = own[metric, name]
        if one["mean"] is None:
            return "–"
        between = " [{:.3f}, {:.3f}]".format(*one["interval"]) if one["interval"] else ""
        return f"{one['mean']:.3f}{between} n={one['n']}"

    names = facts["config"]["pipelines"]
    own = {
        (one["metric"], one["pipeline"]): one for one in facts["means"] if one.get("variant", "") == variant
    }
    rows = [
        [metric.replace("_", " "), *(cell(metric, name) for name in names)]
        for metric in facts["config"]["metrics"]
    ]
    return ["mean [95 % interval]", *names], rows


def differences(facts: Item, variant: str = "") -> tuple[list[str], list[list[str]]]:
    """Header and rows of what a variant's pipelines do against the baseline."""
    rows = []
    for one in facts["paired"]:
        if one.get("variant", "") == variant:
            several = one["groups"] > 1  # a single prompt says nothing of others
            between = f" [{one['low']:+.3f}, {one['high']:+.3f}]" if several else ""
            rows.append(
                [
                    one["metric"].replace("_", " "),
                    one["pipeline"],
                    f"{one['difference']:+.3f}{between}",
                    f"{one['p_holm']:.3f}" if several else "–",
                    "–" if one["effect"] is None else f"{one['effect']:+.2f}",
                    f"{one['wins']}/{one['ties']}/{one['losses']}",
                    f"{one['groups']}",
                    "–" if one["needed"] is None else f"{one['needed']}",
                ]
            )
    header = ["metric", "pipeline", f"against {facts['config']['baseline']}", "p (Holm)", "d_z", "w/t/l"]
    return [*header, "units", "needed"], rows


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


@dataclass(frozen=True, slots=True)
class Run:
    """A run's folder."""

    folder: Path

    @property
    def name(self) -> str:
        """The folder's."""
        return self.folder.name

    @property
    def is_planned(self) -> bool:
        """Does it come from a plan, so that it can be gone on with as it is?"""
        return (self.folder / PLAN).is_file()

    @property
    def result(self) -> dict[str, Any] | None:
        """What it shows; None while it has not come to its end. Raises ProjectError for a damaged file."""
        return load_result(self.folder) if (self.folder / RESULT).is_file() else None

    @property
    def reports(self) -> tuple[Path, ...]:
        """Its comparisons, and any report that was put into its folder by hand."""
        own = sorted((self.folder / "items").glob("*.json"))
        return (*own, *(path for path in sorted(self.folder.glob("*.json")) if path.name != RESULT))

    def rating(self) -> RatingDesk:
        """Where its drafts are rated. Raises UsageError where no two drafts differ."""
        return RatingDesk(self.folder / "rating", self.reports)


def runs_in(library: Path) -> tuple[Run, ...]:
    """The runs under a library's folder ``bench``, begun or only planned, by name."""
    found = map(Run, sorted((library / BENCH).glob("*/")))
    return tuple(run for run in found if run.is_planned or run.reports or (run.folder / RESULT).is_file())
