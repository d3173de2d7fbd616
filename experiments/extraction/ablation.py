"""What is each reader of the pipeline worth on prose that it was not written on?

One reader of ``pipeline.READERS`` after another is left out, all else stays, and three things are measured
anew: slips injected into held-out novels in held-out wordings (how many are found); known novels of the
development split (cast, pairs that are tied at all, fates, events placed); the project's modern stories of
that split (contradictions met, other findings). ``records`` counts those of the story logs that are lost or
gained. Differences are paired; their intervals are of 95 %, by bootstrap over slips, people, pairs or events.

    python experiments/run.py ablation --data DIR --parses DIR --work DIR [--only NAME,…]

A reader that is done lies in ``--work`` and is not measured again. Minutes a reader, parses kept.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from experiments.common.options import add_parses, new_parser, split_names
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import CachedReader, document_of
from experiments.critic.scoring import score_copy
from experiments.user_view.modern_prose import _finding, _meets, _met, _texts
from experiments.user_view.modern_prose import document_of as story_document
from experiments.user_view.novel_gold import load_gold
from experiments.user_view.novel_scores import cast_of, events, fates, relations
from fabula.core.types import Document, Horizon
from fabula.story.codex.codex import Codex
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.extraction.parsing.parse_cache import KeptParses
from fabula.story.extraction.pipeline import READERS
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from fabula.story.injection import Half, InjectedBook, inject
from fabula.story.linking.linker import Linker
from fabula.story.model.types import StoryLog

Row = dict[str, Any]
INJECTED = ("o-pioneers", "the-invisible-man", "the-mysterious-affair-at-styles")
KNOWN = ("the-great-gatsby", "the-mysterious-affair-at-styles", "treasure-island")
COPIES = 2
_DRAWS, _SEED = 2000, 0


class Ground:
    """All texts and the injected copies, made once with every reader; parses stay in memory."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._parses, self._folder = KeptParses(10**10), options.parses
        names = dict.fromkeys((*INJECTED, *KNOWN))
        self.novels = {name: document_of(options.data / "novels" / f"{name}.txt") for name in names}
        self.gold = {gold.slug: gold for gold in load_gold("dev") if gold.slug in KNOWN}
        told = _texts(argparse.Namespace(set="dev", data=None))
        self.stories = [(one, story_document(one.id, one.text)) for one in told]
        reader = self.reader()
        self.copies: dict[str, list[InjectedBook]] = {
            name: [
                inject(self.novels[name], view=_view(log), seed=seed, half=Half("held-out"))
                for seed in range(COPIES)
            ]
            for name in INJECTED
            if (log := read(self.novels[name], reader))
        }

    def reader(self, *without: str) -> CachedReader:
        reader = CachedReader(self._folder, without=without)
        reader._parses = self._parses
        return reader


def read(document: Document, reader: CachedReader, codex: str = "") -> StoryLog:
    linker = Linker(canon=Codex.parse(codex).log if codex else None)
    for chapter in document.chapters:
        linker.add(document, chapter, reader.read(chapter.body.of(document.text)))
    return linker.log


def _view(log: StoryLog) -> StoryView:
    return StoryKnowledgeGraph(log).as_of(Horizon())


def _checked(view: StoryView, document: Document) -> Any:
    return ContinuityCritic().check(view, words=len(document.text.split())).violations


