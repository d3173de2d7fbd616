"""Who stands between circles, and between those who are at odds."""

from __future__ import annotations

import pytest
from tests.stories.builder import StoryBuilder

from fabula.story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine


def engine(story: StoryBuilder, chapter: int | None = None) -> MultiHopDiscoveryEngine:
    return MultiHopDiscoveryEngine(story.view(chapter))


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
