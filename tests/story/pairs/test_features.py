import pytest

from fabula.story.pairs.pair_model import turned_feature, window_features


@pytest.mark.parametrize(
    ("kind", "words", "back", "turned"),
    [
        ("sentence", "§a married §b in may.", "sentence", "§b married §a in may."),
        ("next", "§b wept. §c and §a stood by!", "next", "§a wept. §c and §b stood by!"),
        ("says to", "my dear §b , you are late", "hears from", "my dear §a , you are late"),
        ("says of", "that §b is a thief", "is said of by", "that §a is a thief"),
    ],
)
def test_turning(kind, words, back, turned) -> None:
    seen = window_features(kind, words)
    assert {turned_feature(each) for each in seen} == window_features(back, turned)
    assert {turned_feature(turned_feature(each)) for each in seen} == seen


def test_where_a_word_stands_to_the_two_is_seen() -> None:
    assert window_features("sentence", "§a loves §b") != window_features("sentence", "§b loves §a")
