"""What every lexical index keeps. A subclass gives ``build`` as a fixture: texts to an index."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contracts.term_evidence import measure

from fabula.core.text.term_evidence import QueryEvidence
from fabula.core.text.tokenizing import Tokenizer
from fabula.core.types import Hit

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
# ``build`` makes a new index at each call, so examples may share it; a contract is kept by several classes
many = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors])


def search(index, query, k, *, limit=None):
    found = index.leaders(Counter(Tokenizer().terms(query)), k, limit=limit)
    return list(map(Hit, *(each.tolist() for each in found)))


class LexicalContract:
    def test_finds_what_is_asked_for(self, build):
        index = build(TEXTS)
        assert search(index, "the tin", 5)[0].ordinal == 2
        assert {hit.ordinal for hit in search(index, "letters", 5)} == {2, 3}

    def test_nothing_for_nothing(self, build):
        index = build(TEXTS)
        assert search(index, "absent", 5) == search(index, "the", 5) == search(index, "", 5) == []
        assert search(index, "ferry", 0) == []
        assert not index.scores("absent").any()

    @pytest.mark.parametrize("texts", [[], ["", "..."]])
    def test_no_chunks_and_chunks_without_words(self, build, texts):
        index = build(texts)
        assert search(index, "ferry", 5) == []
        assert index.scores("ferry").tolist() == [0] * len(index) == [0] * len(texts)

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
        assert search(whole, query, 9, limit=limit) == search(fresh, query, 9)

    @many
    @given(BOOKS, QUERIES, st.integers(0, 13))
    def test_hits_are_the_best_scores_above_zero_in_total_order(self, build, texts, query, k):
        index = build(texts)
        scores = index.scores(query).tolist()
        expected = sorted((-score, i) for i, score in enumerate(scores) if score > 0)[:k]
        assert [(-hit.score, hit.ordinal) for hit in search(index, query, k)] == expected

    def test_threads_get_what_one_caller_gets(self, build):
        calls = [(query, limit) for query in ("ferry", "letter tin", "gone") for limit in range(6)]
        alone = [search(build(TEXTS), query, 5, limit=limit) for query, limit in calls]
        index = build(TEXTS)
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda c: search(index, c[0], 5, limit=c[1]), calls)) == alone

    @many
    @given(BOOKS, QUERIES, st.data())
    def test_weighted_terms_score_as_the_sum_of_their_own(self, build, texts, query, data):
        index = build(texts)
        limit = data.draw(st.none() | st.integers(0, len(texts)))
        terms = Counter(Tokenizer().terms(query))
        assert index.scores_of(terms, limit=limit).tolist() == index.scores(query, limit=limit).tolist()
        doubled = {term: 2.0 * count for term, count in terms.items()}
        expected = index.scores_of(terms, limit=limit) * 2
        assert index.scores_of(doubled, limit=limit).tolist() == pytest.approx(expected.tolist())

    @many
    @given(BOOKS, QUERIES, st.integers(0, 13), st.data())
    def test_leaders_are_the_best_that_the_mask_lets_through(self, build, texts, query, k, data):
        index, terms = build(texts), Counter(Tokenizer().terms(query))
        limit = data.draw(st.integers(0, len(texts)))
        mask = np.array(data.draw(st.lists(st.booleans(), min_size=limit, max_size=limit)), dtype=np.bool_)
        scores = index.scores_of(terms, limit=limit)
        for allowed in (None, mask):
            may = np.ones(limit, dtype=np.bool_) if allowed is None else allowed
            ordinals, found = index.leaders(terms, k, limit=limit, mask=allowed)
            expected = sorted((-s, i) for i, s in enumerate(scores.tolist()) if s > 0 and may[i])[:k]
            assert list(zip((-found).tolist(), ordinals.tolist(), strict=True)) == expected

    def test_scores_at_are_some_of_the_scores(self, build):
        index, terms = build(TEXTS), {"ferri": 1.0, "harbour": 2.0, "absent": 1.0}
        for limit in (None, 4):
            some = np.array([3, 0, 3], dtype=np.intp)
            expected = index.scores_of(terms, limit=limit)[some]
            assert index.scores_at(terms, some, limit=limit).tolist() == expected.tolist()
        assert index.scores_at(terms, np.zeros(0, dtype=np.intp)).shape == (0,)

    def test_statistics_are_those_of_the_prefix(self, build):
        index = build(TEXTS)
        found = index.statistics("the ferry, the harbour and the absent ferry", limit=2)
        assert [(one.term, one.count, one.df) for one in found] == [
            ("ferri", 2, 1),
            ("harbour", 1, 2),
            ("absent", 1, 0),
        ]
        assert found == build(TEXTS[:2]).statistics("the ferry, the harbour and the absent ferry")

    @many
    @given(BOOKS, BOOKS, QUERIES, st.data())
    def test_parts_that_know_of_each_other_score_as_the_whole(self, build, first, second, query, data):
        limits = [data.draw(st.integers(0, len(book))) for book in (first, second)]
        parts = [(build(first), limits[0]), (build(second), limits[1])]

        def scores(parts):
            return [part.scores(query, limit=n).tolist() for part, n in parts]

        known = [part.corpus(query, limit=n) for part, n in parts]
        if None in known:
            assert parts[0][0].settings.variant == "okapi"
            return
        whole, alone = build(first[: limits[0]] + second[: limits[1]]), scores(parts)
        told = [(part.among(known[0] + known[1]), n) for part, n in parts]
        assert sum(scores(told), []) == whole.scores(query).tolist()  # noqa: RUF017
        for one, n in told:
            ceiling = one.ceiling_of(one.statistics(query, limit=n))
            assert ceiling == whole.ceiling_of(whole.statistics(query))
        assert scores(parts) == alone  # what is asked among others leaves no trace

    def test_no_score_passes_the_ceiling(self, build):
        index = build(TEXTS)
        for query in ("ferry", "the letter in the tin", "gone gone harbour"):
            assert 0 < index.scores(query).max() <= index.ceiling_of(index.statistics(query))

    def test_evidence_of_what_is_asked(self, build):
        index = build(TEXTS)
        terms = index.statistics("the letter in the tin")
        order = np.array([2, 0, 3], dtype=np.intp)
        coverage, nearness = index.evidence(terms, order)
        asked = QueryEvidence.of(terms)
        expected = [measure(asked, Tokenizer().terms(TEXTS[i])) for i in order]
        assert list(zip(coverage.tolist(), nearness.tolist(), strict=True)) == expected
        assert coverage[0] == pytest.approx(1)
        assert [part.shape for part in index.evidence(terms, order[:0])] == [(0,), (0,)]
