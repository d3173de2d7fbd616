from dataclasses import replace

import numpy as np
import pytest
from tests.contracts.rating_contract import manager_of
from tests.contracts.store_contract import TEXTS, document_of, parts_of

from fabula.core.chunks.table import Selection
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.search import OtherVectors, Query, Search
from fabula.core.types import Horizon
from fabula.core.vectors.index import VectorIndex
from fabula.errors import ConfigError, ModelRefused, UsageError

ASKED = Query("the ferry at the harbour", 4, Horizon(20), Selection(20))


class Embedder:
    name, dimension = "given", 16

    def __init__(self, numbers=16, *, down=False):
        self.numbers, self.down = numbers, down

    def embed_query(self, text):
        if self.down:
            raise ModelRefused("no vectors today")
        return np.full(self.numbers, self.numbers**-0.5, np.float32)


@pytest.fixture(scope="module")
def search():
    """Over 40 chunks, each a chapter."""
    parts = parts_of(document_of(TEXTS * 8), dimension=16)
    texts = [chunk.text for chunk in parts.chunks]
    return Search(
        parts.chunks, LexicalIndex.from_texts(texts), VectorIndex(parts.vectors.vectors), Embedder()
    )


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_nothing_after_the_horizon_or_outside_the_filter_is_found(search, mode):
    mask = np.arange(20) % 2 == 0
    found = search(replace(ASKED, k=40, mode=mode, selection=Selection(20, mask))).passages
    assert found and all(p.chunk.ordinal < 20 and p.chunk.ordinal % 2 == 0 for p in found)
    assert all(p.score == pytest.approx(sum(share.share for share in p.shares)) for p in found)


def test_a_weight_of_nothing_asks_one_index_alone(search):
    silent = replace(search, embedder=Embedder(down=True))
    assert silent(replace(ASKED, semantic_weight=0.0)).passages
    with pytest.raises(ModelRefused):
        silent(replace(ASKED, semantic_weight=0.1))


def test_words_alone_are_looked_for_where_the_model_fails_and_not_where_it_is_another(search):
    silent = replace(search, embedder=Embedder(down=True))
    found = silent.search_or_words(ASKED)
    assert found.passages == search(replace(ASKED, mode="lexical")).passages
    assert found.notices == ("searched by words alone, since the embedding model failed: no vectors today",)
    with pytest.raises(ModelRefused):
        silent.search_or_words(replace(ASKED, mode="semantic"))
    with pytest.raises(OtherVectors, match="another model goes by that name"):
        replace(search, embedder=Embedder(8)).search_or_words(ASKED)


def test_all_that_changes_a_result_is_in_its_scope(search):
    changes = {"horizon": Horizon(), "k": 5, "mode": "lexical", "filters": "x"}
    changes |= {"semantic_weight": 0.4, "least_score": 0.1}
    asked = [ASKED, replace(ASKED, horizon=Horizon(19))]
    asked += [replace(ASKED, **{name: value}) for name, value in changes.items()]
    assert len({search.scope(one) for one in asked}) == len(asked) == 8
    assert search.scope(ASKED) == search.scope(replace(ASKED, text="other words"))
    assert search.scope(ASKED) != replace(search, name="another index").scope(ASKED)


def test_a_rating_is_of_a_passage_that_is_shown(search):
    with pytest.raises(ConfigError, match="keeps no ratings"):
        search.rate(ASKED, "x", 1.0)
    rated = replace(search, manager=manager_of())
    before, first = rated.scope(ASKED), rated(ASKED).passages[0].chunk.id
    assert rated.rate(ASKED, first, 1.0).answer.chunk_id == first
    assert rated.scope(ASKED) != before
    with pytest.raises(UsageError, match="does not give the passage"):
        rated.rate(ASKED, "x", 1.0)


@pytest.mark.parametrize("wrong", [{"least_score": 1.5}, {"semantic_weight": -0.1}])
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(ConfigError, match="between 0 and 1"):
        replace(ASKED, **wrong)
