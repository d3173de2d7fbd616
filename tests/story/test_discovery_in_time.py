"""Ways that respect time, mediators, who could know, and suggestions for the plot."""

from __future__ import annotations

import math

import pytest
from tests.stories.builder import StoryBuilder

from experiments.common.plot_roles import plot_roles
from fabula.core.types import Evidence
from fabula.errors import UsageError
from fabula.story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine
from fabula.story.model.types import KnowledgeTold, Modality, PresenceTold, QuotationTold


def engine(story: StoryBuilder, chapter: int | None = None) -> MultiHopDiscoveryEngine:
    return MultiHopDiscoveryEngine(story.view(chapter))


def says(story: StoryBuilder, who: str, to: str, words: str) -> StoryBuilder:
    quote = story.say(f'"{words}" said {who} to {to}.')
    quotation = QuotationTold(story.id(who), (story.id(to),), story._told, (quote,), 1, "explicit")
    story._log["quotations"].append(quotation)
    for name in (who, to):
        story.mention(name)
    return story


def stands(story: StoryBuilder, who: str, scene: int) -> StoryBuilder:
    story.mention(who)
    quote = story.say(f"{who} stood there.")
    story._log["presences"].append(PresenceTold(story.id(who), scene, None, story._told, quote))
    return story


def learns(story: StoryBuilder, who: str, content: str, **given) -> StoryBuilder:
    story.mention(who)
    quote: Evidence = story.say(f"{who} learned that {content}.")
    source = given.pop("source", None)
    story._log["knowledge"].append(
        KnowledgeTold(story.id(who), content, source, story._told, (quote,), **given)
    )
    return story


# --- in time -------------------------------------------------------------------------------------


def test_acts_carry_forwards_only() -> None:
    story = StoryBuilder().event("TELLS", "Anna", "Bert").chapter(3).event("TELLS", "Bert", "Cora")
    (way,) = engine(story).timed_connections("anna", "cora")
    assert (way.entities, way.times, way.arrives, way.hops) == (("anna", "bert", "cora"), (1, 3), 3, 2)
    assert [quote.quote for quote in way.evidence] == ["Anna Bert TELLS.", "Bert Cora TELLS."]
    assert way.sentence(story.view()) == (
        "From Anna by way of Bert to Cora, there by ch. 3: Anna tells Bert (ch. 1); Bert tells Cora (ch. 3)."
    )
    assert engine(story).timed_connections("cora", "anna") == ()
    assert engine(story, 2).timed_connections("anna", "cora") == ()
    assert len(engine(story).hidden_connections("cora", "anna")) == 1  # out of time there is a way


def test_a_bond_carries_from_its_telling_until_it_is_over() -> None:
    story = StoryBuilder().bond("Anna", "FRIEND_OF", "Bert").chapter(4).event("TELLS", "Bert", "Cora")
    (back,) = engine(story).timed_connections("cora", "anna")
    assert back.times == (4, 4)
    story = StoryBuilder().bond("Anna", "FRIEND_OF", "Bert").chapter(2).event("BETRAYS", "Bert", "Anna")
    story = story.chapter(4).event("TELLS", "Bert", "Cora")
    assert engine(story).timed_connections("cora", "anna") == ()
    past = StoryBuilder().chapter(3).flashback("Anna", "FRIEND_OF", "Bert").event("TELLS", "Bert", "Cora")
    assert engine(past).timed_connections("anna", "cora") == ()  # it was over before it was told


def test_the_dead_carry_nothing_on() -> None:
    story = StoryBuilder().bond("Anna", "FRIEND_OF", "Bert").bond("Bert", "FRIEND_OF", "Cora")
    assert engine(story).timed_connections("anna", "cora")
    story.chapter(2).event("DIES", patient="Bert").chapter(3).event("TELLS", "Dan", "Anna")
    ways = engine(story).timed_connections("dan", "cora")
    assert ways == ()


def test_the_rare_way_comes_first_though_it_is_longer() -> None:
    story = StoryBuilder()
    for who in ("Anna", "Cora", "Eve", "Fay", "Gus"):
        story.event("MEETS", "Hub", who)
    story.event("TELLS", "Anna", "Ida").event("TELLS", "Ida", "Jon").event("TELLS", "Jon", "Cora")
    ways = engine(story).timed_connections("anna", "cora")
    assert [way.entities for way in ways] == [("anna", "ida", "jon", "cora"), ("anna", "hub", "cora")]
    assert ways[0].surprise == pytest.approx(-math.log(2 / 16))
    with pytest.raises(UsageError, match="1 to 4"):
        engine(story).timed_connections("anna", "cora", max_hops=0)
    assert engine(story).timed_connections("anna", "nobody") == ()


