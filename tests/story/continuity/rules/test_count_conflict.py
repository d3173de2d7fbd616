"""How many brothers: totals that cannot both be, and what makes them more or fewer."""

from __future__ import annotations

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.slips import found_apart
from tests.stories.trait_stories import TraitStory

from fabula.story.continuity.rules.count_conflict import CountConflict
from fabula.story.model.types import Modality

HERE = Path(__file__).parent
RULE = CountConflict()


def two(one: tuple[str, str], other: tuple[str, str], **later) -> TraitStory:
    story = TraitStory().trait("Anna", f"count:{one[0]}", one[1])
    return story.chapter(9).trait("Anna", f"count:{other[0]}", other[1], **later)


def test_brothers_and_sisters_of_one_sentence_are_summed() -> None:
    story = TraitStory()
    both = story.say("Anna had a brother and two sisters.")
    story.trait("Anna", "count:brother", "1+", quote=both).trait("Anna", "count:sister", "2", quote=both)
    [finding] = found(story.chapter(9).trait("Anna", "count:sibling", "8"))
    assert "3 siblings" in finding.message


def found(story: TraitStory) -> list:
    return list(RULE.find(story.view()))


def test_totals_that_exclude_each_other() -> None:
    for one, other in (
        (("brother", "3"), ("brother", "2")),
        (("brother", "0"), ("brother", "2")),
        (("brother", "0"), ("brother", "1+")),
        (("sibling", "0"), ("brother", "1")),
        (("sister", "1+"), ("sibling", "0")),
        (("child", "2"), ("son", "3")),
    ):
        [finding] = found(two(one, other))
        assert [quote.chapter for quote in finding.evidence] == [1, 9], (one, other)


def test_totals_that_agree() -> None:
    for one, other in (
        (("brother", "3"), ("brother", "3")),
        (("brother", "3"), ("sister", "2")),
        (("brother", "1+"), ("brother", "2")),
        (("child", "5"), ("son", "3")),
        (("sibling", "4"), ("brother", "1+")),
    ):
        assert found(two(one, other)) == [], (one, other)


def test_a_birth_or_a_loss_between_accounts_for_it() -> None:
    story = TraitStory().trait("Anna", "count:son", "2")
    story.chapter(4).trait("Anna", "count:son", "+1", change=True)
    assert found(story.chapter(9).trait("Anna", "count:son", "3")) == []
    story = TraitStory().trait("Anna", "count:brother", "3").bond("Tom", "SIBLING_OF", "Anna")
    story.chapter(4).event("DIES", patient="Tom")
    assert found(story.chapter(9).trait("Anna", "count:brother", "2")) == []


def test_the_death_of_a_stranger_does_not() -> None:
    story = TraitStory().trait("Anna", "count:brother", "3").mention("Tom")
    story.chapter(4).event("DIES", patient="Tom")
    assert len(found(story.chapter(9).trait("Anna", "count:brother", "2"))) == 1


def test_an_only_child_has_no_named_brother() -> None:
    story = TraitStory().trait("Anna", "count:sibling", "0")
    [finding] = found(story.chapter(5).bond("Tom", "SIBLING_OF", "Anna"))
    assert finding.entities == ("anna", "tom")
    assert [quote.chapter for quote in finding.evidence] == [1, 5]


def test_three_numbers_or_two_both_repeated_are_let_pass() -> None:
    story = two(("brother", "3"), ("brother", "2"))
    assert found(story.chapter(10).trait("Anna", "count:brother", "4")) == []
    again = two(("brother", "3"), ("brother", "2")).chapter(10)
    again.trait("Anna", "count:brother", "3", quote=again.say("Three she had."))
    again.trait("Anna", "count:brother", "2", quote=again.say("Two she had."))
    assert found(again) == []


def test_hearsay_and_doubt_do_not_count() -> None:
    assert found(two(("brother", "3"), ("brother", "2"), confidence=0.5)) == []
    assert found(two(("brother", "3"), ("brother", "2"), modality=Modality.IMAGINED)) == []


def test_a_draft_and_what_could_be_checked() -> None:
    story = TraitStory().trait("Anna", "count:brother", "3")
    story.document("draft", chapter=2).trait("Anna", "count:brother", "2")
    view = story.view()
    [finding] = RULE.find(view, only_document="draft")
    assert finding.evidence[-1].document_id == "draft"
    assert len(RULE.checkable(view, only_document="draft")) == 1
    assert list(RULE.find(view, only_document="another")) == []


def apart(early: str, late: str) -> list[str]:
    return found_apart(RULE, early, late)


def test_kin_are_counted_by_many_words_and_others_are_not() -> None:
    assert_read(HERE / "count_conflict.tsv", apart)
