"""What the items of an experiment show: means with intervals, and each pipeline against the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ...story.evaluation.paired_tests import bootstrap_interval, compare_paired, holm
from ...views.text.comparison import versions
from .config import GridConfig
from .running import Item

__all__ = ["SCHEMA", "result_of"]

SCHEMA = "fabula.grid/1"
Values = dict[Any, float]  # by (prompt, seed)


def result_of(config: GridConfig, items: Sequence[Item]) -> dict[str, Any]:
    """``facts``, the same whenever the models repeat themselves, and ``machine``.

    An aggregate is the mean over items, with a 95 % interval that resamples prompts whole (none for a single
    prompt, which says nothing of others); a paired row is
    ``PairedComparison`` of a pipeline with the baseline, a prompt as the unit, with ``p_holm`` adjusted for
    the pipelines and metrics of its variant.
    """
    from ...core.files.plain_json import plain
    from ...core.store.sqlite import digest

    told = plain(config)
    for story in told["stories"]:
        del story["book"]  # where it lies is no matter of the experiment
    rows = [row for item in items for row in _rows(item)]
    names = [one.name for one in config.pipelines]
    variants = [variant.name for variant in config.variants]
    facts = {
        "question": config.question,
        "config": {**told, "pipelines": names, "stories": [story.name for story in config.stories]},
        "config_digest": digest(repr(told))[:12],
        "model": items[0].report["facts"]["model"] if items else "",
        "embedder": items[0].report["facts"]["embedder"] if items else "",
        "documents": sorted({item.report["facts"]["document"]["id"] for item in items}),
        "aggregates": [one for name in variants for one in _aggregates(config, rows, name)],
        "paired": [one for name in variants for one in _paired(config, rows, name)],
        "rows": [{k: v for k, v in row.items() if k != "seconds"} for row in rows],
    }
    seconds = {name: _median([row["seconds"] for row in rows if row["pipeline"] == name]) for name in names}
    return {
        "schema": SCHEMA,
        "facts": facts,
        "machine": {"versions": versions(), "median_response_seconds": seconds},
    }


def _rows(item: Item) -> list[dict[str, Any]]:
    seconds = item.report["machine"]["seconds"]
    found = []
    for result in item.report["facts"]["pipelines"]:
        check = result["drafts"][result["kept"]]["check"] if result["drafts"] else None
        found.append(
            {
                "story": item.story,
                "chapter": item.chapter,
                "group": item.group,
                "seed": item.seed,
                "variant": item.variant,
                "pipeline": result["pipeline"],
                "error": result["error"],
                "revised": len(result["drafts"]) > 1,
                "violations": [one["rule"] for one in check["violations"]] if check else [],
                "scores": {score["name"]: score["value"] for score in result["scores"]},
                "seconds": sum(seconds[result["pipeline"]]["stages"].values()),
            }
        )
    return found


def _values(rows: Sequence[dict[str, Any]], variant: str, pipeline: str, metric: str) -> Values:
    return {
        (row["group"], row["seed"]): row["scores"][metric]
        for row in rows
        if (row["variant"], row["pipeline"]) == (variant, pipeline) and row["scores"].get(metric) is not None
    }


def _aggregates(config: GridConfig, rows: Sequence[dict[str, Any]], variant: str) -> list[dict[str, Any]]:
    found = []
    for metric in config.metrics:
        for pipeline in config.pipelines:
            values = _values(rows, variant, pipeline.name, metric)
            row: dict[str, Any] = {"variant": variant, "metric": metric, "pipeline": pipeline.name}
            row["n"] = len(values)
            groups = [group for group, _ in values]
            row["prompts"] = len(set(groups))
            if values:
                row["mean"] = round(sum(values.values()) / len(values), 4)
            if row["prompts"] > 1:
                row["interval_95"] = bootstrap_interval(list(values.values()), groups=groups)
            found.append(row)
    return found


def _paired(config: GridConfig, rows: Sequence[dict[str, Any]], variant: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for metric in config.metrics:
        base = _values(rows, variant, config.baseline, metric)
        for pipeline in config.pipelines:
            if pipeline.name == config.baseline:
                continue
            own = _values(rows, variant, pipeline.name, metric)
            pair = compare_paired(own, base, group={key: key[0] for key in own})
            if pair is not None:
                told = {"variant": variant, "metric": metric, "pipeline": pipeline.name}
                found.append({**told, "baseline": config.baseline, **asdict(pair)})
    adjusted = holm([one["p"] for one in found])
    return [{**one, "p_holm": round(p, 4)} for one, p in zip(found, adjusted, strict=True)]


def _median(values: list[float]) -> float | None:
    return round(sorted(values)[len(values) // 2], 3) if values else None
