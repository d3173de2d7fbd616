"""Which spellings are one name's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fabula.story.names.spelling import alike, one_edit, skeleton

WORDS = st.text(alphabet="abcdefghiklmnoprstuy", min_size=1, max_size=8)


def test_one_name_in_two_spellings() -> None:
    for one, other in (
        ("Hartley", "Hartly"),
        ("Elizabeth", "Elisabeth"),
        ("Catherine", "Katharine"),
        ("Brownlow", "Browlow"),
        ("Bounderby", "Bounderbey"),
        ("Phillip", "Philip"),
        ("Stephen", "Stephan"),
        ("Rachael", "Rachel"),
        ("Brownlow", "Bronwlow"),
    ):
        assert alike(one, other), (one, other)
        assert alike(other, one), (one, other)


def test_two_names() -> None:
    for one, other in (
        ("Hartley", "Hartleys"),
        ("Robert", "Roberta"),
        ("Elizabeth", "Lizzy"),
        ("Maria", "Marie"),
        ("Helen", "Ellen"),
        ("Anne", "Anna"),
        ("Hale", "Hall"),
        ("Dashwood", "Boldwood"),
        ("Charles", "Charlie"),
    ):
        assert not alike(one, other), (one, other)


@given(WORDS, WORDS)
def test_one_edit_is_symmetric(one, other) -> None:
    assert one_edit(one, other) == one_edit(other, one)


@given(WORDS)
def test_a_word_is_not_one_edit_from_itself_but_from_its_neighbours(word) -> None:
    assert not one_edit(word, word)
    assert one_edit(word, word + "x")
    assert one_edit("x" + word[1:], word) or word[0] == "x"
    assert skeleton(word) == skeleton(word.upper())
