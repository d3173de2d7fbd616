"""Who is at odds."""

from __future__ import annotations

from tests.stories.builder import StoryBuilder


def tale() -> StoryBuilder:
    """Tom and Anna are shown in chapters 1 to 3, and hate each other in the third."""
    story = StoryBuilder()
    for chapter in (1, 2, 3):
        story.chapter(chapter).mention("Tom").mention("Anna")
    return story.bond("Tom", "HATES", "Anna")


def test_rivals_are_no_enemies():
    from dataclasses import replace

    from fabula.core.types import Evidence
    from fabula.story.continuity.background.avowals import at_odds

    view = tale().chapter(3).bond("Tom", "ENEMY_OF", "Anna").chapter(7).bond("Tom", "LOVES", "Anna").view()
    one, other = (r for r in view.relations() if r.predicate in ("ENEMY_OF", "LOVES"))
    told = one.evidence[0]
    rivals = Evidence(told.document_id, told.chapter, told.span, "Tom and Anna were rivals at the show.")
    assert at_odds(one, other)
    assert not at_odds(replace(one, evidence=(rivals,)), other)
