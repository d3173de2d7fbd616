import logging
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from tests.contracts.rating_contract import manager_of
from tests.contracts.store_contract import TEXTS, document_of, parts_of

from fabula.core import embeddings
from fabula.core.answering.answer_reader import packaged_reader
from fabula.core.chunks.table import Selection
from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders.bert import TextTokens
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.queries.router import QueryAnalysis
from fabula.core.queries.weight_learning import LearningSettings, Placement, Rating, learn, pull
from fabula.core.reranking import reranked_by_answers
from fabula.core.search import OtherVectors, Query, Search
from fabula.core.types import Chunk, Horizon, Passage, Share, Span
from fabula.core.vectors.index import VectorIndex
from fabula.errors import ConfigError, ModelRefused, UsageError

ASKED = Query("the ferry at the harbour", 4, Horizon(20), Selection(20))


class Embedder:
    name, dimension = "given", 16

    def __init__(self, numbers=16, *, down=False):
        self.numbers, self.down = numbers, down

    def embed_query(self, text):
        if self.down:
            raise ModelRefused("no vectors today")
        return np.full(self.numbers, self.numbers**-0.5, np.float32)


@pytest.fixture(scope="module")
def search():
    """Over 40 chunks, each a chapter."""
    parts = parts_of(document_of(TEXTS * 8), dimension=16)
    texts = [chunk.text for chunk in parts.chunks]
    return Search(
        parts.chunks, LexicalIndex.from_texts(texts), VectorIndex(parts.vectors.vectors), Embedder()
    )


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_nothing_after_the_horizon_or_outside_the_filter_is_found(search, mode):
    mask = np.arange(20) % 2 == 0
    found = search(replace(ASKED, k=40, mode=mode, selection=Selection(20, mask))).passages
    assert found and all(p.chunk.ordinal < 20 and p.chunk.ordinal % 2 == 0 for p in found)
    assert all(p.score == pytest.approx(sum(share.share for share in p.shares)) for p in found)


def test_a_weight_of_nothing_asks_one_index_alone(search):
    silent = replace(search, embedder=Embedder(down=True))
    assert silent(replace(ASKED, semantic_weight=0.0)).passages
    with pytest.raises(ModelRefused):
        silent(replace(ASKED, semantic_weight=0.1))


def test_words_alone_are_looked_for_where_the_model_fails_and_not_where_it_is_another(search):
    silent = replace(search, embedder=Embedder(down=True))
    found = silent.search_or_words(ASKED)
    assert found.passages == search(replace(ASKED, mode="lexical")).passages
    assert found.notices == ("searched by words alone, since the embedding model failed: no vectors today",)
    with pytest.raises(ModelRefused):
        silent.search_or_words(replace(ASKED, mode="semantic"))
    with pytest.raises(OtherVectors, match="another model goes by that name"):
        replace(search, embedder=Embedder(8)).search_or_words(ASKED)


def test_all_that_changes_a_result_is_in_its_scope(search):
    changes = {"horizon": Horizon(), "k": 5, "mode": "lexical", "filters": "x"}
    changes |= {"semantic_weight": 0.4, "least_score": 0.1}
    asked = [ASKED, replace(ASKED, horizon=Horizon(19))]
    asked += [replace(ASKED, **{name: value}) for name, value in changes.items()]
    assert len({search.scope(one) for one in asked}) == len(asked) == 8
    assert search.scope(ASKED) == search.scope(replace(ASKED, text="other words"))
    assert search.scope(ASKED) != replace(search, name="another index").scope(ASKED)


def test_a_rating_is_of_a_passage_that_is_shown(search):
    with pytest.raises(ConfigError, match="keeps no ratings"):
        search.rate(ASKED, "x", 1.0)
    rated = replace(search, manager=manager_of())
    before, first = rated.scope(ASKED), rated(ASKED).passages[0].chunk.id
    assert rated.rate(ASKED, first, 1.0).answer.chunk_id == first
    assert rated.scope(ASKED) != before
    with pytest.raises(UsageError, match="does not give the passage"):
        rated.rate(ASKED, "x", 1.0)


@pytest.mark.parametrize("wrong", [{"least_score": 1.5}, {"semantic_weight": -0.1}])
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(ConfigError, match="between 0 and 1"):
        replace(ASKED, **wrong)


LINES = ["The ferry left the harbour.", "The lamp burns.", "A letter in a tin.", "Salt and bread."]
QUERY = "Where did the ferry go?"


def passage(ordinal, text, *shares):
    """A passage of chunk ``ordinal`` whose score is the sum of the shares."""
    span = Span(100 * ordinal, 100 * ordinal + len(text))
    chunk = Chunk(Chunk.make_id("book", span, text), "book", 1, ordinal, span, text)
    return Passage(chunk, sum(share.share for share in shares), shares)


