"""Names spelled otherwise, and given names that change: when it is a slip."""

from __future__ import annotations

from tests.stories.slips import PASSAGES, found_by
from tests.stories.trait_stories import TraitStory

from fabula.story.continuity.rules.name_drift import NameDrift
from fabula.story.model.types import QuotationTold

RULE = NameDrift()


def told(odd: str, *, before: int = 9, gender: str = "") -> TraitStory:
    story = TraitStory().named("Mr. Hartley", before).chapter(2)
    return story.named(odd, 1, as_="odd", gender=gender)


def found(story: TraitStory) -> list:
    return list(RULE.find(story.view()))


def test_a_late_misspelling_is_found_once_with_both_quotes() -> None:
    [finding] = found(told("Mr. Hartly"))
    assert [quote.quote for quote in finding.evidence] == ["Mr. Hartley.", "Mr. Hartly."]
    assert finding.entities == ("mr. hartley", "odd")


def test_what_is_no_slip() -> None:
    assert found(told("Mr. Harding")) == []
    assert found(told("Miss Hartly")) == []  # in no frame in which the name is known
    assert found(told("Mr. Hartly", before=4)) == []  # the name is not settled yet
    story = TraitStory().named("Mr. Hartley", 9).named("Mr. Hartly", 3, as_="odd")
    assert found(story) == []  # used again and again: somebody else
    assert found(TraitStory().named("Mr. Hartly", 1, as_="odd").named("Mr. Hartley", 9)) == []


def test_a_different_gender_is_a_different_person() -> None:
    story = TraitStory().named("Hartley", 9, gender="m").named("Hartly", 1, as_="odd", gender="f")
    assert found(story) == []


def test_two_told_apart_in_one_breath_are_two() -> None:
    story = TraitStory().named("Mr. Hartley", 9)
    assert found(story.mention("Mr. Hartly", as_="odd")) == []


def test_a_word_that_was_taken_for_no_name_counts_too() -> None:
    story = TraitStory().named("Mr. Hartley", 9).chapter(2).say_much()
    story.trait("Mr. Hartley", "spelling", "hartly", quote=story.say("Hartly"))
    story._log["mentions"].pop()  # of the name itself, nothing stands there
    [finding] = found(story)
    assert finding.evidence[1].quote == "Hartly"
    assert finding.entities == ("mr. hartley",)


def test_speakers_mangle_names() -> None:
    story = told("Mr. Hartly")
    [mention] = [each for each in story._log["mentions"] if each.surface == "Mr. Hartly"]
    story._log["quotations"].append(QuotationTold(None, (), 2, (mention.evidence,), 1, "implicit"))
    assert found(story) == []


def test_only_the_draft_is_looked_at() -> None:
    story = TraitStory().named("Mr. Hartley", 9)
    story.document("draft", chapter=2).named("Mr. Hartly", 1, as_="odd")
    assert len(list(RULE.find(story.view(), only_document="draft"))) == 1
    assert list(RULE.find(story.view(), only_document="another")) == []
    assert RULE.checkable(story.view()) == frozenset()


WALTER = "The house belonged to Walter Penrose, who lived alone.\n\n"


def test_a_passing_figure_with_two_given_names() -> None:
    later = "As to the house, Clement Penrose had it now, and paid for it.\n\n"
    [finding] = found_by(NameDrift(), PASSAGES + WALTER, PASSAGES + later)
    assert finding.message == "Walter Penrose (chapter 1) is Clement Penrose in chapter 2."


def test_two_of_one_surname() -> None:
    for later in (
        "As to the house, Wat Penrose had it now.\n\n",
        "As to the house, Harriet Penrose had it now.\n\n",
        "As to the house, his brother Clement Penrose had it now.\n\n",
        "As to the house, Clement Radway had it now.\n\n",
        "As to the house, Edmund Penrose had it now. Edmund slept. Edmund sang.\n\n",  # who is known
        "Clement Penrose came. Clement Penrose ate. Clement Penrose sang. Clement Penrose slept.\n\n",
    ):
        assert found_by(NameDrift(), PASSAGES + WALTER, PASSAGES + later) == [], later


def test_months_and_weekdays_are_no_misspelt_names() -> None:
    for word, count in (("march", 0), ("mersh", 1)):
        story = TraitStory().named("Mr. Marsh", 9).chapter(2).say_much()
        story.trait("Mr. Marsh", "spelling", word, quote=story.say(word.title()))
        story._log["mentions"].pop()
        assert len(found(story)) == count, word
