import pytest
from tests.stories.builder import StoryBuilder

from fabula.story.graph_rag.arcs.deeds import deed_change


def test_deeds_by_hand() -> None:
    story = StoryBuilder().event("HELPS", "Tom", "Anna").chapter(2).event("KILLS", "Tom", "Bert")
    from fabula.story.graph_rag.views.acts import acts

    happened = acts(story.view())
    # strength 1/(1+0.5) for one helped, -1/(1+0.5) for one killed, half the difference
    assert deed_change("tom", happened, since=1) == pytest.approx((-1 / 1.5 - 1 / 1.5) / 2)
    assert deed_change("tom", happened, since=2) == 0
    assert deed_change("bert", happened, since=0) == 0
