"""Tries at weights that adapt: learned on some sources, measured on another.

A try scores candidates by a linear function of features, fitted by the listwise likelihood of the relevant
ones (ListNet's top-one: Cao et al., ICML 2007), convex and without settings but a ridge. A product of a
retriever's score and a number of the query is a weight that changes with the query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .data import SOURCES, Case

__all__ = [
    "TRIES",
    "Padded",
    "Try",
    "best_fixed",
    "cross_validated",
    "fixed_grid",
    "left_out_fixed",
    "left_out_learned",
    "padded",
]

Floats = NDArray[np.float64]
_BASE = ("lexical", "coverage", "nearness", "semantic")
GRID = tuple(round(0.05 * step, 2) for step in range(21))


@dataclass(frozen=True, eq=False)
class Padded:
    """A set's cases as arrays: ``features`` (cases, candidates, names), ``mask`` and ``relevant`` (cases,
    candidates), ``ideal`` (cases,), the best gain possible. Pools ascend by ordinal, so ties do too."""

    features: Floats
    mask: NDArray[np.bool_]
    relevant: Floats
    ideal: Floats
    groups: list[str]

    def part(self, rows: NDArray[np.intp]) -> Padded:
        groups = [self.groups[i] for i in rows]
        return Padded(self.features[rows], self.mask[rows], self.relevant[rows], self.ideal[rows], groups)

    def ndcg(self, scores: Floats) -> Floats:
        order = np.argsort(-np.where(self.mask, scores, -np.inf), axis=1, kind="stable")[:, :10]
        gains = np.take_along_axis(self.relevant, order, axis=1) @ (
            1 / np.log2(np.arange(2, 2 + order.shape[1]))
        )
        return np.asarray(np.divide(gains, self.ideal, out=np.zeros_like(gains), where=self.ideal > 0))


@dataclass(frozen=True)
class Try:
    """Columns (see ``NAMES``), products among them, and how hard they are held to ``prior``."""

    columns: tuple[str, ...]
    ridge: float = 1e-3
    prior: tuple[float, ...] | None = None


def _gap(scores: Floats) -> float:
    top = np.sort(scores)[::-1]
    return float(top[0] - top[min(3, len(top) - 1)])


def _entropy(scores: Floats) -> float:
    shares = np.exp((scores - scores.max()) / (scores.std() + 1e-9))
    shares /= shares.sum()
    return float(-(shares * np.log(shares)).sum() / np.log(max(len(shares), 2)))


def _query_numbers(case: Case, bm25: Floats, coverage: Floats) -> dict[str, float]:
    """What is known of a query before fusion; post-retrieval ones after Shtok et al. (NQC, TOIS 2012) and
    Zhou & Croft (WIG, SIGIR 2007)."""
    both = {h.ordinal for h in case.lexical[:10]} & {h.ordinal for h in case.semantic[:10]}
    gaps = _gap(bm25), _gap(case.cosine)
    cosine, weighed = case.cosine, sum(gaps)
    return {
        "length": float(np.log1p(len(case.evidence.terms))),
        "rarity": case.evidence.total / max(len(case.evidence.terms), 1),
        "best_bm25": float(bm25.max()),
        "best_cosine": float(cosine.max()),
        "best_coverage": float(coverage.max()),
        "gap_share": gaps[1] / weighed if weighed else 0.5,
        "nqc_bm25": float(bm25.std()),
        "nqc_cosine": float(cosine.std()),
        "wig_cosine": float(np.sort(cosine)[-5:].mean() - cosine.mean()),
        "entropy_bm25": _entropy(bm25),
        "entropy_cosine": _entropy(cosine),
        "overlap": len(both) / 10,
        "agreement": float(np.corrcoef(bm25, cosine)[0, 1]) if bm25.std() and cosine.std() else 0.0,
    }


QUERY_NUMBERS = (
    "length rarity best_bm25 best_cosine best_coverage gap_share nqc_bm25 nqc_cosine wig_cosine "
    "entropy_bm25 entropy_cosine overlap agreement"
).split()
RANKS = ("lexical_rank", "semantic_rank")
NAMES = (*_BASE, "lean", *RANKS, *(f"semantic*{name}" for name in QUERY_NUMBERS))
_PRIOR = (0.2, 0.2, 0.2, 0.4)
TRIES = {
    "bm25 and cosine": Try(("lexical", "semantic")),
    "lean bm25 and cosine": Try(("lean", "semantic")),
    "bm25, cosine and ranks": Try(("lexical", "semantic", *RANKS)),
    **{f"weight by {name}": Try(("lexical", "semantic", f"semantic*{name}")) for name in QUERY_NUMBERS},
    "weight by all of these": Try(("lexical", "semantic", *(f"semantic*{n}" for n in QUERY_NUMBERS)), 1e-2),
    "evidence, learned freely": Try(_BASE),
    "evidence, ridge 1 to equal shares": Try(_BASE, 1.0, _PRIOR),
    "evidence, ridge 10 to equal shares": Try(_BASE, 10.0, _PRIOR),
    "evidence, weight by gap_share": Try((*_BASE, "semantic*gap_share")),
    "evidence, weight by best_coverage": Try((*_BASE, "semantic*best_coverage")),
}


def padded(cases: Sequence[Case]) -> Padded:
    """Every column of ``NAMES`` for every candidate of every case."""
    width = max(len(case.pool) for case in cases)
    features = np.zeros((len(cases), width, len(NAMES)))
    mask, relevant = np.zeros((len(cases), width), dtype=bool), np.zeros((len(cases), width))
    ideal = np.zeros(len(cases))
    for row, case in enumerate(cases):
        n = len(case.pool)
        columns = {name: _column(case, name) for name in ("coverage", "nearness")}
        columns["lexical"] = case.bm25 / case.ceiling if case.ceiling else case.bm25
        columns["semantic"], columns["lean"] = case.cosine, case.lean
        for name, scores in zip(RANKS, (case.bm25, case.cosine), strict=True):
            columns[name] = 1 / (6 + np.argsort(np.argsort(-scores, kind="stable"), kind="stable"))
        for name, value in _query_numbers(case, columns["lexical"], columns["coverage"]).items():
            columns[f"semantic*{name}"] = case.cosine * value
        features[row, :n] = np.stack([columns[name] for name in NAMES], axis=1)
        mask[row, :n] = True
        relevant[row, :n] = [o in case.relevant for o in case.pool.tolist()]
        ideal[row] = sum(1 / log2(place + 2) for place in range(min(10, len(case.relevant))))
    return Padded(features, mask, relevant, ideal, [case.group for case in cases])


def _column(case: Case, name: str) -> Floats:
    known = {hit.ordinal: hit.score for hit in case.scored[name]}
    return np.array([known.get(ordinal, 0.0) for ordinal in case.pool.tolist()])


def _fit(parts: Sequence[tuple[Padded, float]], attempt: Try) -> Floats:
    """Coefficients of the columns: ``scale * (prior + change)`` with a ridge on the change; without a prior
    a ridge on coefficients of columns at unit spread within queries."""
    at = [NAMES.index(name) for name in attempt.columns]
    data = []
    for part, weight in parts:
        rows = part.relevant.sum(axis=1) > 0
        target = part.relevant[rows] / part.relevant[rows].sum(axis=1, keepdims=True)
        data.append((part.features[rows][:, :, at], target, part.mask[rows], weight / rows.sum()))
    spread = np.mean(
        [np.mean([x[m].std(axis=0) for x, m in zip(f, k, strict=True)], axis=0) for f, _, k, _ in data],
        axis=0,
    )
    unit = np.ones(len(at)) if attempt.prior else 1 / (spread + 1e-9)
    prior = np.array(attempt.prior or [0.0] * len(at))

    def loss(free: Floats) -> tuple[float, Floats]:
        scale, change = (free[0], free[1:]) if attempt.prior else (1.0, free[1:])
        coefficients = scale * (prior + change) * unit
        value, slope = attempt.ridge * float(change @ change) / 2, np.zeros(len(at))
        for f, target, mask, weight in data:
            scores = np.where(mask, f @ coefficients, -np.inf)
            scores -= scores.max(axis=1, keepdims=True)
            raised = np.exp(scores)
            total = raised.sum(axis=1, keepdims=True)
            value -= weight * float((target * np.where(mask, scores - np.log(total), 0)).sum())
            slope -= weight * np.einsum("qkf,qk->f", f, target - raised / total)
        slope = slope * unit
        by_scale = float(slope @ (prior + change)) if attempt.prior else 0.0
        return value, np.concatenate([[by_scale], scale * slope + attempt.ridge * change])

    start = np.concatenate([[8.0], np.zeros(len(at))])
    free = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return np.asarray((free[0] if attempt.prior else 1.0) * (prior + free[1:]) * unit)


def _scores(part: Padded, attempt: Try, coefficients: Floats) -> Floats:
    at = [NAMES.index(name) for name in attempt.columns]
    return np.asarray(part.features[:, :, at] @ coefficients)


def left_out_learned(
    sets: Mapping[str, Padded], attempt: Try
) -> tuple[dict[str, Floats], dict[str, list[float]]]:
    """nDCG@10 of each query with coefficients learned on the other sources, and those coefficients scaled to
    sum to 1 in size. Every source weighs the same, whatever its number of sets and queries."""
    found, learned = {}, {}
    for source in sorted({SOURCES[name] for name in sets}):
        others = [name for name in sets if SOURCES[name] != source]
        shares = {n: 1 / sum(SOURCES[m] == SOURCES[n] for m in others) for n in others}
        coefficients = _fit([(sets[name], shares[name]) for name in others], attempt)
        learned[source] = [round(float(c), 3) for c in coefficients / np.abs(coefficients).sum()]
        for name in (n for n in sets if SOURCES[n] == source):
            found[name] = sets[name].ndcg(_scores(sets[name], attempt, coefficients))
    return found, learned


def fixed_grid(sets: Mapping[str, Padded], columns: Sequence[str]) -> dict[str, Floats]:
    """nDCG@10, shape (weights, cases), at each cosine weight of ``GRID``; ``columns`` share the rest."""
    at = [NAMES.index(name) for name in columns]
    found = {}
    for name, part in sets.items():
        rest, cosine = part.features[:, :, at].mean(axis=2), part.features[:, :, NAMES.index("semantic")]
        found[name] = np.stack([part.ndcg((1 - w) * rest + w * cosine) for w in GRID])
    return found


def left_out_fixed(grid: Mapping[str, Floats]) -> tuple[dict[str, Floats], dict[str, float]]:
    """As :func:`left_out_learned` with one semantic weight, the best on the other sources."""
    found, chosen = {}, {}
    sources = sorted({SOURCES[name] for name in grid})
    for source in sources:
        means = [
            np.mean([grid[n].mean(axis=1) for n in grid if SOURCES[n] == other], axis=0)
            for other in sources
            if other != source
        ]
        best = int(np.mean(means, axis=0).argmax())
        chosen[source] = GRID[best]
        found.update({name: grid[name][best] for name in grid if SOURCES[name] == source})
    return found, chosen


def best_fixed(grid: Mapping[str, Floats]) -> tuple[dict[str, Floats], float]:
    """The weight that is best over all sets, seen with hindsight: what a try has to beat."""
    best = int(np.mean([values.mean(axis=1) for values in grid.values()], axis=0).argmax())
    return {name: values[best] for name, values in grid.items()}, GRID[best]


def cross_validated(sets: Mapping[str, Padded], attempt: Try, *, folds: int = 5) -> dict[str, Floats]:
    """nDCG@10 in domain: the groups (tales) of a fold are scored by what the other folds teach."""
    names = sorted({group for part in sets.values() for group in part.groups})
    fold = {group: i % folds for i, group in enumerate(names)}
    found = {name: np.zeros(len(part.groups)) for name, part in sets.items()}
    for out in range(folds):
        inside = {n: np.flatnonzero([fold[g] == out for g in p.groups]) for n, p in sets.items()}
        rest = [(p.part(np.setdiff1d(np.arange(len(p.groups)), inside[n])), 1.0) for n, p in sets.items()]
        coefficients = _fit(rest, attempt)
        for name, rows in inside.items():
            part = sets[name].part(rows)
            found[name][rows] = part.ndcg(_scores(part, attempt, coefficients))
    return found
