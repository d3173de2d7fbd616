"""Are the chapters found those of the reference, on whole novels, and how fast?

Usage:  python experiments/run.py chapters [--data DIR] [--show] [--least N]

DIR (default ``$FABULA_DATA``) holds ``novels/NAME.txt`` and ``novels_chapters/NAME.jsonl``, whose rows
give the offset ``start`` of the text after each heading. A book agrees when it has as many chapters and
each reference start lies between the start of that chapter's heading and the start of its body. The
reference was made by script: ``--show`` prints what differs, to be read in the text before either side is
trusted. Exit code 0 where at least ``--least`` books agree, 1 otherwise, 2 without data. Writes nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from experiments.common.options import new_parser
from fabula.core.documents import read_document
from fabula.core.types import Chapter


@dataclass(frozen=True, slots=True)
class Row:
    """One book: chapters found and expected, the titles of those that only we have, and the headings
    that only the reference has; megabytes (of characters) and seconds."""

    book: str
    found: int
    expected: int
    extra: tuple[str, ...]
    missed: tuple[str, ...]
    megabytes: float
    seconds: float

    @property
    def agrees(self) -> bool:
        return not self.extra and not self.missed


def measure(text: Path, reference: Path) -> Row:
    """Reads one novel and sets its chapters beside the reference's."""
    began = time.perf_counter()
    document = read_document(text)
    seconds = time.perf_counter() - began
    rows = [json.loads(line) for line in reference.read_text(encoding="utf-8").splitlines()]
    left = {row["start"]: row["heading"] for row in rows}
    extra: list[str] = []
    for chapter in document.chapters:
        inside = [start for start in left if _begins(chapter, start)]
        if len(inside) == 1:
            del left[inside[0]]
        else:
            extra.append(chapter.title)
    return Row(
        book=text.stem,
        found=len(document.chapters),
        expected=len(rows),
        extra=tuple(extra),
        missed=tuple(left.values()),
        megabytes=len(document.text) / 1e6,
        seconds=seconds,
    )


def _begins(chapter: Chapter, start: int) -> bool:
    return chapter.heading.start <= start <= chapter.body.start


def main(options: argparse.Namespace) -> int:
    """Prints a table, one line a book; returns the exit code."""
    pairs = [
        (text, options.data / "novels_chapters" / f"{text.stem}.jsonl")
        for text in sorted(options.data.glob("novels/*.txt"))
    ]
    pairs = [(text, reference) for text, reference in pairs if reference.exists()]
    if not pairs:
        print(
            f"no novels/*.txt with novels_chapters/*.jsonl in {options.data}: give --data DIR",
            file=sys.stderr,
        )
        return 2
    rows = [measure(text, reference) for text, reference in pairs]
    width = max(len(row.book) for row in rows)
    print(f"{'book':{width}}  found  reference  extra  missed     MB  seconds")
    for row in rows:
        counts = f"{row.found:5}  {row.expected:9}  {len(row.extra):5}  {len(row.missed):6}"
        print(f"{row.book:{width}}  {counts}  {row.megabytes:5.2f}  {row.seconds:7.2f}")
        for sign, titles in (("+", row.extra), ("-", row.missed)):
            for title in titles if options.show else ():
                print(f"  {sign} {title[:100]}")
    agree = sum(row.agrees for row in rows)
    print(f"{agree} of {len(rows)} agree in every chapter, {sum(row.seconds for row in rows):.1f} s in all")
    return 0 if agree >= options.least else 1


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--show", action="store_true", help="print the chapters that differ")
    options.add_argument("--least", type=int, default=0, help="books that must agree for exit code 0")
    return options
