"""Who says in direct speech what his name is."""

import pytest

from fabula.core.types import Chapter, Document, Span
from fabula.story.extraction.quotations.turn_taking import Turn
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.epithets import Scene, find_epithets
from fabula.story.linking.linker import Linker

from .named import who


@pytest.fixture(scope="module")
def reader():
    return StoryReader()


def own_name(reader, text):
    """The surface that the first speech says to be its speaker's name."""
    reading = reader.read(text)
    number = reading.quotations[0].own_name
    return None if number is None else reading.mentions[number].surface


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
def test_what_the_speaker_says_his_name_is(reader, said, name):
    after = "\n\nGabriel Corwen, Sergeant Corwen and Mr. Corwen went away."
    assert own_name(reader, said + after) == name


STRANGER = (
    "The stranger came up the road. The stranger knocked. Mrs. Vane opened to him.\n\n"
    '"My name is Gabriel Corwen," said the stranger.\n\n'
    '"I have heard of you," said Mrs. Vane.\n\n'
)


def test_what_only_speakers_use_may_be_a_lie(reader):
    told = STRANGER + '"Welcome, Gabriel Corwen," said Mrs. Vane. The stranger sat down.'
    found = who(reader, told)
    assert found["the stranger"] != found["Gabriel Corwen"]


def test_a_monk_is_no_clara(reader):
    told = STRANGER.replace("stranger", "monk").replace("Gabriel", "Clara")
    found = who(reader, told + "Clara Corwen laughed.")
    assert found["the monk"] != found["Clara Corwen"]


def test_who_has_a_name_keeps_it(reader):
    told = STRANGER.replace("The stranger", "Mr. Hale").replace("the stranger", "Mr. Hale")
    found = who(reader, told + "Gabriel Corwen laughed.")
    assert found["Mr. Hale"] != found["Gabriel Corwen"]


def speakers(reader, text):
    story = Document("tale", "tale", text, (Chapter(1, "", Span(0, 0), Span(0, len(text))),))
    linker = Linker()
    linker.add(story, story.chapters[0], reader.read(text))
    into = {merge.entity: merge.into for merge in linker.log.merges}
    return [into.get(each.speaker, each.speaker) for each in linker.log.quotations]


CALL = (
    "Mrs. Vane opened the door. Two men were there, Mr. Hale and Gabriel Corwen.\n\n"
    '"Which of you is it?" said Mrs. Vane.\n\n"I am Gabriel Corwen."\n\n"And you?" she said.'
)


def test_he_speaks_who_says_his_name(reader):
    assert speakers(reader, CALL)[:2] == ["mrs-vane", "gabriel-corwen"]


def test_nobody_speaks_under_a_name_that_only_speakers_use(reader):
    told = CALL.replace("Two men were there, Mr. Hale and Gabriel Corwen", "Mr. Hale was there")
    assert speakers(reader, told)[1] != "gabriel-corwen"


def test_a_noun_beside_it_is_he():
    turns = [Turn(i, i, 1, {}, frozenset()) for i in range(3)]
    conversation = Scene(turns, ["vane", "hale", "vane"], lambda _: "", {}.get)
    (epithet,) = find_epithets({1: "stranger"}, conversation)
    assert epithet.meant == ("hale", 0.95)


def test_the_name_keeps_its_mention_when_others_are_left_out(reader):
    told = "They had talked of the castle, of the river and of the bridge.\n\n" + CALL
    reading = reader.read(told)
    numbers = [each.own_name for each in reading.quotations if each.own_name is not None]
    assert [reading.mentions[i].surface for i in numbers] == ["Gabriel Corwen"]


def test_a_lie_says_nothing_of_who_the_noun_beside_it_is(reader):
    told = (
        "The sexton knocked at the mill. Mr. Hale opened the door.\n\n"
        '"I am Gabriel Corwen," said the sexton.\n\n"You are not," said Mr. Hale.\n\n'
        '"I am Gabriel Corwen," said the sexton.\n\n"Go away," said Mr. Hale.'
    )
    found = who(reader, told)
    assert found.get("the sexton") != found["Gabriel Corwen"]
