"""Is a reader told what is answered by now, and nothing that is not told yet?

    python experiments/run.py revelation --set dev|test
    python experiments/run.py revelation --set tales --data DIR

A question is asked twice, without a language model: with the horizon at the chapter that first tells its
answer, if that is not the first, and one before, where any answer is *false knowledge*. ``dev`` and ``test``
are the project's stories; ``tales`` are 60 of FairytaleQA, sections as chapters, with every twelfth question
that one section answers. The area under the curve (Hanley & McNeil 1982) is how often a score is higher for
what is told by now than for what is not yet: the answer's confidence, or the best passage's BM25. Always or
never answering gives half, of accuracy and of area. Intervals resample texts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np

from experiments.common.indexed import indexed
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula import Config, Project
from fabula.bench.continuity import share
from fabula.core.types import Span
from fabula.project.factories import make_embedder, make_reader

from .asked_questions import holds_answer, is_refusal
from .story_sets import SPLITS
from .text_questions import TEST_TALES, AskedText, TextQuestion, shuffled_tales, stories

Row = dict[str, Any]
TALES, EVERY, DRAWS = 60, 12, 2000


def main(options: argparse.Namespace) -> None:
    """Writes ``results/revelation_SET.json``."""
    if options.set == "tales":
        texts = [in_chapters(tale) for tale in shuffled_tales(options.data)[:TALES]]
    else:
        texts = [story for story in stories(SPLITS[options.set]) if story.questions]
    models = make_embedder(Config()), make_reader(Config())
    rows = [row for text in texts for row in _asked_twice(text, *models)]
    aggregates = {"all": summed(rows)}
    if options.set == "tales":
        unseen = {one.name for one in texts[:TEST_TALES]}
        aggregates["unseen"] = summed([row for row in rows if row["text"] in unseen])
    facts = {"question": (__doc__ or "").partition("\n")[0], "set": options.set, "aggregates": aggregates}
    write_result(f"revelation_{options.set}", facts=facts | {"rows": rows}, measured=machine())


def in_chapters(tale: AskedText) -> AskedText:
    """The tale with a heading before each section, and every twelfth of the questions that one answers."""
    heads = [f"## {number}\n\n" for number in range(1, len(tale.sections) + 1)]
    text = "\n\n".join(head + one.of(tale.text) for head, one in zip(heads, tale.sections, strict=True))
    moved = list(accumulate(map(len, heads)))
    questions = []
    for asked in [one for one in tale.questions if len(one.within) == 1][::EVERY]:
        by = moved[tale.sections.index(asked.within[0])]
        questions.append(replace(asked, places=tuple(Span(p.start + by, p.end + by) for p in asked.places)))
    return AskedText(tale.name, text, questions)


def _asked_twice(text: AskedText, embedder: Any, reader: Any) -> Iterator[Row]:
    with indexed(text.name, text.text, embedder=embedder, reader=reader) as project:
        for number, question in enumerate(text.questions):
            first = min((place.start for place in question.places), default=0)
            chapter = next(c.number for c in project.document.chapters if first < c.body.end)
            if chapter > 1:
                before, at = (_answer(project, question, upto) for upto in (chapter - 1, chapter))
                yield {"text": text.name, "question": number, "before": before, "at": at}


def _answer(project: Project, question: TextQuestion, chapter: int) -> Row:
    given = project.ask(question.text, as_of=chapter, model=False)
    limit = project.search_index.limit(project.horizon(chapter))
    return {
        "answered": not is_refusal(given),
        "right": holds_answer(given, question.answers, [(one.start, one.end) for one in question.places]),
        "confidence": given.confidence or 0.0,
        "bm25": round(float(project.lexical.scores(question.text, limit=limit).max()), 4),
    }


def summed(rows: Sequence[Row]) -> Row:
    """Shares of the questions, and areas under the curve."""

    def asked(when: str, key: str, wanted: bool = True) -> list[tuple[str, bool]]:
        return [(row["text"], row[when][key] is wanted) for row in rows]

    silent = asked("before", "answered", wanted=False)
    pairs = {
        "answered rightly, once told": asked("at", "right"),
        "answered, once told": asked("at", "answered"),
        "answered before it is told": asked("before", "answered"),
        "… and right all the same": asked("before", "right"),
        "“not found” before it is told": silent,
        "accuracy": asked("at", "answered") + silent,
    }
    shares = {name: share(hits) for name, hits in pairs.items()}
    return shares | {f"area, by {name}": area(rows, name) for name in ("confidence", "bm25")}


def area(rows: Sequence[Row], score: str) -> Row:
    """Under the curve of a score for what is told by now against what is not yet."""
    at, before = (np.array([row[when][score] for row in rows]) for when in ("at", "before"))
    wins = (at[:, None] > before) + 0.5 * (at[:, None] == before)
    _, own = np.unique([row["text"] for row in rows], return_inverse=True)
    member = np.eye(own.max() + 1)[own]
    between, sizes = member.T @ wins @ member, member.sum(axis=0)
    drawn = np.random.default_rng(0).multinomial(len(sizes), np.full(len(sizes), 1 / len(sizes)), size=DRAWS)
    areas = np.einsum("dg,gh,dh->d", drawn, between, drawn) / (drawn @ sizes) ** 2
    mean, low, high = (round(float(one), 4) for one in (wins.mean(), *np.percentile(areas, [2.5, 97.5])))
    return {"n": len(rows), "mean": mean, "low": low, "high": high}


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("--set", choices=("dev", "test", "tales"), default="dev")
    return options
