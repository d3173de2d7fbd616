"""Is the recall that `fabula calibrate` predicts the one that a critic has?

    python experiments/run.py calibration --set dev|test [--every N] [--truth RESULT] [--name RESULT]
    python experiments/run.py calibration --set dev --folder DIR --reader NAME [--collect] …

The critic is calibrated on each of the project's short stories (``data/stories``) as ``fabula calibrate``
does it on a book: scenarios that it brings along are put into a copy. What it finds of them, over all
stories, is the prediction; the truth is what it found of the contradictions that the stories' writers
planted, as ``results/RESULT.json`` of ``modern_prose`` has it. Both intervals resample stories. The
prediction holds where the true recall lies within its interval; the difference is told too, since a wide
interval holds easily. ``--folder`` puts a language model in place of the rules, as in ``modern_prose``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from typing import Any

from experiments.common.folder_reader import add_folder, folder_reader
from experiments.common.folders import RESULTS
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from experiments.user_view.modern_prose import document_of
from experiments.user_view.story_sets import load_stories
from fabula.bench.continuity import share
from fabula.core.types import Document, Horizon
from fabula.project.indexing import link
from fabula.story.calibration.planting import SLIPS
from fabula.story.calibration.power import Power, power_of
from fabula.story.continuity.by_model.critic import ModelCritic
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.findings import Violation

Row = dict[str, Any]
_SLIPS_A_STORY, _SOUND_A_STORY = 1, 2
"""Of each difficulty, and sound pairs: a story of 700 words holds no more without being about them."""


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    stories = load_stories(options.set)[:: options.every]
    finds = _finds(options)
    rows = []
    for number, story in enumerate(stories):
        power = power_of(
            "critic",
            document_of(story.id, story.text),
            finds,
            copies=1,
            slips=_SLIPS_A_STORY,
            sound=_SOUND_A_STORY,
            seed=number,
        )
        rows.append(_row(story.id, power))
        if number % 20 == 0:
            print(f"{number} of {len(stories)}", flush=True)
    if options.collect:
        return
    truth = json.loads((RESULTS / f"{options.truth or 'modern_' + options.set}.json").read_text())["facts"]
    aggregates = summed(rows, truth["aggregates"]["recall"])
    facts = {
        "question": "Is the recall that calibration predicts the one that a critic has?",
        "set": options.set,
        "reader": truth["reader"],
        "digest": digest_of([story.text for story in stories]),
        "aggregates": aggregates,
        "rows": rows,
    }
    write_result(options.name or f"calibration_{options.set}", facts=facts, measured=machine())
    for key, value in aggregates.items():
        print(f"{key}: {value}")


def _finds(options: argparse.Namespace) -> Callable[[Document], Sequence[Violation]]:
    reader = StoryReader()
    model = folder_reader(options, unanswered='{"findings": []}') if options.folder else None

    def finds(document: Document) -> Sequence[Violation]:
        readings = [reader.read(c.body.of(document.text)) for c in document.chapters]
        view: StoryView = StoryKnowledgeGraph.from_log(link(document, readings, canon=None).log).as_of(
            Horizon()
        )
        if model is None:
            return ContinuityCritic().check(view, words=0).violations
        return ModelCritic(model, document, tries=False).judged(view)

    return finds


def _row(story: str, power: Power) -> Row:
    return {
        "story": story,
        "words": power.words,
        "slips": {name: [one.found, one.n] for name, one in power.slips.items()},
        "sound": {name: [one.found, one.n] for name, one in power.sound.items()},
    }


def summed(rows: Sequence[Row], truth: Row) -> Row:
    """Predicted and true recall by difficulty; ``holds`` where the true one lies within the interval of the
    predicted one."""
    told = {}
    for name in ("all", *SLIPS):
        predicted = _share(rows, "slips", SLIPS if name == "all" else (name,))
        true = truth[name]
        both = predicted["n"] and true["n"]
        told[name] = {
            "predicted": predicted,
            "true": true,
            "difference": round(predicted["mean"] - true["mean"], 4) if both else None,
            "holds": predicted["low"] <= true["mean"] <= predicted["high"] if both else None,
        }
    return {
        "stories": len(rows),
        "recall": told,
        "sound_called_wrong": _share(rows, "sound", sorted({name for row in rows for name in row["sound"]})),
    }


def _share(rows: Sequence[Row], part: str, names: Sequence[str]) -> Row:
    pairs: list[tuple[str, bool]] = []
    for row in rows:
        for name in names:
            found, n = row[part].get(name, (0, 0))
            pairs += [(row["story"], at < found) for at in range(n)]
    return share(pairs)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("--set", choices=("dev", "test"), required=True)
    options.add_argument(
        "--truth", default="", metavar="RESULT", help="with the true recall; modern_SET by default"
    )
    options.add_argument("--name", default="", help="of the result file")
    add_folder(options)
    options.add_argument("--every", type=int, default=1)
    return options