def measured(ground: Ground, reader: CachedReader) -> Row:
    """Whether each slip is found, each person, pair, fate and event right, and how much else is found."""
    records: Counter[str] = Counter()
    right: dict[str, list[bool]] = {}
    counts: Counter[str] = Counter()
    for name, document in ground.novels.items():
        log = read(document, reader)
        records.update(f"{name} {one}" for one in _records(log))
        view = _view(log)
        for one in _injected(ground, name, reader, _checked(view, document)) if name in INJECTED else ():
            for row in one["injections"]:
                if row["control"]:
                    counts["changes flagged"] += bool(row["found_by"])
                else:
                    right.setdefault("slips", []).append(row["family"] in row["found_by"])
            counts["findings caused"] += len(one["new_findings"])
        if name in ground.gold:
            gold = ground.gold[name]
            cast = cast_of(view, gold)
            right.setdefault("cast", []).extend(bool(row["right"]) for row in cast.rows)
            right.setdefault("pairs", []).extend(
                bool(row["held_pair"]) for row in relations(view, gold, cast)
            )
            right.setdefault("fates", []).extend(bool(row["right"]) for row in fates(view, gold, cast))
            right.setdefault("events", []).extend(bool(row["placed"]) for row in events(view, gold, cast))
    for one, document in ground.stories:
        log = read(document, reader)
        records.update(f"{one.id} {record}" for record in _records(log))
        found = [_finding(violation) for violation in _checked(_view(log), document)]
        right.setdefault("contradictions", []).extend(_met(each, found)["found"] for each in one.planted)
        counts["other findings in stories"] += sum(
            row["counts"] and not _meets(row, one.planted) for row in found
        )
    return {"right": right, "counts": dict(counts), "records": dict(records)}


def _injected(ground: Ground, name: str, reader: CachedReader, clean: Any) -> Iterator[Row]:
    for book in ground.copies[name]:
        found = _checked(_view(read(book.document, reader)), book.document)
        canon = found
        if book.codex:
            canon = _checked(_view(read(book.document, reader, book.codex)), book.document)
        yield score_copy(book, clean=clean, found=found, with_canon=canon)


def _records(log: StoryLog) -> Iterator[str]:
    for name in StoryLog.__dataclass_fields__:
        yield from (f"{name} {record!r}" for record in getattr(log, name))


def _difference(whole: Sequence[bool], without: Sequence[bool]) -> Row:
    """How many more (or fewer) are right without the reader, and the interval of that difference."""
    paired = [int(b) - int(a) for a, b in zip(whole, without, strict=True)]
    rng = random.Random(_SEED)
    drawn = sorted(sum(rng.choices(paired, k=len(paired))) for _ in range(_DRAWS)) if any(paired) else [0]
    last = len(drawn) - 1
    return {
        "difference": sum(paired),
        "interval": [drawn[int(0.025 * last)], drawn[int(0.975 * last)]],
    }


def main(options: argparse.Namespace) -> None:
    options.work.mkdir(parents=True, exist_ok=True)
    ground = Ground(options)
    names = options.only or ["narrator", *(reader.name for reader in READERS)]
    found: dict[str, Row] = {}
    for name in ("", *names):
        file = options.work / f"{name.replace(' ', '-').replace(chr(39), '') or 'all'}.json"
        if not file.exists():
            row = measured(ground, ground.reader(*filter(None, (name,))))
            file.write_text(json.dumps(row), encoding="utf-8")
        found[name] = json.loads(file.read_text(encoding="utf-8"))
        print(name or "all", found[name]["counts"], flush=True)
    whole = found.pop("")
    records = Counter(whole["records"])
    rows = {
        name: {
            "records": sum((records - Counter(row["records"])).values())
            + sum((Counter(row["records"]) - records).values()),
            **{kind: _difference(whole["right"][kind], row["right"][kind]) for kind in whole["right"]},
            "counts": {kind: row["counts"].get(kind, 0) - n for kind, n in whole["counts"].items()},
        }
        for name, row in found.items()
    }
    facts = {
        "novels": {"injected": list(INJECTED), "copies": COPIES, "known": list(KNOWN)},
        "whole": {
            **{kind: {"right": sum(row), "of": len(row)} for kind, row in whole["right"].items()},
            "counts": whole["counts"],
        },
        "without": rows,
    }
    write_result(options.name, facts=facts, measured=machine())


def parser() -> argparse.ArgumentParser:
    found = new_parser(__doc__, data=True)
    add_parses(found)
    found.add_argument("--work", type=Path, metavar="DIR", required=True, help="keeps finished readers")
    found.add_argument("--only", type=split_names, metavar="NAMES", help="readers, with commas between them")
    found.add_argument("--name", default="ablation", help="of the result file")
    return found
