import json

import numpy as np
import pytest

from fabula.engine import Project
from fabula.errors import ConfigError

QUERY = "bees on the night train"


def cosines(demo, passages):
    vectors = demo.search_index.vectors.vectors[[p.chunk.ordinal for p in passages]]
    return np.asarray(vectors) @ demo.embedder.embed_query(QUERY)


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
@pytest.mark.parametrize("how", [{}, {"semantic_weight": 0.1}, {"as_of": 5}])
def test_what_is_less_similar_is_left_out_and_nothing_else(demo, mode, how):
    free = demo.search(QUERY, 20, mode=mode, **how).passages
    near = cosines(demo, free)
    least = float(np.sort(near)[9:11].mean())
    held = demo.search(QUERY, 20, mode=mode, least_score=least, **how).passages
    assert (cosines(demo, held) >= least).all()
    kept = [p.chunk.id for p, cosine in zip(free, near, strict=True) if cosine >= least]
    assert set(kept) <= {p.chunk.id for p in held}  # deeper ones may come up
    assert [p.chunk.id for p in held if p.chunk.id in kept] == kept


def test_nothing_is_similar_enough_to_nonsense(demo):
    assert demo.search("quarterly tax depreciation schedule", least_score=0.6).passages == ()
    assert demo.search("quarterly tax depreciation schedule").passages


def test_words_alone_have_no_such_score(demo):
    free = demo.search(QUERY, 8, mode="lexical").passages
    assert demo.search(QUERY, 8, mode="lexical", least_score=1.0).passages == free


def test_the_setting_holds_where_nothing_else_is_said_and_kept_results_are_told_apart(demo_project):
    with Project.open(demo_project, assignments=["retrieval.least_score=0.99"]) as opened:
        assert opened.search(QUERY).passages == ()
        assert opened.search(QUERY, least_score=0.0).passages
        assert opened.ask(QUERY, model=False).passages  # answers have a threshold of their own
    with Project.open(demo_project, assignments=["retrieval.cache=true"]) as opened:
        assert opened.search(QUERY).passages
        assert opened.search(QUERY, least_score=0.99).passages == ()
        assert opened.search(QUERY).passages


@pytest.mark.parametrize("least", [-0.1, 1.1, float("nan")])
def test_a_threshold_out_of_range(demo, least):
    with pytest.raises(ConfigError, match="between 0 and 1"):
        demo.search(QUERY, least_score=least)


def test_the_command(demo_project, done, run_cli):
    for said in (("--least-score", 0.99), ("--set", "retrieval.least_score=0.99")):
        assert json.loads(done("search", demo_project, QUERY, *said, "--json"))["passages"] == []
    assert run_cli("search", demo_project, QUERY, "--least-score", 1.5).code == 2
