"""Plain questions asked of a project, and what the answer shown first is worth beside the gold."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any

from fabula import Project
from fabula.bench.continuity import share
from fabula.core.answering.answered import Answered
from fabula.errors import FabulaError
from fabula.story.writing.prompts import NOT_TOLD

__all__ = ["Asked", "ask_all", "holds", "holds_answer", "is_refusal", "summed_answers"]

Row = dict[str, Any]
Asked = tuple[str, str, Sequence[str], Sequence[Sequence[int]]]
"""A question, its answer (empty: the text does not say), other right wordings, half-open offsets of where it
is told."""
_SMALL = frozenset(
    """a an the of in on at to for from by with and or his her their its my your he she it they him them is
    was are were be been has had have that this as""".split()
)


def ask_all(project: Project, questions: Sequence[Asked]) -> list[Row]:
    """Each question by itself, without a language model. ``verdict`` is of the text shown: ``right`` where it
    holds the answer (or a wording that counts as it) or quotes most of a place where it is told, ``refused``
    where nothing was answered, else ``wrong``. To refuse what the text does not say is right. ``short`` tells
    whether an answer in a few words stands in a sentence that is right; None where there is none."""
    rows = []
    for question, answer, accepted, places in questions:
        started = time.perf_counter()
        try:
            given = project.ask(question, model=False)
        except FabulaError as error:
            rows.append({"question": question, "verdict": "failed", "shown": str(error), "seconds": 0.0})
            continue
        seconds = round(time.perf_counter() - started, 3)
        refused = is_refusal(given)
        right = holds_answer(given, (answer, *accepted), places) if answer else refused
        short = None
        if given.short:
            first = given.citations[0]
            told = holds(first.quote, answer) or any(
                _mostly(place, [(first.span.start, first.span.end)]) for place in places
            )
            short = bool(answer) and told
        rows.append(
            {
                "question": question,
                "gold": answer,
                "short": short,
                "answerable": bool(answer),
                "shown": " ".join(given.text.split())[:600],
                "verdict": "right" if right else "refused" if refused else "wrong",
                "seconds": seconds,
            }
        )
    return rows


def is_refusal(given: Answered) -> bool:
    """Was the question not answered?"""
    return not given.told or given.text.strip() == NOT_TOLD


def holds_answer(given: Answered, wordings: Sequence[str], places: Sequence[Sequence[int]]) -> bool:
    """Was it answered in one of these wordings, or with a quote of most of a place where it is told?"""
    quoted = [(c.span.start, c.span.end) for c in given.citations]
    return not is_refusal(given) and (
        any(holds(given.text, wording) for wording in wordings)
        or any(_mostly(place, quoted) for place in places)
    )


def holds(text: str, answer: str) -> bool:
    """Do all telling words of the answer stand in the text, whatever the case and the plural?"""
    wanted, there = _words(answer), _words(text)
    return bool(wanted) and wanted <= there


def _words(text: str) -> frozenset[str]:
    found = re.findall(r"[\w’']+", text.casefold())
    plain = (re.sub(r"['’]s?$", "", word) for word in found)
    return frozenset(
        word.removesuffix("s") if len(word) > 3 else word for word in plain if word not in _SMALL
    )


def _mostly(place: Sequence[int], quoted: Sequence[tuple[int, int]]) -> bool:
    start, end = place
    covered = sum(max(0, min(end, stop) - max(start, at)) for at, stop in quoted)
    return covered >= 0.6 * (end - start)


def summed_answers(rows: Sequence[Row], *, group: str) -> Row:
    """Shares of the questions that the text answers, how many of the others are refused, and how many of the
    short answers are right; intervals resample ``group``."""
    told = [row for row in rows if row["answerable"]]
    untold = [row for row in rows if not row["answerable"]]
    short = [row for row in rows if row.get("short") is not None]

    def part(which: Sequence[Row], verdict: str) -> Row:
        return share([(row[group], row["verdict"] == verdict) for row in which])

    return {
        "right": part(told, "right"),
        "wrong": part(told, "wrong"),
        "refused": part(told, "refused"),
        "unanswerable, refused": part(untold, "right"),
        "short answers, right": share([(row[group], row["short"]) for row in short]),
    }
