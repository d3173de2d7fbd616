import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.fusion import reciprocal_rank_fusion
from fabula.core.types import Hit
from fabula.errors import ConfigError

LISTS = st.lists(st.integers(0, 30), unique=True, max_size=15).map(
    lambda ids: [Hit(i, 1.0 - n / 20) for n, i in enumerate(ids)]
)


def test_by_hand():
    lists = {"lexical": [Hit(7, 9.0), Hit(3, 5.0)], "semantic": [Hit(3, 0.8), Hit(1, 0.7), Hit(7, 0.6)]}
    fused = reciprocal_rank_fusion(lists, weights={"lexical": 0.3, "semantic": 0.7})
    assert [f.ordinal for f in fused] == [3, 7, 1]
    assert fused[0].score == pytest.approx(0.3 / (60 + 2) + 0.7 / (60 + 1))
    assert fused[1].score == pytest.approx(0.3 / (60 + 1) + 0.7 / (60 + 3))
    assert fused[2].score == pytest.approx(0.7 / (60 + 2))
    assert [(s.retriever, s.rank, s.score) for s in fused[0].shares] == [
        ("lexical", 2, 5.0),
        ("semantic", 1, 0.8),
    ]


@given(LISTS, LISTS, st.floats(0, 1))
def test_invariants(lexical, semantic, w):
    weights = {"lexical": 1 - w, "semantic": w}
    fused = reciprocal_rank_fusion({"lexical": lexical, "semantic": semantic}, weights=weights)
    assert len({f.ordinal for f in fused}) == len(fused)
    assert all(f.score == pytest.approx(sum(s.share for s in f.shares)) for f in fused)
    assert fused == sorted(fused, key=lambda f: (-f.score, f.ordinal))
    mirrored = reciprocal_rank_fusion({"semantic": semantic, "lexical": lexical}, weights=weights)
    assert mirrored == fused


@given(LISTS)
def test_one_list_alone_keeps_its_order(hits):
    fused = reciprocal_rank_fusion(
        {"lexical": hits, "semantic": [Hit(99, 1.0)]}, weights={"lexical": 1, "semantic": 0}
    )
    assert [f.ordinal for f in fused] == [h.ordinal for h in hits]


def test_negative_weight_is_refused():
    with pytest.raises(ConfigError, match="0 or more"):
        reciprocal_rank_fusion({"lexical": []}, weights={"lexical": -1})
