import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.lexical_contract import BOOKS, QUERIES, TEXTS, LexicalContract, search

from fabula.core.lexical.bm25 import BM25Settings, LexicalIndex
from fabula.core.lexical.rank_bm25 import RankBM25Index
from fabula.core.text.tokenizing import Tokenizer
from fabula.errors import ConfigError, ProjectError


def test_score_by_hand():
    index = LexicalIndex.from_texts(["salt salt bread", "bread"])
    # n=2, df(salt)=1, tf=2, length 3, mean length 2, k1=1.5, b=.75
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    tf = 2 / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / 2))
    assert search(index, "salt", 5)[0].score == pytest.approx(idf * tf)


@given(BOOKS, QUERIES, st.data())
def test_a_horizon_equals_a_fresh_build(texts, query, data):
    n = data.draw(st.integers(0, len(texts)))
    whole = LexicalIndex.from_texts(texts)
    fresh = LexicalIndex.from_texts(texts[:n])
    assert search(whole, query, 20, limit=n) == search(fresh, query, 20)


def test_save_and_load_equal_memory(tmp_path):
    index = LexicalIndex.from_texts(TEXTS)
    index.save(tmp_path)
    loaded = LexicalIndex.load(tmp_path)
    assert search(loaded, "letter ferry", 5) == search(index, "letter ferry", 5)


@pytest.mark.parametrize("name", ["lexical-chunks.npy", "lexical-starts.npy", "vocabulary.txt"])
def test_damaged_files_are_one_clear_error(tmp_path, name):
    LexicalIndex.from_texts(TEXTS).save(tmp_path)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:40])
    with pytest.raises(ProjectError, match="index the book again"):
        LexicalIndex.load(tmp_path)


def test_identifiers_are_found_whole():
    terms = Tokenizer().terms("Code ERR-404-X in process_data(), the drawing-room's door")
    assert "err-404-x" in terms
    assert "process_data" in terms
    assert "drawing-room" not in terms
    texts = ["error 404 and an x", "ERR-404-X", "404 err x x"]
    assert search(LexicalIndex.from_texts(texts), "ERR-404-X", 1)[0].ordinal == 1


def test_an_index_that_told_accents_apart_is_made_again(tmp_path):
    LexicalIndex.from_texts(["José left."]).save(tmp_path)
    assert search(LexicalIndex.load(tmp_path), "jose", 1)
    words = (tmp_path / "vocabulary.txt").read_text(encoding="utf-8")
    (tmp_path / "vocabulary.txt").write_text(words.replace("jose", "josé"), encoding="utf-8")
    with pytest.raises(ProjectError, match="damaged or old"):
        LexicalIndex.load(tmp_path)


OKAPI = BM25Settings(variant="okapi")


def our_okapi(texts):
    return LexicalIndex.from_texts(texts, settings=OKAPI)


class TestOkapi(LexicalContract):
    @pytest.fixture(params=[RankBM25Index.from_texts, our_okapi], ids=["theirs", "ours"])
    def build(self, request):
        return request.param


class TestLexicalIndex(LexicalContract):
    @pytest.fixture
    def build(self):
        return LexicalIndex.from_texts


def test_okapi_by_hand():
    index = RankBM25Index.from_texts(["salt salt bread", "bread", "letter"])
    # n=3, df(salt)=1, tf=2, length 3, mean length 5/3, k1=1.5, b=.75
    idf = math.log(3 - 1 + 0.5) - math.log(1 + 0.5)
    tf = 2 * (1.5 + 1) / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / (5 / 3)))
    (hit,) = search(index, "salt", 5)
    assert (hit.ordinal, hit.score) == (0, pytest.approx(idf * tf))
    assert index.ceiling_of(index.statistics("salt salt unheard")) == pytest.approx(
        (1.5 + 1) * (2 * idf + math.log(3.5) - math.log(0.5))
    )


def test_an_empty_chunk_at_full_length_normalisation_scores_nothing():
    settings = BM25Settings(variant="okapi", k1=1.0, b=1.0)
    index = RankBM25Index.from_texts(["", "ferry", "letter"], settings=settings)
    assert index.scores("ferry")[0] == 0.0
    assert [hit.ordinal for hit in search(index, "ferry", 5)] == [1]


@given(BOOKS, QUERIES, st.floats(0.5, 2), st.floats(0, 1), st.data())
def test_our_okapi_equals_it_at_every_horizon(texts, query, k1, b, data):
    settings = BM25Settings(variant="okapi", k1=k1, b=b)
    limit = data.draw(st.integers(0, len(texts)))
    ours = LexicalIndex.from_texts(texts, settings=settings)
    reference = RankBM25Index.from_texts(texts, settings=settings)
    np.testing.assert_allclose(
        ours.scores(query, limit=limit), reference.scores(query, limit=limit), atol=1e-6
    )


@given(BOOKS, st.dictionaries(st.sampled_from(["ferri", "harbour", "tin", "absent"]), st.floats(0, 3)))
def test_weighted_terms_equal_ours(texts, terms):
    ours = LexicalIndex.from_texts(texts, settings=OKAPI).scores_of(terms)
    np.testing.assert_allclose(RankBM25Index.from_texts(texts).scores_of(terms), ours, atol=1e-6)


def test_refuses_another_variant():
    with pytest.raises(ConfigError, match="rank_bm25"):
        RankBM25Index.from_texts(TEXTS, settings=BM25Settings(variant="lucene"))
