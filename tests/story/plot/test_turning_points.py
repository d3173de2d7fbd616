"""The five turning points of a plot among chapters of which no more is known than how much each turns."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fabula.story.plot.turning_points import _marginals, _ordered_best, placed_points


def test_marginals_and_the_best_order_agree_with_counting_all_ways() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(5, 8))
    ways = list(itertools.combinations(range(8), 5))
    weights = np.exp([sum(scores[k, i] for k, i in enumerate(way)) for way in ways])
    chances = np.zeros((5, 8))
    for way, weight in zip(ways, weights, strict=True):
        for k, i in enumerate(way):
            chances[k, i] += weight / weights.sum()
    assert _marginals(scores) == pytest.approx(chances)
    best = max(ways, key=lambda way: sum(chances[k, i] for k, i in enumerate(way)))
    assert _ordered_best(chances) == best


def test_pieces_of_which_only_the_weight_is_known_play_the_part_that_is_near_their_place() -> None:
    weights = [0.0] * 21
    plain = [point.piece for point in placed_points(weights)]
    assert plain == [2, 6, 10, 15, 19]
    weights[12] = weights[14] = 0.9
    found = {point.role: point.piece for point in placed_points(weights)}
    assert (found["point of no return"], found["major setback"]) == (12, 14)
    assert found["opportunity"] < found["change of plans"] < 12 and found["climax"] > 14
    assert placed_points([1.0] * 4) == ()
