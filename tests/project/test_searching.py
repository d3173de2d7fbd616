import json
import re
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tests.stories.examples import rows
from tests.tables import values

from fabula.core.fusion.presets import PRESETS
from fabula.engine import Project
from fabula.errors import ConfigError, HorizonError, UsageError
from fabula.project.impact import impact_of
from fabula.project.recalling import recall
from fabula.story.passages.filter import SearchFilter

QUERY = "Who forged the telegram about the hives?"


@pytest.mark.parametrize("fusion", sorted(PRESETS))
@pytest.mark.parametrize("as_of", [None, 5])
def test_shares_sum_to_the_score(demo_project, fusion, as_of):
    with Project.open(demo_project, assignments=[f"retrieval.fusion={fusion}"]) as opened:
        passages = opened.search(QUERY, 10, as_of=as_of).passages
    assert len(passages) == 10
    assert passages == tuple(sorted(passages, key=lambda p: (-p.score, p.chunk.ordinal)))
    for passage in passages:
        assert passage.score == pytest.approx(sum(s.share for s in passage.shares), abs=1e-12)
        assert passage.chunk.span.of(opened.document.text) == passage.chunk.text


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "lexical"])
def test_a_filter_lets_through_what_it_says_and_changes_no_score(demo, mode):
    wanted = SearchFilter(chapters=(3, 9), without_chapters=(5,), min_importance=3)
    found = demo.search(QUERY, 500, mode=mode, wanted=wanted).passages
    everything = {p.chunk.ordinal: p for p in demo.search(QUERY, 500, mode=mode).passages}
    assert found
    for passage in found:
        ordinal = passage.chunk.ordinal
        own = {s.retriever: s.score for s in passage.shares}
        for share in everything[ordinal].shares:
            if share.retriever in own and share.retriever != "graph":
                assert own[share.retriever] == share.score
    within = {o for o, p in everything.items() if p.chunk.chapter in {3, 4, 6, 7, 8, 9}}
    assert {p.chunk.ordinal for p in found} == {o for o in within if demo.facts.importance[o] >= 3}


def test_who_is_present_is_read_at_the_horizon(demo):
    barnaby = demo.view(6).find("Barnaby Pellow")
    found = demo.search("supper", 50, as_of=6, wanted=SearchFilter(characters=("Barnaby",))).passages
    assert found
    for passage in found:
        his = [one for one in demo.facts.characters if demo.view(6).resolve(one) == barnaby.id]
        assert demo.facts.with_any(his)[passage.chunk.ordinal]
    with pytest.raises(ConfigError, match="no character called"):
        demo.search("supper", wanted=SearchFilter(characters=("Zebedee",)))
    with pytest.raises(HorizonError):
        demo.search("supper", as_of=4, wanted=SearchFilter(chapters=(2, 9)))


def test_the_weight_is_said_and_can_be_set(demo):
    result = demo.search(QUERY)
    assert result.decision.semantic == pytest.approx(0.4)
    assert "start at 0.40 semantic" in result.decision.reasons[0]
    only = demo.search(QUERY, 8, semantic_weight=1)
    assert only.decision is None
    assert {s.retriever for p in only.passages for s in p.shares} <= {"semantic", "graph"}
    with pytest.raises(ConfigError, match="between 0 and 1"):
        demo.search(QUERY, semantic_weight=1.5)


@pytest.mark.slow
def test_ratings_move_the_weight_outlive_the_process_and_can_be_forgotten(demo_copy, done):
    with Project.open(demo_copy.project) as opened:
        before = opened.search(QUERY).decision.semantic
        for _ in range(40):  # whatever the semantic index placed better is right, the rest is wrong
            for passage in opened.search(QUERY, 8).passages:
                rank = {s.retriever: s.rank for s in passage.shares}
                better = rank.get("semantic", 99) < rank.get("lexical", 99)
                opened.rate(QUERY, passage.chunk.id, float(better), k=8)
    with Project.open(demo_copy.project) as opened:
        after = opened.search(QUERY).decision
        assert after.semantic > before + 0.05
        assert "ratings favour the semantic list" in after.reasons[-1]
        with pytest.raises(UsageError, match="does not give the passage"):
            opened.rate(QUERY, "0" * 16, 1.0)
        with pytest.raises(ConfigError, match="from 0 to 1"):
            opened.rate(QUERY, opened.search(QUERY).passages[0].chunk.id, 2.0)
    done("search", demo_copy.project, "--forget-ratings")
    with Project.open(demo_copy.project) as opened:
        assert opened.search(QUERY).decision.semantic == before


def test_the_command_line_rates_and_filters(demo_copy, run_cli, done, refusal):
    asked = ("search", demo_copy.project, QUERY)
    assert json.loads(done(*asked, "--rate", 2, 0.5, "--json"))["rating"] == 0.5
    found = done(*asked, "--chapters", "3-", "--scene", "dialogue", "-k", "50")
    assert min(int(n) for n in re.findall(r"chapter (\d+)", found)) >= 3
    for wrong in (("--rate", 99, 1), ("--scene", "dialog"), ("--chapters", "x")):
        refusal(*asked, *wrong)
    assert run_cli("search", demo_copy.project).code == 2