# --- strangers and mediators ---------------------------------------------------------------------


def test_strangers_have_somebody_in_common_and_nothing_between_them() -> None:
    story = StoryBuilder().bond("Anna", "KNOWS", "Bert").bond("Bert", "KNOWS", "Cora")
    (path,) = engine(story).strangers()
    assert path.entities == ("anna", "bert", "cora")
    assert engine(story.bond("Cora", "KNOWS", "Anna")).strangers() == ()


def test_without_a_mediator_circles_fall_apart() -> None:
    story = StoryBuilder()
    for one, other in (("A", "B"), ("B", "C"), ("A", "C"), ("C", "M"), ("M", "X"), ("X", "Y")):
        story.bond(one, "KNOWS", other)
    found = engine(story).mediators()
    assert [one.entity for one in found] == ["c", "m", "x"]
    first = next(one for one in found if one.entity == "m")
    # of the 10 pairs of others, ways between {a, b, c} and {x, y} lead through M: 6
    assert first.centrality == pytest.approx(6 / 10)
    assert first.cut_off == (("x", "y"),)
    assert first.sentence(story.view()) == "Without M nothing ties to the others: X and Y (betweenness 0.60)."
    assert [quote.quote for quote in first.evidence] == ["M KNOWS X."]
    ring = StoryBuilder()
    for one, other in (("A", "B"), ("B", "C"), ("A", "C")):
        ring.bond(one, "KNOWS", other)
    assert engine(ring).mediators() == ()


def test_who_is_warm_to_both_sides_mediates() -> None:
    story = StoryBuilder().bond("Anna", "FRIEND_OF", "Bert").bond("Cora", "FRIEND_OF", "Bert")
    story.bond("Anna", "HATES", "Cora")
    (one,) = engine(story).mediators()
    assert (one.entity, one.at_odds, one.cut_off) == ("bert", (("anna", "cora"),), ())
    assert "warm to both sides of a quarrel: Anna and Cora" in one.sentence(story.view())


# --- who could know ------------------------------------------------------------------------------


def murder() -> StoryBuilder:
    story = stands(stands(StoryBuilder(), "Cora", 0), "Bert", 0).event("KILLS", "Anna", "Bert", id="crime")
    return stands(story, "Dan", 1)


def test_who_takes_part_or_is_there_knows_and_the_dead_do_not() -> None:
    story = murder()
    found = {one.entity: (one.certainty, one.way) for one in engine(story).who_could_know("crime")}
    assert found == {"anna": (1.0, "took part"), "cora": (0.8, "was there")}


def test_it_goes_on_by_talk_after_the_event_alone() -> None:
    story = says(murder().chapter(2), "Cora", "Eve", "I must tell you of Bert")
    says(story.chapter(3), "Eve", "Fay", "It is a fine day")
    known = engine(story).who_could_know("crime")
    assert [one.entity for one in known] == ["anna", "cora", "eve", "fay"]
    eve, fay = known[2:]
    assert (eve.since, eve.via, eve.hops, eve.way) == (2, "cora", 1, "spoke with")
    assert eve.certainty == pytest.approx(0.8 * 0.6)  # the words name one who took part
    assert fay.certainty == pytest.approx(0.8 * 0.6 * 0.3)
    assert fay.surprise == pytest.approx(-math.log(fay.certainty))
    assert eve.sentence(story.view()) == "Eve could have heard it from Cora (ch. 2, certainty 0.48)."
    early = says(StoryBuilder(), "Cora", "Eve", "I fear for Bert").chapter(2)
    stands(early, "Cora", 0).event("KILLS", "Anna", "Bert", id="crime")
    assert [one.entity for one in engine(early).who_could_know("crime")] == ["anna", "cora"]


def test_who_learns_it_knows_and_may_be_a_source() -> None:
    story = learns(murder().chapter(2), "Eve", "Anna killed Bert", event="crime", confidence=0.9)
    learns(story.chapter(3), "Fay", "there was something amiss", source="eve")
    learns(story, "Gus", "Anna killed Bert", event="crime", modality=Modality.IMAGINED)
    found = {one.entity: one for one in engine(story).who_could_know("crime")}
    assert (found["eve"].certainty, found["eve"].way) == (0.9, "learned it")
    assert found["fay"].certainty == pytest.approx(0.9 * 0.6)
    assert "gus" not in found
    assert "eve" not in {one.entity for one in engine(story, 1).who_could_know("crime")}
    with pytest.raises(UsageError, match="no event 'nothing'"):
        engine(story).who_could_know("nothing")


# --- suggestions ---------------------------------------------------------------------------------


