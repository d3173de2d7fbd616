"""Values of traits that have parts: what is written is read again."""

import pytest

from fabula.story.extraction.presence import durations
from fabula.story.model.trait_values import STRETCHES, Count, Sighting, Stay


@pytest.mark.parametrize(
    "value", ["now@rome", "away@new york", "day of the storm@the theatre", "9 friday@the inn"]
)
def test_a_sighting_is_read_as_it_was_written(value):
    assert str(Sighting.parse(value)) == value


def test_a_whole_day_is_told_from_an_hour():
    assert Sighting.parse("day fourteenth@rome").whole_day
    assert not Sighting.parse("9 friday@rome").whole_day


@pytest.mark.parametrize("value", ["14@rome", "0.5@the cottage", "730.5@exile"])
def test_a_stay_is_read_as_it_was_written(value):
    assert str(Stay.parse(value)) == value


@pytest.mark.parametrize(
    ("value", "count"), [("2", Count(2)), ("1+", Count(1, at_least=True)), ("0", Count(0))]
)
def test_a_count_is_read_as_it_was_written(value, count):
    assert Count.parse(value) == count
    assert str(count) == value


def test_a_change_gives_its_number():
    assert Count.parse("-1").number == -1
    assert Count.parse("+1") == Count(1)


def test_no_number_is_no_value():
    with pytest.raises(ValueError, match="some"):
        Count.parse("some")
    with pytest.raises(ValueError, match="long"):
        Stay.parse("long@rome")


def test_stretches_are_those_that_a_text_is_read_for():
    assert {topic for topic, _ in durations._TOPICS} == STRETCHES
