"""What of a well-known novel would a reader find in the story graph?

    python experiments/run.py known_novels --data DIR [--parses DIR] [--split dev|test]
        [--questions --projects DIR] [--novel NAME …] [--name RESULT]

``--data`` holds the novels, ``--parses`` keeps their parses between runs. The gold is ``data/known_novels``.
Everything is measured as the app and the command line show it by default, without a language model: cards of
the cast, essential relations (by type and direction, by sign, as any tie), fates, key events,
and events said to be out of order in books that are told in order. ``--questions`` asks each novel its
questions too, which takes hours, of an index in ``--projects`` that is made where it is missing; without it
the answers of the result that is there are kept, with the commit that gave them. Intervals resample novels.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from experiments.common.folders import RESULTS, default_cache
from experiments.common.options import add_parses, new_parser
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import CachedReader, document_of, read_story
from fabula import Project, index_book
from fabula.core.types import Horizon
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.findings import bootstrap_interval
from fabula.story.model.types import StoryLog

from .asked_questions import ask_all, summed_answers
from .novel_gold import LINEAR, NovelGold, book_of, load_gold
from .novel_scores import cast_of, events, fates, flashbacks, relations

Row = dict[str, Any]


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    rows: dict[str, list[Row]] = {}
    answers: list[Row] = []
    reader = CachedReader(options.parses)
    for gold in load_gold(options.split):
        if options.novel and gold.slug not in options.novel:
            continue
        book = book_of(options.data, gold)
        for part, found in measured_of(read_story(document_of(book), reader), gold).items():
            rows.setdefault(part, []).extend(found)
        if options.questions:
            folder = options.projects / gold.slug
            index_book(book, folder)
            asked = [(q["question"], q["answer"], q["accept"], q["at"]) for q in gold.questions]
            with Project.open(folder) as project:
                answers += [{"novel": gold.slug, **row} for row in ask_all(project, asked)]
        print(gold.slug, flush=True)
    aggregates = {name: share(rows[part], key, keep) for name, (part, key, keep) in MEASURES.items()}
    name = options.name or f"known_novels_{options.split}"
    asked_at: str | None = machine()["commit"]
    if not options.questions and not options.novel:
        answers, asked_at = _kept_answers(name)
    if answers:
        aggregates["questions"] = summed_answers(answers, group="novel")
    facts = {
        "question": "What of a well-known novel would a reader find in the story graph?",
        "split": options.split,
        "novels": sorted({row["novel"] for row in rows["cast"]}),
        "aggregates": aggregates,
        "rows": rows,
        "asked_at": asked_at if answers else None,
        "answers": [{k: v for k, v in row.items() if k != "seconds"} for row in answers],
    }
    seconds = sorted(row["seconds"] for row in answers if "seconds" in row)
    measured = {"ask_seconds_median": seconds[len(seconds) // 2]} if seconds else {}
    write_result(name, facts=facts, measured=machine(**measured))
    for name, value in aggregates.items():
        print(f"{name}: {value}")


def _kept_answers(name: str) -> tuple[list[Row], str | None]:
    """The answers of the result as it is, and the commit that gave them."""
    kept = RESULTS / f"{name}.json"
    if not kept.is_file():
        return [], None
    told = json.loads(kept.read_text(encoding="utf-8"))
    return told["facts"]["answers"], told["facts"].get("asked_at") or told["machine"].get("commit")


def measured_of(log: StoryLog, gold: NovelGold) -> dict[str, list[Row]]:
    """Rows of every part, of what is shown of a novel."""
    view = StoryKnowledgeGraph(log).as_of(Horizon())
    cast = cast_of(view, gold)
    return {
        "cast": list(cast.rows),
        "relations": relations(view, gold, cast),
        "fates": fates(view, gold, cast),
        "events": events(view, gold, cast),
        "flashbacks": [flashbacks(view, gold)],
    }


def share(rows: Sequence[Row], key: str, keep: Callable[[Row], bool]) -> Row:
    """``mean`` of a measure over the rows that count, with an interval that resamples novels; ``hits`` of
    ``n``."""
    counted = [row for row in rows if keep(row) and row.get(key) is not None]
    values = [float(row[key]) for row in counted]
    if not values:
        return {"n": 0}
    low, high = bootstrap_interval(values, groups=[row["novel"] for row in counted])
    mean = round(sum(values) / len(values), 4)
    return {"n": len(values), "hits": round(sum(values), 2), "mean": mean, "low": low, "high": high}


def _all(_: Row) -> bool:
    return True


def _first_list(row: Row) -> bool:
    return bool(row["rank"] == 1)


MEASURES: dict[str, tuple[str, str, Callable[[Row], bool]]] = {
    "cards right": ("cast", "right", _all),
    "cards right, main characters": ("cast", "right", lambda row: bool(row["main"])),
    "relations shown, by type": ("relations", "shown_typed", _all),
    "relations shown, by sign": ("relations", "shown_signed", _all),
    "relations shown, any tie": ("relations", "shown_pair", _all),
    "relations shown, by type, on everybody's list": ("relations", "shown_typed", _first_list),
    "relations held, by type": ("relations", "held_typed", _all),
    "relations held, by sign": ("relations", "held_signed", _all),
    "relations held, any tie": ("relations", "held_pair", _all),
    "fates right": ("fates", "right", _all),
    "false deaths": ("fates", "false_death", lambda row: bool(row["fate"] != "dead")),
    "deaths shown": ("fates", "right", lambda row: bool(row["fate"] == "dead")),
    "key events on the timeline": ("events", "placed", _all),
    "key events on the timeline, by kind": ("events", "typed", _all),
    "out of order, in books told in order": ("flashbacks", "share", lambda row: row["novel"] in LINEAR),
}


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    add_parses(options, default_cache("parses"))
    options.add_argument(
        "--projects", type=Path, metavar="DIR", help="an index of each novel, for --questions"
    )
    options.add_argument("--split", choices=("dev", "test"), default="dev")
    options.add_argument("--questions", action="store_true")
    options.add_argument("--novel", nargs="*", default=[], help="of the split, only these")
    options.add_argument("--name", default="", help="of the result file")
    return options
