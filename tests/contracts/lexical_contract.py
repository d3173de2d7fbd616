"""What every LexicalSearcher keeps. A subclass gives ``build`` as a fixture: texts to an index."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

WORDS = st.sampled_from("ferry harbour letter tin dawn salt bread night gone keeper".split())
BOOKS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=12)
QUERIES = st.lists(WORDS, max_size=4).map(" ".join)
TEXTS = [
    "The ferry left the harbour before dawn.",
    "Nobody at the harbour saw it leave; it was simply gone.",
    "She kept the letter in a tin and the tin under the bed.",
    "A letter came from the office about the ferry.",
    "Bread, salt, a candle.",
]
# ``build`` makes a new index at each call, so it may be shared between examples
many = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


class LexicalSearcherContract:
    def test_finds_what_is_asked_for(self, build):
        index = build(TEXTS)
        assert index.search("the tin", 5)[0].ordinal == 2
        assert {hit.ordinal for hit in index.search("letters", 5)} == {2, 3}

    def test_nothing_for_nothing(self, build):
        index = build(TEXTS)
        assert index.search("absent", 5) == []
        assert index.search("", 5) == []
        assert index.search("the", 5) == []
        assert index.search("ferry", 0) == []
        assert not index.scores("absent").any()

    def test_no_chunks_and_chunks_without_words(self, build):
        assert len(build([])) == 0
        assert build([]).search("ferry", 5) == []
        assert build([]).scores("ferry").shape == (0,)
        blank = build(["", "..."])
        assert len(blank) == 2
        assert blank.search("ferry", 5) == []
        assert blank.scores("ferry").tolist() == [0, 0]

    @pytest.mark.parametrize(("limit", "n"), [(None, 5), (0, 0), (3, 3), (5, 5), (99, 5)])
    def test_one_score_a_chunk_within_the_limit(self, build, limit, n):
        scores = build(TEXTS).scores("ferry", limit=limit)
        assert scores.shape == (n,)
        assert scores.dtype == np.float64

    @many
    @given(BOOKS, QUERIES, st.data())
    def test_a_limit_is_an_index_that_ends_there(self, build, texts, query, data):
        limit = data.draw(st.integers(0, len(texts)))
        whole, fresh = build(texts), build(texts[:limit])
        assert whole.scores(query, limit=limit).tolist() == fresh.scores(query).tolist()
        assert whole.search(query, 9, limit=limit) == fresh.search(query, 9)

    @many
    @given(BOOKS, QUERIES, st.integers(0, 13))
    def test_hits_are_the_best_scores_above_zero_in_total_order(self, build, texts, query, k):
        index = build(texts)
        scores = index.scores(query).tolist()
        expected = sorted((-score, i) for i, score in enumerate(scores) if score > 0)[:k]
        assert [(-hit.score, hit.ordinal) for hit in index.search(query, k)] == expected

    def test_threads_get_what_one_caller_gets(self, build):
        calls = [(query, limit) for query in ("ferry", "letter tin", "gone") for limit in range(6)]
        alone = [build(TEXTS).search(query, 5, limit=limit) for query, limit in calls]
        index = build(TEXTS)
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda c: index.search(c[0], 5, limit=c[1]), calls)) == alone
