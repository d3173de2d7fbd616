"""One thing told twice is one thing; and what is told but once, of somebody of whom nothing follows."""

from __future__ import annotations

from fabula.story.continuity.rules.abandoned_goal import AbandonedGoal
from fabula.story.continuity.rules.knowledge_leak import KnowledgeLeak
from fabula.story.continuity.rules.never_introduced import NeverIntroduced
from fabula.story.continuity.rules.object_conflict import ObjectConflict

from .told_story import FILLER, story


def test_an_end_told_again_is_no_use():
    sold = "Marcus Hale sold his silver flute in Vienna."
    assert not list(ObjectConflict().find(story(sold, f"{FILLER} Marcus had sold the silver flute.")))
    assert list(ObjectConflict().find(story(sold, f"{FILLER} Marcus played upon the silver flute.")))


def test_a_vow_is_found_once_however_often_it_is_read():
    vow = (
        "“I will find the poacher who shot my spaniel, if it takes me the rest of my life,” said Marcus Hale."
    )
    rest = [f"{FILLER} Marcus poured the tea." for _ in range(6)]
    (violation,) = AbandonedGoal().find(story(vow, *rest))
    assert "spaniel" in violation.evidence[0].quote


KEPT = "Nobody had told Tobias that the strong-box held the forged deed of the mill."


def test_who_was_never_told_and_does_not_know():
    again = "Nobody had told Tobias about the forged deed of the mill."
    assert not list(KnowledgeLeak().find(story(f"{FILLER} {KEPT}", f"{FILLER} {again}")))


def test_a_name_that_talk_takes_for_known():
    told = story(*[FILLER] * 3, f"{FILLER} “I met Harriet in the lane this morning,” said Marcus.")
    assert [each.message.split()[0] for each in NeverIntroduced(long_story=1).find(told)] == ["Harriet"]
