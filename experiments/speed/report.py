"""From measured times to ratios and a picture; and what is right: recall, the same ten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.common.curves import curves

__all__ = ["agreement", "cold_summary", "growth_chart", "latency", "ratios", "recall"]

Found = Sequence[Sequence[Sequence[float]]]
_TIE = 1e-5


def latency(rounds: Sequence[tuple[Sequence[int], Sequence[int]]]) -> dict[str, Any]:
    """Milliseconds: medians over the rounds of each round's median and 95th percentile; and the processor's
    median, all threads together, which tells where the machine was busy with something else."""
    middle = [float(np.percentile(wall, 50)) / 1e6 for wall, _ in rounds]
    high = [float(np.percentile(wall, 95)) / 1e6 for wall, _ in rounds]
    worked = [float(np.percentile(cpu, 50)) / 1e6 for _, cpu in rounds]
    return {
        "p50_ms": round(median(middle), 4),
        "p95_ms": round(median(high), 4),
        "cpu_p50_ms": round(median(worked), 4),
        "rounds_p50_ms": [round(x, 4) for x in middle],
        "queries": sum(len(wall) for wall, _ in rounds),
    }


def ratios(slow: Mapping[str, Any], fast: Mapping[str, Any]) -> dict[str, float]:
    """How many times as long, round by round: median, least and most."""
    each = [a / b for a, b in zip(slow["rounds_p50_ms"], fast["rounds_p50_ms"], strict=False)]
    return {"median": round(median(each), 3), "least": round(min(each), 3), "most": round(max(each), 3)}


def recall(found: Found, queries: NDArray[np.float32], vectors: NDArray[np.float32], k: int = 10) -> float:
    """Share of the ``k`` nearest vectors that were found; a vector as near as the k-th, to 1e-5, counts as
    one of them, whichever it is."""
    shares = []
    for answer, scores in zip(found, queries @ vectors.T, strict=False):
        bound = np.partition(scores, len(scores) - k)[len(scores) - k] - _TIE
        ids = {int(hit[0]) for hit in answer[:k]}
        shares.append(sum(bool(scores[i] >= bound) for i in ids) / k)
    return round(float(np.mean(shares)), 4)


def agreement(one: Found, other: Found) -> float:
    """Share of the queries that both give the same chunks. Chunks that only one of them gives are the same
    where they score as the last one does, to 1e-4 of it: which of equals is given is no difference."""
    same = []
    for a, b in zip(one, other, strict=True):
        scores = {int(i): s for hits in (a, b) for i, s in hits}
        differing = {int(i) for i, _ in a} ^ {int(i) for i, _ in b}
        last = min((s for _, s in (*a, *b)), default=0.0)
        same.append(len(a) == len(b) and all(abs(scores[i] - last) <= 1e-4 * abs(last) for i in differing))
    return round(float(np.mean(same)), 4)


def cold_summary(seconds: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    return {
        name: {"median_s": round(median(each), 3), "all_s": [round(x, 3) for x in each]}
        for name, each in seconds.items()
    }


def growth_chart(sizes: Mapping[str, Any]) -> str:
    """Median times of a hybrid search by the number of chunks, as SVG."""
    names = dict.fromkeys(name for size in sizes.values() for name in size["systems"])
    lines = {
        name.replace("_", " "): [
            (size["chunks"], size["systems"][name]["modes"]["hybrid"]["p50_ms"])
            for size in sizes.values()
            if "hybrid" in size["systems"].get(name, {}).get("modes", {})
        ]
        for name in names
    }
    lines = {name: [(log10(x), log10(y)) for x, y in line] for name, line in lines.items() if line}
    return curves(
        lines,
        "A hybrid search, ten hits",
        "chunks",
        "p50, ms",
        across=_powers([x for line in lines.values() for x, _ in line]),
        up=_powers([y for line in lines.values() for _, y in line]),
    )


def _powers(logarithms: Sequence[float]) -> list[tuple[float, str]]:
    """The powers of ten that the values lie between, marked as numbers."""
    low, high = floor(min(logarithms)), ceil(max(logarithms))
    return [(power, f"{10.0**power:,.10g}") for power in range(low, max(high, low + 1) + 1)]
