"""From measured times to ratios, bars and a picture; and what is right: recall, the same ten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log10
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.common.curves import curves

__all__ = ["agreement", "bars", "cold_summary", "growth_chart", "latency", "ratios", "recall"]

Found = Sequence[Sequence[Sequence[float]]]
_TIE = 1e-5

HYBRID_BARS = {"llamaindex": 8.0, "lancedb": 6.0, "glued": 4.0, "langchain": 100.0}
RECALL_BAR = 0.995
FLOOR_BAR = 1.5


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


def bars(sizes: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every bar that the systems of the run allow to be looked at, with what was got."""
    out: list[dict[str, Any]] = []
    for size, measured in sizes.items():
        for name, got, at_least, bar in _size_bars(measured["systems"]):
            met = got >= bar if at_least else got <= bar
            sign = "at least" if at_least else "at most"
            out.append({"size": size, "bar": f"{name}, {sign} {bar:g}", "got": round(got, 4), "met": met})
        for name, got, at_least, bar in _cold_bars(measured.get("cold", {})):
            met = got >= bar if at_least else got <= bar
            sign = "at least" if at_least else "at most"
            out.append({"size": size, "bar": f"{name}, {sign} {bar:g}", "got": round(got, 3), "met": met})
    return out


def _size_bars(systems: Mapping[str, Any]) -> Iterable[tuple[str, float, bool, float]]:
    own = systems.get("fabula", {})
    modes = own.get("modes", {})
    for name in ("dense", "dense_half"):
        if name in own.get("recall", {}):
            yield f"fabula {name} recall@10", own["recall"][name], True, RECALL_BAR
    if "bm25s" in systems and "lexical" in modes:
        theirs = systems["bm25s"]["modes"]["lexical"]
        yield "lexical: fabula / bm25s", 1 / ratios(theirs, modes["lexical"])["median"], False, 1.3
        yield "lexical: same ten chunks as bm25s", systems["bm25s"]["agreement"], True, 1.0
    if "glued" in systems and "dense" in modes:
        theirs = systems["glued"]["modes"]["dense"]
        yield "dense: flat FAISS scan / fabula", ratios(theirs, modes["dense"])["median"], True, 12.0
    if "by_hand" in systems and "hybrid" in modes:
        floor = systems["by_hand"]["modes"]["hybrid"]
        yield "hybrid: fabula / by hand", ratios(modes["hybrid"], floor)["median"], False, FLOOR_BAR
    for peer, bar in HYBRID_BARS.items():
        for mode in ("hybrid", "hybrid_half", "hybrid_convex"):
            if peer in systems and mode in modes:
                theirs = systems[peer]["modes"]["hybrid"]
                yield f"{mode}: {peer} / fabula", ratios(theirs, modes[mode])["median"], True, bar
    if "llamaindex" in systems and own:
        theirs = systems["llamaindex"]
        if own["build"]["build_cpu_s"]:
            times = theirs["build"]["build_cpu_s"] / own["build"]["build_cpu_s"]
            yield "build CPU: llamaindex / fabula", times, True, 3.0
        if theirs["memory"]["rss_mb"]:
            share = own["memory"]["rss_mb"] / theirs["memory"]["rss_mb"]
            yield "memory: fabula / llamaindex", share, False, 0.5


def _cold_bars(cold: Mapping[str, Any]) -> Iterable[tuple[str, float, bool, float]]:
    lexical, semantic = cold.get("lexical", {}), cold.get("semantic", {})
    if "fabula" in lexical:
        own = lexical["fabula"]["median_s"]
        yield "cold start to a lexical answer, seconds", own, False, 1.0
        if "llamaindex" in lexical:
            yield "cold lexical: llamaindex / fabula", lexical["llamaindex"]["median_s"] / own, True, 3.0
    if "fabula" in semantic and "glued" in semantic:
        times = semantic["glued"]["median_s"] / semantic["fabula"]["median_s"]
        yield "cold semantic: plain sentence-transformers / fabula", times, True, 2.0


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
