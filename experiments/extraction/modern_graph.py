"""What of a modern story's people does the graph show, and how many plain questions are answered?

    python experiments/run.py modern_graph [--set test] [--folder DIR --reader NAME [--collect]] [--name NAME]

Each of the six stories of ``data/modern_graph``, of the eight of the test set, is indexed by itself, with
default settings. A relation of
the gold is shown where an edge stands between the two (*any tie*), and one of its type and direction
(*typed*); questions are asked without a language model; ``asked_questions`` says what counts. With
``--folder`` whoever answers there reads the chapters too, one request each (``--collect`` only writes them).
Intervals resample stories.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.common.folder_reader import add_folder, folder_reader
from experiments.common.folders import DATA
from experiments.common.indexed import indexed
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from experiments.user_view.asked_questions import ask_all, summed_answers
from experiments.user_view.novel_scores import TYPED
from fabula import Config
from fabula.bench.continuity import share
from fabula.core.documents import read_document
from fabula.project.factories import make_embedder, make_reader
from fabula.project.indexing import asked_of
from fabula.story.extraction.by_model.reader import ModelReader
from fabula.story.extraction.combined_reader import CombinedReader
from fabula.views.world import WorldShown, world_at

Row = dict[str, Any]
STORIES = DATA / "modern_graph"
SETS = {"dev": range(1, 7), "test": range(7, 15)}
NARRATORS = {"02": "Yusuf", "05": "Cleo", "08": "Bisi Coker", "13": "Arjun"}
# kind of the gold → types of an edge
TYPES: Mapping[str, frozenset[str]] = {
    "married": frozenset({"spouse"}),
    "partner": frozenset({"spouse", "lover"}),
    "parent": frozenset({"parent"}),
    "sibling": frozenset({"sibling"}),
    "friend": frozenset({"friend"}),
    "rival": frozenset({"enemy"}),
    "hates": frozenset({"enemy"}),
    "employer": frozenset({"employer"}),
    "kin": frozenset({"kin"}),
    "loves": frozenset({"lover"}),
}
EITHER_WAY = frozenset({"married", "partner", "sibling", "friend", "rival", "kin"})


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    embedder, reader = make_embedder(Config()), make_reader(Config())
    if options.folder:
        reader = CombinedReader(reader, ModelReader(folder_reader(options, unanswered="{}")))
    if options.collect:
        _collect(reader, options.set)
        return
    relations: list[Row] = []
    answers: list[Row] = []
    extra = 0
    for path in stories(options.set):
        gold = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        text = read_document(path).text
        with indexed(path.stem, text, embedder=embedder, reader=reader) as project:
            shown = world_at(project.view(None))
            named = [one for one in gold["relations"] if one["kind"] in TYPES]
            rows, beside = _relations(shown, named, path.stem)
            extra += beside
            relations += rows
            asked = [(q["q"], q["a"], (), [_place(text, q["quote"])]) for q in gold["questions"]]
            answers += [{"story": path.stem, **row} for row in ask_all(project, asked)]
        print(path.stem, sum(row["typed"] for row in rows), "of", len(rows), flush=True)
    explicit = [row for row in relations if row["explicit"]]
    found = {
        "any tie": _share(relations, "tie"),
        "typed": _share(relations, "typed"),
        **({"typed, said in one sentence": _share(explicit, "typed")} if explicit else {}),
        "ties shown that the gold lacks": extra,
        "questions": summed_answers(answers, group="story"),
    }
    facts = {
        "question": "What of a modern story's people does the graph show?",
        "stories": len({row["story"] for row in relations}),
        "aggregates": found,
        "relations": relations,
        "answers": [{key: value for key, value in row.items() if key != "seconds"} for row in answers],
    }
    write_result(options.name, facts=facts, measured=machine())
    print(json.dumps(found, indent=1))


def stories(which: str) -> list[Path]:
    return [STORIES / f"{number:02}.md" for number in SETS[which]]


def _collect(reader: CombinedReader, which: str) -> None:
    for path in stories(which):
        document = read_document(path)
        bodies = [chapter.body.of(document.text) for chapter in document.chapters]
        reader.second.ask(asked_of(document, [reader.first.read(body) for body in bodies]))


def _relations(shown: WorldShown, gold: Sequence[Row], story: str) -> tuple[list[Row], int]:
    """A row for each of the gold, and how many edges between two people the gold has nothing of."""
    named: dict[str, set[str]] = {}
    for node in shown.nodes:
        for name in (node.name, *node.aliases):
            named.setdefault(name.casefold(), set()).add(node.id)

    def who(name: str) -> set[str]:
        own = named.get(name.casefold(), set())
        parts = set().union(*(named.get(part, set()) for part in name.casefold().split()))
        narrator = named.get("the narrator", set()) if NARRATORS.get(story) == name else set()
        return own or narrator or parts

    rows, met = [], set()
    for one in gold:
        a, b = who(one["a"]), who(one["b"])
        between = [
            edge
            for edge in shown.edges
            if (edge.source in a and edge.target in b) or (edge.source in b and edge.target in a)
        ]
        met |= {edge.id for edge in between}
        typed = any(_is_of(edge.predicate, one["kind"], forward=edge.source in a) for edge in between)
        rows.append(
            {"story": story, **{key: one.get(key) for key in ("a", "kind", "b", "explicit")}}
            | {"tie": bool(between), "typed": typed, "shown": sorted(edge.predicate for edge in between)}
        )
    people = {node.id for node in shown.nodes if node.kind == "character"}
    beside = [e for e in shown.edges if {e.source, e.target} <= people and e.id not in met]
    return rows, len(beside)


def _is_of(predicate: str, kind: str, *, forward: bool) -> bool:
    type_, subject_first = TYPED.get(predicate, ("", None))
    if type_ not in TYPES[kind]:
        return False
    return kind in EITHER_WAY or subject_first is None or subject_first == forward


def _place(text: str, quote: str) -> tuple[int, int]:
    start = text.index(quote)
    return start, start + len(quote)


def _share(rows: Sequence[Row], key: str) -> Row:
    return share([(row["story"], row[key]) for row in rows])


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--set", choices=sorted(SETS), default="dev")
    options.add_argument("--name", default="modern_graph", help="of the result file")
    add_folder(options)
    return options
