"""Does the check of answers keep what is right and leave out what is made up or twisted?

    python experiments/run.py answer_check (--folder FOLDER --reader NAME [--collect] | --recording FILE)
        [--name RESULT]

``data/answer_check.jsonl``: thirty questions on five stories of ``data/modern_graph``, each with four
sentences by a writer who knew no program: two right ones in other words than the story's, one with something
of the sources twisted (who, how many, which way round), and one made up; each with words of the passages that
are its sources. The check is asked as ``ask`` asks it, one request a question with its four sentences in a
shuffled order. Whoever ``--reader`` names answers the requests in the folder from their text alone; requests
without an answer are written and passed over, so run it again until none is open. Bars: of 60 made up or
twisted at most 3 are shown, of 60 right ones at least 55.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

from experiments.common.folder_reader import add_folder, folder_reader
from experiments.common.folders import DATA
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.answering.answered import AnswerSettings
from fabula.core.answering.checked_answer import CheckedWriter, Fence, Reply, Said
from fabula.core.answering.grounding import AnswerSource
from fabula.core.documents import document_from_text
from fabula.core.types import Document, Evidence, Span
from fabula.demo import story_text
from fabula.errors import ModelRefused, ModelTransient
from fabula.llm.recorded import RecordedGenerator
from fabula.story.evidence.untrusted import GUARD, neutralise

Row = dict[str, Any]
SHEET = DATA / "answer_check.jsonl"
SEED, WORDS = 31, 120
MOST_FALSE, LEAST_RIGHT = 3, 55


def main(options: argparse.Namespace) -> int:
    """Writes ``results/NAME.json``, if a name is given. The exit code is 1 where a bar is missed."""
    model: Any = None
    if options.folder:
        model = folder_reader(options, unanswered='{"verdicts": []}')
    if options.recording:
        inner = model
        model = RecordedGenerator(options.recording, None if inner is None else lambda: inner)
    writer = CheckedWriter(model, AnswerSettings(), fence=Fence(neutralise, GUARD))
    rows, waiting = [], 0
    for group in map(json.loads, SHEET.read_text(encoding="utf-8").splitlines()):
        try:
            rows += checked(writer, group)
        except (ModelTransient, ModelRefused) as error:
            waiting += 1
            print(f"{group['question']}: {error}")
    print(f"{len(rows)} sentences are checked, {waiting} questions wait for an answer")
    shown = Counter(row["kind"] for row in rows if row["shown"])
    counted = Counter(row["kind"] for row in rows)
    found = {f"{kind}, shown": f"{shown[kind]} of {counted[kind]}" for kind in sorted(counted)}
    for name, value in found.items():
        print(f"{name}: {value}")
    for row in rows:
        if row["shown"] is not (row["kind"] == "right"):
            print(f"  {row['kind']}, {'shown' if row['shown'] else 'left out'}: {row['says']}")
    if options.name and not waiting:
        facts = {
            "question": (__doc__ or "").partition("\n\n")[0],
            "model": model.name,
            "aggregates": found,
            "rows": rows,
        }
        write_result(options.name, facts=facts, measured=machine())
    false = shown["made up"] + shown["twisted"]
    return int(not waiting and (false > MOST_FALSE or shown["right"] < LEAST_RIGHT))


def checked(writer: CheckedWriter, group: Row) -> list[Row]:
    """Each sentence of a question, and whether it is shown."""
    sources, reply = asked(group)
    made = writer.check(group["question"], reply, sources)
    given = [one.span.of(made.text) for one in made.sentences]
    return [
        {"text": group["text"], "question": group["question"], "kind": one["kind"], "says": one["says"]}
        | {"shown": any(text.startswith(one["says"]) for text in given)}
        for one in group["sentences"]
    ]


def asked(group: Row) -> tuple[list[AnswerSource], Reply]:
    """The passages of a question, numbered, and its sentences as a model's answer."""
    name = group["text"]
    text = story_text() if name == "demo" else (DATA / f"{name}.md").read_text(encoding="utf-8")
    document = document_from_text(text, id=name, title=name)
    sentences = random.Random(f"{SEED} {group['question']}").sample(group["sentences"], 4)
    numbers: dict[Evidence, int] = {}
    said = []
    for one in sentences:
        named = [passage(document, quote) for quote in one["sources"]]
        said.append(
            Said(says=one["says"], sources=[numbers.setdefault(it, len(numbers) + 1) for it in named])
        )
    sources = [
        AnswerSource(
            number, "passage", f"chapter {one.chapter}", one.chapter, one.quote, (one,), f"p{number}"
        )
        for one, number in numbers.items()
    ]
    return sources, Reply(sentences=said)


def passage(document: Document, quote: str) -> Evidence:
    """The paragraphs round a quote, as many as a passage of the search has: those after it and before it in
    turn, within its chapter."""
    at = document.text.index(quote)
    chapter = next(one for one in document.chapters if one.body.start <= at < one.body.end)
    start = end = at
    while len(document.text[start:end].split()) < WORDS and (start, end) != (
        chapter.body.start,
        chapter.body.end,
    ):
        end = _next(document.text, end, chapter.body.end)
        start = max(
            chapter.body.start, document.text.rfind("\n\n", chapter.body.start, max(start - 2, 0)) + 2
        )
    return Evidence.of(document, chapter.number, Span(start, end))


def _next(text: str, at: int, last: int) -> int:
    found = text.find("\n\n", at + 2, last)
    return last if found < 0 else found


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    add_folder(options)
    options.set_defaults(timeout=0.01)
    options.add_argument("--recording", type=Path, metavar="FILE", help="of a model's answers")
    options.add_argument("--name", default="", help="of the result file")
    return options
