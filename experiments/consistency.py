"""Does the story graph make drafts more consistent?

A grid of prompts, pipelines and seeds on the demo story, scored by one blind critic. Rows are kept as they
are made, so an interrupted run goes on where it stopped. Usage:

    python experiments/consistency.py [--settings FILE.toml] [--name RESULT] [--fresh]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from fabula.demo import gold, save_story
from fabula.engine import Project, index_book
from fabula.story.comparison_report import ComparisonReport
from fabula.story.pipelines import PIPELINES
from fabula.story.statistics import bootstrap_interval, sign_flip_test
from result_file import RESULTS, digest_of, machine, write_result

Row = dict[str, Any]


def main(config: Mapping[str, Any], *, name: str, work: Path, fresh: bool = False) -> dict[str, Any]:
    """Runs what is missing of the grid and writes ``results/NAME.json``; returns its facts."""
    work.mkdir(parents=True, exist_ok=True)
    assignments = [f"{key}={json.dumps(value)}" for key, value in config.get("settings", {}).items()]
    assignments += [
        f"comparison.temperature={config['temperature']}",
        f"comparison.max_tokens={config['max_tokens']}",
    ]
    index_book(save_story(work), work / "project")
    started = time.perf_counter()
    with Project.open(work / "project", assignments=assignments) as project:
        identity = digest_of([dict(config), project.generator.name, project.document.text])
        rows_file = work / f"{name}-{identity}.jsonl"
        if fresh:
            rows_file.unlink(missing_ok=True)
        rows = _run(project, config, rows_file)
        facts = {
            "question": "Does the story graph make drafts more consistent?",
            "config": dict(config),
            "config_digest": identity,
            "document": {"id": project.document.id, "digest": digest_of(project.document.text)},
            "model": project.generator.name,
            "embedder": project.embedder.name,
            "rows": [{k: v for k, v in row.items() if k != "seconds"} for row in rows],
            "aggregates": _aggregates(rows, config),
            "paired": _paired(rows, config),
        }
    measured = machine(
        wall_seconds=round(time.perf_counter() - started, 1),
        response_seconds=_response(rows, config["pipelines"]),
    )
    write_result(name, facts=facts, measured=measured)
    return facts


def _run(project: Project, config: Mapping[str, Any], rows_file: Path) -> list[Row]:
    done = _read_rows(rows_file)
    chosen = [p for p in PIPELINES if p.name in config["pipelines"]]
    grid = [(prompt, seed) for prompt in gold().prompts for seed in config["seeds"]]
    for number, (prompt, seed) in enumerate(grid, start=1):
        item = f"{prompt.chapter}:{digest_of(prompt.prompt)}"
        if (item, seed) in done:
            continue
        report = project.compare(prompt.prompt, chapter=prompt.chapter, pipelines=chosen, seed=seed)
        done[item, seed] = list(_rows_of(report, item, seed))
        with rows_file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(done[item, seed], ensure_ascii=False) + "\n")
        print(f"{number} of {len(grid)}", file=sys.stderr, flush=True)
    return [row for key in sorted(done) for row in done[key]]


def _read_rows(file: Path) -> dict[tuple[str, int], list[Row]]:
    """A half-written last line, left by a kill, is dropped and its item run again."""
    if not file.exists():
        return {}
    done, whole = {}, []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            rows = json.loads(line)
        except json.JSONDecodeError:
            break
        done[rows[0]["item"], rows[0]["seed"]] = rows
        whole.append(line + "\n")
    file.write_text("".join(whole), encoding="utf-8")
    return done


def _rows_of(report: ComparisonReport, item: str, seed: int) -> Iterator[Row]:
    for result in report.results:
        yield {
            "item": item,
            "seed": seed,
            "pipeline": result.pipeline,
            "error": result.error,
            "revised": len(result.drafts) > 1,
            "violations": [v.rule for v in result.violations],
            "facts_checked": result.check.facts_checked if result.check else 0,
            "scores": {s.name: s.value for s in result.scores},
            "words": len(result.generation.text.split()) if result.generation else 0,
            "seconds": dict(result.seconds),
        }


def _values(rows: Sequence[Row], pipeline: str, metric: str) -> dict[tuple[str, int], float]:
    found = {}
    for row in rows:
        value = row["scores"].get(metric)
        if row["pipeline"] == pipeline and value is not None:
            found[row["item"], row["seed"]] = value
    return found


def _aggregates(rows: Sequence[Row], config: Mapping[str, Any]) -> list[dict[str, Any]]:
    out = []
    for metric in config["metrics"]:
        for pipeline in config["pipelines"]:
            values = _values(rows, pipeline, metric)
            row: dict[str, Any] = {"metric": metric, "pipeline": pipeline, "n": len(values)}
            if values:
                row["mean"] = round(sum(values.values()) / len(values), 4)
                row["interval_95"] = bootstrap_interval(
                    list(values.values()), groups=[item for item, _ in values]
                )
            out.append(row)
    return out


def _paired(rows: Sequence[Row], config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each pipeline against the baseline on the items both scored; differences are averaged over seeds
    first, so the test's unit is the prompt."""
    out = []
    for metric in config["metrics"]:
        base = _values(rows, config["baseline"], metric)
        for pipeline in config["pipelines"]:
            if pipeline == config["baseline"]:
                continue
            other = _values(rows, pipeline, metric)
            by_item: dict[str, list[float]] = {}
            for key in sorted(base.keys() & other.keys()):
                by_item.setdefault(key[0], []).append(other[key] - base[key])
            means = [sum(d) / len(d) for d in by_item.values()]
            out.append(
                {
                    "metric": metric,
                    "pipeline": pipeline,
                    "baseline": config["baseline"],
                    "prompts": len(means),
                    "mean_difference": round(sum(means) / len(means), 4) if means else None,
                    "p": round(sign_flip_test(means), 4),
                }
            )
    return out


def _response(rows: Sequence[Row], pipelines: Sequence[str]) -> dict[str, float]:
    """Median seconds over all stages, by pipeline."""
    out = {}
    for pipeline in pipelines:
        totals = sorted(sum(row["seconds"].values()) for row in rows if row["pipeline"] == pipeline)
        out[pipeline] = round(totals[len(totals) // 2], 2) if totals else 0.0
    return out


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--settings", type=Path, default=Path(__file__).with_suffix(".toml"))
    parser.add_argument("--name", default="consistency")
    parser.add_argument("--work", type=Path, default=RESULTS.parent / "work")
    parser.add_argument("--fresh", action="store_true", help="run the whole grid again")
    options = parser.parse_args()
    result = main(
        tomllib.loads(options.settings.read_text(encoding="utf-8")),
        name=options.name,
        work=options.work,
        fresh=options.fresh,
    )
    for line in result["aggregates"]:
        print(line)
