"""What a revision changed."""

from hypothesis import given
from hypothesis import strategies as st

from fabula.views.word_diff import Piece, changed_share, word_diff

TEXTS = st.text(st.sampled_from("ab \n."), max_size=40)


def test_words_are_set_beside_each_other():
    assert word_diff("Anna hated Bela. She left.", "Anna trusted Bela. She left.") == (
        Piece("same", "Anna "),
        Piece("gone", "hated "),
        Piece("new", "trusted "),
        Piece("same", "Bela. She left."),
    )


def test_the_share_counts_the_words_of_both():
    assert changed_share(word_diff("one two three", "one four three")) == 2 / 6
    assert changed_share(word_diff("same", "same")) == 0
    assert changed_share(word_diff("", "")) == 0
    assert changed_share(word_diff("", "new words")) == 1


def test_a_word_that_comes_to_the_end_keeps_its_neighbours():
    pieces = word_diff("She left", "She left quickly")
    assert pieces == (Piece("same", "She "), Piece("gone", "left"), Piece("new", "left quickly"))


@given(TEXTS, TEXTS)
def test_the_pieces_make_both_texts(before, after):
    pieces = word_diff(before, after)
    assert "".join(one.text for one in pieces if one.kind != "new") == before
    assert "".join(one.text for one in pieces if one.kind != "gone") == after
    assert 0 <= changed_share(pieces) <= 1
