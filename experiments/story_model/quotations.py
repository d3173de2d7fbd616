"""Who speaks: quotations against annotated novels.

Usage:  python experiments/run.py story_model --data DIR --only quotations [--seen-only]

Quotations: the novels of ``DIR/characters/pdnc_quotes.jsonl`` (Project Dialogism Novel Corpus, Vishnubhotla
et al. 2022) that lie in ``DIR/novels``. A gold quotation is found where one of ours overlaps it (the one
that overlaps most); its speaker is right where our entity is the gold character. An entity is the character
to whom most of its mentions' surfaces belong as aliases (``characters/pdnc.jsonl``; an alias that two go by
is nobody's). A quotation that we do not have, or have without a speaker, is wrong; one whose speaker the
corpus does not know is left out. By type: Explicit, Anaphoric, Implicit.

Every figure stands for ``seen`` documents and for those ``held_out`` from rule writing, macro over
documents, with a 95 % bootstrap interval over them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.common.story_data import document_of, held_out, read_story, rows
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.findings import bootstrap_interval
from fabula.story.model.types import QuotationTold, StoryLog

__all__ = ["measure"]

TYPES = ("Explicit", "Anaphoric", "Implicit")


class Names:
    """Which gold character each entity of a log is."""

    def __init__(self, characters: Iterable[Mapping[str, Any]], log: StoryLog) -> None:
        owners: dict[str, set[str]] = {}
        for character in characters:
            for name in {character["name"], *character["aliases"]}:
                owners.setdefault(_key(name), set()).add(character["name"])
        self._into = {merge.entity: merge.into for merge in log.merges}
        votes: dict[str, Counter[str]] = {}
        for mention in log.mentions:
            own = owners.get(_key(mention.surface), set())
            if len(own) == 1:
                votes.setdefault(self.root(mention.entity), Counter())[next(iter(own))] += 1
        self.gold = {root: min(tally, key=lambda name: (-tally[name], name)) for root, tally in votes.items()}

    def root(self, entity: str) -> str:
        while entity in self._into:
            entity = self._into[entity]
        return entity

    def of(self, entity: str | None) -> str | None:
        return self.gold.get(self.root(entity)) if entity is not None else None


def _key(name: str) -> str:
    return name.casefold().replace("’", "'").rstrip(".").removeprefix("the ")


@dataclass(frozen=True, slots=True)
class Matched:
    """A gold quotation with ours, None where there is none."""

    gold: Mapping[str, Any]
    ours: QuotationTold | None


def match(gold: Sequence[Mapping[str, Any]], log: StoryLog) -> list[Matched]:
    """Each gold quotation with the one of ours that shares most characters with it."""
    pieces = sorted(
        (evidence.span.start, evidence.span.end, n)
        for n, quotation in enumerate(log.quotations)
        for evidence in quotation.evidence[: quotation.pieces]
    )
    starts = [start for start, _, _ in pieces]
    matched = []
    for row in gold:
        shared: Counter[int] = Counter()
        for begin, end in row["spans"]:
            for start, stop, n in pieces[max(0, bisect_left(starts, begin) - 3) : bisect_left(starts, end)]:
                shared[n] += max(0, min(stop, end) - max(start, begin))
        best = max(shared, key=lambda n: (shared[n], -n), default=None)
        matched.append(Matched(row, log.quotations[best] if best is not None and shared[best] > 0 else None))
    return matched


def measure_novel(
    quotes: Sequence[Mapping[str, Any]], characters: Sequence[Mapping[str, Any]], log: StoryLog
) -> dict[str, Any]:
    """All measures of one novel; each 0 to 1, None of nothing."""
    names = Names(characters, log)
    known = {c["name"] for c in characters}
    matched = match([row for row in quotes if row["speaker"] in known], log)
    right = [_right(names, m) for m in matched]
    by_type = {
        kind: _share([ok for m, ok in zip(matched, right, strict=True) if m.gold["type"] == kind])
        for kind in TYPES
    }
    return {
        "n": len(matched),
        "found": _share([m.ours is not None for m in matched]),
        "speaker": _share(right),
        "by_type": by_type,
        "n_by_type": {kind: sum(m.gold["type"] == kind for m in matched) for kind in TYPES},
    }


def _share(values: Sequence[bool]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def _right(names: Names, matched: Matched) -> bool:
    return matched.ours is not None and names.of(matched.ours.speaker) == matched.gold["speaker"]


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """JSON-able facts for both halves, or the one that ``held`` names; some minutes without kept parses."""
    quotes = rows(data / "characters" / "pdnc_quotes.jsonl")
    novels: dict[str, dict[str, Any]] = {}
    for row in rows(data / "characters" / "pdnc.jsonl"):
        name, path = row["doc"], data / row["file"]
        if not path.exists() or held not in (None, held_out(name)):
            continue
        log = read_story(document_of(path), reader)
        own = [quote for quote in quotes if quote["doc"] == name]
        novels[name] = measure_novel(own, row["characters"], log)
    facts: dict[str, Any] = {}
    for half, side in (("seen", False), ("held_out", True)):
        if held not in (None, side):
            continue
        own_half = {name: row for name, row in novels.items() if held_out(name) is side}
        facts[half] = {"novels": own_half, "aggregates": _aggregates(own_half)}
    return facts


def _aggregates(novels: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Macro over novels: mean, 95 % interval and n."""
    columns: dict[str, dict[str, float | None]] = {}
    for name, row in novels.items():
        values = {key: row[key] for key in ("found", "speaker")}
        values |= {f"speaker_{kind}": row["by_type"][kind] for kind in TYPES}
        for key, value in values.items():
            columns.setdefault(key, {})[name] = value
    return {key: _summary(column) for key, column in columns.items()}


def _summary(column: Mapping[str, float | None]) -> dict[str, Any]:
    told = {name: value for name, value in column.items() if value is not None}
    if not told:
        return {"mean": None, "interval": None, "n": 0}
    low, high = bootstrap_interval(list(told.values()), groups=list(told))
    return {"mean": round(sum(told.values()) / len(told), 4), "interval": [low, high], "n": len(told)}
