"""What the plot has left open."""

from __future__ import annotations

from tests.stories.builder import StoryBuilder

from fabula.story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine
from fabula.story.model.types import QuotationTold


def engine(story: StoryBuilder, chapter: int | None = None) -> MultiHopDiscoveryEngine:
    return MultiHopDiscoveryEngine(story.view(chapter))


def says(story: StoryBuilder, who: str, to: str, words: str) -> StoryBuilder:
    quote = story.say(f'"{words}" said {who} to {to}.')
    quotation = QuotationTold(story.id(who), (story.id(to),), story._told, (quote,), 1, "explicit")
    story._log["quotations"].append(quotation)
    for name in (who, to):
        story.mention(name)
    return story


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
    assert one.wording == (
        "Anna attacked Bert (ch. 1), which is neither forgiven nor paid back: let it be one or the other."
    )
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
