"""Bonds that turn round, with and without a reason told between."""

from __future__ import annotations

import pytest
from tests.stories.builder import StoryBuilder

from fabula.story.continuity.rules.unearned_change import UnearnedChange
from fabula.story.model.findings import Severity
from fabula.story.model.types import Modality


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


def test_an_act_between_the_two_earns_it():
    for act in (
        "SAVES",
        "HELPS",
        "FORGIVES",
        "EMBRACES",
        "MARRIES",
    ):
        assert not found(
            tale().chapter(4).event(act, "Anna", "Tom").chapter(6).bond("Tom", "LOVES", "Anna")
        ), act


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


@pytest.mark.parametrize(("sure", "earned"), [(0.72, True), (0.8, False)])
def test_what_somebody_says_of_himself_must_be_surer(sure, earned):
    story = tale().chapter(6)
    said = story.say("Tom told the vicar that he had always loved Anna.")
    story.bond("Tom", "LOVES", "Anna", quote=said, modality=Modality.REPORTED, confidence=sure)
    assert (found(story) == []) is earned


def test_strangers_may_change_as_they_like():
    story = StoryBuilder().bond("Tom", "HATES", "Anna").chapter(2).bond("Tom", "LOVES", "Anna")
    assert not found(story)


def test_a_draft_is_for_another_rule():
    view = tale().chapter(6).bond("Tom", "LOVES", "Anna").view()
    rule = UnearnedChange()
    assert not list(rule.find(view, only_document="book"))
    assert len(rule.checkable(view)) == 1


def test_what_happens_all_the_time_earns_nothing_long_after():
    early = tale().chapter(4).event("EMBRACES", "Anna", "Tom")
    assert found(early.chapter(9).bond("Tom", "LOVES", "Anna"))
    late = tale().chapter(8).event("EMBRACES", "Anna", "Tom")
    assert not found(late.chapter(9).bond("Tom", "LOVES", "Anna"))


def test_an_enemy_loved_is_a_change():
    story = tale().chapter(3).bond("Tom", "ENEMY_OF", "Anna").chapter(7)
    (violation,) = found(story.bond("Tom", "LOVES", "Anna"))
    assert [quote.chapter for quote in violation.evidence] == [3, 7]


def test_the_tellings_nearest_the_change_are_in_evidence():
    story = tale().chapter(4).bond("Tom", "HATES", "Anna").chapter(8).bond("Tom", "LOVES", "Anna")
    (violation,) = found(story.chapter(9).bond("Tom", "LOVES", "Anna"))
    assert [quote.chapter for quote in violation.evidence] == [4, 8]


def test_a_thanks_for_a_cup_of_tea_is_no_peace_but_words_of_peace_are():
    from fabula.story.continuity.rules.unearned_change import _PEACE

    assert _PEACE.search("Let us be friends, Tom. I have been wrong about you.")
    assert not _PEACE.search("Forgive me, Tom, is this your friend's chair?")
