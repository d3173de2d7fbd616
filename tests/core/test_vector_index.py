"""FAISS against brute force in NumPy."""

import numpy as np
import pytest

from fabula.core.vector_index import VectorIndex
from fabula.errors import ProjectError


def _unit(rows, seed=0, dimension=48):
    x = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return x / np.linalg.norm(x, axis=1, keepdims=True)


@pytest.mark.parametrize("limit", [1, 7, 100, 300])
def test_equals_brute_force_at_every_horizon(limit):
    vectors, query = _unit(300), _unit(1, seed=1)[0]
    scores = vectors[:limit].astype(np.float64) @ query
    best = np.lexsort((np.arange(limit), -scores))[:10]
    hits = VectorIndex(vectors).search(query, 10, limit=limit)
    assert [h.ordinal for h in hits] == best.tolist()
    np.testing.assert_allclose([h.score for h in hits], scores[best], atol=1e-6)


def test_scores_do_not_depend_on_what_else_is_stored():
    vectors, query = _unit(300), _unit(1, seed=1)[0]
    prefix = VectorIndex(np.ascontiguousarray(vectors[:120]))
    assert VectorIndex(vectors).search(query, 20, limit=120) == prefix.search(query, 20)


def test_ties_go_to_the_earlier_chunk():
    one = _unit(1)
    hits = VectorIndex(np.repeat(one, 6, axis=0)).search(one[0], 3)
    assert [h.ordinal for h in hits] == [0, 1, 2]


def test_save_and_load_equal_memory(tmp_path):
    index = VectorIndex(_unit(40))
    index.save(tmp_path)
    query = _unit(1, seed=2)[0]
    assert VectorIndex.load(tmp_path).search(query, 5) == index.search(query, 5)
    (tmp_path / "vectors.npy").write_bytes((tmp_path / "vectors.npy").read_bytes()[:200])
    with pytest.raises(ProjectError, match="index the book again"):
        VectorIndex.load(tmp_path)


def test_nothing_to_search():
    assert VectorIndex(np.zeros((0, 48), np.float32)).search(_unit(1)[0], 5) == []
    assert VectorIndex(_unit(3)).search(_unit(1)[0], 5, limit=0) == []