def passages(texts=LINES):
    return [
        passage(i, text, Share("lexical", i + 1, 3.0 - i, 0.5 / (i + 1)), Share("semantic", i + 2, 0.4, 0.2))
        for i, text in enumerate(texts)
    ]


def test_the_same_chunks_in_an_order_that_theirs_has_no_say_in():
    found = reranked_by_answers(packaged_reader(), QUERY, passages())
    turned = reranked_by_answers(packaged_reader(), QUERY, passages()[::-1])
    assert [p.chunk for p in turned] == [p.chunk for p in found]
    assert sorted(p.chunk.ordinal for p in found) == [0, 1, 2, 3]
    same = [passage(ordinal, "The lamp burns.", Share("lexical", 1, 1.0, 0.5)) for ordinal in (3, 1, 2)]
    tied = reranked_by_answers(packaged_reader(), QUERY, same)
    assert [p.chunk.ordinal for p in tied] == [1, 2, 3]


def test_shares_say_who_found_a_passage_and_sum_to_its_score():
    for rank, one in enumerate(reranked_by_answers(packaged_reader(), QUERY, passages()), start=1):
        *others, own = one.shares
        assert [(s.retriever, s.score, s.share) for s in others] == [
            ("lexical", 3.0 - one.chunk.ordinal, 0),
            ("semantic", 0.4, 0),
        ]
        assert (own.retriever, own.rank, own.score, own.share) == ("reranker", rank, one.score, one.score)


@pytest.mark.parametrize("texts", [[], ["", " ", "\u2603\ufe0f \U0001f600", "word " * 3000]])
def test_texts_of_any_kind_are_scored(texts):
    for query in (QUERY, ""):
        assert len(reranked_by_answers(packaged_reader(), query, passages(texts))) == len(texts)


def test_the_passage_that_answers_comes_first_of_a_query_that_asks():
    found = reranked_by_answers(packaged_reader(), "Where is the letter kept?", passages())
    assert found[0].chunk.text == "A letter in a tin."
    assert 0 <= found[-1].score < found[0].score <= 1
    assert reranked_by_answers(packaged_reader(), " ", passages()) == passages()


BOOK = Horizon()
BY_WORDS = Placement("a", 1, 0.9, 9, 0.2)  # the lexical list placed it well
BY_SENSE = Placement("b", 9, 0.2, 1, 0.9)
BETWEEN = Placement("c", 2, 0.5, 2, 0.5)


def _analysis(query_class="mixed"):
    return QueryAnalysis("", "factual", query_class, ())


def _rate(manager, answer, rating, *, query_class="mixed", horizon=BOOK, weight=0.4, beside=(BETWEEN,)):
    return manager.rate(
        "q", answer, rating, query_class=query_class, weight=weight, horizon=horizon, alternatives=beside
    )


def _weight(manager, query_class="mixed", horizon=BOOK):
    return manager.decide(_analysis(query_class), horizon=horizon).semantic


def test_every_class_starts_at_the_best_fixed_weight():
    manager = manager_of()
    for query_class in ("keyword", "conceptual", "mixed"):
        decision = manager.decide(_analysis(query_class), horizon=BOOK)
        assert (decision.semantic, decision.lexical, decision.corrections) == (0.4, 0.6, ())
        assert decision.reasons == (f"{query_class} queries start at 0.40 semantic, 0.60 lexical",)
    assert _weight(manager_of(prior=0.7)) == 0.7


def test_settings_out_of_range_are_refused():
    with pytest.raises(ConfigError, match="prior weight"):
        manager_of(prior=1.2)
    with pytest.raises(ConfigError, match="half_life"):
        LearningSettings(half_life=0)


def test_the_pull_is_the_derivative_of_the_smoothed_gain():
    def gain(weight):
        ahead = 0.0
        for other in (BETWEEN, BY_SENSE):
            lead = (1 - weight) * (other.lexical - BY_WORDS.lexical)
            lead += weight * (other.semantic - BY_WORDS.semantic)
            ahead += 1 / (1 + math.exp(-16 * lead))
        return 1 / math.log2(2 + ahead)

    slope = (gain(0.5 + 1e-6) - gain(0.5 - 1e-6)) / 2e-6
    assert pull(BY_WORDS, (BETWEEN, BY_SENSE), weight=0.5) == pytest.approx(slope, rel=1e-4)
    assert pull(Placement("x", None, 0, 1, 0.8), (), weight=0.5) == 1.0  # without others ranks must do


