"""How much of what is wrong in a novel does the critic find, and how often does it cry wolf?

Whole novels, clean and with slips injected (src/story/injection: one family a rule, the wordings in two
halves). Usage:

    python experiments/run.py injection --data DIR [--parses DIR] [--novels a,b] [--copies K]
        [--split seen|held-out|all] [--half development|held-out|all]
        [--work DIR] [--name RESULT] [--missed N] [--sample N]

DIR holds ``novels/NAME.txt``. A finding counts as a hit where its rule is the injection's family and its
quotes overlap both sides of it (``late_side_only``: the later side at least; ``any_rule``: whatever the
rule). Precision is that of the findings which the edits cause, those of the clean novel set aside, and beside
it with them. Controls are changes that a story may tell (a marriage, a haircut, a found watch): flagged where
any new finding quotes them. Finished novels are kept in ``--work``, by the code that read and checked them.

The figure for a release is that of the held-out half of the wordings on held-out novels: ``--split held-out
--half held-out``. The default is for looking at.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fabula
from experiments.common import story_data
from experiments.common.folders import WORK
from experiments.common.options import add_parses, new_parser
from experiments.common.result_file import digest_of, machine, write_result
from experiments.common.story_data import CachedReader, document_of, held_out
from fabula.core.types import Document, Horizon
from fabula.story.codex.codex import Codex
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from fabula.story.injection import Half, InjectedBook, inject
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.findings import CheckReport, Violation

from . import scoring
from .judging import judged, sample, show
from .scoring import aggregate, score_copy

Row = dict[str, Any]


class NovelReader:
    """Reads the chapters of one novel and of its copies, each chapter text once."""

    def __init__(self, reader: CachedReader) -> None:
        self._reader = reader
        self._read: dict[str, ChapterReading] = {}

    def view(self, document: Document, codex: str = "") -> StoryView:
        linker = Linker(canon=Codex.parse(codex).log if codex else None)
        for chapter in document.chapters:
            body = chapter.body.of(document.text)
            if body not in self._read:
                self._read[body] = self._reader.read(body)
            linker.add(document, chapter, self._read[body])
        return StoryKnowledgeGraph(linker.log).as_of(Horizon())


def main(options: argparse.Namespace) -> None:
    """Measures what is missing, writes ``results/NAME.json``."""
    work: Path = options.work
    work.mkdir(parents=True, exist_ok=True)
    paths = _novels(options)
    reader = CachedReader(options.parses or work / "parses")
    code, books, seconds = _code(), [], []
    for number, path in enumerate(paths, start=1):
        kept = work / f"{path.stem}-{digest_of([code, options.half, options.copies, options.seed])}.json"
        started = time.perf_counter()
        if not kept.exists():
            book = _measure(path, reader, Half(options.half), options)
            partial = kept.with_suffix(".part")
            partial.write_text(json.dumps(book), encoding="utf-8")
            partial.replace(kept)
        book = json.loads(kept.read_text(encoding="utf-8"))
        seconds.append(book.pop("checking"))
        books.append(book)
        print(f"{number} of {len(paths)}: {path.stem} {_line(book)}, {time.perf_counter() - started:.0f} s",
              file=sys.stderr, flush=True)  # fmt: skip
    rules = sorted(rule.name for rule in ContinuityCritic().rules)
    facts = {
        "question": "What does the critic find of slips put into whole novels, and what else does it flag?",
        "split": options.split,
        "half": options.half,
        "copies": options.copies,
        "seed": options.seed,
        "aggregates": {**aggregate(books, rules), "judged_clean_alarms": judged(books)},
        "books": books,
    }
    checked = sum(each["words"] for each in seconds)
    spent = sum(each["seconds"] for each in seconds)
    per = round(100_000 * spent / checked, 3) if checked else None
    write_result(options.name, facts=facts, measured=machine(check_seconds_per_100k_words=per))
    if options.missed:
        _show_missed(options, books)
    if options.sample:
        drawn = sample(books, options.sample)
        show(drawn, {path.stem: document_of(path).text for path in paths})
    _table(facts)


def _novels(options: argparse.Namespace) -> list[Path]:
    named = set(options.novels.split(",")) if options.novels else None
    found = []
    for path in sorted((options.data / "novels").glob("*.txt")):
        wanted = options.split == "all" or held_out(path.stem) == (options.split == "held-out")
        if wanted and (named is None or path.stem in named):
            found.append(path)
    if not found:
        raise SystemExit(f"no novel of that name and split in {options.data / 'novels'}")
    return found


def _measure(path: Path, reader: CachedReader, half: Half, options: argparse.Namespace) -> Row:
    document = document_of(path)
    novel = NovelReader(reader)
    view = novel.view(document)
    clean, spent = _checked(view, document)
    words = len(document.text.split())
    rows, all_words = [], words
    for seed in range(options.seed, options.seed + options.copies):
        book = inject(document, view=view, seed=seed, half=half)
        _text_of_copy(options, path.stem, seed).write_text(book.document.text, encoding="utf-8", newline="")
        row, seconds = _copy(book, novel, clean.violations)
        rows.append({"seed": seed, "digest": digest_of(book.document.text), **row})
        spent += seconds
        all_words += words
    return {
        "book": path.stem,
        "held_out": held_out(path.stem),
        "words": words,
        "digest": digest_of(document.text),
        "alarms": [_alarm(each) for each in clean.violations],
        "copies": rows,
        "checking": {"seconds": spent, "words": all_words},
    }


def _copy(book: InjectedBook, novel: NovelReader, clean: Sequence[Violation]) -> tuple[Row, float]:
    report, spent = _checked(novel.view(book.document), book.document)
    canon = report
    if book.codex:
        canon, _ = _checked(novel.view(book.document, book.codex), book.document)
    row = score_copy(book, clean=clean, found=report.violations, with_canon=canon.violations)
    return row, spent


def _text_of_copy(options: argparse.Namespace, book: str, seed: int) -> Path:
    """The copy as it was read, for looking at; it stays in the work folder."""
    return Path(options.work) / f"{book}-{options.half}-{seed}.txt"


def _show_missed(options: argparse.Namespace, books: Sequence[Row], *, around: int = 150) -> None:
    """Slips that no finding of their rule quotes on both sides, by turns from each book, on the terminal."""
    each = max(1, options.missed // max(1, len(books)))
    for book in books:
        for copy in book["copies"]:
            with _text_of_copy(options, book["book"], copy["seed"]).open(
                encoding="utf-8", newline=""
            ) as file:
                text = file.read()
            slips = [row for row in copy["injections"] if not row["control"]]
            for row in [row for row in slips if row["family"] not in row["found_by"]][:each]:
                print(f"\n{book['book']} {row['id']}: {row['family']} ({row['aspect']}), {row['phrasings']}")
                for start, end in row["offsets"]:
                    before, after = text[max(0, start - around) : start], text[end : end + around]
                    print(f"  …{before}>>>{text[start:end]}<<<{after}…".replace("\n", "\n    "))


def _checked(view: StoryView, document: Document) -> tuple[CheckReport, float]:
    started = time.process_time()
    report = ContinuityCritic().check(view, words=len(document.text.split()))
    return report, time.process_time() - started


def _alarm(violation: Violation) -> Row:
    return {
        "rule": violation.rule,
        "severity": str(violation.severity),
        "offsets": [[quote.span.start, quote.span.end] for quote in violation.evidence],
    }


def _line(book: Row) -> str:
    slips = [row for copy in book["copies"] for row in copy["injections"] if not row["control"]]
    hits = sum(row["family"] in row["found_by"] for row in slips)
    return f"{hits} of {len(slips)} found, {len(book['alarms'])} alarms when clean"


def _code() -> str:
    """A digest of all that a figure depends on."""
    digest = hashlib.sha256()
    root = Path(fabula.__file__).parent
    own = [Path(__file__), Path(scoring.__file__), Path(story_data.__file__)]
    kinds = ("py", "toml", "tsv")
    for path in [*(path for kind in kinds for path in sorted(root.glob(f"story/**/*.{kind}"))), *own]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _table(facts: Row) -> None:
    found = facts["aggregates"]
    print(f"{'family':32}{'found':>10}{'recall':>8}  interval        any rule  late side")
    rows = {**found["recall"]["by_family"], "COVERED": found["recall"]["covered"]}
    for family, row in rows.items():
        mark = "" if family in found["rules"] or family == "COVERED" else " (no rule)"
        share = "-" if row["share"] is None else f"{row['share']:.3f}"
        print(f"{family + mark:32}{row['hits']:>5}/{row['n']:<4}{share:>8}  {row['interval_95']!s:16}"
              f"{row['any_rule']:>8}{row['late_side_only']:>11}")  # fmt: skip
    for name, row in (*found["precision"].items(), *found["controls"].items()):
        if "hits" in row:
            print(f"{name}: {row['hits']}/{row['n']} {row['share']} {row['interval_95']}")
    print("clean:", json.dumps(found["clean"]))


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    add_parses(options)
    options.add_argument(
        "--novels", default="", help="names, with commas between; all of the split by default"
    )
    options.add_argument("--copies", type=int, default=1)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--split", choices=("seen", "held-out", "all"), default="seen")
    options.add_argument("--half", choices=[half.value for half in Half], default="development")
    options.add_argument(
        "--work", type=Path, default=WORK / "injection", help="keeps finished novels, and parses by default"
    )
    options.add_argument("--name", default="injection", help="of the result file")
    options.add_argument("--missed", type=int, default=0, help="print about N slips that were not found")
    options.add_argument(
        "--sample", type=int, default=0, help="put down N alarms on clean novels for judging"
    )
    return options
