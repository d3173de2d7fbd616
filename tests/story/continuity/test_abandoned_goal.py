"""Vows that a finished story forgets, and those it comes back to."""

from __future__ import annotations

import pytest

from fabula.core.types import Horizon
from fabula.story.continuity.rules.abandoned_goal import AbandonedGoal
from fabula.story.model.findings import Severity

from .told_story import FILLER, story

REST = [f"Elena laughed at Marcus. Tobias nodded. Elena poured the tea. {FILLER}"] * 5


def found(vow: str, *rest: str):
    return list(AbandonedGoal().find(story(vow, *(rest or REST))))


@pytest.mark.parametrize(
    "vow",
    [
        "Elena vowed that she would find the tinker who had stolen the locket.",
        "Marcus swore to rebuild the burnt almshouse.",
        "“I swear that I will hang the poacher who shot my spaniel,” said Marcus.",
        "Elena promised the dying gypsy that she would carry his fiddle to Cornwall.",
        "Tobias had sworn an oath to unmask the forger of the register.",
        "Elena gave her word that she would repay the orphanage.",
        "“I will find the tinker who stole the locket, though it take me ten years,” said Elena.",
        "“I will find the poacher who shot my spaniel, if it takes me the rest of my life,” said Marcus.",
    ],
)
def test_a_forgotten_vow_is_a_hint(vow):
    (violation,) = found(vow)
    assert violation.severity is Severity.INFO
    assert violation.evidence[0].quote in vow
    assert violation.evidence[0].chapter == 2


@pytest.mark.parametrize(
    "vow",
    [
        "Elena vowed never to forgive the tinker who had stolen the locket.",
        "Elena promised to bring the locket and the fiddle to-morrow.",
        "Elena promised to be a patient listener and a faithful neighbour.",
        "Elena wanted to find the tinker who had stolen the locket.",
        "“You swear that you will hang the poacher,” said Elena.",
        "Elena was determined to enjoy a quiet evening with her fiddle.",
        "Elena was determined never to find the tinker who had stolen the locket.",
    ],
)
def test_what_is_no_weighty_vow(vow):
    assert not found(vow)


@pytest.mark.parametrize(
    "later",
    [
        "Elena found the tinker, and he gave back the locket.",
        "“That tinker has my locket still,” said Elena.",
        "Elena gave up the search for the tinker and forgot the locket.",
    ],
)
def test_a_story_that_comes_back_to_it(later):
    vow = "Elena vowed that she would find the tinker who had stolen the locket."
    assert not found(vow, *REST[:3], later, *REST[3:])


def test_words_that_the_story_always_uses_count_where_all_of_the_aim_is_there():
    vow = "Elena made a vow to unmask the writer of the anonymous letter."
    talk = "\n\n".join(["“A letter,” said Elena.", "“The writer,” said Marcus."] * 20)
    rest = [f"{each}\n\n{talk}" for each in REST]
    assert found(vow, *rest)
    assert not found(vow, *rest[:3], f"Elena found the writer of the anonymous letter. {rest[3]}", rest[4])


def test_only_of_a_finished_story_and_of_those_who_stay_in_it():
    vow = "Marcus swore to rebuild the burnt almshouse."
    view = story(vow, *REST)
    rule = AbandonedGoal()
    assert list(rule.find(view)) and rule.checkable(view)
    assert not list(rule.find(view.as_of(Horizon(5))))
    assert not list(rule.find(view, only_document="draft"))
    assert not found(vow, *["Elena laughed. Tobias nodded."] * 5)
    assert not found("Elena laughed.", *REST[:4], vow)
