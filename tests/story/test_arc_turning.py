"""Turning points, kinds of moves, deeds and knowledge along an arc."""

from __future__ import annotations

import pytest
from tests.stories.builder import StoryBuilder

from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.graph_rag.arcs.deeds import deed_change
from fabula.story.graph_rag.arcs.measures import greatest_change, kind_of, magnitude
from fabula.story.model.types import KnowledgeTold, Modality
from fabula.story.plot.arc_turning_points import character_turning_points, plot_turns, turning_points
from fabula.story.plot.turning_points import ROLES


def learns(story: StoryBuilder, who: str, content: str, **given) -> StoryBuilder:
    quote = story.say(f"{who} learned that {content}.")
    story._log["knowledge"].append(
        KnowledgeTold(story.id(who), content, None, story._told, (quote,), **given)
    )
    return story


def war() -> StoryBuilder:
    story = StoryBuilder().feel("Tom", "joy", 0.8).mention("Anna").event("MEETS", "Tom", "Anna")
    story.chapter(2).mention("Tom").event("MEETS", "Tom", "Anna").mention("Anna")
    story.chapter(3).event("KILLS", "Bert", "Anna").feel("Tom", "despair", -0.8)
    return story.chapter(4).mention("Tom")


def test_a_killing_and_a_fall_turn_the_story() -> None:
    view = war().view()
    points = turning_points(view, count=2)
    assert [point.chapter for point in points] == [1, 3]
    great = points[-1]
    assert great.weight == max(point.weight for point in points)
    assert "Bert kills Anna" in great.reasons
    assert any(reason.startswith("Tom: fall") for reason in great.reasons)
    assert {"tom", "bert", "anna"} <= set(great.entities)
    assert "Bert Anna KILLS." in [quote.quote for quote in great.evidence]
    assert turning_points(StoryBuilder().mention("Tom").view()) == ()


def test_of_meetings_between_two_the_first_alone_counts() -> None:
    reasons = [reason for point in turning_points(war().view()) for reason in point.reasons]
    assert reasons.count("Tom meets Anna") == 1


def test_what_did_not_happen_or_happened_before_turns_nothing() -> None:
    story = StoryBuilder().mention("Tom").mention("Anna").chapter(2)
    story.event("KILLS", "Tom", "Anna", modality=Modality.PLANNED)
    assert turning_points(story.view()) == ()
    story.event("KILLS", "Tom", "Anna", modality=Modality.FLASHBACK)
    reasons = [reason for point in turning_points(story.view()) for reason in point.reasons]
    assert "Tom kills Anna" not in reasons


def test_turning_points_of_a_reader_midway_know_nothing_later() -> None:
    story = war()
    assert [point.chapter for point in turning_points(story.view(2))] == [1]


def test_turning_points_of_one_character_are_the_moves_that_are_not_steady() -> None:
    view = war().view()
    (point,) = character_turning_points(DynamicArcTracker(view), view, "tom", count=1)
    assert (point.chapter, point.entities) == (3, ("tom",))
    assert point.reasons[:2] == (f"Tom: fall ({point.weight:.2f})", "joy (+0.57) to despair (-0.80)")
    assert all(quote.chapter == 3 for quote in point.evidence)


def plot() -> StoryBuilder:
    """Twelve chapters: a meeting in the third, a theft in the sixth, a killing in the eleventh."""
    story = StoryBuilder()
    acts = {3: ("MEETS", "Tom", "Anna"), 6: ("STEALS_FROM", "Bert", "Tom"), 11: ("KILLS", "Tom", "Bert")}
    for chapter in range(1, 13):
        story.chapter(chapter).mention("Tom").mention("Anna").mention("Bert")
        if chapter in acts:
            story.event(*acts[chapter])
    return story


def test_chapters_play_the_parts_of_a_plot_by_place_and_weight() -> None:
    view = plot().view()
    played = {turn.role: turn for turn in plot_turns(view)}
    assert list(played) == [role for role in ROLES if role in played]
    climax = played["climax"]
    assert (climax.point.chapter, climax.last) == (11, 12)
    assert "Tom kills Bert" in climax.point.reasons
    assert climax.evidence == climax.point.evidence and all(quote.chapter == 11 for quote in climax.evidence)
    assert climax.sentence(view).startswith("Ch. 11 is the climax, if the story ends with ch. 12 (")
    chapters = [turn.point.chapter for turn in played.values()]
    assert chapters == sorted(set(chapters)) and set(chapters) <= {3, 6, 11}


