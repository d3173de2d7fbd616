"""Fitting the linear readers: a logistic regression a kind over hashed features of sentences, its threshold
from novels that it was not fitted to, and how much it reads of writers whom it was not fitted to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

__all__ = ["Case", "Model", "keep", "measured", "of_unknown_writers"]

LEAST_SEEN, BALANCE, SOFTNESS = 2, 4.0, 30.0
MANY = 30_000  # cases


@dataclass(frozen=True, slots=True)
class Case:
    """One candidate tried of one person; ``row`` is the sentence, ``told`` whether it is right, ``near``
    whether the sentence is a near miss of that kind."""

    source: str
    row: str
    kind: str
    seen: frozenset[int]
    told: bool
    near: bool


@dataclass(frozen=True, slots=True)
class Model:
    vocabulary: dict[int, int]
    weights: Any
    bias: float
    least: float = 0.0

    def scores(self, cases: Sequence[Case]) -> Any:
        return _matrix(cases, self.vocabulary) @ self.weights + self.bias


def _fit(written: Sequence[Case], novels: Sequence[Case]) -> Model:
    told = Counter(each for case in written for each in case.seen)
    vocabulary = {each: row for row, each in enumerate(sorted(k for k, n in told.items() if n >= LEAST_SEEN))}
    cases = [*written, *novels]
    solver = "liblinear" if len(cases) > MANY else "lbfgs"  # the second takes minutes for many
    line = LogisticRegression(
        C=SOFTNESS, solver=solver, max_iter=1000, class_weight={False: 1.0, True: BALANCE}, random_state=0
    )
    line.fit(_matrix(cases, vocabulary), np.array([case.told for case in cases]))
    return Model(vocabulary, line.coef_[0], float(line.intercept_[0]))


def _matrix(cases: Sequence[Case], vocabulary: dict[int, int]) -> Any:
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for case in cases:
        rows = sorted(vocabulary[each] for each in case.seen if each in vocabulary)
        columns += rows
        values += [1.0 / np.sqrt(max(1, len(case.seen)))] * len(rows)
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), shape=(len(cases), len(vocabulary)))


def measured(
    written: Sequence[Case],
    novels: Sequence[Case],
    words: Mapping[str, int],
    rate: float,
    reach: frozenset[str] | None = None,
) -> tuple[dict[str, Any], Model]:
    """What is read of writers whom a model was not fitted to, at the threshold that novels it was not fitted
    to give, and the model fitted to all. ``reach`` holds the rows that are looked at, all where None."""
    names = sorted(words)
    least = float(
        np.mean([_threshold(written, novels, (names[a::2], names[1 - a :: 2]), words, rate) for a in (0, 1)])
    )
    read = of_unknown_writers(written, novels, least)
    if reach is not None:
        read &= reach
    told = {case.row for case in written if case.told}
    near = {case.row for case in written if case.near}
    found = {
        "told": len(told),
        "read": len(told & read),
        "near_misses": len(near),
        "near_misses_read": len(near & read),
        "least": round(least, 4),
    }
    model = _fit(written, novels)
    return found, Model(model.vocabulary, model.weights, model.bias, least)


def of_unknown_writers(written: Sequence[Case], novels: Sequence[Case], least: float) -> frozenset[str]:
    """The rows, facts and near misses, that a model fitted without their writer takes for told."""
    read: set[str] = set()
    for writer in sorted({case.source for case in written}):
        model = _fit([case for case in written if case.source != writer], novels)
        own = [case for case in written if case.source == writer and (case.told or case.near)]
        for case, score in zip(own, model.scores(own) if own else (), strict=True):
            if score >= least:
                read.add(case.row)
    return frozenset(read)


def _threshold(
    written: Sequence[Case],
    novels: Sequence[Case],
    halves: tuple[list[str], list[str]],
    words: Mapping[str, int],
    rate: float,
) -> float:
    """Where ``rate`` sentences of 100,000 words of the second half are read, each once; even odds where it
    has fewer candidates."""
    model = _fit(written, [case for case in novels if case.source in halves[0]])
    other = [case for case in novels if case.source in halves[1]]
    best: dict[str, float] = {}
    for case, score in zip(other, model.scores(other) if other else (), strict=True):
        best[case.row] = max(best.get(case.row, -99.0), float(score))
    ranked = sorted(best.values(), reverse=True)
    allowed = int(rate * sum(words[name] for name in halves[1]) / 100_000)
    return ranked[allowed] if allowed < len(ranked) else 0.0


def keep(models: Mapping[str, Model], path: Path, **more: Any) -> None:
    """Writes ``models`` where ``LinearScorer`` reads them, eight bits a weight, and ``more`` arrays."""
    weights: dict[int, list[float]] = {}
    for column, kind in enumerate(models):
        model = models[kind]
        for each, row in model.vocabulary.items():
            weights.setdefault(each, [0.0] * len(models))[column] = float(model.weights[row])
    known = sorted(weights)
    table = np.array([weights[each] for each in known], dtype=np.float32)
    scale = np.abs(table).max(axis=0) / 127
    small = np.round(table / scale).astype(np.int8)
    used = np.abs(small).max(axis=1) > 0
    np.savez_compressed(
        path,
        kinds=np.array(list(models)),
        features=np.array(known, dtype=np.uint32)[used],
        weights=small[used],
        scale=scale.astype(np.float32),
        bias=np.array([models[kind].bias for kind in models], dtype=np.float32),
        least=np.array([models[kind].least for kind in models], dtype=np.float32),
        **more,
    )
