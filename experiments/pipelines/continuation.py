"""Does a story written on for ten chapters stay true to itself, and what does each context do for that?

    python experiments/run.py continuation [--latex FILE] [--data DIR] [--write DIR [--watch]] [--judge DIR]

Six stories, ten chapters each, by four pipelines and one strong model that sees one request at a time (see
``continued``), judged by readers who do not see who wrote (see ``judging``). Drafts and judgements lie in
``data/continuation``: without an option they are scored, and the same files give the same result.

``--write`` goes on with what is not written yet: requests lie in ``DIR/requests``, answers are looked for in
``DIR/answers``; ``--watch`` until all is written. ``--judge`` likewise asks the readers and the critic.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from experiments.common.curves import curves
from experiments.common.folder_reader import folder_reader
from experiments.common.folders import ROOT
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import rows as rows_of
from experiments.pipelines.continued import (
    ARMS,
    CHAPTERS,
    UNANSWERED,
    Answers,
    Draft,
    Writing,
    are_compared,
    go_on,
    plans,
)
from experiments.pipelines.continued import drafts as drafts_written
from experiments.pipelines.judging import JUDGEMENTS, READERS, Judging, Line, lines_of
from experiments.pipelines.power import power_table
from fabula.bench.results import against
from fabula.llm.folder import ANSWERS
from fabula.story import metrics
from fabula.story.model.findings import bootstrap_interval

Row = dict[str, Any]
Values = dict[Any, float]
NAMES = tuple(one.name for one in ARMS)
_BUDGETS = {one.name: one.budget for one in ARMS}


def main(options: argparse.Namespace) -> None:
    """Writes ``results/continuation.json`` and the plots, unless it is to write on or to judge."""
    folder = options.write or options.judge
    if folder is None:
        _score(options.name, options.latex)
        return
    asked = argparse.Namespace(folder=folder, reader="a strong model", timeout=20.0, collect=True)
    answers = Answers(folder_reader(asked, unanswered=UNANSWERED, context_tokens=65_536), folder / ANSWERS)
    if options.write:
        _write(answers, options)
    else:
        _judge(answers, options)


def _write(answers: Answers, options: argparse.Namespace) -> None:
    writing = Writing(answers, options.write / "work", options.data)
    waiting: dict[str, list[Any]] = {}
    while True:
        waiting = go_on(writing, answers, waiting)
        (options.write / "waiting.json").write_text(json.dumps(waiting, indent=1), encoding="utf-8")
        print(f"{len(drafts_written())} chapters written, {len(waiting)} requests wait", flush=True)
        if not (options.watch and waiting):
            break
        time.sleep(3)


def _judge(answers: Answers, options: argparse.Namespace) -> None:
    judging, lines = Judging(answers, options.data), lines_of(drafts_written())
    told = [*judging.rows(lines), *judging.findings(lines)]
    waiting = {key: ["critic"] for key in answers.waiting} | judging.waiting
    (options.judge / "waiting.json").write_text(json.dumps(waiting, indent=1), encoding="utf-8")
    print(f"{len(told)} judgements, {len(waiting)} requests wait")
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in told)
    JUDGEMENTS.write_text(text, encoding="utf-8")


def _score(name: str, latex: Path | None) -> None:
    written, judged = drafts_written(), rows_of(JUDGEMENTS)
    lines = lines_of(written)
    rates, scores = _findings(judged, lines)
    measures: dict[str, dict[str, Values]] = {
        "facts broken": _probes(judged, "broken"),
        "facts kept": _probes(judged, "kept"),
        "facts held": _held(written),
        "findings": rates,
        "consistency": scores,
        "preferred": _preferred(judged),
        **{one.__name__: _of_texts(lines, one) for one in (metrics.repetition, metrics.distinct_2)},
        "context_tokens": {
            who: {(d.story, d.chapter): float(d.tokens) for d in written if d.pipeline == who}
            for who in NAMES
        },
    }
    facts = {
        "question": (__doc__ or "").partition("\n")[0],
        "words": {who: sum(len(one.text.split()) for one in lines if one.pipeline == who) for who in NAMES},
        "chapters": CHAPTERS,
        "probes": sum(len(plan["probes"]) for plan in plans().values()),
        "means": {
            measure: {who: _summed(values) for who, values in by.items()} for measure, by in measures.items()
        },
        "differences": _against(measures),
        "pairs": _pairs(judged),
        "agreement": _agreement(judged),
        "by_chapter": _by_chapter(judged),
        "power": power_table({who: by for who, by in measures["facts broken"].items() if by}),
        "findings": [one for one in judged if one["kind"] == "finding"],
    }
    write_result(name, facts=facts, measured=machine())
    for measure in ("facts broken", "facts kept"):
        title = f"{measure.capitalize()}, by the chapter in which they were first at stake"
        at = {who: [tuple(point) for point in facts["by_chapter"][measure][who]] for who in NAMES}
        across = [(n, str(n)) for n in sorted({int(x) for line in at.values() for x, _ in line})]
        plot = curves(at, title, "chapter written", "share", across=across)
        (ROOT / "docs" / f"continuation-{measure.replace(' ', '-')}.svg").write_text(plot, encoding="utf-8")
    if latex is not None:
        latex.write_text(_latex(facts["means"]), encoding="utf-8")
    for part in ("means", "differences", "pairs", "agreement", "power"):
        told = facts[part].items() if isinstance(facts[part], dict) else enumerate(facts[part])
        for key, value in told:
            print(part, key, value)


def _latex(means: dict[str, dict[str, Row]]) -> str:
    """The means with their intervals as a table for a paper (needs the package booktabs)."""
    rows = [" & ".join(["", *NAMES])]
    for measure, by in means.items():
        places = 0 if measure == "context_tokens" else 2
        cells = [measure.replace("_", " ")]
        for who in NAMES:
            low, high = by[who]["interval"]
            cells.append(f"{by[who]['mean']:.{places}f} [{low:.{places}f}, {high:.{places}f}]")
        rows.append(" & ".join(cells))
    head, *body = (f"{row} \\\\" for row in rows)
    inside = "\n".join(["\\toprule", head, "\\midrule", *body, "\\bottomrule"])
    return f"\\begin{{tabular}}{{l{'r' * len(NAMES)}}}\n{inside}\n\\end{{tabular}}\n"


def _probes(judged: Sequence[Row], verdict: str) -> dict[str, Values]:
    """Of each fact how many of its readers say so, 0 to 1."""
    found: dict[str, Values] = {who: {} for who in NAMES}
    for one in judged:
        if one["kind"] == "probe":
            values, key = found[one["pipeline"]], (one["story"], one["probe"])
            values[key] = values.get(key, 0.0) + (one["verdict"] == verdict) / len(READERS)
    return found


def _findings(judged: Sequence[Row], lines: Sequence[Line]) -> tuple[dict[str, Values], dict[str, Values]]:
    """The critic's that are surer than not: in 10,000 words of a line, and as the consistency of a chapter,
    ``1 - 0.1 * findings``, on the average of the line."""
    counts = {(one.pipeline, one.story): 0 for one in lines}
    for one in judged:
        if one["kind"] == "finding" and one["sure"] >= 0.5:
            counts[one["pipeline"], one["story"]] += 1
    rates: dict[str, Values] = {who: {} for who in NAMES}
    scores: dict[str, Values] = {who: {} for who in NAMES}
    for one in lines:
        count = counts[one.pipeline, one.story]
        rates[one.pipeline][one.story,] = 10_000 * count / len(one.text.split())
        scores[one.pipeline][one.story,] = max(0.0, 1 - 0.1 * count / CHAPTERS)
    return rates, scores


def _preferred(judged: Sequence[Row]) -> dict[str, Values]:
    """Of the pairs with another pipeline of the same budget the share that it wins, half for a tie; a pair is
    asked twice."""
    found: dict[str, Values] = {who: {} for who in NAMES}
    for one in judged:
        if one["kind"] == "pair" and _BUDGETS[one["a"]] == _BUDGETS[one["b"]]:
            for who in (one["a"], one["b"]):
                other = one["b"] if who == one["a"] else one["a"]
                key = (one["story"], other)
                won = 0.5 if not one["better"] else float(one["better"] == who)
                found[who][key] = found[who].get(key, 0.0) + won / 2
    return found


def _pairs(judged: Sequence[Row]) -> list[Row]:
    """Of each two the share of the stories in which the second is preferred, with its interval."""
    found: dict[tuple[str, str], Values] = {}
    for one in judged:
        if one["kind"] == "pair":
            won = 0.5 if not one["better"] else float(one["better"] == one["b"])
            found.setdefault((one["a"], one["b"]), {})[one["story"], one["turn"]] = won
    return [{"one": a, "other": b, **_summed(values)} for (a, b), values in found.items()]


def _held(written: Sequence[Draft]) -> dict[str, Values]:
    """Of the facts at stake in a chapter those of which the context told, 0 or 1."""
    every = plans()
    return {
        who: {
            (d.story, d.chapter, probe["id"]): float(probe["id"] in d.held)
            for d in written
            if d.pipeline == who
            for probe in every[d.story]["probes"]
            if d.chapter in probe["at_stake"]
        }
        for who in NAMES
    }


def _of_texts(lines: Sequence[Line], measure: Callable[[str], metrics.Score]) -> dict[str, Values]:
    told = {
        who: {(one.story,): measure(one.text).value for one in lines if one.pipeline == who} for who in NAMES
    }
    return {who: {key: value for key, value in by.items() if value is not None} for who, by in told.items()}


def _summed(values: Values) -> Row:
    """Mean and 95 % interval, stories resampled."""
    if not values:
        return {"n": 0, "mean": None, "interval": None}
    given = list(values.values())
    interval = bootstrap_interval(given, groups=[key[0] for key in values])
    return {"n": len(given), "mean": round(sum(given) / len(given), 4), "interval": interval}


def _against(measures: dict[str, dict[str, Values]]) -> list[Row]:
    """Each two that are compared; p by stories, Holm over the comparisons of a measure."""
    found = []
    pairs = [(other, one) for one, other in combinations(ARMS, 2) if are_compared(one, other)]
    for measure in ("facts broken", "facts kept", "findings"):
        by = measures[measure]
        found += against(
            ({"measure": measure, "one": a.name, "other": b.name}, by[a.name], by[b.name]) for a, b in pairs
        )
    return found


def _agreement(judged: Sequence[Row]) -> Row:
    """Of the readers of a fact, with Cohen's kappa, and of the two askings of a pair."""
    by: dict[Any, list[str]] = {}
    for one in judged:
        if one["kind"] == "probe":
            by.setdefault((one["story"], one["pipeline"], one["probe"]), []).append(one["verdict"])
    twice: dict[Any, list[str]] = {}
    for one in judged:
        if one["kind"] == "pair":
            twice.setdefault((one["story"], one["a"], one["b"]), []).append(one["better"])
    return {"facts": _kappa(by.values()), "pairs": _kappa(twice.values())}