def test_placement_of_a_fused_passage():
    chunk = Chunk("id", "book", 1, 0, Span(0, 3), "abc")
    shares = (Share("graph", 1, 9.0, 0.1), Share("lexical", 2, 3.0, 0.2), Share("semantic", 5, 0.6, 0.3))
    assert Placement.of(Passage(chunk, 0.6, shares), ceiling=12.0) == Placement("id", 2, 0.25, 5, 0.6)
    assert Placement.of(Passage(chunk, 0.1, shares[:1]), ceiling=0.0) == Placement("id", None, 0.0, None, 0.0)
    more = (*shares, Share("coverage", 1, 0.5, 0.1), Share("nearness", 1, 0.15, 0.1))
    mixed = Placement.of(Passage(chunk, 0.6, more), ceiling=12.0, evidence=True)
    assert mixed.lexical == pytest.approx((3 / 12 + 0.5 + 0.15) / 3)


@pytest.mark.parametrize("rating", [-0.1, 1.1, math.nan, math.inf])
def test_a_rating_out_of_range_is_refused_and_not_kept(rating):
    manager = manager_of()
    with pytest.raises(ConfigError, match="from 0 to 1"):
        _rate(manager, BY_WORDS, rating)
    with pytest.raises(ConfigError, match="not finite"):
        _rate(manager, Placement("x", 1, math.nan, 1, 0.5), 1.0)
    assert manager.lesson("mixed", horizon=BOOK).count == 0


def test_the_lesson_by_hand():
    """Half-life of one rating, a usual rating for each class; pulls are differences of gains."""
    settings = LearningSettings(half_life=1)
    told = (("mixed", BY_WORDS, 0.0), ("keyword", BY_SENSE, 1.0), ("mixed", BY_SENSE, 1.0))
    ratings = [Rating("q", query_class, answer, rating, BOOK, 0.4) for query_class, answer, rating in told]
    p, mixed, keyword = 1 - 1 / math.log2(10), (5 + 0.25) / (10 + 1.25), (5 + 0.5) / (10 + 0.5)
    squares = mixed**2 + (1 - keyword) ** 2 / 2 + (1 - mixed) ** 2 / 4
    variance = (10 * 0.25 + squares) / (10 + 1.75)
    slopes = p * mixed, p * (1 - keyword) / 2, p * (1 - mixed) / 4
    spreads = variance * p**2, variance * p**2 / 4, variance * p**2 / 16
    z = sum(slopes) / math.sqrt(sum(spreads))
    departure = slopes[1] / spreads[1] - sum(slopes) / sum(spreads)
    departure /= math.sqrt(1 / spreads[1] - 1 / sum(spreads))
    lesson = learn(ratings, "keyword", settings=settings)
    assert (lesson.z, lesson.departure) == pytest.approx((z, departure))
    assert lesson.shift == pytest.approx(0.06 * (z - 1 / z)) and abs(departure) < 1 < z
    assert (lesson.count, lesson.recent_mean) == (1, 1.0)
    assert learn([*ratings[:1] * 20, *ratings], "mixed", settings=settings).recent_mean == 0
    assert learn(ratings, "keyword", settings=LearningSettings(window=1)).count == 0


@pytest.mark.parametrize("constant", [0.0, 0.5, 1.0])
def test_constant_ratings_teach_nothing(constant):
    answers = (BY_WORDS, BY_WORDS, BY_SENSE)  # two of three came by words
    ratings = [Rating("q", "mixed", one, constant, BOOK, 0.4, (BETWEEN,)) for one in answers] * 500
    assert learn(ratings, "mixed", settings=LearningSettings()).shift == 0


@pytest.mark.parametrize("query_class", ["keyword", "conceptual", "mixed"])
@pytest.mark.parametrize("prior", [0.4, 0.5, 0.7])
@pytest.mark.parametrize("rating", [0.0, 1.0])
@pytest.mark.parametrize("answer", [BY_WORDS, BY_SENSE])
def test_five_ratings_of_one_kind_are_felt(query_class, prior, rating, answer):
    manager = manager_of(prior=prior)
    for _ in range(5):
        _rate(manager, answer, rating, query_class=query_class)
    decision = manager.decide(_analysis(query_class), horizon=BOOK)
    toward = 1 if (answer is BY_SENSE) == (rating == 1.0) else -1
    assert 0.05 <= toward * (decision.semantic - prior) <= 0.3
    assert decision.semantic + decision.lexical == 1
    side = "semantic" if toward > 0 else "lexical"
    assert f"ratings favour the {side} list" in decision.reasons[1]
    assert f"mean of the last 5 {rating:.2f}" in decision.reasons[1]
    assert decision.reasons[1].endswith(f"{decision.semantic - prior:+.3f}")


def test_a_shift_is_bounded_and_the_weight_stays_in_range():
    for prior, answer, end in ((0.4, BY_SENSE, 0.7), (0.4, BY_WORDS, 0.1), (0.9, BY_SENSE, 1.0)):
        manager = manager_of(prior=prior)
        for _ in range(300):
            _rate(manager, answer, 1.0)
            _rate(manager, BY_WORDS if answer is BY_SENSE else BY_SENSE, 0.0)
        assert _weight(manager) == pytest.approx(end)


