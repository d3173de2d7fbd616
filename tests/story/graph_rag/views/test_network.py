"""The network of a view."""

from __future__ import annotations

import pytest
from tests.stories.builder import StoryBuilder

from fabula.story.model.types import EntityKind


def test_the_network_has_entities_events_and_causes_and_cannot_be_changed() -> None:
    story = (
        StoryBuilder().bond("Tom", "LOVES", "Anna").event("ATTACKS", "Bert", "Anna", "@London", id="attack")
    )
    story.chapter(2).event("KILLS", "Tom", "Bert", id="kill").cause("kill", "attack")
    network = story.view().network
    assert network.nodes["london"]["kind"] is EntityKind.LOCATION
    assert network.nodes["attack"]["node"] == "event"
    assert network.edges["tom", "anna", "LOVES:1:0"]["confidence"] == 1.0
    assert network.edges["london", "attack", "PARTICIPATES_IN:1:0:place"]["role"] == "place"
    assert network.edges["kill", "attack", "CAUSED_BY:2:0"]["told"] == 2
    assert "kill" not in story.view(1).network
    with pytest.raises(Exception, match=r"[Ff]rozen"):
        network.add_node("x")
