"""Who else is named around a name: mostly two, sometimes one."""

import pytest
from tests.stories.reading import who


def test_another_speaker_may_call_her_by_her_name():
    text = '"I like Miss Corwen," said Mrs. Hale.\n\n"So do I. Ellen Corwen is a dear," said Jane.'
    found = who(text)
    assert found["Miss Corwen"] == found["Ellen Corwen"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Then came Noah Tarrant, and Bolder, with his hat on.",
        "Then came Noah Tarrant, late with Bolder, as ever.",
        "Noah Tarrant sat down, now Bolder laughed.",
    ],
)
def test_two_names_side_by_side_are_two(sentence):
    text = "Noah Tarrant laughed. He thanked Noah Tarrant. Mr. Bolder smiled, and Mr. Bolder bowed. "
    found = who(text + sentence)
    assert found["Noah Tarrant"] != found["Mr. Bolder"]


def test_an_aunt_in_a_list_is_somebody_else():
    text = "Mrs. Corwen came in. Aunt Celia smiled. Mrs. Corwen, his Aunt Celia, and Tom Hale went to bed."
    found = who(text)
    assert found["Mrs. Corwen"] != found["Aunt Celia"]


def test_a_full_name_beside_its_own_part_is_one_persons():
    text = "Jane Voss sang. Jane Voss rose. Jane smiled. Jane laughed. Jane wept. Who but Jane Voss, Jane?"
    found = who(text + " Jane Voss went out.")
    assert found["Jane"] == found["Jane Voss"]


@pytest.mark.parametrize(
    "text",
    [
        '"Go to Mr. Grubb, the beadle," said Ann. ',  # said, not told
        "There came Mr. Grubb, the beadle, and the cook. ",  # a list
        "From the tone of the beadle, Mr. Grubb saw that he was wrong. ",
    ],
)
def test_a_calling_beside_a_name_may_be_another(text):
    acts = "The Beadle sat down. The Beadle laughed. The Beadle took his hat. The Beadle bowed."
    found = who(text + acts)
    assert found["the beadle"] != found["Mr. Grubb"]
