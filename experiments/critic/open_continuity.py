"""A benchmark that others can enter: where does a story contradict itself, in two quotes?

    python experiments/run.py open_continuity texts --set test -o FILE
    python experiments/run.py open_continuity set --set constory|booookscore --data DIR -o FILE
    python experiments/run.py open_continuity score --set NAME [--data DIR] --findings FILE [--add NAME]

``texts`` writes the stories without what is known of them, a JSON object a line: ``story`` and ``text``. What
an entry is, and how it is scored, is told in ``fabula.bench.continuity``; ``fabula bench continuity`` makes
one with fabula's critic. ``set`` writes a public set in the form that this command reads. ``--add`` puts an
entry on the leaderboard (``results/leaderboard.json``; of a public set ``leaderboard_public.json``).

Two public sets lie under ``DIR``. ``booookscore`` are summaries of novels by language models; of a pair that
its readers labelled *inconsistency* both sides are known. ``constory`` are stories by language models with
another's findings as judge, which nobody checked: those whose two quotes stand in the story tell how far an
entry and that judge agree, and no recall.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from experiments.common.folders import RESULTS
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import rows as rows_of
from experiments.user_view.story_sets import SPLITS, STORIES
from fabula.bench.continuity import Row, Span, Text, read_findings, read_texts, scored
from fabula.story.evidence.quote_finder import QuoteFinder

PUBLIC = {
    "constory": Path("contradiction/constory_dev.jsonl"),
    "booookscore": Path("coherence/booookscore_summaries.jsonl"),
}


def main(options: argparse.Namespace) -> None:
    """Writes the texts of a set, or scores an entry."""
    if options.set in PUBLIC and options.data is None:
        raise SystemExit(f"--set {options.set} needs --data DIR")
    texts = list(_texts(options))[:: options.every]
    if options.what == "texts":
        _write(options.output, ({"story": one.id, "text": one.text} for one in texts))
    elif options.what == "set":
        _write(options.output, map(_row, texts))
    else:
        prompt = options.prompt.read_text(encoding="utf-8") if options.prompt else ""
        summary = scored(texts, read_findings(options.findings), prompt)
        for name, value in summary.items():
            print(f"{name}: {value}")
        if options.add:
            every = f", every {options.every}" if options.every > 1 else ""
            _add(options.add, f"{options.set}{every}", summary)


def _texts(options: argparse.Namespace) -> Iterable[Text]:
    if options.set in PUBLIC:
        return public_texts(options.set, options.data)
    files = [STORIES / f"{writer}.jsonl" for writer in SPLITS[options.set]]
    return sorted(read_texts(files), key=lambda one: one.id)


def public_texts(name: str, data: Path) -> Iterator[Text]:
    """The texts of a public set, with the pairs that contradict each other as somebody says."""
    for row in rows_of(data / PUBLIC[name]):
        text = row.get("story") or row.get("summary", "")
        finder = QuoteFinder(text)
        pairs = [(one["quote"], one["contradicts"]) for one in row.get("errors", ())]
        pairs += [(p["span_a"], p["span_b"]) for p in row.get("pairs", ()) if "inconsistency" in p["labels"]]
        placed = [[one[0] for quote in pair if (one := finder.place(quote))] for pair in pairs]
        sides = [sorted((one.start, one.end) for one in pair) for pair in placed if len(pair) == 2]
        if text.strip():
            yield Text(row["id"], text, [("", first, second) for first, second in sides])


def _row(text: Text) -> Row:
    sides = [{"earlier": _span(first), "later": _span(second)} for _, first, second in text.planted]
    return {"id": text.id, "text": text.text, "contradictions": sides}


def _span(side: Span) -> Row:
    return {"start": side[0], "end": side[1]}


def _add(name: str, set_: str, summary: Row) -> None:
    board = "leaderboard_public" if set_.startswith(tuple(PUBLIC)) else "leaderboard"
    path = RESULTS / f"{board}.json"
    lines = json.loads(path.read_text(encoding="utf-8"))["facts"]["lines"] if path.is_file() else []
    lines = [one for one in lines if (one["name"], one["set"]) != (name, set_)]
    lines.append({"name": name, "set": set_, **summary})
    lines.sort(key=lambda one: (one["set"], -one["recall"]["all"].get("mean", 0), one["name"]))
    facts = {"question": (__doc__ or "").partition("\n")[0], "lines": lines}
    write_result(board, facts=facts, measured=machine())


def _write(path: Path, found: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in found:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("what", choices=("texts", "set", "score"))
    options.add_argument("--findings", type=Path, metavar="FILE", help="to score")
    options.add_argument("--set", choices=(*SPLITS, *PUBLIC), default="test")
    options.add_argument("--every", type=int, default=1, help="only every Nth story")
    options.add_argument("-o", "--output", type=Path, metavar="FILE")
    options.add_argument("--prompt", type=Path, metavar="FILE", help="that a model was given")
    options.add_argument("--add", default="", metavar="NAME", help="puts it on the leaderboard")
    return options
