"""How much of what a published chapter takes up from earlier is in the context of each pipeline?

Every chapter of a real novel is an answer that somebody wrote: its opening is the prompt, the horizon the
chapter before. No text is generated. Usage:

    python experiments/run.py replay --data DIR [--novels a,b] [--chapters 12] [--budget 700] [--name RESULT]

``DIR/novels/*.txt`` are novels. Each is indexed once into ``--work``; rows are kept as they are made, so an
interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from experiments.common.folders import WORK
from experiments.common.options import new_parser, split_names
from experiments.common.result_file import digest_of, machine, write_result
from experiments.pipelines.replayer import KINDS, Held, ReplayedChapter, Replayer
from fabula.bench.results import compare_paired, holm
from fabula.engine import Project, index_book
from fabula.project.comparing import context_maker, settings_of
from fabula.story.model.findings import bootstrap_interval
from fabula.story.writing.pipelines import NO_HORIZON, NO_STATES, PIPELINES, RECENT, STANDARD

CHOSEN = (*PIPELINES, NO_STATES, NO_HORIZON, RECENT)  # a revision changes no context
_LEAST = 9  # chapters: fewer are no novel to replay
Row = dict[str, Any]


def main(options: argparse.Namespace) -> None:
    """Replays what is missing and writes ``results/NAME.json``."""
    started = time.perf_counter()
    rows: list[Row] = []
    books: list[dict[str, Any]] = []
    texts = options.data / "novels"
    for novel in options.novels or sorted(path.stem for path in texts.glob("*.txt")):
        own, book = _novel(texts / f"{novel}.txt", options.chapters, options.budget, options.work / "replay")
        rows += own
        if book is not None:
            books.append(book)
    facts = {
        "question": "How much of what a chapter takes up from earlier is in each pipeline's context?",
        "budget": options.budget,
        "novels": books,
        "means": {p.name: _means([row for row in rows if row["pipeline"] == p.name]) for p in CHOSEN},
        "against_standard": _paired(rows),
        "rows": rows,
    }
    seconds = round(time.perf_counter() - started)
    write_result(options.name, facts=facts, measured=machine(wall_seconds=seconds))
    for pipeline, means in facts["means"].items():
        print(pipeline, json.dumps(means))
    for line in facts["against_standard"]:
        print(json.dumps(line))


def _novel(text: Path, chapters: int, budget: int, work: Path) -> tuple[list[Row], dict[str, Any] | None]:
    work.mkdir(parents=True, exist_ok=True)
    folder = work / text.stem
    index_book(text, folder)
    with Project.open(folder, assignments=[f"comparison.budget={budget}"]) as project:
        last = len(project.document.chapters)
        if last < _LEAST:
            print(f"{text.stem}: only {last} chapters, left out", file=sys.stderr)
            return [], None
        wanted = spread(2, last, chapters)
        identity = digest_of([text.stem, project.document.text, budget, project.generator.name, _code()])
        kept = work / f"rows-{text.stem}-{identity}.jsonl"
        done = {row["chapter"]: row["results"] for row in _read(kept)}
        for number in wanted:
            if number in done:
                continue
            replayer = Replayer(project.document, graph=project.graph, maker=context_maker(project))
            found = replayer.replay(number, CHOSEN, room=settings_of(project))
            done[number] = [asdict(one) for one in found]
            with kept.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"chapter": number, "results": done[number]}) + "\n")
            print(f"{text.stem}: chapter {number}", file=sys.stderr, flush=True)
        model = project.generator.name
    rows = [_row(text.stem, result) for number in wanted for result in done[number]]
    return rows, {"novel": text.stem, "chapters": last, "replayed": wanted, "tokens_of": model}


def spread(first: int, last: int, count: int) -> list[int]:
    """``count`` whole numbers from ``first`` to ``last``, evenly apart, both ends among them; all where
    there are no more. The first chapters have little before them: they count as much as the late ones."""
    if last - first < count:
        return list(range(first, last + 1))
    return sorted({round(first + i * (last - first) / (count - 1)) for i in range(count)})


def _read(kept: Path) -> Iterator[dict[str, Any]]:
    """A half-written last line, left by a kill, is cut off and its chapter replayed again."""
    if not kept.exists():
        return
    whole = []
    for line in kept.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            break
        whole.append(line + "\n")
        yield row
    kept.write_text("".join(whole), encoding="utf-8")


def _code() -> str:
    """A digest of what makes contexts out of an index."""
    import fabula

    root = Path(fabula.__file__).parent
    files = (path for kind in ("py", "toml", "tsv") for path in sorted(root.glob(f"story/**/*.{kind}")))
    return digest_of([path.read_text(encoding="utf-8") for path in files])


def _row(novel: str, result: Mapping[str, Any]) -> Row:
    held = tuple(Held(**one) for one in result["held"])
    one = ReplayedChapter(**{**result, "held": held})
    return {
        "novel": novel,
        "chapter": one.chapter,
        "pipeline": one.pipeline,
        "tokens": one.tokens,
        "leaks": one.leaks,
        "error": one.error,
        "needed": {each.kind: each.needed for each in held},
        "held": {each.kind: each.held for each in held},
        "recall": _rounded(one.recall),
        "per_1000_tokens": _rounded(one.per_1000_tokens),
        "recall_per_1000_tokens": _rounded(
            None if one.recall is None or not one.tokens else 1000 * one.recall / one.tokens
        ),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


_MEASURES = ("recall", "recall_per_1000_tokens", "per_1000_tokens")


def _means(rows: Sequence[Row]) -> dict[str, Any]:
    found: dict[str, Any] = {"chapters": len(rows), "leaks": sum(row["leaks"] for row in rows)}
    found["tokens"] = round(sum(row["tokens"] for row in rows) / len(rows), 1) if rows else None
    for kind in KINDS:
        needed = sum(row["needed"].get(kind, 0) for row in rows)
        found[kind] = {
            "needed": needed,
            "held": round(sum(row["held"].get(kind, 0) for row in rows) / needed, 4) if needed else None,
        }
    for measure in _MEASURES:
        given = [row for row in rows if row[measure] is not None]
        values = [row[measure] for row in given]
        found[measure] = {
            "mean": round(sum(values) / len(values), 4) if values else None,
            "interval": bootstrap_interval(values, groups=[row["novel"] for row in given])
            if values
            else None,
        }
    return found


def _paired(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Each pipeline against the standard one, chapter by chapter; p values over novels, adjusted (Holm) over
    all the comparisons of one measure."""
    group = {(row["novel"], row["chapter"]): row["novel"] for row in rows}
    found = []
    for measure in (*_MEASURES, *KINDS):
        own = []
        for pipeline in CHOSEN:
            if pipeline is STANDARD:
                continue
            pair = compare_paired(
                _values(rows, pipeline.name, measure), _values(rows, STANDARD.name, measure), group=group
            )
            if pair is not None:
                own.append({"measure": measure, "pipeline": pipeline.name, **asdict(pair)})
        adjusted = holm([one["p"] for one in own])
        found += [{**one, "p_holm": round(p, 4)} for one, p in zip(own, adjusted, strict=True)]
    return found


def _values(rows: Sequence[Row], pipeline: str, measure: str) -> dict[Any, float]:
    """By chapter; of a kind the share held, where any was needed."""
    found = {}
    for row in rows:
        if row["pipeline"] != pipeline:
            continue
        if measure in KINDS:
            needed = row["needed"].get(measure, 0)
            value = row["held"][measure] / needed if needed else None
        else:
            value = row[measure]
        if value is not None:
            found[row["novel"], row["chapter"]] = value
    return found


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument(
        "--novels", type=split_names, default=None, help="their names, with commas (default: all)"
    )
    options.add_argument("--chapters", type=int, default=12, help="how many of each novel")
    options.add_argument("--budget", type=int, default=700, help="tokens of context")
    options.add_argument("--name", default="replay", help="of the result file")
    options.add_argument("--work", type=Path, default=WORK, help="keeps what is finished")
    return options
