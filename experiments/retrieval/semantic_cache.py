"""How often does the semantic cache answer a paraphrase, and how often a question that only looks like one?

Usage:  python experiments/run.py semantic_cache [--cache DIR] [--questions FILE]

Asks each pair of ``data/cache_pairs.json`` of a cache that holds its first question, over thresholds .60 to
.99, with the signature and without it (cosine alone). The pairs were written before the rules; rules and
default threshold were chosen on the half ``dev``, and ``test`` was only measured. The threshold chosen is the
highest that keeps dev's best hit rate at a false-hit rate of at most 1 %. Vectors are kept in DIR (default:
the user's cache directory). FILE, if given, holds other people's questions, one JSON object a line with
``text``, ``doc`` and ``answers``: every two of one document whose cosine is at least .80 and whose answers
differ are traps too, but for one question asked twice. Writes ``results/semantic_cache.json`` and
``../docs/semantic-cache.svg``.

One author wrote both halves and then the rules and word tables, so test's hit rate is not that of unseen
wordings; FILE's questions are the only ones that nobody here wrote.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.common.folders import DATA, ROOT, default_cache
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula.core.embeddings import EmbeddingManager
from fabula.core.signatures.semantic_cache import DEFAULT_THRESHOLD, SemanticCache
from fabula.core.signatures.signature import normalised, signature
from fabula.story.model.findings import wilson

PAIRS = DATA / "cache_pairs.json"
PLOT = ROOT / "docs" / "semantic-cache.svg"
THRESHOLDS = tuple(round(0.60 + 0.01 * i, 2) for i in range(40))
NEAR, MOST_FALSE, HELD, ASKED = 0.80, 0.01, 10_000, 200
Vector = NDArray[np.float32]
Row = dict[str, Any]


class Vectors:
    """Query vectors in full precision, kept in a folder by model and text."""

    def __init__(self, folder: Path) -> None:
        self.embedder = EmbeddingManager(device="cpu", precision="fp32")
        self._file = folder / f"queries-{digest_of(self.embedder.name)}.npz"
        self._known: dict[str, Vector] = {}
        if self._file.exists():
            with np.load(self._file, allow_pickle=False) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["rows"], strict=True))

    def of(self, texts: Sequence[str]) -> dict[str, Vector]:
        keys = {text: hashlib.sha256(text.encode()).hexdigest() for text in texts}
        new = [text for text in keys if keys[text] not in self._known]
        self._known |= {keys[text]: self.embedder.embed_query(text) for text in new}
        if new:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft = self._file.with_suffix(".draft.npz")
            np.savez(draft, keys=np.array(list(self._known)), rows=np.stack(list(self._known.values())))
            draft.replace(self._file)
        return {text: self._known[key] for text, key in keys.items()}


def share(hits: Sequence[bool]) -> Row:
    n, count = len(hits), sum(hits)
    return {"n": n, "count": count, "rate": round(count / n, 4) if n else None, "ci95": wilson(count, n)}


def asks(row: Row, vectors: dict[str, Vector], threshold: float) -> tuple[bool, bool]:
    """Is the second question answered by what was kept for the first: with the signature, and without it?"""
    cache: SemanticCache[str] = SemanticCache(threshold=threshold)
    cache.put("scope", row["a"], vectors[row["a"]], row["a"])
    cosine = float(vectors[row["a"]] @ vectors[row["b"]])
    exact = normalised(row["a"]) == normalised(row["b"])
    return cache.get("scope", row["b"], vectors[row["b"]]) is not None, exact or cosine >= threshold


def curve(rows: Sequence[Row], vectors: dict[str, Vector]) -> list[Row]:
    points = []
    for threshold in THRESHOLDS:
        answered = [asks(row, vectors, threshold) for row in rows]
        point: Row = {"threshold": threshold}
        for at, name in enumerate(("signature", "cosine_only")):
            for label, same in (("hit", True), ("false_hit", False)):
                point[f"{name}_{label}"] = share(
                    [a[at] for a, row in zip(answered, rows, strict=True) if row["same_answer"] is same]
                )
        points.append(point)
    return points


def chosen(points: Sequence[Row]) -> float:
    """The highest threshold with the best hit rate among those whose false-hit rate is within the bar."""
    fit = [p for p in points if p["signature_false_hit"]["rate"] <= MOST_FALSE]
    return float(max(fit, key=lambda p: (p["signature_hit"]["count"], p["threshold"]))["threshold"])


def by_relation(rows: Sequence[Row], vectors: dict[str, Vector], threshold: float) -> Row:
    groups: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row in rows:
        groups[row["relation"]].append(asks(row, vectors, threshold))
    return {
        name: {"n": len(g), "signature": sum(a for a, _ in g), "cosine_only": sum(b for _, b in g)}
        for name, g in sorted(groups.items())
    }


def crowded(rows: Sequence[Row], vectors: dict[str, Vector], threshold: float) -> Row:
    """All first questions in one cache, all second ones asked: who is answered with another's result?"""
    cache: SemanticCache[str] = SemanticCache(threshold=threshold)
    for row in rows:
        cache.put("scope", row["a"], vectors[row["a"]], row["a"])
    hits = [(row, cache.get("scope", row["b"], vectors[row["b"]])) for row in rows]
    same = {(signature(r["a"]), signature(r["b"])) for r in rows if r["same_answer"]}
    wrong = [
        [row["b"], hit.payload]
        for row, hit in hits
        if hit is not None
        and normalised(row["b"]) != normalised(hit.payload)
        and not (row["same_answer"] and hit.payload == row["a"])
        and (signature(hit.payload), signature(row["b"])) not in same
    ]
    return {"kept": cache.statistics.entries, "asked": len(rows), "to_be_read": wrong}


