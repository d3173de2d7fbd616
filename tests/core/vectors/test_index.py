import numpy as np
import pytest
from tests.contracts.vector_contract import VectorBackendContract, unit_vectors

from fabula.core.types import Hit
from fabula.core.vectors.index import VectorIndex
from fabula.errors import ProjectError


def search(index, vector, k, **how):
    return list(map(Hit, *(each.tolist() for each in index.nearest(vector, k, **how))))


class TestVectorIndex(VectorBackendContract):
    @pytest.fixture(params=[16_384, 64], ids=["whole", "codes"])
    def build(self, request):
        return lambda vectors: VectorIndex(vectors, small=request.param)


def test_save_and_load_equal_memory(tmp_path):
    index = VectorIndex(unit_vectors(40))
    index.save(tmp_path)
    query = unit_vectors(1, seed=2)[0]
    assert search(VectorIndex.load(tmp_path), query, 5) == search(index, query, 5)
    (tmp_path / "vectors.npy").write_bytes((tmp_path / "vectors.npy").read_bytes()[:200])
    with pytest.raises(ProjectError, match="index the book again"):
        VectorIndex.load(tmp_path)


@pytest.mark.parametrize("small", [0, 3000], ids=["a scan", "whole"])
@pytest.mark.parametrize("limit", [1, 31, 32, 700, 1999, 2000])
def test_a_search_knows_nothing_of_what_stands_after_the_horizon(limit, small, tmp_path):
    vectors, queries = unit_vectors(2000), unit_vectors(5, seed=1)
    whole = VectorIndex(vectors, small=small)
    prefix = VectorIndex(np.ascontiguousarray(vectors[:limit]), small=small)
    whole.save(tmp_path)
    loaded = VectorIndex.load(tmp_path, small=small)
    for query in queries:
        assert search(whole, query, 10, limit=limit) == search(prefix, query, 10)
        assert search(loaded, query, 10, limit=limit) == search(prefix, query, 10)


def test_a_scan_finds_what_brute_force_finds():
    rng = np.random.default_rng(0)
    vectors = unit_vectors(3000, 384)
    queries = vectors[:40] + 0.06 * rng.standard_normal((40, 384)).astype(np.float32)
    index = VectorIndex(vectors, small=0)
    found = [{h.ordinal for h in search(index, q, 10)} for q in queries]
    exact = [set(np.argsort(-(vectors @ q))[:10].tolist()) for q in queries]
    assert np.mean([len(f & e) / 10 for f, e in zip(found, exact, strict=True)]) > 0.98


@pytest.mark.parametrize("dimension", [1, 2, 7, 63, 65, 100])
def test_a_scan_of_any_dimension(dimension):
    vectors = unit_vectors(200, dimension)
    index = VectorIndex(vectors, small=0)
    for query in unit_vectors(5, dimension, seed=1):
        exact = np.sort(vectors @ query)[-3:]
        assert [h.score for h in search(index, query, 3)] == pytest.approx(exact[::-1].tolist(), abs=0.02)


def test_a_scan_of_equal_vectors_finds_the_first():
    vectors = np.repeat(unit_vectors(1, 64), 300, axis=0)
    assert [h.ordinal for h in search(VectorIndex(vectors, small=0), vectors[0], 4)] == [0, 1, 2, 3]
    nothing = np.zeros(64, np.float32)
    assert [h.ordinal for h in search(VectorIndex(vectors, small=0), nothing, 2)] == [0, 1]


@pytest.mark.parametrize("name", ["scan-signs.npy", "scan-bytes.npy"])
def test_damaged_codes_are_told(name, tmp_path):
    index = VectorIndex(unit_vectors(40), small=0)
    index.save(tmp_path)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ProjectError, match="--rebuild"):
        VectorIndex.load(tmp_path, small=0)
    np.save(tmp_path / name, np.zeros((3, 3), np.uint8))
    with pytest.raises(ProjectError, match="not of 40 vectors"):
        VectorIndex.load(tmp_path, small=0)