def test_an_open_goal_is_suggested_until_it_is_reached() -> None:
    story = StoryBuilder().goal("Tom", "find the gold")
    (one,) = engine(story).plot_suggestions()
    assert (one.kind, one.entities, one.weight) == ("goal", ("tom",), 1.0)
    assert one.wording == (
        "Tom set out to find the gold (ch. 1), and nothing has come of it yet: let it be reached, or fail."
    )
    assert [quote.quote for quote in one.evidence] == ["Tom: goal find the gold."]
    assert engine(story.chapter(2).goal("Tom", "find the gold", 2)).plot_suggestions() == ()


def test_an_old_goal_weighs_less_than_a_fresh_one() -> None:
    story = StoryBuilder().goal("Tom", "find the gold").chapter(11).goal("Tom", "go home")
    fresh, old = engine(story).plot_suggestions()
    assert (fresh.wording[:19], old.weight) == ("Tom set out to go h", 0.5)


def test_a_wrong_is_open_until_forgiven_or_returned() -> None:
    wronged = StoryBuilder().event("ATTACKS", "Anna", "Bert")
    (one,) = engine(wronged).plot_suggestions()
    assert (one.kind, one.entities) == ("wrong", ("anna", "bert"))
    assert one.wording.startswith("Anna attacked Bert (ch. 1)")
    assert engine(wronged.chapter(2).event("FORGIVES", "Bert", "Anna")).plot_suggestions() == ()
    returned = StoryBuilder().event("ATTACKS", "Anna", "Bert").event("BETRAYS", "Bert", "Anna")
    assert [one.entities for one in engine(returned).plot_suggestions()] == [("bert", "anna")]


def test_love_that_is_not_returned_and_a_divided_loyalty() -> None:
    story = StoryBuilder().bond("Anna", "LOVES", "Bert")
    assert [one.kind for one in engine(story).plot_suggestions()] == ["unreturned love"]
    assert engine(story.bond("Bert", "LOVES", "Anna")).plot_suggestions() == ()
    divided = StoryBuilder().bond("Anna", "FRIEND_OF", "Bert").bond("Cora", "FRIEND_OF", "Bert")
    divided.bond("Cora", "HATES", "Anna")
    (one,) = engine(divided).plot_suggestions()
    assert (one.kind, one.entities) == ("divided loyalty", ("bert", "anna", "cora"))
    assert one.wording == "Bert is close to both Anna and Cora, who are at odds: make Bert choose."


def test_a_crime_of_which_a_friend_cannot_know_is_a_secret() -> None:
    story = StoryBuilder().bond("Eve", "LOVES", "Bert").chapter(2).event("DECEIVES", "Anna", "Bert")
    kinds = {one.kind: one for one in engine(story).plot_suggestions()}
    assert kinds["secret"].entities == ("eve", "anna", "bert")
    assert "nothing told so far would let Eve know" in kinds["secret"].wording
    told = says(story.chapter(3), "Bert", "Eve", "Anna has deceived me")
    assert "secret" not in {one.kind for one in engine(told).plot_suggestions()}


def test_every_finding_at_a_horizon_is_that_of_the_story_cut_there() -> None:
    def told(last: int) -> StoryBuilder:
        story = murder()
        for chapter in range(2, last + 1):
            says(story.chapter(chapter), "Cora", f"Eve{chapter}", "Bert is dead")
            story.bond(f"Eve{chapter}", "LOVES", "Cora").goal("Cora", f"flee to {chapter}")
        return story

    near, far = engine(told(3)), engine(told(6), 3)
    assert near.plot_suggestions() == far.plot_suggestions()
    assert near.mediators() == far.mediators()
    assert near.who_could_know("crime") == far.who_could_know("crime")
    assert near.strangers() == far.strangers()
    assert near.timed_connections("anna", "eve3") == far.timed_connections("anna", "eve3")


# --- roles ---------------------------------------------------------------------------------------


def test_roles_by_presence_deeds_and_bonds() -> None:
    story = StoryBuilder().mention("Hero").mention("Hero").mention("Hero").mention("Hero")
    story.bond("Hero", "LOVES", "Anna").bond("Hero", "TRUSTS", "Bert").event("HELPS", "Bert", "Hero")
    story.event("ATTACKS", "Dan", "Hero").event("HELPS", "Cora", "Anna")
    found = plot_roles(story.view())
    assert (found.hero, found.lover, found.villain, found.sidekick) == ("hero", "anna", "dan", "bert")
    assert [quote.quote for quote in found.evidence] == ["Hero LOVES Anna.", "Dan Hero ATTACKS."]
    kind = StoryBuilder().event("HELPS", "Dan", "Anna")
    assert plot_roles(kind.view()).villain is None
    assert plot_roles(StoryBuilder().view()).hero is None
