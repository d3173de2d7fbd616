import logging
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from fabula.core import embeddings
from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders.bert import TextTokens

TEXTS = ["The ferry left before dawn.", "Bread and salt.", "A letter from the harbour office. " * 3]


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


def test_units_in_a_row_are_the_units_one_by_one():
    units = [
        ["The ferry left.", "Nobody saw it leave, and nobody asked.", "Salt."] * n + ["Bread and salt. " * 40]
        for n in (1, 9, 2, 30, 1)
    ]
    manager = EmbeddingManager()
    for alone, vectors in zip(units, manager.embed_units(iter(units)), strict=True):
        assert vectors.tobytes() == manager.embed_documents(alone).tobytes()


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
    units = iter([TEXTS, TEXTS[:1]])
    found = manager.embed_units(units)
    first = next(found)
    manager.drop()
    assert manager._own.packed.cache_info().currsize == 0
    assert next(found).shape[0] == 1  # who was at it ends with it
    assert manager.embed_documents(TEXTS).tobytes() == first.tobytes()
