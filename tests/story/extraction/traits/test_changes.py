"""A change that the text tells is no other value; what is called a lie tells nothing; dyed hair."""

import pytest
from tests.stories.reading import reading

from fabula.story.model.types import Modality

PEOPLE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing.\n\n"


def told(text: str) -> list[tuple[str, str, bool]]:
    found = reading(PEOPLE + text)
    return [(each.aspect, each.value, each.change) for each in found.traits if each.aspect in LOOKS]


LOOKS = frozenset({"hair", "eyes", "birthplace", "count:son"})


def test_a_change_in_the_same_paragraph_is_part_of_the_telling():
    assert ("hair", "black", True) in told("Elena came in a wig. Elena's hair was black to the waist.")
    son = "Mr. Reed had two sons."
    assert told(son) == [("count:son", "2", False)]
    assert ("count:son", "2", True) in told(f"Mr. Reed's second boy had died in March, and {son}")


def test_a_lie_tells_nothing():
    assert told("“I was born in Bristol,” said Marcus. It was a lie.") == []
    assert all(each.modality is not Modality.FACT for each in reading("").traits)


@pytest.mark.parametrize(
    "text",
    [
        "Elena had her hair coloured at the barber's in the High Street.",
        "Elena stained her hair with walnut juice before she fled.",
        "Elena had dyed her hair the week before, and nobody knew her.",
    ],
)
def test_dyed_hair_may_be_of_any_colour_now(text):
    assert told(text) == [("hair", "changed", True)]


def test_hair_that_was_never_dyed():
    assert told("Elena never dyed her hair in her life.") == []
