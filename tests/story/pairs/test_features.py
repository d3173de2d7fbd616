import pytest
from tests.tables import values

from fabula.story.pairs.pair_model import turned_feature, window_features


@pytest.mark.parametrize(
    ("kind", "words", "back", "turned"),
    values(__file__, "turning.tsv"),
)
def test_turning(kind, words, back, turned):
    seen = window_features(kind, words)
    assert {turned_feature(each) for each in seen} == window_features(back, turned)
    assert {turned_feature(turned_feature(each)) for each in seen} == seen


def test_where_a_word_stands_to_the_two_is_seen():
    assert window_features("sentence", "§a loves §b") != window_features("sentence", "§b loves §a")
