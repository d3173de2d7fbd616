from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.contracts.conversation_contract import ConversationsContract
from tests.contracts.rating_contract import RatingStoreContract
from tests.contracts.store_contract import StoreContract

from fabula.core.store.sqlite import ProjectStore


@dataclass
class Place:
    folder: Path

    def create(self):
        return ProjectStore.create(self.folder)

    def open(self):
        return ProjectStore.open(self.folder)


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path / "project")


@pytest.fixture
def store(place):
    with place.create() as made:
        yield made


class TestProjectStore(StoreContract):
    pass


class TestFeedbackStore(RatingStoreContract):
    pass


class TestConversationStore(ConversationsContract):
    pass
