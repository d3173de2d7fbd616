from tests.stories.builder import StoryBuilder

from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.model.types import Modality
from fabula.story.plot.turning_points import character_turning_points, turning_points


def war():
    return StoryBuilder.of(
        "Tom feels joy 0.8; Anna; Tom MEETS Anna; 2:; Tom; Tom MEETS Anna; Anna; "
        "3:; Bert KILLS Anna; Tom feels despair -0.8; 4:; Tom"
    )


def test_a_killing_and_a_fall_turn_the_story():
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


def test_meetings_plans_and_the_horizon():
    reasons = [reason for point in turning_points(war().view()) for reason in point.reasons]
    assert reasons.count("Tom meets Anna") == 1
    story = StoryBuilder().mention("Tom").mention("Anna").chapter(2)
    story.event("KILLS", "Tom", "Anna", modality=Modality.PLANNED)
    assert turning_points(story.view()) == ()
    story.event("KILLS", "Tom", "Anna", modality=Modality.FLASHBACK)
    reasons = [reason for point in turning_points(story.view()) for reason in point.reasons]
    assert "Tom kills Anna" not in reasons
    story = war()
    assert [point.chapter for point in turning_points(story.view(2))] == [1]


def test_turning_points_of_one_character_are_the_moves_that_are_not_steady():
    view = war().view()
    (point,) = character_turning_points(DynamicArcTracker(view), view, "tom", count=1)
    assert (point.chapter, point.entities) == (3, ("tom",))
    assert point.reasons[:2] == (f"Tom: fall ({point.weight:.2f})", "joy (+0.57) to despair (-0.80)")
    assert all(quote.chapter == 3 for quote in point.evidence)
