"""The shape of an arc, and how alike two are, whoever's they are and whichever book they are from.

A curve is the valence of an arc over the time in which it is told, so arcs of different lengths compare.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ...model.types import CharacterState

POINTS = 20
_WINDOW = 2  # points on either side that smooth a point: a quarter of the arc together
_BAND = 4  # how far, in points, warping may run ahead
_FLAT = 1e-6
_LEAST = 3  # chapters, below which an arc has no shape

SHAPES: MappingProxyType[str, tuple[int, int]] = MappingProxyType(
    {
        "rags to riches": (1, 1),
        "riches to rags": (1, -1),
        "man in a hole": (2, -1),
        "icarus": (2, 1),
        "cinderella": (3, 1),
        "oedipus": (3, -1),
    }
)
"""The six shapes of Reagan et al. ("The emotional arcs of stories are dominated by six basic shapes", 2016):
the modes that they found are near ``-sign cos(mode pi t)``; here (mode, sign). Rise, fall, fall-rise,
rise-fall, rise-fall-rise, fall-rise-fall."""


@dataclass(frozen=True, slots=True)
class ArcShape:
    """``name`` is one of ``SHAPES``, or ``""`` for an arc of under three chapters or without any change;
    ``fit`` its correlation with the arc's curve, 0 to 1."""

    name: str
    fit: float


@dataclass(frozen=True, slots=True)
class ArcComparison:
    """Two arcs side by side. ``correlation`` is Pearson's over the two curves, -1 to 1, None where one is
    flat; ``likeness`` 0 to 1 (1: the same) is ``exp(-d)`` of ``warped``'s distance d between the two."""

    one: ArcShape
    other: ArcShape
    correlation: float | None
    likeness: float
    curves: tuple[tuple[float, ...], tuple[float, ...]]


def curve(arc: Sequence[CharacterState], *, points: int = POINTS) -> tuple[float, ...]:
    """Valence (-1 to 1) at evenly spaced times from the arc's first chapter to its last, linear between
    chapters, each the mean of the points within two; empty for an empty arc."""
    if not arc:
        return ()
    first, last = arc[0].chapter, arc[-1].chapter
    times = [first + (last - first) * i / (points - 1) for i in range(points)]
    raw = np.interp(times, [state.chapter for state in arc], [state.valence for state in arc]).tolist()
    return tuple(
        math.fsum(near) / len(near)
        for i in range(points)
        for near in [raw[max(0, i - _WINDOW) : i + _WINDOW + 1]]
    )


def nearest_shape(values: Sequence[float]) -> ArcShape:
    """The shape whose curve correlates best with ``values`` (evenly spaced); ties to the simpler one."""
    best = ArcShape("", 0.0)
    for name, (mode, sign) in SHAPES.items():
        model = [-sign * math.cos(mode * math.pi * i / max(1, len(values) - 1)) for i in range(len(values))]
        fit = _correlation(values, model)
        if fit is not None and fit > best.fit + _FLAT:
            best = ArcShape(name, fit)
    return best


def shape_of(arc: Sequence[CharacterState]) -> ArcShape:
    """The nearest shape of the arc's curve; none for an arc of under three chapters."""
    return nearest_shape(curve(arc)) if len(arc) >= _LEAST else ArcShape("", 0.0)


def compare(arc: Sequence[CharacterState], other: Sequence[CharacterState]) -> ArcComparison:
    """How alike two arcs run, of one book or of two. Only what the states say counts, so the comparison is
    that of a reader at their horizon."""
    curves = curve(arc), curve(other)
    known = bool(curves[0] and curves[1])
    return ArcComparison(
        shape_of(arc),
        shape_of(other),
        _correlation(*curves) if known else None,
        math.exp(-warped(*curves)) if known else 0.0,
        curves,
    )


def warped(one: Sequence[float], other: Sequence[float]) -> float:
    """Dynamic time warping (Sakoe and Chiba, 1978) of two curves of one length, each less its mean and in
    units of its spread: the mean absolute difference along the cheapest way, 0 or more, steps at most
    four points apart. A flat curve stays flat."""
    a, b = _standard(one), _standard(other)
    n = len(a)
    cost = [[math.inf] * (n + 1) for _ in range(n + 1)]
    cost[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(max(1, i - _BAND), min(n, i + _BAND) + 1):
            step = abs(a[i - 1] - b[j - 1])
            cost[i][j] = min(cost[i - 1][j] + step, cost[i][j - 1] + step, cost[i - 1][j - 1] + 2 * step)
    return cost[n][n] / (2 * n) if n else 0.0


def _standard(values: Sequence[float]) -> list[float]:
    mean = math.fsum(values) / max(1, len(values))
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / max(1, len(values)))
    return [(value - mean) / spread if spread > _FLAT else 0.0 for value in values]


def _correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    a, b = _standard(one), _standard(other)
    if not any(a) or not any(b):
        return None
    return max(-1.0, min(1.0, math.fsum(x * y for x, y in zip(a, b, strict=True)) / len(a)))
