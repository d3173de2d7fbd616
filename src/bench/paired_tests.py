"""What a difference between two systems on the same items is worth."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ..story.model.rates import bootstrap_interval

_EXACT = 13  # so many differences are tested with every pattern of signs


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """One system against another on items that both were given.

    ``difference`` is the mean of (one - other) over ``items``, ``low`` to ``high`` its 95 % interval with
    whole groups resampled, ``groups`` their number. ``p`` is two-sided, its unit the group. ``effect`` is
    Cohen's d_z over groups (mean of the group means by their standard deviation; None below two groups or
    where they do not vary). ``wins``, ``ties`` and ``losses`` count items. ``needed`` is how many groups a
    study would need to see this effect with power .8 at .05; None where there is no effect to see.
    """

    items: int
    groups: int
    difference: float
    low: float
    high: float
    p: float
    effect: float | None
    wins: int
    ties: int
    losses: int
    needed: int | None


def compare_paired(
    one: Mapping[Hashable, float],
    other: Mapping[Hashable, float],
    *,
    group: Mapping[Hashable, str],
    seed: int = 0,
) -> PairedComparison | None:
    """The items that both have, in order of ``one``; None where there are none. ``group`` says which items
    belong together (chapters of a book, seeds of a prompt): they are no independent witnesses."""
    items = [item for item in one if item in other]
    if not items:
        return None
    differences = [one[item] - other[item] for item in items]
    of = [group[item] for item in items]
    by_group: dict[str, list[float]] = {}
    for name, difference in zip(of, differences, strict=True):
        by_group.setdefault(name, []).append(difference)
    means = np.array([np.mean(by_group[name]) for name in sorted(by_group)])
    spread = float(means.std(ddof=1)) if len(means) > 1 else 0.0
    effect = float(means.mean()) / spread if spread > 0 else None
    low, high = bootstrap_interval(differences, groups=of, seed=seed)
    return PairedComparison(
        items=len(items),
        groups=len(means),
        difference=round(float(np.mean(differences)), 4),
        low=low,
        high=high,
        p=round(sign_flip_test(means.tolist(), seed=seed), 4),
        effect=None if effect is None else round(effect, 3),
        wins=sum(d > 0 for d in differences),
        ties=sum(d == 0 for d in differences),
        losses=sum(d < 0 for d in differences),
        needed=None if effect is None else items_needed(effect),
    )


def sign_flip_test(differences: Sequence[float], *, seed: int = 0, draws: int = 10_000) -> float:
    """Two-sided p of a paired permutation test on the mean difference: exact up to 2^13 sign patterns,
    else Monte Carlo with the observed pattern counted (Phipson & Smyth 2010)."""
    d: NDArray[np.float64] = np.asarray(differences, dtype=np.float64)
    if len(d) == 0 or not d.any():
        return 1.0
    observed = abs(d.mean()) - 1e-12
    if len(d) <= _EXACT:
        signs = 1 - 2 * ((np.arange(2 ** len(d))[:, None] >> np.arange(len(d))) & 1)
        return float(np.mean(np.abs((signs * d).mean(axis=1)) >= observed))
    signs = np.random.default_rng(seed).choice([-1, 1], size=(draws, len(d)))
    return float((np.sum(np.abs((signs * d).mean(axis=1)) >= observed) + 1) / (draws + 1))


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """The p values adjusted for being several, in the order given (Holm, "A simple sequentially rejective
    multiple test procedure", Scandinavian Journal of Statistics 6, 1979)."""
    order = sorted(range(len(ps)), key=lambda i: (ps[i], i))
    adjusted, highest = [0.0] * len(ps), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[i]))
        adjusted[i] = highest
    return tuple(adjusted)


def items_needed(effect: float, *, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """How many pairs a two-sided test needs to see a standardised difference (Cohen's d_z), by the normal
    approximation ``((z(1 - alpha/2) + z(power)) / effect)²``, 2 at least; None for no effect."""
    if effect == 0 or not math.isfinite(effect):
        return None
    z = NormalDist().inv_cdf
    return max(2, math.ceil(((z(1 - alpha / 2) + z(power)) / effect) ** 2))
