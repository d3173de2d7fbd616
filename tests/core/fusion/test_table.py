import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.fusion import convex_combination, hits_of
from fabula.core.fusion.table import fuse_table
from fabula.errors import ConfigError

SCORES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.sampled_from([0.0, 0.1, 0.5])), max_size=12
)


@given(SCORES, st.floats(0, 1), st.sampled_from([0.0, 1.0, 2.5]), st.integers(1, 14))
def test_equals_the_convex_combination_of_lists(rows, weight, ceiling, k):
    ordinals = np.arange(len(rows)) * 3
    columns = {
        "lexical": np.array([a for a, _ in rows]),
        "semantic": np.array([b for _, b in rows], dtype=np.float64),
    }
    weights, ceilings = {"lexical": 1 - weight, "semantic": weight}, {"lexical": ceiling}
    found = fuse_table(ordinals, columns, weights=weights, ceilings=ceilings, k=k)
    lists = {
        name: [hit for hit in hits_of(ordinals.tolist(), column.tolist()) if hit.score > 0]
        for name, column in columns.items()
    }
    expected = [f for f in convex_combination(lists, weights=weights, ceilings=ceilings) if f.score > 0][:k]
    assert [f.ordinal for f in found] == [f.ordinal for f in expected]
    for one, other in zip(found, expected, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-12)
        assert sum(s.share for s in one.shares) == pytest.approx(one.score, abs=1e-12)
        kept = [s for s in other.shares if s.share > 0]
        assert [(s.retriever, s.rank, s.score) for s in one.shares] == [
            (s.retriever, s.rank, s.score) for s in kept
        ]
        assert [s.share for s in one.shares] == pytest.approx([s.share for s in kept], abs=1e-12)


def test_a_weight_for_each_list_is_needed():
    with pytest.raises(ConfigError, match="'semantic'"):
        fuse_table(np.array([1]), {"semantic": np.array([1.0])}, weights={"lexical": 1.0}, ceilings={})
