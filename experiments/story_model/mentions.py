"""Named mentions of people and places in LitBank's extracts, against the parser's own.

The tokens of an extract are joined as prose is written (no space before a full stop or a closing mark) and
read as one chapter. A mention counts where its span is the annotation's, word for word. What we call a
character or the plural of a surname ("the Bennets") is set beside PER, a location beside LOC, FAC and GPE;
the definite nameless ("the king", "the castle") and the narrator's "I" are no names and are left out. The
baseline is the parser's PERSON and its GPE, LOC and FAC entities in the same paragraphs. F1 is of counts
summed over extracts; the interval of the gain resamples extracts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.story_data import held_out, rows
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.types import EntityKind
from fabula.story.prose import paragraphs, scenes_of

__all__ = ["measure_mentions"]

Found = set[tuple[str, int, int]]  # kind, first and last token of the extract
_KINDS = {"PER": "person", "LOC": "place", "FAC": "place", "GPE": "place"}
_LABELS = {"PERSON": "person", "LOC": "place", "FAC": "place", "GPE": "place"}
_CLOSING = frozenset(", . ; : ! ? ) ’ ” 's ’s n't n’t 'll ’ll 'd ’d 've ’ve 're ’re 'm ’m".split())
_OPENING = frozenset("( “ ‘".split())


def measure_mentions(path: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """Rows per extract and aggregates by half."""
    found: list[dict[str, Any]] = []
    for row in rows(path):
        half = held_out(row["novel"])
        if held in (None, half):
            found.append({"doc": row["doc"], "held": half, **_measure(row, reader)})
    halves = (("seen", False), ("held_out", True))
    aggregates = {
        name: _aggregate([row for row in found if row["held"] is half])
        for name, half in halves
        if any(row["held"] is half for row in found)
    }
    return {"rows": found, "aggregates": aggregates}


def joined(sentences: Iterable[list[str]]) -> tuple[str, list[int]]:
    """The text, and the offset at which each token starts in it."""
    pieces: list[str] = []
    starts: list[int] = []
    length, close, inside = 0, True, False
    for tokens in sentences:
        for word in tokens:
            mark = word == '"'
            if not close and word not in _CLOSING and not (mark and inside):
                pieces.append(" ")
                length += 1
            starts.append(length)
            pieces.append(word)
            length += len(word)
            inside = inside != mark
            close = word in _OPENING or (mark and inside)
    return "".join(pieces), starts


def _measure(row: Mapping[str, Any], reader: StoryReader) -> dict[str, Any]:
    sentences = [s.split() if isinstance(s, str) else s for s in row["sentences"]]
    text, starts = joined(sentences)
    offsets = [0]
    for tokens in sentences:
        offsets.append(offsets[-1] + len(tokens))
    gold: Found = {
        (_KINDS[entity["type"]], offsets[first] + a, offsets[last] + b)
        for entity in row["entities"]
        if entity["type"] in _KINDS
        for first, a, last, b, form in entity["mentions"]
        if form == "PROP"
    }
    at = {start: number for number, start in enumerate(starts)}
    ends = {
        start + len(token): n
        for n, (start, token) in enumerate(zip(starts, (t for s in sentences for t in s), strict=True))
    }
    ours = _ours(reader.read(text))
    base = _parsers(reader, text)
    return {
        name: _counts(gold, {(k, at[a], ends[b]) for k, a, b in spans if a in at and b in ends}, len(spans))
        for name, spans in (("ours", ours), ("parser", base))
    }


def _ours(reading: ChapterReading) -> Found:
    found: Found = set()
    for mention in reading.mentions:
        if mention.surface.startswith("the ") or mention.surface == "I":
            continue
        span = (mention.span.start, mention.span.end)
        if mention.kind is EntityKind.CHARACTER or (
            mention.kind is EntityKind.GROUP and mention.surface.endswith("s") and " " not in mention.surface
        ):
            found.add(("person", *span))
        elif mention.kind is EntityKind.LOCATION:
            found.add(("place", *span))
    return found


def _parsers(reader: StoryReader, text: str) -> Found:
    reader.load()
    prose = paragraphs(text, scenes_of(text))
    found: Found = set()
    for paragraph, doc in zip(prose, reader._nlp.pipe(p.text for p in prose), strict=True):
        for entity in doc.ents:
            if entity.label_ in _LABELS:
                span = paragraph.span(entity.start_char, entity.end_char)
                found.add((_LABELS[entity.label_], span.start, span.end))
    return found


def _counts(gold: Found, found: Found, told: int) -> dict[str, int]:
    """``told`` counts also the spans that do not lie on token borders, which are wrong."""
    return {"gold": len(gold), "told": told, "exact": len(gold & found)}


def _aggregate(part: list[dict[str, Any]]) -> dict[str, Any]:
    exact = {who: _ratios(part, who) for who in ("ours", "parser")}
    return {"n": len(part), "both": {"exact": {**exact, "gain": _gain(part)}}}


def _sums(part: Iterable[Mapping[str, Any]], who: str) -> tuple[int, int, int]:
    counts = [row[who] for row in part]
    hits, gold, told = (sum(each[key] for each in counts) for key in ("exact", "gold", "told"))
    return hits, gold, told


def _ratios(part: list[dict[str, Any]], who: str) -> dict[str, Any]:
    hits, gold, told = _sums(part, who)
    return {
        "precision": round(hits / max(1, told), 4),
        "recall": round(hits / max(1, gold), 4),
        "f1": round(2 * hits / max(1, gold + told), 4),
        "gold": gold,
    }


def _gain(part: list[dict[str, Any]]) -> dict[str, Any]:
    """Our F1 less the parser's, with the 95 % percentile interval over 2,000 resamplings of extracts."""

    def difference(rows_: list[dict[str, Any]]) -> float:
        one, other = (_sums(rows_, who) for who in ("ours", "parser"))
        return 2 * one[0] / max(1, one[1] + one[2]) - 2 * other[0] / max(1, other[1] + other[2])

    rng = np.random.default_rng(0)
    drawn = [difference([part[i] for i in rng.integers(0, len(part), len(part))]) for _ in range(2000)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return {"f1": round(difference(part), 4), "interval": [round(float(low), 4), round(float(high), 4)]}
