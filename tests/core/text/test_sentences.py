"""Where sentences end."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from fabula.core.text.sentences import sentences
from fabula.core.types import Span


def test_sentences():
    text = "“Is it you, Mr. Dove?” she asked. J. Smith nodded… “Yes!” The bell rang.\n\nno capital here"
    assert [span.of(text) for span in sentences(text)] == [
        "“Is it you, Mr. Dove?” she asked.",
        "J. Smith nodded…",
        "“Yes!”",
        "The bell rang.",
        "no capital here",
    ]


@given(st.text(alphabet=' aB.!?\n"“”M r', max_size=80))
def test_sentences_cover_all_but_white_space(text):
    spans = sentences(text)
    assert all(one.end <= two.start for one, two in itertools.pairwise(spans))
    left = list(text)
    for span in spans:
        assert span.of(text) == span.of(text).strip() != ""
        left[span.start : span.end] = " " * len(span)
    assert "".join(left).strip() == ""
    assert isinstance(spans[0], Span) if spans else True
