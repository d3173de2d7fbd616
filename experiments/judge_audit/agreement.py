"""How far readings agree: shared items, marks on the same sentences, ranks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

__all__ = ["flipped_pairs", "kendall_tau", "krippendorff_alpha", "matches"]

_T = TypeVar("_T")


def matches(
    one: Sequence[_T], other: Sequence[_T], *, same: Callable[[_T, _T], bool]
) -> list[tuple[int, int]]:
    """Pairs of indices of items that are the same, each item in one pair at most: as many as can be.

    A maximum matching by augmenting paths (Berge 1957), so the order of items does not change its size.
    """
    near = [[j for j, right in enumerate(other) if same(left, right)] for left in one]
    taken: dict[int, int] = {}
    for i in range(len(one)):
        _augment(i, near, taken, set())
    return sorted((i, j) for j, i in taken.items())


def _augment(i: int, near: Sequence[Sequence[int]], taken: dict[int, int], seen: set[int]) -> bool:
    for j in near[i]:
        if j not in seen:
            seen.add(j)
            if j not in taken or _augment(taken[j], near, taken, seen):
                taken[j] = i
                return True
    return False


def krippendorff_alpha(units: Iterable[Sequence[int]]) -> float | None:
    """Krippendorff's alpha for nominal marks: 1 full agreement, 0 as by chance, negative below.

    ``units`` holds the marks that each unit was given, by any number of coders; a unit with fewer than two
    says nothing. ``1 - observed / expected`` disagreement, from Krippendorff, "Content Analysis" (2004),
    ch. 11. None where all marks are the same: then chance alone explains any agreement.
    """
    totals: Counter[int] = Counter()
    observed = 0.0
    for marks in units:
        if len(marks) < 2:
            continue
        counts = Counter(marks)
        totals.update(counts)
        unlike = len(marks) ** 2 - sum(count**2 for count in counts.values())
        observed += unlike / (len(marks) - 1)
    n = totals.total()
    expected = (n**2 - sum(count**2 for count in totals.values())) / (n - 1) if n > 1 else 0.0
    return 1.0 - observed / expected if expected else None


def kendall_tau(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    """Kendall's tau-b over the keys that both have, -1 to 1; None for fewer than two, or all tied on a side.

    Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).
    """
    keys = sorted(set(one) & set(other))
    score = ties_one = ties_other = pairs = 0
    for a, b in combinations(keys, 2):
        x, y = _sign(one[a] - one[b]), _sign(other[a] - other[b])
        score += x * y
        ties_one += x == 0
        ties_other += y == 0
        pairs += 1
    scale = math.sqrt((pairs - ties_one) * (pairs - ties_other))
    return score / scale if scale else None


def flipped_pairs(one: Mapping[str, float], other: Mapping[str, float]) -> tuple[tuple[str, str], ...]:
    """Pairs of keys, sorted, of which one side ranks the first before the second and the other not."""
    keys = sorted(set(one) & set(other))
    return tuple(
        (a, b) for a, b in combinations(keys, 2) if _sign(one[a] - one[b]) * _sign(other[a] - other[b]) < 0
    )


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
