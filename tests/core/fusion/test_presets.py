import pytest

from experiments.retrieval.data import evidence_lists
from fabula.core.fusion import (
    DEFAULT_PRESET,
    PRESETS,
    comb_mnz,
    convex_combination,
    evidence_weights,
    fuse,
    reciprocal_rank_fusion,
)
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.text.term_evidence import QueryEvidence
from fabula.core.text.tokenizing import Tokenizer
from fabula.core.types import Hit
from fabula.errors import ConfigError

TEXTS = [
    "The golden dragon slept in the temple.",
    "A dragon, it was said, had a heap of coins that were golden.",
    "Dragon, dragon, dragon! cried the boy.",
    "The boy went home.",
]
BOTH = {"lexical": [Hit(7, 9.0), Hit(3, 5.0)], "semantic": [Hit(3, 0.8), Hit(1, 0.7)]}


def lists_of(query, limit):
    tokenizer = Tokenizer()
    index = LexicalIndex.from_texts(TEXTS)
    evidence = QueryEvidence.of(index.statistics(query, limit=limit))
    lists = evidence_lists(evidence, range(limit), lambda i: tokenizer.terms(TEXTS[i]))
    return {"lexical": index.search(query, 4, limit=limit), "semantic": [Hit(3, 0.1)], **lists}


def test_presets_name_their_rules():
    weights = {"lexical": 0.5, "semantic": 0.5}
    assert fuse(PRESETS["rrf"], BOTH) == reciprocal_rank_fusion(BOTH, weights=weights, k=60)
    assert fuse(PRESETS["rrf-5"], BOTH, k=2) == reciprocal_rank_fusion(BOTH, weights=weights, k=5)[:2]
    assert fuse(PRESETS["comb-mnz"], BOTH) == comb_mnz(BOTH, weights=weights)
    assert fuse(PRESETS["convex"], BOTH, ceilings={"lexical": 12.0}) == convex_combination(
        BOTH, weights={"lexical": 0.6, "semantic": 0.4}, ceilings={"lexical": 12.0}
    )
    assert all(name == preset.name for name, preset in PRESETS.items())


def test_weights_sum_to_one_and_evidence_shares_the_lexical_one():
    assert all(sum(preset.weights().values()) == pytest.approx(1) for preset in PRESETS.values())
    assert PRESETS["rrf"].weights(0.25) == {"lexical": 0.75, "semantic": 0.25}
    with pytest.raises(ConfigError, match="between 0 and 1"):
        PRESETS["rrf"].weights(1.5)
    shared = evidence_weights({"lexical": 0.6, "semantic": 0.3, "graph": 0.1})
    assert shared == pytest.approx(
        {"lexical": 0.2, "coverage": 0.2, "nearness": 0.2, "semantic": 0.3, "graph": 0.1}
    )


def test_evidence_prefers_what_holds_all_words_together():
    lists = lists_of("Where did the golden dragon sleep?", 4)
    assert {h.ordinal for h in lists["coverage"]} == {0, 1, 2}
    assert {h.ordinal for h in lists["nearness"]} == {0, 1}
    fused = fuse(DEFAULT_PRESET, lists, ceilings={"lexical": 4.0})
    assert [f.ordinal for f in fused][:2] == [0, 1]
    assert {s.retriever for s in fused[0].shares} == {"lexical", "coverage", "nearness"}
    assert fused[0].score == sum(s.share for s in fused[0].shares)


def test_evidence_needs_its_lists():
    with pytest.raises(ConfigError, match="coverage and nearness"):
        fuse(DEFAULT_PRESET, BOTH)
