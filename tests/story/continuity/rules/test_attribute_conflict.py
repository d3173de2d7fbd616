"""One eye colour a person: which tellings exclude each other, and what accounts for a change."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.examples import assert_read
from tests.stories.slips import found_apart
from tests.stories.trait_stories import TraitStory

from fabula.story.continuity.rules.attribute_conflict import AttributeConflict
from fabula.story.model.findings import Severity
from fabula.story.model.types import Modality, TimeTold

HERE = Path(__file__).parent
RULE = AttributeConflict()


def two(aspect: str, one: str, other: str, **later) -> TraitStory:
    story = TraitStory().trait("Anna", aspect, one)
    return story.chapter(9).trait("Anna", aspect, other, **later)


def found(story: TraitStory, **given_) -> list:
    return list(RULE.find(story.view(), **given_))


def test_two_values_that_exclude_each_other() -> None:
    for aspect, one, other in (
        ("eyes", "grey", "brown"),
        ("eyes", "blue", "brown"),
        ("eyes", "blue", "green"),
        ("eyes", "light", "black"),
        ("hair", "black", "fair"),
        ("hair", "brown", "red"),
        ("hair", "brown/dark", "fair"),
        ("eyes", "blue", "grey"),
        ("hair", "grey", "black"),
        ("hand", "left", "right"),
        ("height", "tall", "short"),
        ("birthplace", "leeds", "bristol"),
        ("born", "1802", "1810"),
        ("profession", "law", "wood"),
        ("scar cheek", "left", "right"),
        ("age", "30", "24"),
        ("age", "19", "40"),
    ):
        [finding] = found(two(aspect, one, other))
        assert [quote.chapter for quote in finding.evidence] == [1, 9], (aspect, one, other)
        assert [quote.quote for quote in finding.evidence] == [
            f"Anna: {aspect} {v}." for v in (one, other)
        ], (aspect, one, other)
        assert finding.entities == ("anna",), (aspect, one, other)
        assert finding.suggestion and finding.unless, (aspect, one, other)


def test_what_can_both_be_true() -> None:
    for aspect, one, other in (
        ("eyes", "grey", "grey"),
        ("eyes", "hazel", "brown"),
        ("eyes", "hazel", "green"),
        ("eyes", "dark", "blue"),
        ("eyes", "blue/grey", "green"),
        ("hair", "red", "auburn"),
        ("hair", "fair", "sandy"),
        ("hair", "black", "grey"),
        ("hair", "brown", "bald"),
        ("birthplace", "york", "new york"),
        ("sight", "blind", "one-eyed"),
        ("age", "30", "29"),
        ("age", "19", "21"),
        ("introduction", "a girl", "the widow"),
    ):
        assert found(two(aspect, one, other)) == [], (aspect, one, other)


def test_a_told_change_accounts_for_it() -> None:
    story = TraitStory().trait("Anna", "hair", "fair")
    story.chapter(3).trait("Anna", "hair", "changed", change=True)
    assert found(story.chapter(9).trait("Anna", "hair", "black")) == []
    assert found(two("hair", "fair", "black", change=True)) == []


def test_a_change_told_in_the_sentence_of_the_new_colour_accounts_for_it() -> None:
    story = TraitStory().trait("Anna", "hair", "fair").chapter(9)
    both = story.say("Anna's hair, rinsed with something out of a jar, was now black.")
    story.trait("Anna", "hair", "black", quote=both)
    assert len(found(story)) == 1
    assert found(story.trait("Anna", "hair", "changed", change=True, quote=both)) == []


def test_a_change_told_of_somebody_else_far_off_does_not() -> None:
    story = TraitStory().trait("Anna", "hair", "fair").chapter(5).say_much().say_much()
    story.trait("Berta", "hair", "changed", change=True).say_much().say_much()
    assert len(found(story.chapter(9).trait("Anna", "hair", "black"))) == 1


def test_a_change_told_of_somebody_else_right_beside_does() -> None:
    story = TraitStory().trait("Anna", "hair", "fair").chapter(5).say_much().say_much()
    story.mention("Anna").trait("Berta", "hair", "changed", change=True)
    assert found(story.chapter(9).trait("Anna", "hair", "black")) == []


def test_the_better_hand_is_no_way_of_speaking_however_often_both_are_told() -> None:
    story = TraitStory()
    for chapter in (1, 2, 3):
        story.chapter(chapter).trait("Anna", "hand", "left")
    for chapter in (4, 5, 6):
        story.chapter(chapter).trait("Anna", "hand", "right")
    assert found(story)


def test_what_is_unsure_imagined_or_only_said_does_not_count() -> None:
    assert found(two("eyes", "grey", "brown", confidence=0.6)) == []
    assert found(two("eyes", "grey", "brown", modality=Modality.IMAGINED)) == []
    said = TraitStory().trait("Anna", "eyes", "grey", modality=Modality.REPORTED)
    assert found(said.chapter(2).trait("Anna", "eyes", "brown", modality=Modality.REPORTED)) == []


def test_hair_may_have_been_otherwise_before_but_eyes_not() -> None:
    assert found(two("hair", "grey", "black", modality=Modality.FLASHBACK)) == []
    assert len(found(two("eyes", "grey", "brown", modality=Modality.FLASHBACK))) == 1


def test_severity_follows_who_says_it_and_how_surely() -> None:
    assert found(two("eyes", "grey", "brown"))[0].severity is Severity.ERROR
    assert found(two("eyes", "grey", "brown", confidence=0.7))[0].severity is Severity.WARNING
    assert found(two("eyes", "grey", "brown", modality=Modality.REPORTED))[0].severity is Severity.WARNING
    assert found(two("profession", "law", "wood"))[0].severity is Severity.WARNING
    assert found(two("eyes", "blue", "grey"))[0].severity is Severity.WARNING


@pytest.mark.parametrize("words", ["was streaked with grey", "was white with flour", "had begun to grey"])
def test_hair_that_is_not_quite_grey_may_be_dark_again(words) -> None:
    story = TraitStory()
    story.trait("Anna", "hair", "grey", quote=story.say(f"Her hair {words}."))
    assert found(story.chapter(9).trait("Anna", "hair", "black")) == []


def test_what_a_text_tells_both_ways_again_and_again_is_its_way_of_speaking() -> None:
    story = TraitStory()
    for chapter in range(1, 4):
        story.chapter(chapter).trait("Anna", "eyes", "grey")
        story.trait("Anna", "eyes", "brown", quote=story.say(f"Brown in the lamplight of night {chapter}."))
    assert found(story) == []
    three = TraitStory().trait("Anna", "eyes", "blue").chapter(2).trait("Anna", "eyes", "brown")
    assert len(found(three)) == 1
    assert found(three.chapter(3).trait("Anna", "eyes", "green")) == []


def test_years_that_are_told_to_pass_make_older() -> None:
    story = TraitStory().trait("Anna", "age", "19").chapter(4)
    quote = story.say("Twenty years later it rained.")
    story._log["times"].append(TimeTold("shift", "P20Y", 4, quote))
    assert found(story.chapter(9).trait("Anna", "age", "40")) == []
    assert len(found(story.chapter(10).trait("Anna", "age", "30"))) == 1


def test_a_draft_is_held_against_its_source() -> None:
    story = TraitStory().trait("Anna", "eyes", "grey").chapter(2).trait("Anna", "eyes", "brown")
    story.document("draft", chapter=3).trait("Anna", "eyes", "black")
    drafted = found(story, only_document="draft")
    assert {finding.evidence[-1].document_id for finding in drafted} <= {"draft"}
    assert found(TraitStory().trait("Anna", "eyes", "grey"), only_document="draft") == []


def test_what_could_be_checked() -> None:
    story = two("eyes", "grey", "grey").trait("Berta", "eyes", "blue")
    assert [fact.told for fact in RULE.checkable(story.view())] == [9]


def test_the_horizon_hides_the_later_side() -> None:
    assert list(RULE.find(two("eyes", "grey", "brown").view(8))) == []


@given(st.permutations(["grey", "brown", "grey", "hazel"]))
def test_the_same_story_gives_the_same_findings(values) -> None:
    story = TraitStory()
    for chapter, value in enumerate(values, 1):
        story.chapter(chapter).trait("Anna", "eyes", value)
    assert found(story) == found(story)
    assert all(view.evidence[0].chapter < view.evidence[1].chapter for view in found(story))


def apart(early: str, late: str) -> list[str]:
    return found_apart(RULE, early, late)


def test_looks_and_trades_as_they_are_read() -> None:
    assert_read(HERE / "attribute_conflict.tsv", apart)
