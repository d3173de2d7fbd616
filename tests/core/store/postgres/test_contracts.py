import itertools
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.contracts.conversation_contract import ConversationsContract
from tests.contracts.rating_contract import RatingStoreContract
from tests.contracts.store_contract import StoreContract, document_of, publish
from tests.contracts.vector_contract import VectorBackendContract

from fabula.core.store.postgres.store import PostgresStore
from fabula.core.store.postgres.target import Target

pytestmark = pytest.mark.postgres


@dataclass
class Place:
    folder: Path
    target: Target

    def create(self):
        return PostgresStore.create(self.folder, self.target)

    def open(self):
        return PostgresStore.open(self.folder, self.target)


@pytest.fixture(scope="module")
def shared_database(postgres_server):
    return postgres_server.new_database()


@pytest.fixture
def place(tmp_path, shared_database, request):
    key = f"b{abs(hash(request.node.nodeid))}"
    return Place(tmp_path / "project", Target(shared_database, key, pool=2))


@pytest.fixture
def store(place):
    with place.create() as made:
        yield made


class TestPostgresStore(StoreContract):
    pass


class TestPostgresRatings(RatingStoreContract):
    @pytest.fixture
    def ratings(self, store):
        return store.feedback()


class TestPostgresConversations(ConversationsContract):
    @pytest.fixture
    def kept(self, store):
        return store.conversations()


@pytest.fixture(scope="module")
def stores(shared_database, tmp_path_factory):
    """Makes a new book at each call."""
    made, numbers = [], itertools.count()

    def make(**settings):
        target = Target(shared_database, f"m{next(numbers)}", pool=2, **settings)
        made.append(PostgresStore.create(tmp_path_factory.mktemp("p") / "project", target))
        return made[-1]

    yield make
    for store in made:
        store.close()


class TestPostgresVectors(VectorBackendContract):
    @pytest.fixture
    def build(self, stores):
        def make(vectors):
            store = stores()
            publish(store, document_of(["x"] * len(vectors)), vectors=vectors)
            return store.index().vectors()

        return make
