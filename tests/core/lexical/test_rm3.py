"""RM3 worked out by hand, and as a stand-in for the index."""

import numpy as np
import pytest
from tests.contracts.expander_contract import QueryExpanderContract

from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.lexical.rm3 import RM3, RM3Settings
from fabula.errors import ConfigError

TEXTS = ["keeper lamp lamp", "keeper storm", "salt bread letter", "lamp oil", "lamp wick"]


@pytest.fixture()
def index():
    return LexicalIndex.from_texts(TEXTS)


class TestRM3(QueryExpanderContract):
    @pytest.fixture()
    def build(self):
        return lambda texts: RM3(LexicalIndex.from_texts(texts), texts)


def test_weights_by_hand(index):
    first, second = index.scores("keeper")[:2]
    a, b = first / (first + second), second / (first + second)  # P(d|q)
    mass = {"keeper": a / 3 + b / 2, "lamp": a * 2 / 3, "storm": b / 2}
    kept = mass["keeper"] + mass["lamp"]  # storm is the third of two
    assert mass["storm"] < mass["lamp"]
    found = RM3(index, TEXTS, settings=RM3Settings(terms=2, query_weight=0.6)).expand("keeper")
    assert found == {
        "keeper": pytest.approx(0.6 + 0.4 * mass["keeper"] / kept),
        "lamp": pytest.approx(0.4 * mass["lamp"] / kept),
    }


def test_weights_stand_where_counts_stood(index):
    found = RM3(index, TEXTS, settings=RM3Settings(query_weight=1)).expand("storm keeper keeper unheard")
    assert found == {"storm": 1, "keeper": 2, "unheard": 1}
    assert list(found) == ["storm", "keeper", "unheard"]


def test_only_the_first_passages_are_read(index):
    best = index.search("keeper", 1)[0].ordinal
    found = RM3(index, TEXTS, settings=RM3Settings(passages=1)).expand("keeper")
    assert set(found) == set(TEXTS[best].split())


def test_query_weight_zero_is_the_relevance_model_alone(index):
    found = RM3(index, TEXTS, settings=RM3Settings(query_weight=0, terms=1, passages=1)).expand("keeper oil")
    assert sum(found.values()) == pytest.approx(2)
    assert len(found) == 1


def test_ties_go_by_term():
    texts = ["keeper zeal amber", "salt"]
    found = RM3(LexicalIndex.from_texts(texts), texts, settings=RM3Settings(terms=2)).expand("keeper")
    assert list(found) == ["keeper", "amber"]


def test_the_expanded_query_finds_what_the_query_does_not_name(index):
    assert {hit.ordinal for hit in index.search("keeper", 5)} == {0, 1}
    scores = index.scores_of(RM3(index, TEXTS).expand("keeper"))
    assert set(np.argsort(-scores)[:2].tolist()) == {0, 1}
    assert set(np.flatnonzero(scores).tolist()) == {0, 1, 3, 4}


def test_texts_and_chunks_must_be_as_many(index):
    with pytest.raises(ConfigError, match="5 chunks, not 4"):
        RM3(index, TEXTS[:4])


@pytest.mark.parametrize(
    "values", [{"passages": 0}, {"terms": 0}, {"query_weight": -0.1}, {"query_weight": 1.1}]
)
def test_settings_out_of_range(values):
    with pytest.raises(ConfigError, match="RM3"):
        RM3Settings(**values)
