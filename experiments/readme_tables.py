"""Puts the numbers of ``experiments/results`` into the README and the pages of ``docs``, between markers.

``--check`` only compares.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # it is also run by its path
from experiments import bench_tables, reader_tables, retrieval_tables, serve_tables
from experiments.common.folders import RESULTS
from experiments.common.tables import table
from experiments.story_model.bars import bars_of

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r"(<!-- results: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """Every page that may hold numbers: the README and the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def rendered(text: str) -> str:
    """A page's text with every block made anew from its result file."""
    return _BLOCK.sub(lambda m: f"{m[1]}{_made(m[2])}\n{m[3]}", text)


def _made(name: str) -> str:
    if name in reader_tables.SUMMARIES:
        return reader_tables.SUMMARIES[name]()
    return TABLES[name](_load(name))


def _load(name: str) -> dict[str, Any]:
    return dict(json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8")))


def first_run(result: dict[str, Any]) -> str:
    s = result["machine"]["seconds"]
    rows = [
        ["`make demo`, nothing installed", f"{s['demo_cold']:.0f} s"],
        ["`make demo` again", f"{s['demo_again']:.0f} s"],
        [f"`make test`, installed, {result['facts']['tests_passed']:,} tests", f"{s['test_again']:.0f} s"],
    ]
    return table(["", f"on {result['machine']['cores']} shared cores"], rows)


def packaging(result: dict[str, Any]) -> str:
    """Sizes alone: the seconds were taken on a busy machine."""
    rows, extras = [], {}
    for row in result["machine"]["rows"]:
        build = "CPU" if row["torch"] else "default"
        rows.append(
            [row["wheel"].split("-")[2], build, f"{row['wheel_mb']:.1f} MB", f"{row['mb'] / 1000:.1f} GB"]
        )
        extras |= row.get("extras", {})
    adds = ", ".join(f"`{name}` {one['mb']} MB" for name, one in extras.items())
    return f"{table(['Python', 'PyTorch', 'wheel', 'environment'], rows)}\n\nThe extras add: {adds}."


def novels(result: dict[str, Any]) -> str:
    rows = []
    facts = {row["book"]: row for row in result["facts"]["books"]}
    for row in result["machine"]["books"]:
        fact, stages = facts[row["book"]], row["index_stages_s"]
        rows.append(
            [
                row["book"].replace("-", " "),
                f"{fact['words']:,}",
                str(fact["chapters"]),
                f"{row['index_wall_s']:.0f} s",
                f"{stages['embed']:.0f} s",
                f"{stages['read']:.0f} s",
                f"{row['index_again_wall_s']:.0f} s",
                f"{row['compare_wall_s']:.0f} s",
                f"{max(row['index_peak_gb'], row['compare_peak_gb']):.2f} GB",
            ]
        )
    header = ["", "words", "chapters", "index", "of it embedding", "of it reading", "index again"]
    return table([*header, "compare", "peak memory"], rows)


def probes(result: dict[str, Any]) -> str:
    """Of the passages kept back: relations, facts and slips."""
    found = result["facts"]["aggregates"]
    rows = [
        [name, f"{one['found']} of {one['gold']}", f"{one['precision_judged']:.2f}"]
        for name, one in (("relations", found["relations"]), ("facts, feelings and goals", found["facts"]))
    ]
    slips = found["slips"]
    rows.append(["contradictions between two passages", slips["found"].replace("/", " of "), ""])
    said = slips["clean flagged"].replace("/", " of ")
    head = ["told plainly in short passages", "found", "right, of those that the writers judge"]
    return f"{table(head, rows)}\n\nOf pairs without a contradiction, {said} were flagged."


def story_model(result: dict[str, Any]) -> str:
    rows = []
    for bar in bars_of(result["facts"]["parts"]):
        named = [f"{name} {value:.2f}" for name, value in bar["beside"].items() if value is not None]
        shown = "" if bar["value"] is None else f"{bar['value']:.2f}"
        rows.append([bar["measure"], f"`{bar['data']}`", shown, "; ".join(named)])
    return table(["", "data", "ours", "beside it"], rows)


TABLES: dict[str, Callable[[dict[str, Any]], str]] = {
    "first_run": first_run,
    "novels": novels,
    "packaging": packaging,
    "probes_test": probes,
    "story_model": story_model,
    **bench_tables.TABLES,
    **reader_tables.TABLES,
    **retrieval_tables.TABLES,
    **serve_tables.TABLES,
}


def main(*, check: bool) -> str | None:
    """Renders every page; with ``check`` it only says which pages differ."""
    differing = []
    for page in pages():
        before = page.read_text(encoding="utf-8")
        if (after := rendered(before)) != before:
            differing.append(str(page.relative_to(ROOT)))
            if not check:
                page.write_text(after, encoding="utf-8")
    if check and differing:
        return f"{', '.join(differing)} differ from experiments/results: run make results"
    return None


if __name__ == "__main__":
    raise SystemExit(main(check="--check" in sys.argv))
