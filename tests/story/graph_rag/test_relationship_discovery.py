import math

import pytest
from tests.stories.builder import StoryBuilder

from fabula.errors import UsageError
from fabula.story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine
from fabula.story.model.types import Modality


def engine(story, chapter=None):
    return MultiHopDiscoveryEngine(story.view(chapter))


def divided():
    story = StoryBuilder().bond("Anna", "FRIEND_OF", "Bert", confidence=0.8)
    story.bond("Cora", "ALLIES_WITH", "Bert")
    return story.chapter(2).bond("Cora", "HATES", "Anna", confidence=0.5)


def test_two_friends_of_one_at_odds_make_a_triangle():
    story = divided()
    (triangle,) = engine(story).conflict_triangles()
    assert (triangle.one, triangle.third, triangle.other) == ("anna", "bert", "cora")
    assert triangle.confidence == pytest.approx(0.8 * 1.0 * 0.5)
    assert [quote.quote for quote in triangle.evidence] == [
        "Anna FRIEND_OF Bert.", "Cora ALLIES_WITH Bert.", "Cora HATES Anna.",
    ]  # fmt: skip
    assert triangle.sentence(story.view()) == (
        "Bert stands between Anna and Cora: Anna is a friend of Bert (ch. 1); "
        "Cora is allied with Bert (ch. 1); Cora hates Anna (ch. 2)."
    )
    assert engine(story, 1).conflict_triangles() == ()


def test_a_triangle_needs_bonds_that_stand_between_the_living():
    assert engine(divided().event("BETRAYS", "Bert", "Cora")).conflict_triangles() == ()
    assert engine(divided().bond("Cora", "FRIEND_OF", "Anna")).conflict_triangles() == ()
    assert engine(divided().event("DIES", patient="Bert")).conflict_triangles() == ()
    planned = StoryBuilder().bond("Anna", "FRIEND_OF", "Bert").bond("Bert", "FRIEND_OF", "Cora")
    assert engine(planned.bond("Anna", "HATES", "Cora", modality=Modality.PLANNED)).conflict_triangles() == ()


def test_an_attack_is_a_conflict_until_it_is_forgiven():
    story = StoryBuilder().bond("Anna", "LOVES", "Bert").bond("Bert", "TRUSTS", "Cora")
    story.event("ATTACKS", "Anna", "Cora")
    assert [link.predicate for link in engine(story).conflict_triangles()[0].links] == [
        "LOVES",
        "TRUSTS",
        "ATTACKS",
    ]
    assert engine(story.event("FORGIVES", "Cora", "Anna")).conflict_triangles() == ()


def test_who_is_warm_may_turn_on_an_enemy():
    story = StoryBuilder().bond("Anna", "LOVES", "Bert").bond("Cora", "ENEMY_OF", "Bert")
    (hostility,) = engine(story).implied_hostilities()
    assert (hostility.one, hostility.third, hostility.other) == ("anna", "bert", "cora")
    assert hostility.sentence(story.view()) == (
        "Anna may turn on Cora for Bert's sake: Anna loves Bert (ch. 1); Cora is an enemy of Bert (ch. 1)."
    )
    assert engine(story.bond("Anna", "SIBLING_OF", "Cora")).implied_hostilities() == ()
    story = StoryBuilder().bond("Bert", "LOVES", "Anna").bond("Cora", "ENEMY_OF", "Bert")
    assert engine(story).implied_hostilities() == ()


def test_a_shared_home_town_is_two_hops():
    story = StoryBuilder().bond("Anna", "COMES_FROM", "@Lynn").chapter(3).bond("Bert", "LIVES_IN", "@Lynn")
    (path,) = engine(story).hidden_connections("anna", "bert")
    assert path.entities == ("anna", "lynn", "bert")
    assert (path.hops, path.chapters) == (2, (1, 3))
    assert path.surprise == pytest.approx(-math.log(2 / 4))
    assert path.sentence(story.view()) == (
        "Anna and Bert are connected: Anna comes from Lynn (ch. 1); Bert lives in Lynn (ch. 3)."
    )
    assert engine(story, 2).hidden_connections("anna", "bert") == ()


