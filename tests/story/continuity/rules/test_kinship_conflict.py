"""Kin that cannot be both, and kin that only sound so."""

from __future__ import annotations

import pytest
from tests.stories.slips import PASSAGES, found_by
from tests.stories.trait_stories import TraitStory

from fabula.story.continuity.rules.kinship_conflict import KinshipConflict
from fabula.story.model.findings import Severity

RULE = KinshipConflict()


def kin(story: TraitStory, one: str, predicate: str, other: str, said: str = "") -> TraitStory:
    quote = story.say(said) if said else None
    return story.bond(one, predicate, other, **({"quote": quote} if quote else {}))


def found(story: TraitStory) -> list:
    return list(RULE.find(story.view()))


def test_ties_that_exclude_each_other() -> None:
    for first, second in (
        (("Tom", "SIBLING_OF", "Anna"), ("Tom", "PARENT_OF", "Anna")),
        (("Tom", "PARENT_OF", "Anna"), ("Anna", "PARENT_OF", "Tom")),
        (("Tom", "PARENT_OF", "Anna"), ("Tom", "CHILD_OF", "Anna")),
        (("Tom", "MARRIED_TO", "Anna"), ("Anna", "SIBLING_OF", "Tom")),
        (("Tom", "SIBLING_OF", "Anna"), ("Tom", "KIN_OF", "Anna", "Tom was Anna's cousin.")),
        (("Tom", "KIN_OF", "Anna", "Tom was Anna's uncle."), ("Tom", "CHILD_OF", "Anna")),
    ):
        story = kin(TraitStory(), *first).chapter(9)
        [finding] = found(kin(story, *second))
        assert [quote.chapter for quote in finding.evidence] == [1, 9], (first, second)
        assert finding.entities == ("anna", "tom"), (first, second)


def test_ties_that_can_both_be() -> None:
    for first, second in (
        (("Tom", "SIBLING_OF", "Anna"), ("Anna", "SIBLING_OF", "Tom")),
        (("Tom", "PARENT_OF", "Anna"), ("Anna", "CHILD_OF", "Tom")),
        (("Tom", "KIN_OF", "Anna", "Tom was a relation of Anna's."), ("Tom", "SIBLING_OF", "Anna")),
        (("Tom", "KIN_OF", "Anna", "Tom was Anna's cousin."), ("Tom", "MARRIED_TO", "Anna")),
        (("Tom", "SIBLING_OF", "Anna", "Tom, her half brother, came."), ("Tom", "PARENT_OF", "Anna")),
        (("Tom", "SIBLING_OF", "Anna", "Tom was her brother-in-law."), ("Tom", "MARRIED_TO", "Anna")),
        (("Tom", "PARENT_OF", "Anna", "Tom was like a father to Anna."), ("Tom", "SIBLING_OF", "Anna")),
        (("Tom", "SIBLING_OF", "Anna"), ("Tom", "PARENT_OF", "Berta")),
    ):
        assert found(kin(kin(TraitStory(), *first).chapter(9), *second)) == [], (first, second)


def test_two_fathers() -> None:
    story = TraitStory().mention("Tom", gender="m").mention("Karl", gender="m").mention("Ruth", gender="f")
    story.bond("Tom", "PARENT_OF", "Anna").bond("Ruth", "PARENT_OF", "Anna")
    assert found(story) == []
    [finding] = found(story.chapter(7).bond("Karl", "PARENT_OF", "Anna"))
    assert finding.entities == ("anna", "karl", "tom")


def test_what_is_told_both_ways_again_and_again_is_a_mix_up_of_names() -> None:
    story = TraitStory()
    for chapter in range(1, 4):
        story.chapter(chapter).bond("Tom", "SIBLING_OF", "Anna").bond("Tom", "PARENT_OF", "Anna")
    assert found(story) == []


def test_father_and_son_of_one_name_are_not_set_against_each_other() -> None:
    story = TraitStory().bond("Mr. Hale", "PARENT_OF", "Frank Hale")
    assert found(story.chapter(5).bond("Mr. Hale", "SIBLING_OF", "Frank Hale")) == []


def test_doubtful_ties_do_not_count_and_drafts_are_held_against_the_source() -> None:
    story = TraitStory().bond("Tom", "SIBLING_OF", "Anna").chapter(2)
    assert found(story.bond("Tom", "PARENT_OF", "Anna", confidence=0.5)) == []
    story.document("draft", chapter=3).bond("Tom", "PARENT_OF", "Anna")
    view = story.view()
    assert [f.evidence[-1].document_id for f in RULE.find(view, only_document="draft")] == ["draft"]
    assert len(RULE.checkable(view, only_document="draft")) == 1


AUNT = "Edmund had all he knew from Mrs. Pringle. There is nothing like an aunt.\n\n"


COUSIN = "“Who is Mrs. Pringle, Edmund?” “My cousin,” said Edmund.\n\n"


def test_an_aunt_who_was_a_cousin() -> None:
    [finding] = found_by(KinshipConflict(), PASSAGES + AUNT, PASSAGES + COUSIN)
    assert [quote.chapter for quote in finding.evidence] == [1, 2]
    assert finding.severity is Severity.WARNING
    assert "Mrs. Pringle" in finding.message


@pytest.mark.parametrize(
    "later",
    [
        AUNT,
        COUSIN.replace("Edmund", "Laura"),  # somebody else's cousin
        COUSIN.replace("Mrs. Pringle", "Mrs. Radway"),
        COUSIN + PASSAGES + "Mrs. Pringle nodded. " * 7,  # no passing figure
    ],
)
def test_kin_that_need_not_clash(later: str) -> None:
    assert found_by(KinshipConflict(), PASSAGES + AUNT, PASSAGES + later) == []
