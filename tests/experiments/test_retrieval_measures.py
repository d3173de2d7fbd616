from math import log2

import numpy as np
import pytest

from experiments.retrieval import measures


def test_measures_and_intervals_by_hand():
    ranked, relevant = [5, 3, 9, 1], frozenset({3, 1, 7})
    ideal = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert measures.ndcg(ranked, relevant) == pytest.approx((1 / log2(3) + 1 / log2(5)) / ideal)
    assert measures.measure(ranked, relevant)[1:] == pytest.approx((1 / 3, 2 / 3, 2 / 3, 1 / 2))
    assert measures.measure(ranked, frozenset()) == (0, 0, 0, 0, 0)
    differences = {"a": np.array([0.0, 1.0, 0.0, 1.0]), "b": np.array([1.0, 1.0])}
    low, high = measures.macro_interval(differences, {"a": ["x", "y", "x", "y"], "b": ["p", "q"]})
    assert (low, high) == (0.5, 1.0)
    assert measures.macro_interval(differences, {"a": ["x"] * 4, "b": ["p"] * 2}) == (0.75, 0.75)
