import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.lexical_contract import search

from fabula.core.lexical.bm25 import BM25Settings, LexicalIndex
from fabula.core.text.tokenizing import Tokenizer
from fabula.errors import ProjectError

TEXTS = [
    "The ferry left the harbour before dawn.",
    "Nobody at the harbour saw the ferry leave; the ferry was simply gone.",
    "She kept the letter in a tin and the tin under the bed.",
    "A letter came from the harbour office about the ferry.",
    "Bread, salt, a letter. The harbour froze that night.",
]
WORDS = st.sampled_from("ferry harbour letter tin dawn salt bread the night gone".split())
BOOKS = st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), min_size=2, max_size=12)


def _bm25s(texts, query, settings):
    import bm25s

    terms = Tokenizer().terms
    bm25 = bm25s.BM25(method="lucene", k1=settings.k1, b=settings.b, dtype="float64")
    bm25.index([terms(t) for t in texts], show_progress=False)
    known = [term for term in terms(query) if term in bm25.vocab_dict]
    return bm25.get_scores(known) if known else np.zeros(len(texts))


def test_score_by_hand():
    index = LexicalIndex.from_texts(["salt salt bread", "bread"])
    # n=2, df(salt)=1, tf=2, length 3, mean length 2, k1=1.5, b=.75
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    tf = 2 / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / 2))
    assert search(index, "salt", 5)[0].score == pytest.approx(idf * tf)


@pytest.mark.parametrize("query", ["ferry", "the letter from the harbour", "ferry ferry letter", "absent"])
def test_equals_independent_implementation_at_every_horizon(query):
    settings = BM25Settings(variant="lucene")
    whole = LexicalIndex.from_texts(TEXTS, settings=settings)
    for n in range(2, len(TEXTS) + 1):
        expected = _bm25s(TEXTS[:n], query, settings)
        np.testing.assert_allclose(whole.scores(query, limit=n), expected, atol=1e-6)


@given(BOOKS, st.data())
def test_horizon_append_and_truncate_equal_a_fresh_build(texts, data):
    n = data.draw(st.integers(1, len(texts)))
    query = data.draw(st.lists(WORDS, min_size=1, max_size=4).map(" ".join))
    whole = LexicalIndex.from_texts(texts)
    fresh = LexicalIndex.from_texts(texts[:n])
    assert search(whole, query, 20, limit=n) == search(fresh, query, 20)
    assert search(whole.truncated(n), query, 20) == search(fresh, query, 20)
    assert search(fresh.appended(texts[n:]), query, 20) == search(whole, query, 20)


def test_save_and_load_equal_memory(tmp_path):
    index = LexicalIndex.from_texts(TEXTS)
    index.save(tmp_path)
    loaded = LexicalIndex.load(tmp_path)
    assert search(loaded, "letter ferry", 5) == search(index, "letter ferry", 5)
    grown, other = (each.appended(["a letter"]) for each in (loaded, index))
    assert search(grown, "letter", 9) == search(other, "letter", 9)


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