def outside(file: Path, vectors: Vectors, threshold: float) -> Row:
    """Pairs of other people's questions about one document, near in cosine, with other answers."""
    content = file.read_bytes()
    groups: dict[str, list[Row]] = defaultdict(list)
    for line in content.decode("utf-8").splitlines():
        row = json.loads(line)
        groups[row["doc"]].append(row)
    known = vectors.of([row["text"] for rows in groups.values() for row in rows])
    traps: list[tuple[bool, bool]] = []
    identical = 0
    for rows in groups.values():
        for at, first in enumerate(rows):
            for second in rows[:at]:
                cosine = float(known[first["text"]] @ known[second["text"]])
                answers = [{a.casefold() for a in row["answers"]} for row in (first, second)]
                if cosine < NEAR or answers[0] & answers[1]:
                    continue
                if normalised(first["text"]) == normalised(second["text"]):  # one question, annotated twice
                    identical += 1
                else:
                    traps.append(asks({"a": second["text"], "b": first["text"]}, known, threshold))
    return {
        "questions": len(known),
        "digest": hashlib.sha256(content).hexdigest()[:12],
        "least_cosine": NEAR,
        "identical_left_out": identical,
        "signature_false_hit": share([a for a, _ in traps]),
        "cosine_only_false_hit": share([b for _, b in traps]),
    }


def milliseconds(calls: Sequence[Callable[[], object]]) -> Row:
    times = []
    for call in calls:
        began = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - began))
    middle, late = np.percentile(times, [50, 95])
    return {"n": len(times), "median": round(float(middle), 3), "p95": round(float(late), 3)}


def latency(embedder: EmbeddingManager, vector: Vector) -> Row:
    """Milliseconds at 10,000 entries of different signatures, and with 10,000 of one signature."""
    cache: SemanticCache[int] = SemanticCache(capacity_bytes=1 << 30, threshold=0.5)
    heap: SemanticCache[int] = SemanticCache(capacity_bytes=1 << 30, threshold=0.5)
    noise = np.random.default_rng(0).normal(scale=0.01, size=(HELD, len(vector))).astype(np.float32)
    for i in range(HELD):
        cache.put("scope", f"Who saw rider {i}?", vector, i)
        articles = " ".join("the" if i >> bit & 1 else "a" for bit in range(14))  # dropped by the signature
        heap.put("scope", f"Who saw {articles} rider?", vector + noise[i], i)
    ids = range(ASKED)
    other = [f"By whom was rider {i} seen?" for i in ids]
    embedder.embed_query(other[0])
    return {
        "entries": HELD,
        "exact": milliseconds([lambda i=i: cache.get("scope", f"who saw rider {i}") for i in ids]),
        "semantic_vector_given": milliseconds([lambda q=q: cache.get("scope", q, vector) for q in other]),
        "semantic_with_embedding": milliseconds(
            [lambda q=q: cache.get("scope", q, lambda: embedder.embed_query(q)) for q in other]
        ),
        "miss": milliseconds(
            [lambda i=i: cache.get("scope", f"Who did rider {i} see?", vector) for i in ids]
        ),
        "signature": milliseconds([lambda q=q: signature(q) for q in other]),
        "semantic_vector_given_all_of_one_signature": milliseconds(
            [lambda: heap.get("scope", "By whom was the rider seen?", vector) for _ in ids]
        ),
    }


_STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #57606a } .title { font-size: 14px; font-weight: 600 }
  .axis { stroke: #8b949e; fill: none } .grid { stroke: #8b949e; stroke-opacity: .25 }
  .with { stroke: #2f81f7; fill: #2f81f7 } .without { stroke: #d9822b; fill: #d9822b }
  .line { fill: none; stroke-width: 2 } .false { stroke-dasharray: 5 3 }
  .band { stroke: none; fill-opacity: .15 }
  @media (prefers-color-scheme: dark) { text { fill: #adbac7 } }
"""
_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 300, 220, 50, 40, 60


def plot(curves: dict[str, list[Row]], default: float) -> str:
    """An SVG of two panels, dev and test: rates over the threshold with their intervals as bands."""
    panels = "".join(_panel(half, points, default, i) for i, (half, points) in enumerate(curves.items()))
    key = [
        ("with", "", "hits among paraphrases, with the signature"),
        ("without", "", "hits among paraphrases, cosine alone"),
        ("with", " false", "false hits among traps, with the signature"),
        ("without", " false", "false hits among traps, cosine alone"),
    ]
    legend = ""
    for i, (kind, dashed, text) in enumerate(key):
        x, y = _LEFT + (i % 2) * (_WIDTH + _GAP), _TOP + _HEIGHT + 58 + 20 * (i // 2)
        legend += f'<path class="line {kind}{dashed}" d="M{x} {y}h30"/>'
        legend += f'<text x="{x + 38}" y="{y + 4}">{text}</text>\n'
    width, height = _LEFT + 2 * _WIDTH + _GAP + 20, _TOP + _HEIGHT + 95
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="Hit and false-hit rates of the semantic cache over the '
        f'cosine threshold">\n<style>{_STYLE}</style>\n{panels}{legend}</svg>\n'
    )


def _panel(half: str, points: list[Row], default: float, at: int) -> str:
    left = _LEFT + at * (_WIDTH + _GAP)

    def x(threshold: float) -> float:
        return round(left + _WIDTH * (threshold - 0.6) / 0.4, 1)

    def y(rate: float) -> float:
        return round(_TOP + _HEIGHT * (1 - rate), 1)

    out = f'<text class="title" x="{left}" y="{_TOP - 14}">{half}</text>\n'
    for percent in range(0, 101, 25):
        level = y(percent / 100)
        out += f'<path class="grid" d="M{left} {level}h{_WIDTH}"/>'
        out += f'<text x="{left - 8}" y="{level + 4}" text-anchor="end">{percent} %</text>\n'
    base = _TOP + _HEIGHT
    for threshold in (0.6, 0.7, 0.8, 0.9, 1.0):
        out += f'<text x="{x(threshold)}" y="{base + 18}" text-anchor="middle">{threshold:.1f}</text>\n'
    out += f'<text x="{left + _WIDTH / 2}" y="{base + 36}" text-anchor="middle">threshold (cosine)</text>\n'
    out += f'<path class="axis" d="M{x(default)} {_TOP}v{_HEIGHT}" stroke-dasharray="2 3"/>\n'
    for name, kind in (("cosine_only", "without"), ("signature", "with")):
        for label, dashed in (("hit", ""), ("false_hit", " false")):
            rates = [(x(p["threshold"]), p[f"{name}_{label}"]) for p in points]
            line = " ".join(f"{px},{y(r['rate'])}" for px, r in rates)
            upper = [f"{px},{y(r['ci95'][1])}" for px, r in rates]
            lower = [f"{px},{y(r['ci95'][0])}" for px, r in reversed(rates)]
            out += f'<polygon class="band {kind}" points="{" ".join(upper + lower)}"/>\n'
            out += f'<polyline class="line {kind}{dashed}" points="{line}"/>\n'
    return out


def main(options: argparse.Namespace) -> None:
    questions: Path | None = options.questions
    rows: list[Row] = json.loads(PAIRS.read_text(encoding="utf-8"))
    kept = Vectors(options.cache)
    vectors = kept.of([row[side] for row in rows for side in ("a", "b")])
    halves = {half: [row for row in rows if row["half"] == half] for half in ("dev", "test")}
    curves = {half: curve(part, vectors) for half, part in halves.items()}
    threshold = chosen(curves["dev"])
    facts: Row = {
        "model": kept.embedder.name,
        "pairs": {"file": PAIRS.name, "digest": digest_of(rows)},
        "chosen_on_dev": threshold,
        "default_threshold": DEFAULT_THRESHOLD,
        "at_default": {
            half: next(p for p in curves[half] if p["threshold"] == DEFAULT_THRESHOLD) for half in halves
        },
        "by_relation": {half: by_relation(part, vectors, DEFAULT_THRESHOLD) for half, part in halves.items()},
        "crowded": crowded(rows, vectors, DEFAULT_THRESHOLD),
        "outside": None if questions is None else outside(questions, kept, DEFAULT_THRESHOLD),
        "curves": curves,
    }
    times = latency(EmbeddingManager(device="cpu"), next(iter(vectors.values())))
    print(write_result("semantic_cache", facts=facts, measured=machine(milliseconds=times)))
    PLOT.write_text(plot(curves, DEFAULT_THRESHOLD), encoding="utf-8")
    print(
        json.dumps({k: v for k, v in facts.items() if k != "curves"}, indent=1), json.dumps(times, indent=1)
    )
    if threshold != DEFAULT_THRESHOLD:
        print(f"the default threshold is {DEFAULT_THRESHOLD}, and dev chooses {threshold}")


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--cache", type=Path, default=default_cache("experiments"), help="keeps vectors")
    options.add_argument("--questions", type=Path, metavar="FILE", help="other people's questions")
    return options
