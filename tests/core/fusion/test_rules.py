import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.fusion.normalise import by_ceiling, hits_of, min_max, z_score
from fabula.core.fusion.rules import comb_mnz, convex_combination, reciprocal_rank_fusion
from fabula.core.types import Hit
from fabula.errors import ConfigError

SCORES = st.dictionaries(st.integers(0, 30), st.integers(0, 64).map(lambda n: n / 16), max_size=15)
LISTS = SCORES.map(lambda found: hits_of(found.keys(), found.values()))
SCALES = [by_ceiling, min_max, z_score]
EVEN = {"lexical": 0.5, "semantic": 0.5}
LEXICAL = [Hit(7, 9.0), Hit(3, 5.0)]
SEMANTIC = [Hit(3, 0.8), Hit(1, 0.7), Hit(7, 0.6)]
BOTH = {"lexical": LEXICAL, "semantic": SEMANTIC}


def rules():
    yield pytest.param(
        lambda lists, weights, k=None: reciprocal_rank_fusion(lists, weights=weights, top=k), id="rrf"
    )
    for name, rule in (("convex", convex_combination), ("comb_mnz", comb_mnz)):
        for scale in SCALES:
            how = {"normalisation": scale, "ceilings": {"lexical": 4.0, "semantic": 4.0}}
            yield pytest.param(
                lambda lists, weights, k=None, rule=rule, how=how: rule(lists, weights=weights, k=k, **how),
                id=f"{name}-{scale.__name__}",
            )


RULES = list(rules())


def scores(fused):
    return {f.ordinal: f.score for f in fused}


def test_reciprocal_rank_by_hand():
    fused = reciprocal_rank_fusion(BOTH, weights={"lexical": 0.3, "semantic": 0.7})
    assert [f.ordinal for f in fused] == [3, 7, 1]
    assert scores(fused) == pytest.approx(
        {3: 0.3 / (60 + 2) + 0.7 / (60 + 1), 7: 0.3 / (60 + 1) + 0.7 / (60 + 3), 1: 0.7 / (60 + 2)}
    )
    shares = [(s.retriever, s.rank, s.score) for s in fused[0].shares]
    assert shares == [("lexical", 2, 5.0), ("semantic", 1, 0.8)]


def test_convex_by_hand():
    weights = {"lexical": 0.6, "semantic": 0.4}
    fused = convex_combination(BOTH, weights=weights, ceilings={"lexical": 12.0})
    assert scores(fused) == pytest.approx(
        {7: 0.6 * 9 / 12 + 0.4 * 0.6, 3: 0.6 * 5 / 12 + 0.4 * 0.8, 1: 0.4 * 0.7}
    )
    assert [f.ordinal for f in fused] == [7, 3, 1]
    assert [(s.retriever, s.rank, s.score) for s in fused[0].shares] == [
        ("lexical", 1, 9.0),
        ("semantic", 3, 0.6),
    ]


def test_scales_by_hand():
    fused = convex_combination(BOTH, weights=EVEN, normalisation=min_max)
    assert scores(fused) == pytest.approx(
        {3: 0.5 * 0 + 0.5 * 1, 7: 0.5 * 1 + 0.5 * 0, 1: 0.5 * (0.7 - 0.6) / 0.2}
    )
    deviation = math.sqrt(((0.8 - 0.7) ** 2 + 0 + (0.6 - 0.7) ** 2) / 3)
    assert z_score(SEMANTIC) == pytest.approx([0.2 / deviation, 0.1 / deviation, 0])
    for scale in SCALES:
        assert scale([], 1.0) == []
    assert min_max([Hit(1, 3.0), Hit(2, 3.0)]) == z_score([Hit(1, 3.0), Hit(2, 3.0)]) == [1.0, 1.0]
    assert by_ceiling([Hit(1, 3.0)], 0.0) == [0.0]
    assert hits_of([4, 2, 9], [1.0, 1.0, 3.0]) == [Hit(9, 3.0), Hit(2, 1.0), Hit(4, 1.0)]


def test_comb_mnz_by_hand():
    fused = comb_mnz(BOTH, weights=EVEN, normalisation=by_ceiling)
    assert scores(fused) == pytest.approx(
        {7: 2 * (0.5 * 9 + 0.5 * 0.6), 3: 2 * (0.5 * 5 + 0.5 * 0.8), 1: 1 * 0.5 * 0.7}
    )


@pytest.mark.parametrize("rule", RULES)
@given(LISTS, LISTS, st.floats(0.01, 0.99))
def test_shares_sum_order_is_total_and_top_is_a_prefix(rule, lexical, semantic, w):
    weights = {"lexical": 1 - w, "semantic": w}
    fused = rule({"lexical": lexical, "semantic": semantic}, weights)
    assert all(f.score == sum(s.share for s in f.shares) for f in fused)
    assert fused == sorted(fused, key=lambda f: (-f.score, f.ordinal))
    assert {f.ordinal for f in fused} == {h.ordinal for h in [*lexical, *semantic]}
    assert rule({"semantic": semantic, "lexical": lexical}, weights) == fused
    assert rule({"lexical": lexical, "semantic": semantic}, weights, 3) == fused[:3]


@given(LISTS, LISTS, st.sampled_from([2.0, 0.25]), st.sampled_from([min_max, z_score]))
def test_scale_of_a_retriever_does_not_matter(lexical, semantic, factor, scale):
    stretched = [Hit(h.ordinal, h.score * factor) for h in lexical]
    lists, other = {"lexical": lexical, "semantic": semantic}, {"lexical": stretched, "semantic": semantic}
    for rule in (convex_combination, comb_mnz):
        left = scores(rule(lists, weights=EVEN, normalisation=scale))
        assert scores(rule(other, weights=EVEN, normalisation=scale)) == pytest.approx(left)
    by = [
        scores(convex_combination(lists_, weights=EVEN, ceilings={"lexical": top}))
        for lists_, top in ((lists, 4.0), (other, 4.0 * factor))
    ]
    assert by[0] == pytest.approx(by[1])


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "weights", [{"lexical": -1.0, "semantic": 1.0}, {"lexical": 1.0}, {"lexical": math.nan, "semantic": 1.0}]
)
def test_weights_and_the_constant_are_checked(rule, weights):
    with pytest.raises(ConfigError, match="0 or more"):
        rule(BOTH, weights)
    with pytest.raises(ConfigError, match="k of 0 or more"):
        reciprocal_rank_fusion(BOTH, weights=EVEN, k=-1)
