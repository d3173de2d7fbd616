"""Who could know of an event."""

from __future__ import annotations

import math

import pytest
from tests.stories.builder import StoryBuilder

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
