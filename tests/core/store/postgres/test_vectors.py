import time

import numpy as np
import pytest
from tests.contracts.store_contract import document_of, publish
from tests.contracts.vector_contract import nearest_by_hand, unit_vectors

from fabula.core.store.postgres.store import PostgresStore
from fabula.core.store.postgres.target import Target
from fabula.core.store.postgres.vectors import ivfflat_lists

pytestmark = pytest.mark.postgres

N = 3000


@pytest.fixture(scope="module")
def vectors():
    """Around forty centres, as texts are around themes."""
    rng = np.random.default_rng(3)
    found = unit_vectors(40, 24)[rng.integers(40, size=N)] + 0.3 * unit_vectors(N, 24, seed=4)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def published(database, tmp_path, vectors):
    opened = []

    def make(**settings):
        store = PostgresStore.create(tmp_path / "p", Target(database, "b", pool=2, **settings))
        opened.append(store)
        publish(store, document_of(["x"] * N), vectors=vectors)
        return store

    yield make
    for store in opened:
        store.close()


def test_lists_of_an_ivfflat_index():
    assert [ivfflat_lists(n) for n in (0, 9_999, 10_000, 99_999, 100_000)] == [10, 10, 100, 100, 1000]


@pytest.mark.parametrize("half_precision", [False, True])
@pytest.mark.parametrize("kind", ["hnsw", "ivfflat"])
def test_an_index_finds_nearly_all_with_exact_scores(
    published, postgres_server, database, vectors, kind, half_precision
):
    name = database.rpartition("/")[2]
    # so few vectors are sorted as fast as an index is walked: the planner shall take the index all the same
    postgres_server.execute(f'ALTER DATABASE "{name}" SET enable_sort = off', database=name)
    store = published(vector_index=kind, half_precision=half_precision)
    [(definition,)] = _indexes(postgres_server, name)
    assert f"USING {kind}" in definition
    assert ("halfvec_ip_ops" if half_precision else "vector_ip_ops") in definition
    assert kind != "ivfflat" or "lists='10'" in definition
    index = store.index().vectors()
    kept = vectors.astype(np.float16).astype(np.float32) if half_precision else vectors
    found = 0
    for query in unit_vectors(20, 24, seed=5):
        for limit in (None, 2500):
            ordinals, scores = index.nearest(query, 10, limit=limit)
            assert scores.tolist() == np.einsum("ij,j->i", kept[ordinals], query).tolist()
            assert all(o < (limit or N) for o in ordinals)
            found += len(set(ordinals.tolist()) & set(nearest_by_hand(vectors, query, 10, range(limit or N))))
    assert found >= 0.95 * 400
    used = "SELECT sum(idx_scan) FROM pg_stat_user_indexes WHERE indexrelname LIKE 'ann_%%'"
    postgres_server.execute("SELECT pg_stat_force_next_flush()", database=name)
    store.close()  # a session reports what it used when it ends
    assert _until(lambda: postgres_server.execute(used, database=name)[0][0] >= 40)


def test_a_filtered_search_misses_nothing(published, vectors):
    index = published(vector_index="hnsw").index().vectors()
    mask = np.random.default_rng(6).random(N) < 0.01
    query = unit_vectors(1, 24, seed=7)[0]
    found, _ = index.nearest(query, 10, mask=mask)
    assert found.tolist() == nearest_by_hand(vectors, query, 10, np.flatnonzero(mask).tolist())


def test_indexes_go_with_their_generations(published, postgres_server, database):
    store = published(vector_index="hnsw")
    name = database.rpartition("/")[2]
    for seed in range(2, 5):
        publish(store, document_of(["y"] * 50), seed=seed)
    names = sorted(definition.split()[2] for (definition,) in _indexes(postgres_server, name))
    assert [one.rpartition("_")[2] for one in names] == ["3", "4"]
    for table in ("vectors", "files", "chapters", "generations"):
        found = postgres_server.execute(
            f"SELECT DISTINCT generation FROM fabula.{table} ORDER BY 1",  # noqa: S608
            database=name,
        )
        assert found == [(3,), (4,)]


def test_an_index_that_was_never_finished_is_made_again(published, postgres_server, database):
    store = published(vector_index="hnsw")
    name = database.rpartition("/")[2]
    postgres_server.execute(
        "UPDATE pg_index SET indisvalid = false "
        "WHERE indexrelid = (SELECT oid FROM pg_class WHERE relname LIKE 'ann_%%')",
        database=name,
    )
    query = unit_vectors(1, 24, seed=7)[0]
    assert len(store.index().vectors().nearest(query, 5)[0]) == 5  # every vector is compared meanwhile
    publish(store, document_of(["y"] * 50))
    [(definition,)] = _indexes(postgres_server, name)
    assert "_2 ON" in definition


def _indexes(server, database):
    return server.execute(
        "SELECT indexdef FROM pg_indexes WHERE indexname LIKE 'ann_%%' ORDER BY indexname", database=database
    )


def _until(condition):
    for _ in range(50):
        if condition():
            return True
        time.sleep(0.1)
    return False
