from tests.stories.builder import StoryBuilder

from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.plot.turning_points import character_turning_points


def war():
    return StoryBuilder.of(
        "Tom feels joy 0.8; Anna; Tom MEETS Anna; 2:; Tom; Tom MEETS Anna; Anna; "
        "3:; Bert KILLS Anna; Tom feels despair -0.8; 4:; Tom"
    )


def test_turning_points_of_one_character_are_the_moves_that_are_not_steady():
    view = war().view()
    (point,) = character_turning_points(DynamicArcTracker(view), view, "tom", count=1)
    assert point.chapter == 3
    assert point.reasons[:2] == (f"Tom: fall ({point.weight:.2f})", "joy (+0.57) to despair (-0.80)")
    assert all(quote.chapter == 3 for quote in point.evidence)