def test_a_kept_result_answers_a_second_wording_and_nothing_else(demo_copy):
    with Project.open(demo_copy.project, assignments=["retrieval.cache=true"]) as opened:
        first = opened.search("Who forged the telegram?", 4)
        again = opened.search("who forged the telegram", 4)
        assert again.answered == "Who forged the telegram?"
        assert again.passages == first.passages
        assert opened.search("Who forged the telegram?", 4, as_of=6).answered == ""
        assert opened.search("Who forged the telegram?", 3).answered == ""
        assert opened.search("Who did not forge the telegram?", 4).answered == ""
        early = SearchFilter(chapters=(1, 5))
        assert opened.search("Who forged the telegram?", 4, wanted=early).answered == ""
        opened.rate("Who forged the telegram?", first.passages[0].chunk.id, 1.0, k=4)
        assert opened.search("Who forged the telegram?", 4).answered == ""
        opened.drop_results()
        assert opened.searcher.cache.statistics["entries"] == 0


@pytest.mark.parametrize(("queries", "said"), values(__file__, "no_queries.tsv"))
def test_a_query_that_is_empty_or_no_text_is_refused(demo, queries, said):
    for query, ask in product(queries, (demo.search, demo.ask, partial(recall, demo))):
        with pytest.raises(UsageError, match=said):
            ask(query)


@pytest.mark.parametrize(("query", "as_of", "meant"), rows(Path(__file__).with_name("near_names.tsv")))
def test_a_name_that_stands_nowhere_brings_the_one_that_is_near(demo, query, as_of, meant):
    horizon = None if as_of == "-" else int(as_of)
    for asked in (demo.search(query, as_of=horizon), demo.ask(query, as_of=horizon, model=False)):
        hints = [one for one in asked.notices if "did you mean" in one]
        found = [one.rpartition("did you mean ")[2].rstrip("?") for one in hints]
        assert ("; ".join(found) or "-") == meant


BEES = "bees on the night train"


def cosines(demo, passages):
    vectors = demo.search_index.vectors.vectors[[p.chunk.ordinal for p in passages]]
    return np.asarray(vectors) @ demo.embedder.embed_query(BEES)


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
@pytest.mark.parametrize("how", [{}, {"semantic_weight": 0.1}, {"as_of": 5}])
def test_what_is_less_similar_is_left_out_and_nothing_else(demo, mode, how):
    free = demo.search(BEES, 20, mode=mode, **how).passages
    near = cosines(demo, free)
    least = float(np.sort(near)[9:11].mean())
    held = demo.search(BEES, 20, mode=mode, least_score=least, **how).passages
    assert (cosines(demo, held) >= least).all()
    kept = [p.chunk.id for p, cosine in zip(free, near, strict=True) if cosine >= least]
    assert set(kept) <= {p.chunk.id for p in held}  # deeper ones may come up
    assert [p.chunk.id for p in held if p.chunk.id in kept] == kept


def test_nothing_is_similar_enough_to_nonsense(demo):
    assert demo.search("quarterly tax depreciation schedule", least_score=0.6).passages == ()
    assert demo.search("quarterly tax depreciation schedule").passages


def test_words_alone_have_no_such_score(demo):
    free = demo.search(BEES, 8, mode="lexical").passages
    assert demo.search(BEES, 8, mode="lexical", least_score=1.0).passages == free


def test_the_setting_holds_where_nothing_else_is_said_and_kept_results_are_told_apart(demo_project):
    with Project.open(demo_project, assignments=["retrieval.least_score=0.99"]) as opened:
        assert opened.search(BEES).passages == ()
        assert opened.search(BEES, least_score=0.0).passages
        assert opened.ask(BEES, model=False).passages  # answers have a threshold of their own
    with Project.open(demo_project, assignments=["retrieval.cache=true"]) as opened:
        assert opened.search(BEES).passages
        assert opened.search(BEES, least_score=0.99).passages == ()
        assert opened.search(BEES).passages


def test_the_command(demo_project, done, run_cli):
    for said in (("--least-score", 0.99), ("--set", "retrieval.least_score=0.99")):
        assert json.loads(done("search", demo_project, BEES, *said, "--json"))["passages"] == []
    assert run_cli("search", demo_project, BEES, "--least-score", 1.5).code == 2


QUEEN = "a queen bee inside his shirt"


def test_it_finds_what_the_same_words_do_not(demo):
    found = impact_of(demo, QUEEN)
    assert found.passage.quote.startswith("He was Wilf's oldest friend") and found.passage.chapter == 1
    assert len(found.places) == 7
    assert any("queen in your shirt" in one.quote for one in found.places)
    for one in (found.passage, *found.places):
        assert one.span.of(demo.document.text) == one.quote
    assert not any(one.span.overlaps(found.passage.span) for one in found.places)


def test_the_words_must_stand_where_they_are_looked_for(demo):
    late = demo.document.chapters[9].body.of(demo.document.text).strip()[:60]
    for words, where, said in (
        ("no such words", {}, "are not in the story"),
        (QUEEN, {"chapter": 2}, "are not in chapter 2"),
        (late, {"as_of": 3}, "chapters 1 to 3"),
    ):
        with pytest.raises(UsageError, match=said):
            impact_of(demo, words, **where)
    with pytest.raises(HorizonError):
        impact_of(demo, QUEEN, as_of=99)


def test_the_command_lists_the_places(demo_project, done, refusal):
    said = done("search", demo_project, QUEEN, "--impact", "--as-of", 10)
    assert said.index("shirt") < said.index("nearest mentions:")
    data = json.loads(done("search", demo_project, QUEEN, "--impact", "-k", 2, "--json"))
    assert len(data["places"]) == 2 and data["passage"]["chapter"] == 1
    refusal("search", demo_project, "nowhere", "--impact")
