"""Does `impact` show the other place where a story speaks of the same thing?

    python experiments/run.py impact [--set dev|test] [--name RESULT]

The short stories of each writer are bound into one book, a chapter for each part of a story, so that what
is looked for lies in a text of some 15,000 words. Every pair of places that the writer marked (a
contradiction, or a legitimate change) is asked for twice: from the earlier side, is the later one among the
first 7 places, and the other way round. Intervals resample stories."""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.common.indexed import indexed
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from experiments.user_view.story_sets import DIFFICULTIES, Story, load_stories
from fabula import Project
from fabula.bench.continuity import share
from fabula.core.types import Span
from fabula.project.impact import impact_of

Row = dict[str, Any]
PLACES = 7
_HEADING = re.compile(r"^## \d+$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asked:
    """Two places that speak of one thing, by their words, and the story that they stand in."""

    story: Story
    kind: str
    earlier: str
    later: str


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    stories = load_stories(options.set)
    rows: list[Row] = []
    for writer in sorted({story.writer for story in stories}):
        own = [story for story in stories if story.writer == writer]
        rows += _rows(own)
        print(f"{writer}: {len(own)} stories", flush=True)
    aggregates = {
        name: {
            side: share([(row["story"], row[side]) for row in rows if name in ("all", row["kind"])])
            for side in SIDES
        }
        for name in ("all", *DIFFICULTIES, "change")
    }
    facts = {
        "question": "Does impact show the other place where a story speaks of the same thing?",
        "set": options.set,
        "places": PLACES,
        "stories": len(stories),
        "digest": digest_of([story.text for story in stories]),
        "aggregates": aggregates,
        "rows": rows,
    }
    write_result(options.name or f"impact_{options.set}", facts=facts, measured=machine())
    for key, value in aggregates.items():
        print(f"{key}: {value}")


SIDES = ("from the earlier side", "from the later side")


def _rows(stories: Sequence[Story]) -> list[Row]:
    texts: list[str] = []
    parts = 0
    for story in stories:
        headings = itertools.count(parts + 1)
        text = _HEADING.sub(lambda _, count=headings: f"## {next(count)}", story.text)
        parts += len(_HEADING.findall(story.text))
        texts.append(text)
    with indexed("book", "\n\n".join(texts)) as project:
        return [_asked(project, one) for story in stories for one in _pairs(story)]


def _pairs(story: Story) -> Iterator[Asked]:
    for kind, pairs in ("", story.contradictions), ("change", story.legitimate):
        for pair in pairs:
            earlier, later = (story.text[slice(*_at(pair[side]))] for side in ("earlier", "later"))
            yield Asked(story, kind or pair["difficulty"], earlier, later)


def _at(side: Row) -> tuple[int, int]:
    return side["start"], side["end"]


def _asked(project: Project, one: Asked) -> Row:
    shown = zip(SIDES, ((one.earlier, one.later), (one.later, one.earlier)), strict=True)
    return {"story": one.story.id, "kind": one.kind} | {
        side: _shows(project, asked, wanted) for side, (asked, wanted) in shown
    }


def _shows(project: Project, asked: str, wanted: str) -> bool:
    text = project.document.text
    if wanted not in text:
        raise SystemExit(f"these words do not stand in the book: {wanted!r}")
    start = text.index(wanted)
    place = Span(start, start + len(wanted))
    found = impact_of(project, asked, limit=PLACES).places
    return any(one.span.overlaps(place) for one in found)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("--set", choices=("dev", "test"), default="dev")
    options.add_argument("--name", default="", help="of the result file")
    return options
