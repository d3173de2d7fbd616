import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.lexical_contract import search

from experiments.retrieval.data import evidence_lists
from fabula.core.fusion.neighbours import FOLLOWING, PRECEDING, lifted, neighbour_hops
from fabula.core.fusion.normalise import by_ceiling, hits_of, min_max, z_score
from fabula.core.fusion.presets import DEFAULT_PRESET, PRESETS, evidence_weights, fuse
from fabula.core.fusion.rules import comb_mnz, convex_combination, reciprocal_rank_fusion
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.text.term_evidence import QueryEvidence
from fabula.core.text.tokenizing import Tokenizer
from fabula.core.types import Hit, Hop
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


SIGNED = st.dictionaries(st.integers(0, 9), st.integers(-64, 64).map(lambda x: x / 64), min_size=1)
HOPS = st.lists(
    st.builds(
        Hop, st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.25, 0.5, 1.0]), st.sampled_from("abc")
    ),
    max_size=20,
)


def test_a_hop_closes_its_share_of_the_gap():
    ranked = lifted({0: 0.8, 1: 0.4, 2: 0.5}, [Hop(0, 1, 0.75, "Lady Ashcombe")])
    assert [p.ordinal for p in ranked] == [0, 1, 2]
    assert ranked[1].score == pytest.approx(0.4 + 0.5 * 0.75 * (0.8 - 0.4))
    assert ranked[1].gain == pytest.approx(0.15)
    assert ranked[1].hop is not None
    assert ranked[1].hop.via == "Lady Ashcombe"
    assert ranked[0].hop is ranked[2].hop is None


def test_the_best_hop_counts_and_of_equals_the_earlier_source_then_name():
    hops = [Hop(0, 2, 0.5, "a"), Hop(1, 2, 0.5, "b"), Hop(0, 2, 0.25, "c")]
    ranked = lifted({0: 1.0, 1: 0.6, 2: 0.2}, hops)
    assert next(p.score for p in ranked if p.ordinal == 2) == pytest.approx(0.2 + 0.5 * 0.5 * (1.0 - 0.2))
    hops = [Hop(1, 2, 0.5, "a"), Hop(0, 2, 0.5, "c"), Hop(0, 2, 0.5, "b")]
    (target,) = [p for p in lifted({0: 1.0, 1: 1.0, 2: 0.0}, hops) if p.ordinal == 2]
    assert target.hop == Hop(0, 2, 0.5, "b")
    assert [p.ordinal for p in lifted({0: 1.0}, [Hop(0, 5, 1.0, "x"), Hop(5, 0, 1.0, "x")])] == [0]


@given(SIGNED, HOPS)
def test_nothing_overtakes_the_best_and_nothing_falls(scores, hops):
    ranked = lifted(scores, hops)
    top = min(scores, key=lambda o: (-scores[o], o))
    assert ranked[0].ordinal == top
    assert ranked[0].score == scores[top]
    for passage in ranked:
        assert passage.gain >= 0
        if passage.hop:
            assert passage.score < scores[passage.hop.source]


@given(SIGNED, HOPS, st.randoms())
def test_the_order_of_hops_and_scores_does_not_matter(scores, hops, random):
    shuffled = random.sample(hops, len(hops))
    turned = dict(reversed(scores.items()))
    assert lifted(turned, shuffled) == lifted(scores, hops)


def test_neighbours_stay_in_their_document_and_before_the_limit():
    documents = ["a", "a", "a", "b", "b"]
    assert neighbour_hops([1], documents=documents) == [Hop(1, 0, 1.0, PRECEDING), Hop(1, 2, 1.0, FOLLOWING)]
    assert neighbour_hops([2], documents=documents) == [Hop(2, 1, 1.0, PRECEDING)]
    assert neighbour_hops([0, 3], documents=documents, limit=4) == [Hop(0, 1, 1.0, FOLLOWING)]
    assert neighbour_hops([4], documents=documents, limit=4) == []


TEXTS = [
    "The golden dragon slept in the temple.",
    "A dragon, it was said, had a heap of coins that were golden.",
    "Dragon, dragon, dragon! cried the boy.",
    "The boy went home.",
]
TWO = {"lexical": [Hit(7, 9.0), Hit(3, 5.0)], "semantic": [Hit(3, 0.8), Hit(1, 0.7)]}


def lists_of(query, limit):
    tokenizer = Tokenizer()
    index = LexicalIndex.from_texts(TEXTS)
    evidence = QueryEvidence.of(index.statistics(query, limit=limit))
    lists = evidence_lists(evidence, range(limit), lambda i: tokenizer.terms(TEXTS[i]))
    return {"lexical": search(index, query, 4, limit=limit), "semantic": [Hit(3, 0.1)], **lists}


def test_presets_name_their_rules():
    weights = {"lexical": 0.5, "semantic": 0.5}
    assert fuse(PRESETS["rrf"], TWO) == reciprocal_rank_fusion(TWO, weights=weights, k=60)
    assert fuse(PRESETS["rrf-5"], TWO, k=2) == reciprocal_rank_fusion(TWO, weights=weights, k=5)[:2]
    assert fuse(PRESETS["comb-mnz"], TWO) == comb_mnz(TWO, weights=weights)
    assert fuse(PRESETS["convex"], TWO, ceilings={"lexical": 12.0}) == convex_combination(
        TWO, weights={"lexical": 0.6, "semantic": 0.4}, ceilings={"lexical": 12.0}
    )
    assert all(name == preset.name for name, preset in PRESETS.items())


def test_weights_sum_to_one_evidence_shares_the_lexical_one_and_none_is_left_out():
    assert all(sum(preset.weights().values()) == pytest.approx(1) for preset in PRESETS.values())
    assert PRESETS["rrf"].weights(0.25) == {"lexical": 0.75, "semantic": 0.25}
    for refused, said in (
        (lambda: PRESETS["rrf"].weights(1.5), "between 0 and 1"),
        (lambda: fuse(DEFAULT_PRESET, TWO), "coverage and nearness"),
    ):
        with pytest.raises(ConfigError, match=said):
            refused()
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
