import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabula.bench.rating import Choice, pairs_of, preference
from fabula.bench.results import compare_paired, holm, items_needed, sign_flip_test
from fabula.errors import UsageError
from fabula.story.model.findings import bootstrap_interval


def test_holm_by_hand():
    # sorted .01 .03 .04: 3 x .01 = .03, 2 x .03 = .06, 1 x .04 = .04 -> not below .06
    assert holm([0.04, 0.01, 0.03]) == (0.06, 0.03, 0.06)
    assert holm([]) == ()
    assert holm([0.9, 0.8]) == (1.0, 1.0)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_adjusting_never_lowers_a_p_nor_changes_their_order(ps):
    adjusted = holm(ps)
    assert all(p <= a <= 1 for a, p in zip(adjusted, ps, strict=True))
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    assert all(adjusted[a] <= adjusted[b] for a, b in itertools.pairwise(order))


def test_statistics_by_hand():
    # of the 8 patterns of signs of (1, 1, 1) two have a mean as far from 0 as the one observed
    assert [sign_flip_test(one) for one in ([1.0, 1.0, 1.0], [1.0, -1.0], [])] == [0.25, 1.0, 1.0]
    assert sign_flip_test([0.2] * 30) == pytest.approx(1 / 10_001)
    assert [items_needed(effect) for effect in (0.5, -0.5, 50.0, 0.0)] == [32, 32, 2, None]
    assert bootstrap_interval([1.0] * 50 + [0.0], groups=["a"] * 50 + ["b"]) == (0.0, 1.0)
    assert bootstrap_interval([1.0, 1.0], groups=["a", "b"]) == (1.0, 1.0)


def test_paired_by_hand():
    one = {"a1": 3.0, "a2": 1.0, "b1": 2.0, "c: only here": 9.0}  # a key begins with its unit
    found = compare_paired(one, {"a1": 1.0, "a2": 1.0, "b1": 3.0})
    counts = {"items": 3, "groups": 2, "wins": 1, "ties": 1, "losses": 1}
    units = {"effect": 0.0, "needed": None, "p": 1.0}  # means of units 1 and -1
    assert counts.items() | units.items() <= found.items()
    assert found["difference"] == pytest.approx(1 / 3, abs=1e-4)
    assert compare_paired({}, one) is None


def test_turning_the_sides_round_turns_the_signs():
    one, other = {"a": 1.0, "b": 5.0, "c": 2.5}, {"a": 0.0, "b": 3.0, "c": 2.0}
    there, back = compare_paired(one, other), compare_paired(other, one)
    turned = [-back["difference"], -back["high"], -back["low"], back["p"], back["needed"], back["losses"]]
    assert [there[name] for name in ("difference", "low", "high", "p", "needed", "wins")] == turned


ITEMS = [
    ("They meet.", {"standard": "He came.", "graph": "She came.", "fused": "Both came."}),
    ("They part.", {"standard": "=HYPERLINK(1)", "graph": "He left.", "fused": "He left."}),
]


def test_pairs_are_drawn_once_and_evenly():
    pairs = pairs_of(ITEMS, seed=3)
    assert [one.name for one in pairs] == ["p001", "p002", "p003", "p004", "p005"]
    assert {one.prompt for one in pairs} == {"They meet.", "They part."}  # "He left." twice is no choice
    assert pairs_of(ITEMS, seed=3) == pairs != pairs_of(ITEMS, seed=4)
    with pytest.raises(UsageError, match="no two different drafts"):
        pairs_of([("x", {"a": "same", "b": " same "})])
    many = pairs_of([(f"prompt {n}", {"one": f"a {n}", "two": f"b {n}"}) for n in range(400)])
    assert 160 < sum(pair.by[0] == "one" for pair in many) < 240


def test_two_systems_by_hand():
    found = preference([Choice(str(n), "x", "y", float(n < 3)) for n in range(4)])
    first, second = found.strengths
    assert first.system == "x" and first.low < 0.75 < first.high
    assert (first.share, second.share, first.wins, first.judged) == (0.75, 0.25, 3.0, 4)
    assert found.agreement is None


def test_agreement_counts_pairs_of_one_mind_whichever_side_they_stood():
    choices = [Choice("p", "x", "y", 1.0), Choice("p", "y", "x", 0.0), Choice("q", "x", "y", 1.0)]
    assert preference(choices).agreement == 1.0
    assert preference([*choices, Choice("q", "x", "y", 0.5)]).agreement == 0.5


@settings(max_examples=20)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from([0.0, 0.5, 1.0]))))
def test_naming_the_sides_otherwise_round_changes_nothing(raw):
    choices = [Choice("i", one, other, won) for one, other, won in raw]
    turned = [Choice("i", other, one, 1 - won) for one, other, won in raw]
    if choices:
        assert preference(choices).strengths == preference(turned).strengths
