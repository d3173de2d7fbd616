"""The five turning points of a plot, placed among chapters by how much each turns.

Opportunity, change of plans, point of no return, major setback and climax (Papalampidi, Keller and Lapata,
EMNLP 2019). Where they stand is screenwriting theory (10, 25, 50, 75 and 90 % of the way: Hauge,
"Storytelling Made Easy", 2017) drawn towards the means that those authors report for films (11, 32, 51, 74
and 89 %).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ROLES", "PlotPoint", "placed_points"]

ROLES = ("opportunity", "change of plans", "point of no return", "major setback", "climax")
_PLACES = (0.11, 0.28, 0.50, 0.75, 0.90)  # theory and the means of films, half each
_SPREAD = 0.14  # standard deviation about the place, as a part of the whole

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """``piece`` (from 0) is where the plot turns in this ``role``; ``probability`` 0 to 1 is what the model
    itself gives it among all pieces (not calibrated)."""

    role: str
    piece: int
    probability: float


def placed_points(weights: Sequence[float]) -> tuple[PlotPoint, ...]:
    """The five by how much each piece turns: the z-score of its weight, added to where the role stands as a
    rule. None of fewer than five pieces."""
    if len(weights) < len(ROLES):
        return ()
    turns = _z(np.asarray(weights, float))
    return _chosen(np.stack([_prior(len(turns), place) + turns for place in _PLACES]))


def _chosen(scores: Vector) -> tuple[PlotPoint, ...]:
    """The five that promise most hits, by the chances that the scores give each piece."""
    chances = _marginals(scores)
    return tuple(
        PlotPoint(role, piece, round(float(chances[k, piece]), 4))
        for k, (role, piece) in enumerate(zip(ROLES, _ordered_best(chances), strict=True))
    )


def _prior(pieces: int, place: float) -> Vector:
    where = np.arange(pieces) / (pieces - 1)
    return np.asarray(-0.5 * ((where - place) / _SPREAD) ** 2)


def _marginals(scores: Vector) -> Vector:
    """The chance of each piece for each role, over all ways to choose pieces in strict order with chances in
    proportion to exp(sum of scores): forward and backward sums in logarithms."""
    roles, n = scores.shape
    before, after = np.full((roles, n), -np.inf), np.full((roles, n), -np.inf)
    before[0], after[-1] = scores[0], 0.0
    for k in range(1, roles):
        before[k, 1:] = scores[k, 1:] + np.logaddexp.accumulate(before[k - 1])[:-1]
    for k in range(roles - 2, -1, -1):
        ahead = np.logaddexp.accumulate((scores[k + 1] + after[k + 1])[::-1])[::-1]
        after[k, :-1] = ahead[1:]
    both = before + after
    return np.asarray(np.exp(both - np.logaddexp.reduce(both, axis=1)[:, None]))


def _ordered_best(gains: Vector) -> tuple[int, ...]:
    """The column for each row, strictly ascending, with the greatest sum; ties to the earlier column."""
    roles, n = gains.shape
    best = np.full((roles, n), -np.inf)
    came = np.zeros((roles, n), int)
    best[0] = gains[0]
    for k in range(1, roles):
        at = 0
        for i in range(k, n):
            if best[k - 1, i - 1] > best[k - 1, at] or i == k:
                at = i - 1
            best[k, i], came[k, i] = best[k - 1, at] + gains[k, i], at
    path = [int(best[-1].argmax())]
    for k in range(roles - 1, 0, -1):
        path.append(int(came[k, path[-1]]))
    return tuple(reversed(path))


def _z(values: Vector) -> Vector:
    spread = values.std()
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))
