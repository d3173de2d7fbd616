"""Coherence by nouns in common, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.story.metrics import entity_graph


def test_near_sentences_count_for_more():
    # 1-2 share the rope, 1-3 the mill, 2-3 nothing; of three sentences the most is 1/1 + 1/1 + 1/2
    score = entity_graph([{"rope", "mill"}, {"rope", "boat"}, {"mill"}])
    assert score.value == pytest.approx((1 / 1 + 1 / 2) / (1 + 1 + 1 / 2))
    assert (score.n, score.higher_is_better) == (3, True)


def test_the_ends_of_the_range():
    assert entity_graph([{"rope"}] * 4).value == 1.0
    assert entity_graph([{"rope"}, {"mill"}, set()]).value == 0.0
    assert entity_graph([{"rope"}]).value is None
    assert entity_graph([]).value is None


def test_order_matters():
    kept = [{"rope"}, {"rope"}, {"mill"}, {"mill"}]
    torn = [{"rope"}, {"mill"}, {"rope"}, {"mill"}]
    most = 3 / 1 + 2 / 2 + 1 / 3
    assert entity_graph(kept).value == pytest.approx(2 / most)
    assert entity_graph(torn).value == pytest.approx((1 / 2 + 1 / 2) / most)


@given(st.lists(st.frozensets(st.sampled_from("abcd")), min_size=2, max_size=9))
def test_between_nothing_and_one(sentences):
    assert 0.0 <= entity_graph(sentences).value <= 1.0
