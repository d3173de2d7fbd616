"""What every QueryExpander keeps. A subclass gives ``build`` as a fixture: texts to an expander."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.text.tokenizing import Tokenizer

from .lexical_contract import BOOKS, QUERIES, TEXTS, many


class QueryExpanderContract:
    @many
    @given(BOOKS, QUERIES, st.data())
    def test_depends_on_nothing_after_the_limit(self, build, texts, query, data):
        limit = data.draw(st.integers(0, len(texts)))
        cut = build(texts[:limit]).expand(query)
        assert list(build(texts).expand(query, limit=limit).items()) == list(cut.items())
        other = [*texts[:limit], "keeper of the harbour", *texts[limit:]]
        assert list(build(other).expand(query, limit=limit).items()) == list(cut.items())

    @many
    @given(BOOKS, QUERIES)
    def test_weights_are_positive_and_sum_to_the_query(self, build, texts, query):
        weights = build(texts).expand(query)
        assert all(weight > 0 for weight in weights.values())
        assert sum(weights.values()) == pytest.approx(len(Tokenizer().terms(query)))

    def test_a_query_without_words(self, build):
        assert dict(build(TEXTS).expand("")) == {}
        assert dict(build(TEXTS).expand("the, of")) == {}

    def test_a_query_that_finds_nothing_stays_as_it_is(self, build):
        assert dict(build(TEXTS).expand("unheard unheard of things")) == {"unheard": 2, "thing": 1}
        assert dict(build([]).expand("ferry")) == {"ferri": 1}
        assert dict(build(TEXTS).expand("ferry", limit=0)) == {"ferri": 1}

    def test_same_call_same_terms(self, build):
        expander = build(TEXTS)
        first = list(expander.expand("the ferry at dawn").items())
        expander.expand("letter", limit=2)
        assert list(expander.expand("the ferry at dawn").items()) == first
