import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows

from fabula.core.text.sentences import sentences


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "sentences.tsv"))
def test_where_sentences_end(text, expected):
    assert [span.of(text) for span in sentences(text)] == expected.split(" | ")


def test_nothing_is_no_sentence():
    assert sentences("") == sentences(" \n ") == []


@given(st.text(alphabet=" \n\r.!?\u2026\"'aAB1“”Mr", max_size=200))
def test_sentences_cover_all_but_white_space(text):
    spans = sentences(text)
    assert all(one.end <= two.start for one, two in itertools.pairwise(spans))
    left = list(text)
    for span in spans:
        assert span.of(text) == span.of(text).strip() != ""
        left[span.start : span.end] = " " * len(span)
    assert "".join(left).strip() == ""
