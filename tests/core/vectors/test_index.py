"""FAISS against brute force in NumPy."""

import numpy as np
import pytest
from tests.contracts.vector_contract import VectorBackendContract

from fabula.core.vectors.index import VectorIndex
from fabula.errors import ProjectError


def _unit(rows, seed=0, dimension=48):
    x = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return x / np.linalg.norm(x, axis=1, keepdims=True)


class TestVectorIndex(VectorBackendContract):
    @pytest.fixture(params=[16_384, 64], ids=["whole", "codes"])
    def build(self, request):
        return lambda vectors: VectorIndex(vectors, small=request.param)


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


@pytest.mark.parametrize("limit", [1, 31, 32, 700, 1999, 2000])
def test_a_scan_knows_nothing_of_what_stands_after_the_horizon(limit, tmp_path):
    vectors, queries = _unit(2000), _unit(5, seed=1)
    whole = VectorIndex(vectors, small=0)
    prefix = VectorIndex(np.ascontiguousarray(vectors[:limit]), small=0)
    whole.save(tmp_path)
    loaded = VectorIndex.load(tmp_path, small=0)
    for query in queries:
        assert whole.search(query, 10, limit=limit) == prefix.search(query, 10)
        assert loaded.search(query, 10, limit=limit) == prefix.search(query, 10)


def test_a_scan_finds_what_brute_force_finds():
    rng = np.random.default_rng(0)
    vectors = _unit(3000, dimension=384)
    queries = vectors[:40] + 0.06 * rng.standard_normal((40, 384)).astype(np.float32)
    index = VectorIndex(vectors, small=0)
    found = [{h.ordinal for h in index.search(q, 10)} for q in queries]
    exact = [set(np.argsort(-(vectors @ q))[:10].tolist()) for q in queries]
    assert np.mean([len(f & e) / 10 for f, e in zip(found, exact, strict=True)]) > 0.98


@pytest.mark.parametrize("dimension", [1, 2, 7, 63, 65, 100])
def test_a_scan_of_any_dimension(dimension):
    vectors = _unit(200, dimension=dimension)
    index = VectorIndex(vectors, small=0)
    for query in _unit(5, seed=1, dimension=dimension):
        exact = np.sort(vectors @ query)[-3:]
        assert [h.score for h in index.search(query, 3)] == pytest.approx(exact[::-1].tolist(), abs=0.02)


def test_a_scan_of_equal_vectors_finds_the_first():
    vectors = np.repeat(_unit(1, dimension=64), 300, axis=0)
    assert [h.ordinal for h in VectorIndex(vectors, small=0).search(vectors[0], 4)] == [0, 1, 2, 3]
    nothing = np.zeros(64, np.float32)
    assert [h.ordinal for h in VectorIndex(vectors, small=0).search(nothing, 2)] == [0, 1]


@pytest.mark.parametrize("name", ["scan-signs.npy", "scan-bytes.npy"])
def test_damaged_codes_are_told(name, tmp_path):
    index = VectorIndex(_unit(40), small=0)
    index.save(tmp_path)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ProjectError, match="--rebuild"):
        VectorIndex.load(tmp_path, small=0)
    np.save(tmp_path / name, np.zeros((3, 3), np.uint8))
    with pytest.raises(ProjectError, match="not of 40 vectors"):
        VectorIndex.load(tmp_path, small=0)


@pytest.mark.parametrize("share", [0.02, 0.4, 0.9])
@pytest.mark.parametrize("small", [0, 10_000])
def test_a_mask_is_searched_as_if_nothing_else_were_there(share, small):
    vectors, query = _unit(900), _unit(1, seed=1)[0]
    mask = np.random.default_rng(3).random(700) < share
    hits = VectorIndex(vectors, small=small).search(query, 10, limit=700, mask=mask)
    kept = np.flatnonzero(mask)
    scores = vectors[kept].astype(np.float64) @ query
    order = np.lexsort((kept, -scores))[:10]
    assert [h.ordinal for h in hits] == kept[order].tolist()
    np.testing.assert_allclose([h.score for h in hits], scores[order], atol=1e-6)


def test_many_threads_get_what_one_gets():
    from concurrent.futures import ThreadPoolExecutor

    vectors = _unit(2000)
    index, queries = VectorIndex(vectors, small=0), _unit(40, seed=1)
    limits = [100 + 45 * i for i in range(40)]
    alone = [index.search(q, 5, limit=n) for q, n in zip(queries, limits, strict=True)]
    with ThreadPoolExecutor(4) as pool:
        together = list(
            pool.map(lambda qn: index.search(qn[0], 5, limit=qn[1]), zip(queries, limits, strict=True))
        )
    assert together == alone
