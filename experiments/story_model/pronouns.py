"""Who "he" and "she" are, against LitBank's chains of coreference; see ``quotations``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.common.story_data import held_out, rows
from fabula.story.extraction.clauses.arguments import Arguments
from fabula.story.extraction.mentions.finder import find_mentions
from fabula.story.extraction.mentions.narrator import find_narrator
from fabula.story.extraction.parsing.chapter import ParsedChapter
from fabula.story.extraction.pronouns import PRONOUNS, PronounReader
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.findings import bootstrap_interval
from fabula.story.model.types import EntityKind

__all__ = ["measure_pronouns", "parsed_chapter"]

_ATTACHED = re.compile(r"[,.!?;:)\]’”]|n't|n’t|'(?:s|ll|d|re|ve|m)|’(?:s|ll|d|re|ve|m)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Extract:
    """An extract as running text; ``spans`` gives each token's place in it, by (sentence, token)."""

    text: str
    spans: Mapping[tuple[int, int], tuple[int, int]]


def extract_of(sentences: Sequence[str]) -> Extract:
    """Joins tokens as print does; a sentence that opens speech, or follows one that closed it, opens a
    paragraph, since the corpus does not keep them."""
    pieces: list[str] = []
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    length, quoted = 0, False
    for s, sentence in enumerate(sentences):
        tokens = sentence.split(" ")
        opens = not quoted and tokens[0] in ('"', "“", "‘")
        joint = "\n\n" if s and opens else " " if s else ""
        glue = True
        for t, word in enumerate(tokens):
            closing = quoted and word in ('"', "”")
            bare = glue or closing or _ATTACHED.fullmatch(word) is not None
            lead = joint if t == 0 else "" if bare else " "
            if t == 0 and closing:
                lead = ""
            pieces.append(lead + word)
            start = length + len(lead)
            length = start + len(word)
            spans[s, t] = (start, length)
            glue = word in ("(", "[", "“", "‘") or (word == '"' and not quoted)
            if word == '"':
                quoted = not quoted
            elif word in ("“", "”"):
                quoted = word == "“"
    return Extract("".join(pieces), spans)


def parsed_chapter(reader: StoryReader, text: str) -> ParsedChapter:
    """The text as the reader's rules see it, names found."""
    chapter = reader.parse(text)
    find_mentions(chapter)
    find_narrator(chapter)
    return chapter


def measure_extract(row: Mapping[str, Any], reader: StoryReader) -> dict[str, Any]:
    extract = extract_of(row["sentences"])
    chains: dict[tuple[int, int], str] = {}
    named: set[str] = set()
    pronouns: dict[int, str] = {}
    for entity in row["entities"]:
        for s, a, last, b, kind in entity["mentions"]:
            start, end = extract.spans[s, a][0], extract.spans[last, b][1]
            chains[start, end] = entity["id"]
            if kind == "PROP":
                named.add(entity["id"])
            elif kind == "PRON":
                pronouns[start] = entity["id"]
    chapter = parsed_chapter(reader, extract.text)
    reading = PronounReader.of(chapter)
    Arguments.of(chapter, reading)
    ours = {m: _chain(chapter.mentions[m].span, chains) for m in range(len(chapter.mentions))}
    counts = dict.fromkeys(("resolved", "right", "gold", "gold_right", "near", "near_right"), 0)
    bands: list[tuple[float, bool]] = []
    for paragraph in chapter.paragraphs:
        for token in paragraph.doc:
            gender = PRONOUNS.get(token.lower_)
            if gender is None or paragraph.spoken(token):
                continue
            start = paragraph.span(token, token).start
            truth = pronouns.get(start)
            if truth is None:
                continue
            meant = reading.resolve(paragraph, token)
            right = meant is not None and ours[meant.mention] == truth
            counts["resolved"] += meant is not None
            counts["right"] += right
            counts["gold"] += truth in named
            counts["gold_right"] += right and truth in named
            near = _nearest(chapter, start, gender)
            counts["near"] += near is not None
            counts["near_right"] += near is not None and ours[near] == truth
            if meant is not None:
                bands.append((meant.factor, right))
    return {
        "precision": _ratio(counts["right"], counts["resolved"]),
        "recall": _ratio(counts["gold_right"], counts["gold"]),
        "nearest_precision": _ratio(counts["near_right"], counts["near"]),
        **counts,
        "by_factor": {
            f"from {low}": {
                "n": sum(low <= f < high for f, _ in bands),
                "right": sum(ok for f, ok in bands if low <= f < high),
            }
            for low, high in ((0.0, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.01))
        },
    }


def _ratio(hits: int, n: int) -> float | None:
    return round(hits / n, 4) if n else None


def _chain(span: Any, chains: Mapping[tuple[int, int], str]) -> str | None:
    """The gold chain of the smallest mention that overlaps; the best fit first."""
    best: tuple[int, str] | None = None
    for (start, end), chain in chains.items():
        if start < span.end and span.start < end:
            off = abs(start - span.start) + abs(end - span.end)
            if best is None or off < best[0]:
                best = off, chain
    return best[1] if best else None


def _nearest(chapter: ParsedChapter, start: int, gender: str) -> int | None:
    found = None
    for number, mention in enumerate(chapter.mentions):
        if mention.span.start >= start:
            break
        if mention.kind is EntityKind.CHARACTER and not mention.spoken and mention.gender in ("", gender):
            found = number
    return found


def measure_pronouns(data: Path, reader: StoryReader, *, held: bool) -> dict[str, Any]:
    """Per extract, and micro and macro over the half."""
    extracts = {
        row["doc"]: measure_extract(row, reader)
        for row in rows(data / "characters" / "litbank.jsonl")
        if held_out(row.get("novel", row["doc"])) is held
    }
    aggregates: dict[str, Any] = {}
    for key in ("precision", "recall", "nearest_precision"):
        told = {name: row[key] for name, row in extracts.items() if row[key] is not None}
        low, high = bootstrap_interval(list(told.values()), groups=list(told)) if told else (None, None)
        mean = round(sum(told.values()) / len(told), 4) if told else None
        aggregates[key] = {"mean": mean, "interval": [low, high], "n": len(told)}
    total = {
        key: sum(row[key] for row in extracts.values()) for key in ("resolved", "right", "gold", "gold_right")
    }
    aggregates["micro"] = {
        "precision": _ratio(total["right"], total["resolved"]),
        "recall": _ratio(total["gold_right"], total["gold"]),
        **total,
    }
    factors: dict[str, dict[str, int]] = {}
    for row in extracts.values():
        for band, told_band in row["by_factor"].items():
            own = factors.setdefault(band, {"n": 0, "right": 0})
            own["n"] += told_band["n"]
            own["right"] += told_band["right"]
    aggregates["by_factor"] = factors
    return {"extracts": extracts, "aggregates": aggregates}
