"""Sums with told times: what cannot be, and what may."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import story
from tests.stories.slips import found_apart, found_in

from fabula.story.continuity.rules.timeline.timeline_conflict import TimelineConflict

HERE = Path(__file__).parent


def apart(early, late):
    return found_apart(TimelineConflict(), early, late)


def within(text):
    return found_in(TimelineConflict(), story(text), text)


def in_turn(*bodies):
    return found_in(TimelineConflict(), story(*bodies), *bodies)


def test_times_that_are_told_chapters_apart():
    assert_read(HERE / "apart.tsv", apart)


def test_times_that_are_told_in_one_breath():
    assert_read(HERE / "within.tsv", within)


def test_years_ago_are_counted_from_the_telling():
    assert in_turn("Tobias had died ten years ago.", "Tobias Crane had died two years ago.")
    assert not in_turn(
        "Tobias had died two years ago.", "The ice went out.", "Tobias Crane had died ten years ago."
    )


def test_a_finding_says_how_to_mend_it_and_what_would_excuse_it():
    (violation,) = TimelineConflict().find(story("One winter evening in July, Elena played to them."))
    assert violation.rule == "timeline_conflict"
    assert violation.suggestion and violation.unless


def test_later_dates_are_checkable():
    rule = TimelineConflict()
    assert {time.value for time in rule.checkable(story("On Monday Elena sang. On Friday Elena wept."))} == {
        "XXXX-WXX-5"
    }
    assert not rule.checkable(story("On Monday Elena sang."))
