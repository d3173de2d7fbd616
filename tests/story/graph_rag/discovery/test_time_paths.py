"""Ways from one to another that respect time."""

from __future__ import annotations

import math

import pytest
from tests.stories.builder import StoryBuilder

from fabula.errors import UsageError
from fabula.story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine


def engine(story: StoryBuilder, chapter: int | None = None) -> MultiHopDiscoveryEngine:
    return MultiHopDiscoveryEngine(story.view(chapter))


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