def test_a_rare_way_surprises_more_than_a_hub():
    story = StoryBuilder()
    for who in ("Anna", "Bert", "Cora", "Dan", "Eve"):
        story.bond(who, "LIVES_IN", "@Town")
    story.event("MEETS", "Anna", "Fay").event("MEETS", "Fay", "Bert")
    rare, common = engine(story).hidden_connections("anna", "bert")
    assert (rare.entities[1], common.entities[1]) == ("fay", "town")
    # degrees: town 5, anna 2, bert 2, fay 2, cora, dan, eve 1
    assert rare.surprise == pytest.approx(-math.log(2 / 14))
    assert common.surprise == pytest.approx(-math.log(5 / 14))
    for number in range(65):  # through such a one everybody knows everybody: it is passed by
        story.bond(f"N{number}", "LIVES_IN", "@Town")
    story.bond("Town", "KNOWS", "Ida").bond("Ida", "KNOWS", "Joe")
    assert engine(story).hidden_connections("anna", "joe") == ()


def test_paths_are_simple_and_no_longer_than_asked():
    story = StoryBuilder()
    for one, other in (("A", "B"), ("B", "C"), ("C", "D"), ("A", "C"), ("A", "D")):
        story.bond(one, "KNOWS", other)
    found = engine(story)
    assert {path.entities for path in found.hidden_connections("a", "d")} == {
        ("a", "c", "d"),
        ("a", "b", "c", "d"),
    }
    assert [path.entities for path in found.hidden_connections("a", "d", max_hops=2)] == [("a", "c", "d")]
    assert found.hidden_connections("a", "d", max_hops=1) == ()
    assert found.hidden_connections("a", "a") == ()
    assert found.hidden_connections("a", "nobody") == ()
    with pytest.raises(UsageError, match="1 to 4, not 9"):
        found.hidden_connections("a", "d", max_hops=9)


def test_places_connect_and_strangers_have_somebody_in_common():
    story = StoryBuilder().event("TELLS", "Anna", "Dan", "@Inn").event("HELPS", "Bert", "Eve", "@Inn")
    (path,) = engine(story).hidden_connections("anna", "bert", max_hops=2)
    assert path.entities == ("anna", "inn", "bert")
    assert [link.predicate for link in path.links] == ["LOCATED_AT", "LOCATED_AT"]
    story = StoryBuilder().bond("Anna", "KNOWS", "Bert").bond("Bert", "KNOWS", "Cora")
    (path,) = engine(story).strangers()
    assert path.entities == ("anna", "bert", "cora")
    assert engine(story.bond("Cora", "KNOWS", "Anna")).strangers() == ()


def test_every_finding_at_a_horizon_is_that_of_the_story_cut_there():
    def told(last):
        story = StoryBuilder().event("KILLS", "Anna", "Bert").bond("Cora", "KNOWS", "Anna")
        for chapter in range(2, last + 1):
            story.chapter(chapter).bond(f"Eve{chapter}", "LOVES", "Cora").bond(
                "Dan", "HATES", f"Eve{chapter}"
            )
        return story

    near, far = engine(told(3)), engine(told(6), 3)
    for one, other in ((near.strangers(), far.strangers()), (near.central(), far.central())):
        assert one == other and one


def test_who_stands_between_the_others_is_central():
    story = StoryBuilder()
    for who in ("Anna", "Bert", "Cora"):
        story.bond("Dan", "KNOWS", who)
    (dan,) = engine(story).central()
    assert (dan.entity, dan.share) == ("dan", 1.0) and len(dan.evidence) == 3
    assert dan.sentence(story.view()).startswith("Dan stands on 100 % of the shortest ways")
