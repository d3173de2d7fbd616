"""Where somebody is at an hour that the text names, and who is said to be far off."""

from tests.stories.reading import reading

from fabula.story.model.trait_values import AWAY, SIGHTED, Sighting

PEOPLE = "Elena Voss smiled. Marcus Hale nodded.\n\n"


def sighted(text: str) -> list[Sighting]:
    return [Sighting.parse(each.value) for each in reading(PEOPLE + text).traits if each.aspect == SIGHTED]


def test_a_place_without_a_name_at_an_hour_of_a_day():
    [one] = sighted("At nine o'clock on Monday night Marcus was at the theatre.")
    assert "theatre" in one.place
    assert "monday" in one.moment
    assert not sighted("Marcus was at the theatre.")


def test_who_is_away_for_the_time_being():
    [one] = sighted("“Marcus is in Leeds until Saturday,” said Elena.")
    assert (one.moment, one.place) == (AWAY, "leeds")
    assert not sighted("“Is Marcus in Leeds until Saturday?” said Elena.")
