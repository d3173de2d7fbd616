import itertools
from contextlib import ExitStack

import pytest
from tests.contracts.store_contract import Place, StoreContract, document_of, publish
from tests.contracts.vector_contract import VectorBackendContract

from fabula.core.store.postgres.store import PostgresStore
from fabula.core.store.postgres.target import Target

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def shared_database(postgres_server):
    return postgres_server.new_database()


@pytest.fixture
def place(tmp_path, shared_database, request):
    key = f"b{abs(hash(request.node.nodeid))}"
    return Place(PostgresStore, tmp_path / "project", Target(shared_database, key, pool=2))


class TestPostgresStore(StoreContract):
    pass


class TestPostgresVectors(VectorBackendContract):
    @pytest.fixture
    def build(self, shared_database, tmp_path_factory):
        numbers = itertools.count()
        with ExitStack() as opened:

            def make(vectors):
                """Of a new book at each call."""
                target = Target(shared_database, f"m{next(numbers)}", pool=2)
                place = tmp_path_factory.mktemp("p") / "project"
                store = opened.enter_context(PostgresStore.create(place, target))
                publish(store, document_of(["x"] * len(vectors)), vectors=vectors)
                return store.index().vectors()

            yield make
