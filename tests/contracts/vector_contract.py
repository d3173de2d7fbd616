"""What every exact VectorBackend keeps. A subclass gives ``build`` as a fixture: vectors, shape (n,
dimension), to an index of them."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest


def unit_vectors(n, dimension=16, seed=0):
    drawn = np.random.default_rng(seed).normal(size=(n, dimension)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def nearest_by_hand(vectors, query, k, allowed):
    """Best first, ties to the earlier one."""
    scores = np.einsum("ij,j->i", vectors, query)
    return sorted(allowed, key=lambda i: (-scores[i], i))[:k]


class VectorBackendContract:
    @pytest.fixture
    def vectors(self):
        return unit_vectors(200)

    @pytest.fixture
    def index(self, build, vectors):
        return build(vectors)

    @pytest.mark.parametrize("limit", [None, 0, 1, 7, 200, 999])
    def test_the_nearest_of_a_prefix(self, index, vectors, limit):
        assert (len(index), index.dimension) == (200, vectors.shape[1])
        query = unit_vectors(1, seed=9)[0]
        n = 200 if limit is None else min(limit, 200)
        for k in (0, 1, 5, 300):
            ordinals, scores = index.nearest(query, k, limit=limit)
            assert ordinals.tolist() == nearest_by_hand(vectors, query, k, range(n))
            assert scores.dtype == np.float32
            assert scores.tolist() == index.cosines(query, ordinals).tolist()

    @pytest.mark.parametrize("share", [0.0, 0.02, 0.9])
    def test_a_mask_says_what_may_be_found(self, index, vectors, share):
        mask = np.random.default_rng(3).random(150) < share
        query = unit_vectors(1, seed=4)[0]
        ordinals, _ = index.nearest(query, 10, limit=150, mask=mask)
        assert ordinals.tolist() == nearest_by_hand(vectors, query, 10, np.flatnonzero(mask).tolist())

    def test_ties_go_to_the_earlier_chunk(self, build):
        one, other = unit_vectors(2)
        index = build(np.stack([other, one, other, one, one, other]))
        ordinals, _ = index.nearest(one, 4)
        assert ordinals.tolist() == [1, 3, 4, 0]

    def test_cosines_in_the_order_asked_for(self, index, vectors):
        asked = np.array([5, 0, 199, 5])
        expected = np.einsum("ij,j->i", vectors[asked], vectors[0])
        assert index.cosines(vectors[0], asked).tolist() == expected.tolist()
        assert index.cosines(vectors[0], asked[:0]).shape == (0,)

    def test_no_vectors(self, build):
        empty = build(np.zeros((0, 16), dtype=np.float32))
        assert len(empty) == 0
        assert empty.nearest(unit_vectors(1)[0], 3)[0].tolist() == []

    def test_threads_get_what_one_caller_gets(self, index):
        queries = unit_vectors(12, seed=5)
        alone = [index.nearest(query, 5)[0].tolist() for query in queries]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda query: index.nearest(query, 5)[0].tolist(), queries)) == alone
