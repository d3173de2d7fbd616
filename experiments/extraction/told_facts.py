"""How much of what is told in other people's words does the reader read?

Usage:  python experiments/run.py told_facts

``data/told_facts/*.jsonl`` holds sentences as they could stand in novels of 1780 to today, put down by
writers who knew neither the rules nor each other: each tells one fact of somebody (``frame``, ``who``, and
``value``, ``other`` or ``thing``) or only sounds as if it did (``no``: denied, feared, of a moment, of
somebody else); ``plain-*`` were asked for plainer words than ``writer-*``, and what starts with "ours" is not
read here, being written by who knows the rules. Most were written before the rules and models that read them,
and used for them; to ``unknown-*`` nothing was fitted, nobody looked at it. Every text is read as a
chapter of its own, so whom a pronoun means must be clear from it alone. ``read``: a fact of that frame, with
its value where it has one, is read anywhere in the text. These sentences are far more oblique than most of a
novel: a lower bound, and a guide to what is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from experiments.common.folders import DATA
from experiments.common.options import new_parser
from experiments.common.result_file import write_result
from fabula.story.extraction.learned.sentence_facts import VOW
from fabula.story.extraction.learned.slot_candidates import day_of
from fabula.story.extraction.reader import StoryReader
from fabula.story.lexicon.trait_words import EYE_COLOURS, FIELDS, HAIR_COLOURS
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.rates import wilson
from fabula.story.model.types import Modality

SENTENCES = DATA / "told_facts"
Row = dict[str, Any]

_WARM = frozenset("LOVES FRIEND_OF TRUSTS ALLIES_WITH".split())
_COLD = frozenset("HATES ENEMY_OF DISTRUSTS".split())
_HARM = frozenset("KILLS ATTACKS BETRAYS STEALS_FROM DECEIVES".split())
_GONE = frozenset("destroys loses gives sells steals".split())
_CHILDREN = frozenset("count:child count:son count:daughter".split())
_SIBLINGS = frozenset("count:sibling count:brother count:sister".split())
_LEAST, _HELD = 0.5, frozenset({Modality.FACT, Modality.REPORTED})


def main(_: argparse.Namespace) -> None:
    """Reads every sentence and writes ``results/told_facts.json``."""
    reader = StoryReader()
    frames: dict[str, dict[str, int]] = {}
    writers: dict[str, dict[str, int]] = {}
    for path in sorted(SENTENCES.glob("[!o]*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            read = is_read(row, reader.read(row["text"]))
            for counts in (frames.setdefault(row["frame"], _none()), writers.setdefault(path.stem, _none())):
                kind = "near_misses" if row.get("no") else "told"
                counts[kind] += 1
                counts["near_misses_read" if row.get("no") else "read"] += read
        print(path.stem, writers[path.stem], file=sys.stderr, flush=True)
    facts = {
        "question": "How much of what is told in other people's words does the reader read?",
        "reader": reader.version,
        "frames": {name: _shares(counts) for name, counts in sorted(frames.items())},
        "unknown": _shares(
            _together(counts for name, counts in writers.items() if name.startswith("unknown"))
        ),
        "writers": {name: _shares(counts) for name, counts in writers.items()},
        "all": _shares(_together(frames.values())),
    }
    write_result("told_facts", facts=facts, measured={})
    print(json.dumps(facts["all"]))


def _none() -> dict[str, int]:
    return dict.fromkeys(("told", "read", "near_misses", "near_misses_read"), 0)


def _together(tables: Iterable[Mapping[str, int]]) -> dict[str, int]:
    rows = list(tables)
    return {key: sum(each[key] for each in rows) for key in _none()}


def _shares(counts: Mapping[str, int]) -> Row:
    told, read = counts["told"], counts["read"]
    share = round(read / told, 4) if told else None
    return {**counts, "share": share, "interval_95": wilson(read, told) if told else None}


def is_read(row: Row, reading: ChapterReading) -> bool:
    """Does the reading hold a fact of the row's frame, with its value?"""
    return _FRAMES[row["frame"]](row, reading)


def _trait(*aspects: str) -> Callable[[Row, ChapterReading], bool]:
    def read(row: Row, reading: ChapterReading) -> bool:
        wanted = _value(row)
        return any(trait.aspect in aspects and trait.value.rstrip("+") == wanted for trait in reading.traits)

    return read


def _value(row: Row) -> str | None:
    """As the reader would put it: a family of colours, a field of work, a figure, a side."""
    told = str(row.get("value", "")).lower()
    if row["frame"] == "wedding":
        return day_of(told)
    if row["frame"] == "trade":
        return FIELDS.get(told.split()[-1]) if told else None
    if row["frame"] in ("hair", "eyes"):
        table = HAIR_COLOURS if row["frame"] == "hair" else EYE_COLOURS
        return next((table[word] for word in told.replace("-", " ").split() if word in table), None)
    return told


def _bond(predicates: frozenset[str]) -> Callable[[Row, ChapterReading], bool]:
    return lambda _, reading: any(
        each.predicate in predicates and each.confidence >= _LEAST and each.modality in _HELD
        for each in reading.statements
    )


_FRAMES: dict[str, Callable[[Row, ChapterReading], bool]] = {
    "hand": _trait("hand"),
    "children": _trait(*_CHILDREN),
    "siblings": _trait(*_SIBLINGS),
    "age": _trait("age"),
    "trade": _trait("profession"),
    "hair": _trait("hair"),
    "eyes": _trait("eyes"),
    "death": lambda _, reading: any(t.aspect == "life" and t.value == "dead" for t in reading.traits),
    "away": lambda _, reading: any(trait.aspect == "sighted" for trait in reading.traits),
    "length": lambda _, reading: any(time.kind == "duration" for time in reading.times),
    "wedding": _trait("wedding"),
    "stay": lambda _, reading: any(trait.aspect == "stay" for trait in reading.traits),
    "date": lambda _, reading: any(time.kind == "date" for time in reading.times),
    "warm": _bond(_WARM),
    "cold": _bond(_COLD),
    "deed": lambda _, reading: any(each.predicate in _HARM for each in reading.happenings),
    "vow": lambda _, reading: bool(reading.goals) or any(each.aspect == VOW for each in reading.traits),
    "lost": lambda _, reading: any(each.act in _GONE for each in reading.handlings),
    "uses": lambda _, reading: any(each.act == "uses" for each in reading.handlings),
    "secret": lambda _, reading: any(each.kept for each in reading.learnings),
}


def parser() -> argparse.ArgumentParser:
    return new_parser(__doc__)
