"""What a run shows: means with intervals, each pipeline against the baseline, and tables of both."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import NormalDist, fmean, median
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.files.plain_json import parse_json
from ..core.store.sqlite import digest
from ..errors import ProjectError
from ..story.model.findings import bootstrap_interval
from ..views.text.comparison import versions
from .rating import RatingDesk

if TYPE_CHECKING:
    from .grid import GridConfig


_EXACT = 13  # so many differences are tested with every pattern of signs


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """One system against another on items that both were given.

    ``difference`` is the mean of (one - other) over ``items``, ``low`` to ``high`` its 95 % interval with
    whole groups resampled, ``groups`` their number. ``p`` is two-sided, its unit the group. ``effect`` is
    Cohen's d_z over groups (mean of the group means by their standard deviation; None below two groups or
    where they do not vary). ``wins``, ``ties`` and ``losses`` count items. ``needed`` is how many groups a
    study would need to see this effect with power .8 at .05; None where there is no effect to see.
    """

    items: int
    groups: int
    difference: float
    low: float
    high: float
    p: float
    effect: float | None
    wins: int
    ties: int
    losses: int
    needed: int | None


def compare_paired(
    one: Mapping[Hashable, float],
    other: Mapping[Hashable, float],
    *,
    group: Mapping[Hashable, str],
    seed: int = 0,
) -> PairedComparison | None:
    """The items that both have, in order of ``one``; None where there are none. ``group`` says which items
    belong together (chapters of a book, seeds of a prompt): they are no independent witnesses."""
    items = [item for item in one if item in other]
    if not items:
        return None
    differences = [one[item] - other[item] for item in items]
    of = [group[item] for item in items]
    by_group: dict[str, list[float]] = {}
    for name, difference in zip(of, differences, strict=True):
        by_group.setdefault(name, []).append(difference)
    means = np.array([np.mean(by_group[name]) for name in sorted(by_group)])
    spread = float(means.std(ddof=1)) if len(means) > 1 else 0.0
    effect = float(means.mean()) / spread if spread > 0 else None
    low, high = bootstrap_interval(differences, groups=of, seed=seed)
    return PairedComparison(
        items=len(items),
        groups=len(means),
        difference=round(float(np.mean(differences)), 4),
        low=low,
        high=high,
        p=round(sign_flip_test(means.tolist(), seed=seed), 4),
        effect=None if effect is None else round(effect, 3),
        wins=sum(d > 0 for d in differences),
        ties=sum(d == 0 for d in differences),
        losses=sum(d < 0 for d in differences),
        needed=None if effect is None else items_needed(effect),
    )


def sign_flip_test(differences: Sequence[float], *, seed: int = 0, draws: int = 10_000) -> float:
    """Two-sided p of a paired permutation test on the mean difference: exact up to 2^13 sign patterns,
    else Monte Carlo with the observed pattern counted (Phipson & Smyth 2010)."""
    d: NDArray[np.float64] = np.asarray(differences, dtype=np.float64)
    if len(d) == 0 or not d.any():
        return 1.0
    observed = abs(d.mean()) - 1e-12
    if len(d) <= _EXACT:
        signs = 1 - 2 * ((np.arange(2 ** len(d))[:, None] >> np.arange(len(d))) & 1)
        return float(np.mean(np.abs((signs * d).mean(axis=1)) >= observed))
    signs = np.random.default_rng(seed).choice([-1, 1], size=(draws, len(d)))
    return float((np.sum(np.abs((signs * d).mean(axis=1)) >= observed) + 1) / (draws + 1))


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
RESULT = "result.json"
MEASURES = ("consistency", "violations_per_10k_words", "coverage", "presence", "repetition")
"""What is summed up where nothing else is asked for."""
_SCHEMA = "fabula.grid/2"
_NOTE = (
    "Intervals resample prompts; p by flipping the signs of prompts, adjusted by Holm over pipelines and "
    "metrics; d_z is the mean difference of prompts by its spread; needed: how many prompts would show such "
    "a difference with power .8."
)
Item = Mapping[str, Any]
Values = dict[Any, float]
"""By an item's key, of which the first part is the unit that it belongs to: a prompt, or a seed."""


def result_of(config: GridConfig, items: Sequence[Item]) -> dict[str, Any]:
    """``facts``, the same whenever the models repeat themselves, and ``machine``.

    A mean is :func:`summed` over items, the prompts resampled; a paired row is ``PairedComparison`` of a
    pipeline with the baseline, a prompt as the unit, with ``p_holm`` adjusted for the pipelines and metrics
    of its variant.
    """
    rows = [row for item in items for row in rows_of(item)]
    means: list[dict[str, Any]] = []
    paired: list[dict[str, Any]] = []
    for variant in config.variants:
        own = [row for row in rows if row["variant"] == variant.name]
        cells = {key: _scores(own, *key) for key in product(config.metrics, config.pipelines)}
        called = {key: {"variant": variant.name, "metric": key[0], "pipeline": key[1]} for key in cells}
        means += [{**called[key], **summed(values)} for key, values in cells.items()]
        paired += against(
            (called[metric, name], values, cells[metric, config.baseline])
            for (metric, name), values in cells.items()
            if name != config.baseline
        )
    settings = config.model_dump(mode="json", exclude={"stories", "settings", "grid"})
    settings["variants"] = [{"name": one.name, "assignments": [*one.assignments]} for one in config.variants]
    first = items[0]["facts"] if items else {"model": "", "embedder": ""}
    facts = {
        "config": {**settings, "stories": [story.name for story in config.stories]},
        "config_digest": digest(config.model_dump_json())[:12],
        "model": first["model"],
        "embedder": first["embedder"],
        "documents": sorted({item["facts"]["document"]["id"] for item in items}),
        "means": means,
        "paired": paired,
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


def _scores(rows: Sequence[Item], metric: str, pipeline: str) -> Values:
    return {
        (row["group"], row["seed"]): row["scores"][metric]
        for row in rows
        if row["pipeline"] == pipeline and row["scores"].get(metric) is not None
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
    """For each pair of values that have items in common: what it is called, its ``PairedComparison``, and
    ``p_holm``, which is adjusted for all of them."""
    found: list[dict[str, Any]] = []
    for called, one, other in pairs:
        pair = compare_paired(one, other, group={key: str(key[0]) for key in one})
        if pair is not None:
            found.append({**called, **asdict(pair)})
    adjusted = holm([one["p"] for one in found])
    return [{**one, "p_holm": round(p, 4)} for one, p in zip(found, adjusted, strict=True)]


def load_result(folder: Path) -> dict[str, Any]:
    """The result that ``bench run`` left in its folder. Raises ProjectError where there is none."""
    path = folder / RESULT
    try:
        result = parse_json(path.read_text(encoding="utf-8"))
        if result["schema"] != _SCHEMA:
            raise ProjectError(f"{path} has schema {result['schema']!r}, not {_SCHEMA}: run it again")
        return dict(result)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProjectError(f"{path} is no result of a run ({error}): fabula bench run writes one") from error


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
    """A run's folder. ``name`` is the folder's."""

    name: str
    folder: Path

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
    """The runs under a library's folder ``bench``, by name."""
    place = library / BENCH
    folders = sorted(place.iterdir()) if place.is_dir() else []
    found = [Run(folder.name, folder) for folder in folders if folder.is_dir()]
    return tuple(run for run in found if run.reports or (run.folder / RESULT).is_file())
