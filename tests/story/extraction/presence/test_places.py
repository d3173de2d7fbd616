"""Where a scene is: a place is told, carries through the scene, and ends."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.staging import placed

from fabula.story.extraction.presence.places import shifts

HERE = Path(__file__).parent
SHIFTS = {
    "The next morning they rose.": True,
    "In the evening she wrote.": True,
    "A few days later he came.": True,
    "Two weeks passed.": True,
    "Meanwhile the rain fell.": True,
    "The door opened.": False,
    "Marcus came that evening.": False,
    "": False,
}


def test_a_place_is_told_carries_through_the_scene_and_ends():
    assert_read(HERE / "places.tsv", placed, whole=False)


def test_the_later_place_is_for_those_who_come_later():
    found = set(placed("They stayed in London. Marcus smiled.\n\nThey reached Paris. Anna laughed."))
    assert {"Marcus at London", "Anna at Paris"} <= found
    assert "Anna at London" not in found


def test_another_time_of_the_day_is_seen_where_a_paragraph_opens():
    assert {text: shifts(text) for text in SHIFTS} == SHIFTS
