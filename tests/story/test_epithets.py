"""Whom "said the robber" means, and what is recorded of it."""

from dataclasses import replace

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


def scene(*named, called=None, gender=None, so_called=None, scenes=None):
    """A conversation of a turn a paragraph, by who is named as the speaker of each."""
    turns = [
        Turn(i, i, (scenes or {}).get(i, 1), {}, frozenset((called or {}).get(i, ())))
        for i in range(len(named))
    ]
    return Scene(turns, named, (gender or {}).get if gender else lambda _: "", (so_called or {}).get)


def meant(phrase, turns, conversation):
    (epithet,) = find_epithets(dict.fromkeys(turns, phrase), conversation)
    return epithet.meant


def test_who_spoke_two_turns_away_is_likelier_than_who_spoke_next_to_it():
    conversation = scene("hale", "vane", None, "vane", "hale")
    found = dict(find_epithets({2: "robber"}, conversation)[0].chances)
    assert found["hale"] > 0.5
    assert found["vane"] < 0.1


def test_who_is_called_answers_and_nobody_calls_himself():
    called = scene("vane", None, called={0: ["hale"]})
    assert meant("robber", [1], called)[0] == "hale"
    calling = dict(find_epithets({1: "robber"}, scene("vane", None, called={1: ["hale"]}))[0].chances)
    assert calling["hale"] < 0.1


def test_the_gender_of_the_noun_bars_who_has_another():
    conversation = scene("rose", "vane", None, "vane", "rose", gender={"rose": "f", "vane": "m"})
    assert "rose" not in dict(find_epithets({2: "old gentleman"}, conversation)[0].chances)


def test_who_was_told_to_be_the_beadle_is_meant_by_it():
    plain = dict(find_epithets({1: "beadle"}, scene("hale", None))[0].chances)
    told = dict(
        find_epithets({1: "beadle"}, scene("hale", None, so_called={"the beadle": "hale"}))[0].chances
    )
    assert told["hale"] > plain["hale"]


def test_another_scene_says_nothing():
    conversation = scene("hale", "vane", None, scenes={0: 1, 1: 1, 2: 2})
    assert meant("robber", [2], conversation) == ("", 0.0)


def test_what_is_said_pages_away_says_nothing():
    near = scene("hale", "vane", None)
    apart = [replace(turn, place=40 * turn.place, end=40 * turn.end) for turn in near.turns]
    far = Scene(apart, near.named, near.gender, near.so_called)
    assert 2 * meant("robber", [2], far)[1] < meant("robber", [2], near)[1]


def test_all_turns_of_a_noun_are_weighed_together():
    one = scene("hale", "vane", None, "vane", None)
    alone, both = meant("robber", [2], one), meant("robber", [2, 4], one)
    assert alone[0] == both[0] == "hale"


def linked(reader, text):
    chapter = Chapter(1, "", Span(0, 0), Span(0, len(text)))
    linker = Linker()
    linker.add(Document("tale", "tale", text, (chapter,)), chapter, reader.read(text))
    return linker.log


TALK = (
    '"Where is the boy?" said Mr. Corwen.\n\n"Gone," replied Mr. Hale.\n\n'
    '"You let him go?" cried the {noun}.\n\n"I did," said Mr. Hale.\n\n"Then find him," said Mr. Corwen.\n\n'
    '"I shall not," said Mr. Hale.\n\n"You shall," growled the {noun}.\n\n"Never," said Mr. Hale.'
)


def test_a_poacher_who_takes_mr_corwens_turns_is_mr_corwen(reader):
    text = TALK.format(noun="burly poacher")
    log = linked(reader, text)
    (corwen,) = {mention.entity for mention in log.mentions if mention.surface == "Mr. Corwen"}
    speakers = {evidence.quote: told.speaker for told in log.quotations for evidence in told.evidence[:1]}
    assert speakers['"You let him go?"'] == speakers['"You shall,"'] == corwen


def test_a_robber_who_is_spoken_of_by_himself_stays_somebody(reader):
    found = who(reader, "The robber rose. The robber looked at Mr. Corwen.\n\n" + TALK.format(noun="robber"))
    assert found["the robber"] != found["Mr. Corwen"]


def test_who_is_surely_meant_is_likelier_to_speak_than_the_turns_alone_would_say(reader):
    rain = "\n\n" + "The room was still for a while. Rain fell.\n\n" * 4
    elsewhere = '"Who is there?" said Miss Dale.\n\n"Let us see," said the burly poacher.'
    vocatives = TALK.replace('"Gone,', '"Mr. Corwen, he is gone,').replace('"I did,', '"I did, Mr. Corwen,')
    log = linked(reader, vocatives.format(noun="burly poacher") + rain + elsewhere)
    assert log.quotations[-1].evidence[0].quote == '"Let us see,"'
    assert log.quotations[-1].speaker == "mr-corwen"


def test_who_may_be_meant_or_not_is_not_recorded(reader):
    text = '"Where is he?" said Mr. Corwen.\n\n"Gone," replied Mr. Hale.\n\n"Gone?" cried the porter.'
    assert "the porter" not in who(reader, text)


def test_what_anybody_may_be_called_is_nobodys_name(reader):
    assert "the young man" not in who(reader, TALK.format(noun="young man"))


def test_the_quote_of_the_mention_is_the_noun(reader):
    text = TALK.format(noun="burly poacher")
    log = linked(reader, text)
    own = [mention for mention in log.mentions if mention.surface == "the burly poacher"]
    assert [mention.evidence.quote for mention in own] == ["poacher"] * 2
    assert all(mention.evidence.span.of(text) == mention.evidence.quote for mention in own)
    starts = [mention.evidence.span.start for mention in log.mentions]
    assert starts == sorted(starts)


def test_a_noun_with_a_hyphen_is_read_whole(reader):
    reading = reader.read('"No," said the charity-boy.\n\n"Yes," said Mr. Hale.')
    noun = reading.quotations[0].noun
    assert noun.of('"No," said the charity-boy.') == "charity-boy"


def test_a_name_beside_speech_has_no_noun(reader):
    reading = reader.read('"No," said Mr. Hale.\n\n"Yes," she said.\n\n"No," said another.')
    assert [quotation.noun for quotation in reading.quotations] == [None, None, None]


ONCE = (
    '"Where is the boy?" said Mr. Corwen.\n\n"Mr. Corwen, he is gone," replied Mr. Hale.\n\n'
    '"You let him go?" cried the {noun}.\n\n"I did," said Mr. Hale.\n\n"Then find him," said Mr. Corwen.'
)


def test_a_calling_counts_where_it_comes_once_and_another_noun_does_not(reader):
    found = who(reader, ONCE.format(noun="porter"))
    assert found["the porter"] == found["Mr. Corwen"]
    assert "the meeting" not in who(reader, ONCE.format(noun="meeting"))


def test_mentions_stay_in_the_order_of_the_text(reader):
    text = ONCE.format(noun="porter")
    log = linked(reader, text)
    starts = [mention.evidence.span.start for mention in log.mentions]
    assert starts == sorted(starts)
    assert [m.evidence.quote for m in log.mentions if m.surface == "the porter"] == ["porter"]
