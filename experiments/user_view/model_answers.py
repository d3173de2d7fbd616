"""With a strong model behind ``ask``: how many plain questions are answered, and does all that is shown have
support?

    python experiments/run.py model_answers --projects DIR --folder FOLDER --reader NAME
        [--sheet FILE] [--name RESULT]

Sixty questions: four of each of the development novels (three that it answers, one that it does not), and
sixteen of short stories. Whoever ``--reader`` names answers the requests in the folder from their text alone;
requests without an answer are written and passed over, so run it again until none is open: a model may look
for other passages before it answers. ``--sheet`` puts down what was written with its sources, for
judging; ``data/model_answers.json`` holds what readers said: is the answer shown right, is each sentence that
the model wrote told by its sources? Intervals resample texts. What the check lets through is measured by
``answer_check``.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.common.folder_reader import add_folder, folder_reader
from experiments.common.folders import DATA
from experiments.common.indexed import indexed
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula import Project
from fabula.core.answering.answered import Answered
from fabula.core.answering.grounding import source_block
from fabula.core.types import Generation

from .asked_questions import holds, summed_answers
from .novel_gold import load_gold
from .story_sets import load_stories

Row = dict[str, Any]
JUDGED = DATA / "model_answers.json"
SEED, OF_NOVEL, STORIES = 29, (3, 1), 16


@dataclass(frozen=True, slots=True)
class Plain:
    """A question of a text, with its answer ("": the text does not say) and other right wordings."""

    text: str
    question: str
    answer: str
    accepted: tuple[str, ...]


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``, if a name is given."""
    judged = json.loads(JUDGED.read_text(encoding="utf-8")) if JUDGED.is_file() else {}
    rows, sheet, waiting = [], [], 0
    for plain, project in _asked(options.projects):
        model = _Kept(folder_reader(options, unanswered="", context_tokens=32_768))
        project.__dict__["generator"] = model
        given = project.ask(plain.question, model=True)
        if any("has no answer after" in notice for notice in given.notices):
            waiting += 1
            continue
        row = _row(plain, given, model.written)
        if row["id"] in judged:
            row |= _judged(judged[row["id"]])
        rows.append(row)
        sheet.append(row | {"sources": [source_block(source) for source in given.sources]})
    print(f"{len(rows)} answered, {waiting} wait for an answer")
    if options.sheet:
        lines = (json.dumps(row, ensure_ascii=False) for row in sheet)
        options.sheet.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = _summed(rows)
    for name, value in found.items():
        print(f"{name}: {value}")
    if options.name and not waiting:
        facts = {
            "question": (__doc__ or "").partition("\n\n")[0].replace("\n", " "),
            "model": options.reader,
            "aggregates": found,
            "rows": rows,
        }
        write_result(options.name, facts=facts, measured=machine())


class _Kept:
    """The generator, and the last thing that it wrote."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator
        self.written = ""
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def generate(self, *args: Any, **how: Any) -> Generation:
        made: Generation = self._generator.generate(*args, **how)
        self.written, self.calls = made.text, self.calls + 1
        return made


def _asked(projects: Path) -> Iterator[tuple[Plain, Project]]:
    rng = random.Random(SEED)
    for gold in load_gold("dev"):
        told = [q for q in gold.questions if q["answer"]]
        untold = [q for q in gold.questions if not q["answer"]]
        some = rng.sample(told, OF_NOVEL[0]) + rng.sample(untold, OF_NOVEL[1])
        with Project.open(projects / gold.slug) as project:
            for q in some:
                yield Plain(gold.slug, q["question"], q["answer"], tuple(q["accept"])), project
    for story in rng.sample([s for s in load_stories("dev") if s.questions], STORIES):
        q = rng.choice(story.questions)
        with indexed(story.id, story.text) as project:
            yield Plain(story.id, q["question"], q["answer"], ()), project


def _row(plain: Plain, given: Answered, written: str) -> Row:
    right = not given.told
    if plain.answer:
        right = given.told and any(holds(given.text, one) for one in (plain.answer, *plain.accepted))
    return {
        "id": digest_of([plain.text, plain.question, written, given.text]),
        "text": plain.text,
        "question": plain.question,
        "gold": plain.answer,
        "answerable": bool(plain.answer),
        "shown": given.text,
        "written": written,
        "by_model": bool(given.model),
        "verdict": "right" if right else "refused" if not given.told else "wrong",
        "share": given.supported,
    }


def _judged(said: Row) -> Row:
    """What readers said of the answer."""
    return {"right": said["right"], "written_right": said["written_right"], "sentences": said["sentences"]}


def _summed(rows: list[Row]) -> Row:
    """By what readers said where they did, beside the words of the gold."""
    if not rows:
        return {}
    by_words = summed_answers(rows, group="text")
    read = [row for row in rows if "right" in row]
    as_read = [row | {"verdict": _verdict(row)} for row in read]
    said = [one for row in read for one in row["sentences"]]
    shown = [one for one in said if one["shown"]]
    return {
        "by words": by_words,
        "as read": summed_answers(as_read, group="text") if read else {},
        "sentences shown": len(shown),
        "shown without support": sum(not one["supported"] for one in shown),
    }


def _verdict(row: Row) -> str:
    if row["right"]:
        return "right"
    return "refused" if row["verdict"] == "refused" else "wrong"


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--projects", type=Path, required=True, metavar="DIR", help="an index of each novel")
    add_folder(options)
    options.set_defaults(timeout=0.01)
    options.add_argument("--sheet", type=Path, metavar="FILE", help="what was written, for judging")
    options.add_argument("--name", default="", help="of the result file")
    return options
