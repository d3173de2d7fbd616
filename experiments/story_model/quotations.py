"""Who speaks to whom, and who "he" and "she" are: quotations and pronouns against annotated novels.

Usage:  python experiments/run.py story_model --data DIR --only quotations [--seen-only]

Quotations: the novels of ``DIR/characters/pdnc_quotes.jsonl`` (Project Dialogism Novel Corpus, Vishnubhotla
et al. 2022) that lie in ``DIR/novels``. A gold quotation is found where one of ours overlaps it (the one
that overlaps most); its speaker is right where our entity is the gold character. An entity is the character
to whom most of its mentions' surfaces belong as aliases (``characters/pdnc.jsonl``; an alias that two go by
is nobody's). A quotation that we do not have, or have without a speaker, is wrong; one whose speaker the
corpus does not know is left out. By type: Explicit, Anaphoric, Implicit. ``ceiling`` is the share whose gold
speaker is any entity of ours, so that perfect attribution to our entities would get it right. Baselines, in
the same log: ``nearest_before``, ``nearest_after`` (the person named nearest outside speech) and
``nearest``. ``addressee``: of the quotations with gold addressees, the share in which all of ours (one at
least) are among them. ``edges`` is Spearman's rank correlation of speaker → addressee counts with
``relations/pdnc_interactions.jsonl`` over the union of pairs. ``confidence`` gives the accuracy of what we
attribute by our own confidence.

Pronouns: the extracts of ``characters/litbank.jsonl`` (Bamman et al. 2020). Of the third-person singular
pronouns outside speech: precision, of those we resolve, those whose antecedent overlaps a mention of the
same gold chain; recall, of those whose chain has a proper name in the extract, those rightly resolved. The
baseline is the nearest person named before, whose gender does not clash.

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

from scipy.stats import spearmanr

from experiments.common.story_data import document_of, held_out, read_story, rows
from fabula.core.types import Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.findings import bootstrap_interval
from fabula.story.model.types import EntityKind, QuotationTold, StoryLog

from .pronouns import measure_pronouns

__all__ = ["measure"]

TYPES = ("Explicit", "Anaphoric", "Implicit")
BASELINES = ("nearest_before", "nearest_after", "nearest")
BANDS = (0.0, 0.5, 0.8, 0.95)


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
    quotes: Sequence[Mapping[str, Any]],
    characters: Sequence[Mapping[str, Any]],
    edges: Sequence[Mapping[str, Any]],
    log: StoryLog,
) -> dict[str, Any]:
    """All measures of one novel; each 0 to 1 (``edges`` -1 to 1), None of nothing."""
    names = Names(characters, log)
    known = {c["name"] for c in characters}
    matched = match([row for row in quotes if row["speaker"] in known], log)
    right = [_right(names, m) for m in matched]
    reached = set(names.gold.values())
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
        "ceiling": _share([m.gold["speaker"] in reached for m in matched]),
        "baselines": _baselines(matched, names, log),
        "addressee": _addressees(names, matched),
        "edges": _edges(names, log, edges),
        "confidence": _bands(matched, right),
        "told": len(log.quotations),
        "told_with_speaker": sum(q.speaker is not None for q in log.quotations),
    }


def _share(values: Sequence[bool]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def _right(names: Names, matched: Matched) -> bool:
    return matched.ours is not None and names.of(matched.ours.speaker) == matched.gold["speaker"]


def _addressees(names: Names, matched: Sequence[Matched]) -> float | None:
    """A hearer who is no gold character is wrong."""
    told = [m for m in matched if m.gold["addressees"]]
    return _share(
        [
            m.ours is not None
            and bool(m.ours.hearers)
            and all(names.of(hearer) in m.gold["addressees"] for hearer in m.ours.hearers)
            for m in told
        ]
    )


def _edges(names: Names, log: StoryLog, edges: Sequence[Mapping[str, Any]]) -> float | None:
    truth = Counter({(edge["speaker"], edge["addressee"]): edge["n"] for edge in edges})
    ours: Counter[tuple[str, str]] = Counter()
    for quotation in log.quotations:
        speaker = names.of(quotation.speaker)
        for hearer in map(names.of, quotation.hearers):
            if speaker and hearer and speaker != hearer:
                ours[speaker, hearer] += 1
    pairs = sorted(truth.keys() | ours.keys())
    if len(pairs) < 3:
        return None
    return round(float(spearmanr([truth[p] for p in pairs], [ours[p] for p in pairs]).statistic), 4)


def _bands(matched: Sequence[Matched], right: Sequence[bool]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for low, high in zip(BANDS, (*BANDS[1:], 1.01), strict=True):
        inside = [
            ok
            for m, ok in zip(matched, right, strict=True)
            if m.ours is not None and m.ours.speaker is not None and low <= m.ours.confidence < high
        ]
        found[f"from {low}"] = {"n": len(inside), "right": _share(inside)}
    return found


def _baselines(matched: Sequence[Matched], names: Names, log: StoryLog) -> dict[str, float | None]:
    """The person named nearest outside speech, distance in characters from the quotation's ends."""
    spoken = sorted(
        (evidence.span.start, evidence.span.end)
        for quotation in log.quotations
        for evidence in quotation.evidence[: quotation.pieces]
    )
    begins = [start for start, _ in spoken]

    def outside(span: Span) -> bool:
        k = bisect_left(begins, span.end) - 1
        return k < 0 or spoken[k][1] <= span.start

    people = sorted(
        (m.evidence.span.start, m.entity)
        for m in log.mentions
        if m.kind is EntityKind.CHARACTER and outside(m.evidence.span)
    )
    places = [start for start, _ in people]
    right: dict[str, list[bool]] = {name: [] for name in BASELINES}
    for one in matched:
        begin, end = one.gold["spans"][0][0], one.gold["spans"][0][1]
        k, j = bisect_left(places, begin) - 1, bisect_left(places, end)
        before = people[k] if k >= 0 else None
        after = people[j] if j < len(people) else None
        near = before
        if after is not None and (before is None or after[0] - end < begin - before[0]):
            near = after
        for name, who in zip(BASELINES, (before, after, near), strict=True):
            right[name].append(who is not None and names.of(who[1]) == one.gold["speaker"])
    return {name: _share(values) for name, values in right.items()}


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """JSON-able facts for both halves, or the one that ``held`` names; some minutes without kept parses."""
    quotes = rows(data / "characters" / "pdnc_quotes.jsonl")
    edges = {row["doc"]: row["edges"] for row in rows(data / "relations" / "pdnc_interactions.jsonl")}
    novels: dict[str, dict[str, Any]] = {}
    for row in rows(data / "characters" / "pdnc.jsonl"):
        name, path = row["doc"], data / row["file"]
        if not path.exists() or held not in (None, held_out(name)):
            continue
        log = read_story(document_of(path), reader)
        own = [quote for quote in quotes if quote["doc"] == name]
        novels[name] = measure_novel(own, row["characters"], edges.get(name, ()), log)
    facts: dict[str, Any] = {}
    for half, side in (("seen", False), ("held_out", True)):
        if held not in (None, side):
            continue
        own_half = {name: row for name, row in novels.items() if held_out(name) is side}
        facts[half] = {
            "novels": own_half,
            "aggregates": _aggregates(own_half),
            "pronouns": measure_pronouns(data, reader, held=side),
        }
    return facts


def _aggregates(novels: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Macro over novels: mean, 95 % interval and n."""
    columns: dict[str, dict[str, float | None]] = {}
    for name, row in novels.items():
        values = {key: row[key] for key in ("found", "speaker", "ceiling", "addressee", "edges")}
        values |= {f"speaker_{kind}": row["by_type"][kind] for kind in TYPES}
        values |= {f"baseline_{base}": row["baselines"][base] for base in BASELINES}
        for key, value in values.items():
            columns.setdefault(key, {})[name] = value
    return {key: summary(column) for key, column in columns.items()}


def summary(column: Mapping[str, float | None]) -> dict[str, Any]:
    told = {name: value for name, value in column.items() if value is not None}
    if not told:
        return {"mean": None, "interval": None, "n": 0}
    low, high = bootstrap_interval(list(told.values()), groups=list(told))
    return {"mean": round(sum(told.values()) / len(told), 4), "interval": [low, high], "n": len(told)}
