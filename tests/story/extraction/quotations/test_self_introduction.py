"""Who says in direct speech what his name is."""

import pytest
from tests.stories.reading import reading


def own_name(text):
    """The surface that the first speech says to be its speaker's name."""
    found = reading(text)
    number = found.quotations[0].own_name
    return None if number is None else found.mentions[number].surface


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('"My name is Gabriel Corwen," he answered.', "Gabriel Corwen"),
        ('"I am by trade a joiner, and my name is Gabriel Corwen."', "Gabriel Corwen"),
        ("“My name’s Gabriel Corwen.”", "Gabriel Corwen"),
        ('"Yes--I\'m Sergeant Corwen."', "Sergeant Corwen"),
        ('"Yes, sir, I am Mr. Corwen," said he.', "Mr. Corwen"),
        ('"I am Gabriel Corwen of Stoke," he said.', "Gabriel Corwen of Stoke"),
        ('"I am Gabriel Corwen, and I have come about the horse."', "Gabriel Corwen"),
        ('"People call me Gabriel Corwen," he said.', "Gabriel Corwen"),
        ('"I am Mr. Corwen\'s brother," he said.', None),
        ('"You know that I am Gabriel Corwen," he said.', None),
        ('"If I am Gabriel Corwen, you are a fool," he said.', None),
        ('"Am I Gabriel Corwen?" he said.', None),
        ('"I am sure Gabriel Corwen is out," he said.', None),
        ('"Please call me Gabriel Corwen," he said.', None),
    ],
)
def test_what_the_speaker_says_his_name_is(said, name):
    after = "\n\nGabriel Corwen, Sergeant Corwen and Mr. Corwen went away."
    assert own_name(said + after) == name


CALL = (
    "Mrs. Vane opened the door. Two men were there, Mr. Hale and Gabriel Corwen.\n\n"
    '"Which of you is it?" said Mrs. Vane.\n\n"I am Gabriel Corwen."\n\n"And you?" she said.'
)


def test_the_name_keeps_its_mention_when_others_are_left_out():
    told = "They had talked of the castle, of the river and of the bridge.\n\n" + CALL
    found = reading(told)
    numbers = [each.own_name for each in found.quotations if each.own_name is not None]
    assert [found.mentions[i].surface for i in numbers] == ["Gabriel Corwen"]
