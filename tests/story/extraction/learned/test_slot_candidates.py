"""Values in their places: hands, colours, ages, numbers of kin."""

from __future__ import annotations

from fabula.story.extraction.learned.slot_candidates import VALUE, candidates

VALUES = {
    "§0 held the reins in the left hand": [("hand", "left")],
    "§0 kept to the left side of the road": [],
    "§0 turned to the left.": [],
    "the left-handed never found §0 out": [("hand", "left")],
    "§0's eyes were as green as glass": [("eyes", "green")],
    "§0's eyes fell on a green curtain": [],
    "the brown hat hid §0's hair": [],
    "§0 at one-and-twenty knew better": [],
    "§0 walked twenty-one miles": [],
    "§0 came back after twenty years": [],
    "§0 was twenty or thirty": [],
    "three of §0's children were ill": [],
    "three years old, §0 was no longer a baby": [],
    "§0 was a childless woman": [("children", "0")],
    "§0 had no sister": [("siblings", "0")],
    "at ten §0 went to §0's sister": [],
    "ten miles from here, or it may have been less than that, §0 had a sister": [],
}


def test_values_in_their_places():
    assert {words: [(each.kind, each.value) for each in candidates(words)] for words in VALUES} == VALUES


def test_the_value_is_marked_and_its_rival_too():
    one, other = candidates("§0 wrote with the left, and held the sheet with the right")
    assert (one.value, other.value) == ("left", "right")
    assert one.words == f"§0 wrote with the {VALUE}, and held the sheet with the ¢"
