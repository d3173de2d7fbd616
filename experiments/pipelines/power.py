"""How many stories does a study need to see that one pipeline breaks fewer facts than another?

Facts of a story are no independent witnesses, so the test flips the signs of stories. Studies are drawn from
a model of what was measured: how often a fact is broken, and by how much that, and the difference between
two pipelines, varies from story to story. Where there is no difference, a ranking is false.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

STORIES = (6, 10, 15, 20, 30, 50)
FACTS = (7, 14, 28)
_STUDIES = 2000
_FLIPS = 2000
_ALPHA = 0.05


def spread_of(broken: Mapping[str, Mapping[Any, float]]) -> dict[str, float]:
    """Of the shares of facts broken: the mean, their spread over stories, and that of the difference between
    two pipelines beyond what so few facts a story explain."""
    stories = sorted({key[0] for values in broken.values() for key in values})
    share = {
        who: np.array([np.mean([v for key, v in values.items() if key[0] == s]) for s in stories])
        for who, values in broken.items()
    }
    facts = np.mean([len(values) / len(stories) for values in broken.values()])
    mean = float(np.mean(list(share.values())))
    chance = mean * (1 - mean) / facts
    over = max(0.0, float(np.mean([one.var(ddof=1) for one in share.values()])) - chance)
    pairs = [(share[a] - share[b]).var(ddof=1) for a, b in combinations(share, 2)]
    between = max(0.0, float(np.mean(pairs)) - 2 * chance)
    return {"mean": mean, "stories": over**0.5, "difference": between**0.5}


def power(spread: Mapping[str, float], *, stories: int, facts: int, difference: float) -> float:
    """The share of studies in which the sign-flip test over stories says that two differ, 0 to 1."""
    random = np.random.default_rng([stories, facts, round(1000 * difference)])
    size = (_STUDIES, stories)
    base = random.normal(spread["mean"], spread["stories"], size)
    apart = random.normal(difference, spread["difference"], size)
    shares = [np.clip(base + side * apart / 2, 0, 1) for side in (1, -1)]
    told = [random.binomial(facts, share) / facts for share in shares]
    return float(np.mean(_p_values(told[0] - told[1], random) < _ALPHA))


def _p_values(differences: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.float64]:
    """Two-sided, a row each, with the observed signs counted (Phipson & Smyth 2010)."""
    signs = random.choice([-1.0, 1.0], size=(differences.shape[1], _FLIPS))
    flipped = np.abs(differences @ signs)
    observed = np.abs(differences.sum(axis=1, keepdims=True)) - 1e-9
    return np.asarray((1 + (flipped >= observed).sum(axis=1)) / (1 + _FLIPS))


def power_table(broken: Mapping[str, Mapping[Any, float]]) -> list[dict[str, Any]]:
    """Power for a difference of .1 and of .2, and the share of false rankings where there is none."""
    spread = spread_of(broken)
    rows: Sequence[tuple[int, int]] = [(stories, facts) for facts in FACTS for stories in STORIES]
    return [
        {
            "stories": stories,
            "facts": facts,
            **{
                name: round(power(spread, stories=stories, facts=facts, difference=size), 3)
                for name, size in (("false", 0.0), ("a tenth", 0.1), ("a fifth", 0.2))
            },
        }
        for stories, facts in rows
    ]