def test_the_parts_are_those_of_the_plot_so_far() -> None:
    assert {turn.last for turn in plot_turns(plot().view(8))} == {8}
    assert {turn.point.chapter for turn in plot_turns(plot().view(8))} <= {3, 6}
    assert plot_turns(plot().view(4)) == ()


def test_bonds_break_and_form() -> None:
    story = StoryBuilder().bond("Tom", "FRIEND_OF", "Anna").bond("Tom", "LOVES", "Anna")
    story.chapter(2).bond("Tom", "HATES", "Anna").bond("Tom", "ENEMY_OF", "Anna")
    story.chapter(3).event("FORGIVES", "Tom", "Anna").bond("Tom", "LOVES", "Anna")
    moves = DynamicArcTracker(story.view()).transitions("tom")
    assert [move.kind for move in moves] == ["break", "bond"]


def test_who_begins_to_do_harm_is_corrupted_and_who_begins_to_help_grows() -> None:
    story = StoryBuilder().event("HELPS", "Tom", "Anna").chapter(2)
    story.event("BETRAYS", "Tom", "Bert").event("STEALS_FROM", "Tom", "Cora").event("KILLS", "Tom", "Dan")
    (move,) = DynamicArcTracker(story.view()).transitions("tom")
    assert move.kind == "corruption"
    assert any(reason.startswith("acts by others worse") for reason in move.reasons)
    (suffered,) = DynamicArcTracker(story.chapter(3).mention("Bert").view()).transitions("bert")
    assert suffered.kind != "corruption"  # what is done to somebody is not their deed
    story = StoryBuilder().event("ATTACKS", "Tom", "Anna").event("ATTACKS", "Tom", "Bert")
    story.chapter(2).event("SAVES", "Tom", "Cora").event("HELPS", "Tom", "Dan").event("HELPS", "Tom", "Eve")
    (move,) = DynamicArcTracker(story.view()).transitions("tom")
    assert move.kind == "growth"


def test_deeds_by_hand() -> None:
    story = StoryBuilder().event("HELPS", "Tom", "Anna").chapter(2).event("KILLS", "Tom", "Bert")
    from fabula.story.graph_rag.views.acts import acts

    happened = acts(story.view())
    # strength 1/(1+0.5) for one helped, -1/(1+0.5) for one killed, half the difference
    assert deed_change("tom", happened, since=1) == pytest.approx((-1 / 1.5 - 1 / 1.5) / 2)
    assert deed_change("tom", happened, since=2) == 0
    assert deed_change("bert", happened, since=0) == 0


def test_kinds_by_the_greatest_part() -> None:
    assert kind_of("rise", 0.05, valence=2, goals=0, bond=0, deeds=0) == "steady"
    assert kind_of("rise", 0.5, valence=0.8, goals=0, bond=0.5, deeds=0) == "rise"  # 0.4 to 0.2
    assert kind_of("rise", 0.5, valence=0.2, goals=0, bond=-0.5, deeds=0) == "break"  # 0.1 to 0.2
    assert kind_of("fall", 0.5, valence=0.2, goals=0, bond=0.5, deeds=0.5) == "growth"
    assert greatest_change({"a": 0.5}, {"a": 0.4, "b": -0.6}) == pytest.approx(-0.05)  # b was no bond
    assert greatest_change({"a": 0.2}, {"a": -0.4, "b": 0.5}) == pytest.approx(-0.3)
    assert greatest_change({}, {}) == 0
    assert magnitude(valence=0, arousal=0, goals=0, relations=0, deeds=-0.5) == pytest.approx(0.2)


def test_a_state_has_what_was_learned_by_then() -> None:
    story = learns(StoryBuilder().mention("Tom"), "Tom", "the will is forged")
    learns(story, "Tom", "Anna is dead", modality=Modality.IMAGINED)
    learns(story.chapter(2).mention("Tom"), "Tom", "Bert has the gold")
    learns(story, "Tom", "the will is forged")
    tracker = DynamicArcTracker(story.view())
    assert tracker.state("tom", 1).knowledge == ("the will is forged",)
    last = tracker.state("tom", 2)
    assert last.knowledge == ("the will is forged", "Bert has the gold")
    assert "Tom learned that Bert has the gold." in [quote.quote for quote in last.evidence]
    (move,) = tracker.transitions("tom")
    assert "learned: Bert has the gold" in move.reasons
    assert DynamicArcTracker(story.view(1)).state("tom", 1) == tracker.state("tom", 1)
