import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.experiments.judge_audit.test_judge_table import TEXT
from tests.tables import values

from experiments.judge_audit.quote_search import QuoteSearch, likeness


def test_how_a_quote_stands_in_the_text_and_its_likeness():
    for quote, how, stands in values(__file__, "how_a_quote_stands_in_the.tsv"):
        found = QuoteSearch(TEXT).find(quote)
        assert found.how == how, (quote, how, stands)
        assert (found.span is None) == (how == "absent"), (quote, how, stands)
        if stands is not None:
            assert found.span is not None and found.span.of(TEXT) == stands
    assert likeness("kitten", "sitting") == pytest.approx(2 * 4 / 13)
    assert likeness("", "") == 1.0 and likeness("a", "") == 0.0


@given(st.text("abcd", max_size=30), st.text("abcd", max_size=30))
def test_likeness_is_symmetric_and_no_less_than_that_of_matching_blocks(one, other):
    assert likeness(one, other) == likeness(other, one)
    blocks = difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
    assert blocks - 1e-9 <= likeness(one, other) <= 1.0