def _kappa(told: Iterable[Sequence[str]]) -> Row:
    both = [one for one in told if len(one) == len(READERS)]
    if not both:
        return {"n": 0, "same": None, "kappa": None}
    same = sum(a == b for a, b in both) / len(both)
    sides = [[one[side] for one in both] for side in (0, 1)]
    chance = sum(sides[0].count(v) * sides[1].count(v) for v in {*sides[0], *sides[1]}) / len(both) ** 2
    return {"n": len(both), "same": round(same, 4), "kappa": round((same - chance) / (1 - chance), 4)}


def _by_chapter(judged: Sequence[Row]) -> dict[str, dict[str, list[list[float]]]]:
    """Of the facts that were at stake by a chapter for the first time, the share broken and kept."""
    first = {(s, one["id"]): one["at_stake"][0] for s, plan in plans().items() for one in plan["probes"]}
    found: dict[str, dict[str, list[list[float]]]] = {}
    for verdict in ("broken", "kept"):
        for who, values in _probes(judged, verdict).items():
            at: dict[int, list[float]] = {}
            for key, value in values.items():
                at.setdefault(first[key], []).append(value)
            line = [[chapter, round(sum(own) / len(own), 4)] for chapter, own in sorted(at.items())]
            found.setdefault(f"facts {verdict}", {})[who] = line
    return found


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("--write", type=Path, metavar="DIR", help="go on writing")
    options.add_argument("--watch", action="store_true", help="until all is written")
    options.add_argument("--judge", type=Path, metavar="DIR", help="ask the readers")
    options.add_argument("--name", default="continuation", help="of the result file")
    options.add_argument("--latex", type=Path, metavar="FILE", help="for the table of means")
    return options
