"""Which words of a passage a query marks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.views.search import highlights


def words(text, query):
    return [span.of(text) for span in highlights(text, query)]


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("The lamps were burning.", "lamp burn", ["lamps", "burning"]),
        ("Anna's lamp, ANNA!", "anna", ["Anna", "ANNA"]),
        ("He ran; she runs.", "run", ["runs"]),
        ("Who was he? He was nobody.", "who was he", []),
        ("Call process_data or ERR-404-X now.", "process_data ERR-404-X", ["process_data", "ERR-404-X"]),
        ("Zoë saw a naïve fox.", "ZOË", ["Zoë"]),
        ("שרה הלכה", "שרה", ["שרה"]),
        ("anything", "", []),
        ("", "lamp", []),
        ("<b>lamp</b>", "b", ["b", "b"]),
    ],
)
def test_words_that_share_a_stem_are_marked(text, query, marked):
    assert words(text, query) == marked


@given(st.text(max_size=80), st.text(max_size=40))
def test_marks_are_in_order_and_apart(text, query):
    spans = highlights(text, query)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))
