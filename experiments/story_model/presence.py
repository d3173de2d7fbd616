"""Who is on stage in which chapter: set beside what others noted.

Usage:  python experiments/run.py story_model --data DIR --only presence [--seen-only]

Encounters (Stanford GraphBase, Knuth 1993; ``relations/sgb_encounters.jsonl``): for every chapter of a novel
the characters who appear in it. Listed characters are found among our entities by the rule of ``cast``.
Presence is a set of (chapter, character) pairs: precision, recall and F1 over all pairs (micro) and the mean
F1 of the chapters (macro), with 95 % intervals by resampling chapters. Baseline: everybody mentioned in the
chapter.

Both novels are seen: "Anna Karenina" was held out until its F1 had been measured, 0.525, before any of it was
read. What it has gained since it was opened (0.55 to 0.79) comes from finding the listed characters by better
rules (``cast``), not from the graph. Neither is a clean figure; the clean check of presence is the next
one, on its held-out novels.

Voices (PDNC, Vishnubhotla et al. 2022; ``characters/pdnc_quotes.jsonl``): who speaks or is spoken to in a
chapter is surely there, who never does mostly is not; so recall is a bound from below and precision
understates (the silent are there too). One row a novel, intervals over novels. Entities are characters by
the majority of their mentions' surfaces among the listed aliases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.story_data import document_of, held_out, read_story, rows
from fabula.core.types import Chapter, Document, Horizon
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.findings import bootstrap_interval

from .cast import cast_of

__all__ = ["measure"]

Pairs = set[tuple[int, str]]
DRAWS = 2000


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """The facts, seen and held-out documents apart; ``held`` restricts to one half."""
    facts: dict[str, Any] = {}
    for name, half in (("seen", False), ("held_out", True)):
        if held is None or held is half:
            facts[name] = {
                "encounters": _encounters(data, reader, half),
                "voices": _voices(data, reader, half),
            }
    return facts


def _view(data: Path, file: str, reader: StoryReader) -> tuple[Document, StoryView]:
    document = document_of(data / file)
    return document, StoryKnowledgeGraph(read_story(document, reader)).as_of(Horizon())


# --- presence against the encounters noted -------------------------------------------------------


def _encounters(data: Path, reader: StoryReader, held: bool) -> list[dict[str, Any]]:
    found = []
    for row in rows(data / "relations/sgb_encounters.jsonl"):
        if held_out(row["doc"]) is held:
            document, view = _view(data, row["file"], reader)
            found.append({"doc": row["doc"], **encounter_facts(row, document, view)})
    return found


def encounter_facts(row: Mapping[str, Any], document: Document, view: StoryView) -> dict[str, Any]:
    cast = cast_of(row["characters"], view)
    gold: Pairs = set()
    for listed in row["chapters"]:
        number = _chapter_of(document, listed["start"], listed["end"])
        gold |= {(number, key) for key in listed["present"]}
    return {
        "pairs": len(gold),
        "characters": len(row["characters"]),
        "found_characters": len(cast),
        "presence": _presence(gold, view, cast),
    }


def _presence(gold: Pairs, view: StoryView, cast: Mapping[str, str]) -> dict[str, Any]:
    """Who is on stage, and beside it who is mentioned, in the chapters of the gold."""
    numbers = sorted({number for number, _ in gold})
    systems: dict[str, Callable[[int], Iterable[str]]] = {
        "on_stage": lambda n: (p.entity for p in view.on_stage(n)),
        "mentioned": view.presence,
    }
    found = {
        name: {(n, cast[entity]) for n in numbers for entity in ids(n) if entity in cast}
        for name, ids in systems.items()
    }
    return {name: _scores(gold, pairs, numbers) for name, pairs in found.items()}


def _chapter_of(document: Document, start: int, end: int) -> int:
    """The chapter with which the stretch shares most characters."""

    def shared(chapter: Chapter) -> int:
        return min(end, chapter.body.end) - max(start, chapter.body.start)

    return max(document.chapters, key=lambda chapter: (shared(chapter), -chapter.number)).number


def _scores(gold: Pairs, found: Pairs, numbers: list[int]) -> dict[str, Any]:
    counts = np.asarray([_count(gold, found, n) for n in numbers])
    hits, told, true = counts.sum(axis=0)
    each = [_f1(*row) for row in counts]
    rng = np.random.default_rng(0)
    drawn = [_f1(*counts[rng.integers(0, len(numbers), len(numbers))].sum(axis=0)) for _ in range(DRAWS)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return {
        "precision": round(float(hits / told), 4) if told else None,
        "recall": round(float(hits / true), 4),
        "f1": round(_f1(hits, told, true), 4),
        "interval": [round(float(low), 4), round(float(high), 4)],
        "macro_f1": round(float(np.mean(each)), 4),
        "macro_interval": bootstrap_interval(each, groups=[str(n) for n in numbers]),
    }


def _count(gold: Pairs, found: Pairs, number: int) -> tuple[int, int, int]:
    own = {pair for pair in found if pair[0] == number}
    true = {pair for pair in gold if pair[0] == number}
    return len(own & true), len(own), len(true)


def _f1(hits: float, told: float, true: float) -> float:
    return float(2 * hits / (told + true)) if told + true else 0.0


# --- presence against who speaks and is spoken to ------------------------------------------------


def _voices(data: Path, reader: StoryReader, held: bool) -> dict[str, Any]:
    said: dict[str, list[dict[str, Any]]] = {}
    for quote in rows(data / "characters/pdnc_quotes.jsonl"):
        if held_out(quote["doc"]) is held:
            said.setdefault(quote["doc"], []).append(quote)
    found = []
    for row in rows(data / "characters/pdnc.jsonl"):
        if row["doc"] in said:
            document, view = _view(data, row["file"], reader)
            found.append({"doc": row["doc"], **voice_facts(row, said[row["doc"]], document, view)})
    total: dict[str, Any] = {"n": len(found)}
    for system in ("on_stage", "mentioned"):
        for figure in ("precision", "recall", "f1"):
            values = [each[system][figure] for each in found]
            total[f"{system} {figure}"] = {
                "mean": round(float(np.mean(values)), 4),
                "interval": bootstrap_interval(values, groups=[each["doc"] for each in found]),
            }
    return {"rows": found, "all": total}


def voice_facts(
    row: Mapping[str, Any], quotes: list[dict[str, Any]], document: Document, view: StoryView
) -> dict[str, Any]:
    known = {c["name"] for c in row["characters"] if c["in_text"] and c["named"]}
    cast = _by_aliases(row["characters"], view)
    gold: Pairs = set()
    for quote in quotes:
        start, end = quote["spans"][0]
        number = _chapter_of(document, start, end)
        gold |= {(number, who) for who in (quote["speaker"], *quote["addressees"]) if who in known}
    return {"pairs": len(gold), **_presence(gold, view, cast)}


def _by_aliases(characters: list[dict[str, Any]], view: StoryView) -> dict[str, str]:
    """Entity → character, by the majority of the surfaces that are aliases of one character alone."""
    owners: dict[str, set[str]] = {}
    for character in characters:
        if character["in_text"] and character["named"]:
            for alias in {character["name"], *character["aliases"]}:
                owners.setdefault(_key(alias), set()).add(character["name"])
    votes: dict[str, Counter[str]] = {}
    for mention in view.log.mentions:
        owner = owners.get(_key(mention.surface), set())
        if len(owner) == 1:
            votes.setdefault(view.resolve(mention.entity), Counter())[next(iter(owner))] += 1
    return {entity: max(sorted(counts), key=counts.__getitem__) for entity, counts in votes.items()}


def _key(name: str) -> str:
    return " ".join(name.casefold().replace("’", "'").replace(".", "").split()).removeprefix("the ")
