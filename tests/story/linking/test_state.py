"""What linking carries along: a place that turns out to be somebody."""

from tests.stories.reading import who


def test_a_place_that_turns_out_to_be_somebody_is_one_with_her():
    first = "They rode from Thorvald to the sea. They came to Thorvald at night. He lived in Thorvald."
    later = "Thorvald Hurd laughed. Thorvald said nothing. Thorvald smiled, and Thorvald ran out. " * 3
    found = who(first, later, later)
    assert found["Thorvald"] == found["Thorvald Hurd"]
