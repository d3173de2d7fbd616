import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.judge_audit.agreement import flipped_pairs, kendall_tau, krippendorff_alpha, matches


def test_alpha_is_krippendorffs_own_example():
    # Krippendorff, "Computing Krippendorff's alpha-reliability" (2011): four observers, twelve units, nominal
    a, b, c, d = (
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    )
    units = [[mark for mark in marks if mark is not None] for marks in zip(a, b, c, d, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1, 1], [0, 0]]) == 1.0


def test_tau_with_ties_by_hand():
    one = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 3.0}
    other = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 4.0, "e": 9.0}
    # pairs ab +, ac +, ad +, bc -, bd +, cd tied in one: 3 / sqrt(5 * 6)
    assert kendall_tau(one, other) == pytest.approx(3 / (5 * 6) ** 0.5)
    assert flipped_pairs(one, other) == (("b", "c"),)
    assert kendall_tau({"a": 1.0}, {"a": 2.0}) is None


@given(st.lists(st.sets(st.integers(0, 5)), max_size=6))
def test_as_many_pairs_as_can_be_whatever_the_order(near):
    def count(order):
        pairs = matches([near[i] for i in order], list(range(6)), same=lambda ends, j: j in ends)
        assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
        return len(pairs)

    straight = list(range(len(near)))
    mixed = random.Random(1).sample(straight, len(straight))
    assert count(straight) == count(mixed) == count(straight[::-1])
