"""Bonds that turn round, with and without a reason told between."""

from __future__ import annotations

import pytest

from fabula.story.continuity.unearned_change import UnearnedChange
from fabula.story.findings import Severity
from fabula.story.types import Modality

from ..builder import StoryBuilder


def tale() -> StoryBuilder:
    """Tom and Anna are shown in chapters 1 to 3, and hate each other in the third."""
    story = StoryBuilder()
    for chapter in (1, 2, 3):
        story.chapter(chapter).mention("Tom").mention("Anna")
    return story.bond("Tom", "HATES", "Anna")


def found(story: StoryBuilder):
    return list(UnearnedChange().find(story.view()))


@pytest.mark.parametrize("later", ["LOVES", "FRIEND_OF", "TRUSTS", "ALLIES_WITH"])
def test_hatred_that_becomes_its_opposite_in_silence(later):
    (violation,) = found(tale().chapter(6).bond("Tom", later, "Anna"))
    assert violation.severity is Severity.WARNING
    assert [quote.chapter for quote in violation.evidence] == [3, 6]
    assert violation.entities == ("anna", "tom")


@pytest.mark.parametrize("act", ["SAVES", "HELPS", "FORGIVES", "EMBRACES", "MARRIES"])
def test_an_act_between_the_two_earns_it(act):
    assert not found(tale().chapter(4).event(act, "Anna", "Tom").chapter(6).bond("Tom", "LOVES", "Anna"))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s: s.event("BETRAYS", "Anna", "Tom"),  # against the change
        lambda s: s.event("SAVES", "Anna", "Bert"),  # somebody else
        lambda s: s.event("SAVES", "Anna", "Tom", modality=Modality.IMAGINED),
        lambda s: s.mention("Tom").mention("Anna"),
    ],
)
def test_what_does_not_earn_it(spoil):
    assert found(spoil(tale().chapter(4)).chapter(6).bond("Tom", "LOVES", "Anna"))


def test_what_is_no_change():
    assert not found(tale().chapter(6).bond("Tom", "HATES", "Anna"))
    assert not found(tale().chapter(6).bond("Anna", "LOVES", "Tom"))  # one hates, the other loves
    assert not found(tale().bond("Tom", "LOVES", "Anna"))  # in one chapter: relationship_conflict's
    assert not found(tale().chapter(6).bond("Tom", "LOVES", "Anna", confidence=0.4))
    assert not found(tale().chapter(6).flashback("Tom", "LOVES", "Anna"))


def test_strangers_may_change_as_they_like():
    story = StoryBuilder().bond("Tom", "HATES", "Anna").chapter(2).bond("Tom", "LOVES", "Anna")
    assert not found(story)


def test_a_draft_is_for_another_rule():
    view = tale().chapter(6).bond("Tom", "LOVES", "Anna").view()
    rule = UnearnedChange()
    assert not list(rule.find(view, only_document="book"))
    assert len(rule.checkable(view)) == 1