def test_what_is_newer_counts_more():
    manager = manager_of(learning=LearningSettings(half_life=50))
    for good, bad in ((BY_WORDS, BY_SENSE), (BY_SENSE, BY_WORDS)):
        for _ in range(100):
            _rate(manager, good, 1.0)
            _rate(manager, bad, 0.0)
    assert _weight(manager) > 0.6


def test_classes_learn_apart_but_share():
    manager = manager_of()
    for _ in range(10):
        _rate(manager, BY_WORDS, 1.0, query_class="keyword")
        _rate(manager, BY_SENSE, 0.0, query_class="keyword")
        _rate(manager, BY_WORDS, 0.5, query_class="conceptual")
        _rate(manager, BY_SENSE, 0.5, query_class="conceptual")
    keyword, conceptual, mixed = (_weight(manager, c) for c in ("keyword", "conceptual", "mixed"))
    assert keyword < mixed < 0.4
    assert mixed < conceptual
    assert manager.lesson("mixed", horizon=BOOK).count == 0


def test_reset_forgets_all():
    manager = manager_of()
    for query_class in ("keyword", "mixed") * 20:
        _rate(manager, BY_WORDS, 1.0, query_class=query_class)
    assert _weight(manager, "keyword") < 0.4
    manager.reset()
    assert _weight(manager, "keyword") == _weight(manager, "mixed") == 0.4


def test_ratings_count_only_from_their_horizon_on():
    def rated(late):
        manager = manager_of()
        for chapter, good, bad in ((3, BY_WORDS, BY_SENSE), *late):
            for _ in range(20):
                _rate(manager, good, 1.0, horizon=Horizon(chapter))
                _rate(manager, bad, 0.0, horizon=Horizon(chapter))
        return manager

    alone, more = rated(()), rated(((7, BY_SENSE, BY_WORDS), (None, BY_SENSE, BY_WORDS)))
    for chapter in (0, 2, 3, 6):
        at = Horizon(chapter)
        assert more.decide(_analysis(), horizon=at) == alone.decide(_analysis(), horizon=at)
    assert _weight(more, horizon=Horizon(2)) == 0.4
    assert _weight(more, horizon=Horizon(3)) < 0.4
    counts = [more.lesson("mixed", horizon=Horizon(c)).count for c in (2, 3, 7, None)]
    assert counts == [0, 40, 80, 120]


SHORT = ["The ferry left before dawn.", "Bread and salt.", "A letter from the harbour office. " * 3]


@pytest.fixture(scope="module")
def embedder():
    return EmbeddingManager()


def test_queries_load_and_compute_once():
    computed = embeddings._PACKAGED.query_vector.cache_info
    before = computed().misses
    found = [EmbeddingManager().embed_query("who kept the lamp alight?") for _ in range(3)]
    assert computed().misses == before + 1
    found[0][:] = 0  # what a caller does with its own changes no other
    np.testing.assert_array_equal(found[1], found[2])
    assert found[1].any()
    embeddings._PACKAGED.query.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: EmbeddingManager().embed_query(f"a cold start, {i}"), range(4)))
    assert embeddings._PACKAGED.query.cache_info().misses == 1


def test_a_text_longer_than_the_model_reads_is_counted_and_said(embedder, caplog):
    with caplog.at_level(logging.WARNING):
        embedder.embed_documents(["sea " * 1000, "The lamp went out, and nobody spoke of it. " * 24])
    assert "1 texts are longer than the 512 tokens" in caplog.text


def test_a_text_that_comes_again_is_computed_once(monkeypatch):
    manager = EmbeddingManager(device="cpu")
    seen, many = [], TextTokens.many
    monkeypatch.setattr(TextTokens, "many", lambda self, texts: seen.append(len(texts)) or many(self, texts))
    found = manager.embed_documents(["Anna rowed home.", "Bela wept.", "Anna rowed home."] * 100)
    assert seen == [2]
    assert (found[0] == found[2]).all()
    assert (found[0] != found[1]).any()
    [same] = manager.embed_units([["Anna rowed home.", "Bela wept.", "Anna rowed home."]])
    assert (same == found[:3]).all()


def test_a_model_that_was_given_up_is_loaded_again_and_gives_the_same():
    manager = EmbeddingManager()
    units = iter([SHORT, SHORT[:1]])
    found = manager.embed_units(units)
    first = next(found)
    manager.drop()
    assert manager._own.packed.cache_info().currsize == 0
    assert next(found).shape[0] == 1  # who was at it ends with it
    assert manager.embed_documents(SHORT).tobytes() == first.tobytes()
