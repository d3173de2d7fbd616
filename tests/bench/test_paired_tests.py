"""Worked examples of the statistics."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.bench.results import compare_paired, holm, items_needed, sign_flip_test
from fabula.story.model.findings import bootstrap_interval


def test_holm_by_hand():
    # sorted .01 .03 .04: 3 x .01 = .03, 2 x .03 = .06, 1 x .04 = .04 -> not below .06
    assert holm([0.04, 0.01, 0.03]) == (0.06, 0.03, 0.06)
    assert holm([]) == ()
    assert holm([0.9, 0.8]) == (1.0, 1.0)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_adjusting_never_lowers_a_p_nor_changes_their_order(ps):
    adjusted = holm(ps)
    assert all(a >= p for a, p in zip(adjusted, ps, strict=True))
    assert all(a <= 1 for a in adjusted)
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    assert all(adjusted[a] <= adjusted[b] for a, b in itertools.pairwise(order))


def test_statistics_by_hand():
    # of the 8 patterns of signs of (1, 1, 1) two have a mean as far from 0 as the one observed
    assert sign_flip_test([1.0, 1.0, 1.0]) == 0.25
    assert sign_flip_test([1.0, -1.0]) == 1.0
    assert sign_flip_test([]) == 1.0
    assert sign_flip_test([0.2] * 30) == pytest.approx(1 / 10_001)
    assert items_needed(0.5) == 32
    assert items_needed(-0.5) == 32
    assert items_needed(50.0) == 2
    assert items_needed(0.0) is None
    low, high = bootstrap_interval([1.0] * 50 + [0.0], groups=["a"] * 50 + ["b"])
    assert (low, high) == (0.0, 1.0)
    assert bootstrap_interval([1.0, 1.0], groups=["a", "b"]) == (1.0, 1.0)


def test_paired_by_hand():
    one = {"a1": 3.0, "a2": 1.0, "b1": 2.0, "only here": 9.0}
    other = {"a1": 1.0, "a2": 1.0, "b1": 3.0}
    found = compare_paired(one, other, group={"a1": "a", "a2": "a", "b1": "b", "only here": "c"})
    assert (found.items, found.groups) == (3, 2)
    assert (found.wins, found.ties, found.losses) == (1, 1, 1)
    assert found.difference == pytest.approx(1 / 3, abs=1e-4)
    assert found.effect == 0.0  # group means 1 and -1
    assert found.needed is None
    assert found.p == 1.0
    assert compare_paired({}, other, group={}) is None


def test_turning_the_sides_round_turns_the_signs():
    one, other = {"a": 1.0, "b": 5.0, "c": 2.5}, {"a": 0.0, "b": 3.0, "c": 2.0}
    group = {name: name for name in one}
    there, back = compare_paired(one, other, group=group), compare_paired(other, one, group=group)
    assert (there.difference, there.low, there.high) == (-back.difference, -back.high, -back.low)
    assert (there.p, there.needed, there.wins) == (back.p, back.needed, back.losses)
