"""Who did what no clause says he did; hair that is not its bearer's own colour; names that talk takes as
known; deaths that are none."""

from __future__ import annotations

import pytest

from fabula.story.extraction.reader import StoryReader

PEOPLE = "Tom Hale was there. Anna Reed was there.\n\n"


@pytest.fixture(scope="module")
def reader():
    return StoryReader(learned=False)


def wrongs(reader, text):
    reading = reader.read(PEOPLE + text)

    def name(mention):
        return None if mention is None else reading.mentions[mention].surface

    kinds = ("ATTACKS", "KILLS", "BETRAYS")
    return [(name(each.agent), name(each.patient)) for each in reading.happenings if each.predicate in kinds]


@pytest.mark.parametrize("thing", ["a glass of wine", "the contents of the cup", "her gloves"])
def test_a_thing_thrown_in_the_face_is_an_attack(reader, thing):
    assert wrongs(reader, f"Tom Hale threw {thing} in Anna Reed's face.") == [("Tom Hale", "Anna Reed")]


@pytest.mark.parametrize(
    "text",
    [
        "Anna Reed flung herself on Tom Hale's breast.",
        "Anna Reed threw a shawl over Tom Hale's shoulders.",
        "Tom Hale thrust the letter into Anna Reed's hand.",
        "Tom Hale wrung Anna Reed's hand.",
        "Anna Reed threw a glance at Tom Hale's face.",
        "When Tom Hale came down, Anna Reed put her hands on his shoulders.",
    ],
)
def test_a_caress_and_a_gift_are_no_harm(reader, text):
    assert wrongs(reader, text) == []


@pytest.mark.parametrize("matter", ["the authorship of the letter", "an old promise", "that word"])
def test_a_matter_thrown_in_the_face_is_none(reader, matter):
    assert wrongs(reader, f"Tom Hale threw {matter} in Anna Reed's face.") == []


@pytest.mark.parametrize(
    "text",
    [
        "Anna Reed was beaten that night on Tom Hale's orders.",
        "That night Anna Reed was stabbed; the hand that held the knife was Tom Hale's.",
        "Anna Reed was knocked down in the yard that evening, and Tom Hale had done it.",
        "Anna Reed was horsewhipped before the whole inn, Tom Hale holding the whip.",
    ],
)
def test_the_doer_is_named_beside_the_wrong(reader, text):
    assert wrongs(reader, text) == [("Tom Hale", "Anna Reed")]


@pytest.mark.parametrize(
    "text",
    [
        "Anna Reed was attacked in the dark, and Tom Hale ran to help her.",
        "Anna Reed was stabbed that night, and Tom Hale wept over her.",
        "Anna Reed was beaten that night, perhaps on Tom Hale's orders.",
    ],
)
def test_who_is_only_near_did_not_do_it(reader, text):
    assert wrongs(reader, text) == [(None, "Anna Reed")]


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("Tom Hale had neither brother nor sister.", True),
        ("Neither brother nor sister spoke with conviction, and Tom Hale rose.", False),
    ],
)
def test_brothers_and_sisters_who_speak_are_there(reader, text, counted):
    traits = reader.read(PEOPLE + text).traits
    assert any(each.aspect.startswith("count:") for each in traits) is counted


def hair(reader, text):
    traits = reader.read(PEOPLE + text).traits
    return [(each.value, each.change) for each in traits if each.aspect == "hair"]


@pytest.mark.parametrize(
    "text",
    [
        "It was a wig that Anna Reed wore now.",
        "Anna Reed had her hair coloured at the barber's in the High Street.",
        "Anna Reed stained her hair with walnut juice before she fled.",
        "Anna Reed had dyed her hair the week before, and nobody knew her.",
        "It cost Anna Reed a crown at the barber's to be turned from auburn to raven.",
        "Anna Reed's hair was not its own colour any more.",
        '"It is dyed," said Anna Reed.',
        '"You have changed the colour of your hair, Anna," said Tom Hale.',
    ],
)
def test_hair_may_be_of_any_colour_now(reader, text):
    assert hair(reader, text) == [("changed", True)]


@pytest.mark.parametrize(
    "text",
    [
        "Anna Reed never dyed her hair in her life.",
        "Anna Reed turned from red to white.",
        "Anna Reed and Tom Hale spoke of wigs.",
    ],
)
def test_nobody_is_dyed(reader, text):
    assert hair(reader, text) == []


def known(reader, text):
    reading = reader.read(PEOPLE + text)
    traits = [each for each in reading.traits if each.aspect == "as known"]
    return [reading.mentions[each.character].surface for each in traits if each.modality == "reported"]


def test_talk_takes_a_name_for_known(reader):
    assert known(reader, "“I met Harriet in the lane this morning,” said Tom Hale.") == ["Harriet"]


@pytest.mark.parametrize(
    "said",
    [
        "“Is all paid, Harriet?” said Tom Hale.",
        "“I have been reading Harriet of the Hazel Dell,” said Tom Hale.",
        "Her husband had managed “Harriet” upon their wedding day.",
    ],
)
def test_a_call_or_a_byword_does_not(reader, said):
    assert known(reader, said) == []


def dead(reader, text):
    reading = reader.read(PEOPLE + text)
    return [reading.mentions[each.character].surface for each in reading.traits if each.value == "dead"]


def test_what_happens_to_a_thing_of_his_is_not_his_death(reader):
    assert dead(reader, "The silver flute of Tom Hale was drowned in the millpond.") == []
    assert dead(reader, "The flute that Tom Hale played lies in the churchyard now.") == []
    assert dead(reader, "Tom Hale lies in the churchyard now.") == ["Tom Hale"]
    assert dead(reader, "With a crash the tureen of Anna Reed perished upon the marble.") == []
    assert dead(reader, "The body of Tom Hale was buried in the churchyard.") == ["Tom Hale"]


def test_a_death_that_is_only_foreseen(reader):
    assert dead(reader, "Before he died Tom Hale had vowed to build a church.") == []
    assert dead(reader, "Before he died Tom Hale told her the truth.") == ["Tom Hale"]
