from tests.stories.builder import StoryBuilder

from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.model.types import Modality
from fabula.story.plot.turning_points import (
    ROLES,
    character_turning_points,
    placed_points,
    plot_turns,
    turning_points,
)


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


def test_pieces_of_which_only_the_weight_is_known_play_the_part_that_is_near_their_place() -> None:
    weights = [0.0] * 21
    plain = [piece for _, piece, _ in placed_points(weights)]
    assert plain == [2, 6, 10, 15, 19]
    weights[12] = weights[14] = 0.9
    found = {role: piece for role, piece, _ in placed_points(weights)}
    assert (found["point of no return"], found["major setback"]) == (12, 14)
    assert found["opportunity"] < found["change of plans"] < 12 and found["climax"] > 14
    assert placed_points([1.0] * 4) == []
