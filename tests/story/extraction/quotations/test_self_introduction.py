"""Who says in direct speech what his name is."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import reading

HERE = Path(__file__).parent
AFTER = "Gabriel Corwen, Sergeant Corwen and Mr. Corwen went away."


def own_name(said):
    """The surface that the first speech says to be its speaker's name."""
    found = reading(f"{said}\n\n{AFTER}")
    number = found.quotations[0].own_name
    if number is not None:
        yield found.mentions[number].surface


def test_what_the_speaker_says_his_name_is():
    assert_read(HERE / "own_names.tsv", own_name)


CALL = (
    "Mrs. Vane opened the door. Two men were there, Mr. Hale and Gabriel Corwen.\n\n"
    '"Which of you is it?" said Mrs. Vane.\n\n"I am Gabriel Corwen."\n\n"And you?" she said.'
)


def test_the_name_keeps_its_mention_when_others_are_left_out():
    told = "They had talked of the castle, of the river and of the bridge.\n\n" + CALL
    found = reading(told)
    numbers = [each.own_name for each in found.quotations if each.own_name is not None]
    assert [found.mentions[i].surface for i in numbers] == ["Gabriel Corwen"]
