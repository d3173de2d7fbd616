"""Whom "said the robber" means, and what is recorded of it."""

from dataclasses import replace

from tests.stories.reading import log_of, reading, who

from fabula.story.extraction.quotations.turn_taking import Turn
from fabula.story.linking.epithets import Scene, find_epithets


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


TALK = (
    '"Where is the boy?" said Mr. Corwen.\n\n"Gone," replied Mr. Hale.\n\n'
    '"You let him go?" cried the {noun}.\n\n"I did," said Mr. Hale.\n\n"Then find him," said Mr. Corwen.\n\n'
    '"I shall not," said Mr. Hale.\n\n"You shall," growled the {noun}.\n\n"Never," said Mr. Hale.'
)


def test_a_poacher_who_takes_mr_corwens_turns_is_mr_corwen():
    text = TALK.format(noun="burly poacher")
    log = log_of(text)
    (corwen,) = {mention.entity for mention in log.mentions if mention.surface == "Mr. Corwen"}
    speakers = {evidence.quote: told.speaker for told in log.quotations for evidence in told.evidence[:1]}
    assert speakers['"You let him go?"'] == speakers['"You shall,"'] == corwen


def test_a_robber_who_is_spoken_of_by_himself_stays_somebody():
    found = who("The robber rose. The robber looked at Mr. Corwen.\n\n" + TALK.format(noun="robber"))
    assert found["the robber"] != found["Mr. Corwen"]


def test_who_is_surely_meant_is_likelier_to_speak_than_the_turns_alone_would_say():
    rain = "\n\n" + "The room was still for a while. Rain fell.\n\n" * 4
    elsewhere = '"Who is there?" said Miss Dale.\n\n"Let us see," said the burly poacher.'
    vocatives = TALK.replace('"Gone,', '"Mr. Corwen, he is gone,').replace('"I did,', '"I did, Mr. Corwen,')
    log = log_of(vocatives.format(noun="burly poacher") + rain + elsewhere)
    assert log.quotations[-1].evidence[0].quote == '"Let us see,"'
    assert log.quotations[-1].speaker == "mr-corwen"


def test_who_may_be_meant_or_not_is_not_recorded():
    text = '"Where is he?" said Mr. Corwen.\n\n"Gone," replied Mr. Hale.\n\n"Gone?" cried the porter.'
    assert "the porter" not in who(text)


def test_what_anybody_may_be_called_is_nobodys_name():
    assert "the young man" not in who(TALK.format(noun="young man"))


def test_the_quote_of_the_mention_is_the_noun():
    text = TALK.format(noun="burly poacher")
    log = log_of(text)
    own = [mention for mention in log.mentions if mention.surface == "the burly poacher"]
    assert [mention.evidence.quote for mention in own] == ["poacher"] * 2
    assert all(mention.evidence.span.of(text) == mention.evidence.quote for mention in own)
    starts = [mention.evidence.span.start for mention in log.mentions]
    assert starts == sorted(starts)


def test_a_noun_with_a_hyphen_is_read_whole():
    found = reading('"No," said the charity-boy.\n\n"Yes," said Mr. Hale.')
    noun = found.quotations[0].noun
    assert noun.of('"No," said the charity-boy.') == "charity-boy"


def test_a_name_beside_speech_has_no_noun():
    found = reading('"No," said Mr. Hale.\n\n"Yes," she said.\n\n"No," said another.')
    assert [quotation.noun for quotation in found.quotations] == [None, None, None]


ONCE = (
    '"Where is the boy?" said Mr. Corwen.\n\n"Mr. Corwen, he is gone," replied Mr. Hale.\n\n'
    '"You let him go?" cried the {noun}.\n\n"I did," said Mr. Hale.\n\n"Then find him," said Mr. Corwen.'
)


def test_a_calling_counts_where_it_comes_once_and_another_noun_does_not():
    found = who(ONCE.format(noun="porter"))
    assert found["the porter"] == found["Mr. Corwen"]
    assert "the meeting" not in who(ONCE.format(noun="meeting"))


def test_mentions_stay_in_the_order_of_the_text():
    text = ONCE.format(noun="porter")
    log = log_of(text)
    starts = [mention.evidence.span.start for mention in log.mentions]
    assert starts == sorted(starts)
    assert [m.evidence.quote for m in log.mentions if m.surface == "the porter"] == ["porter"]


STRANGER = (
    "The stranger came up the road. The stranger knocked. Mrs. Vane opened to him.\n\n"
    '"My name is Gabriel Corwen," said the stranger.\n\n'
    '"I have heard of you," said Mrs. Vane.\n\n'
)


def test_what_only_speakers_use_may_be_a_lie():
    told = STRANGER + '"Welcome, Gabriel Corwen," said Mrs. Vane. The stranger sat down.'
    found = who(told)
    assert found["the stranger"] != found["Gabriel Corwen"]


def test_a_monk_is_no_clara():
    told = STRANGER.replace("stranger", "monk").replace("Gabriel", "Clara")
    found = who(told + "Clara Corwen laughed.")
    assert found["the monk"] != found["Clara Corwen"]


def test_who_has_a_name_keeps_it():
    told = STRANGER.replace("The stranger", "Mr. Hale").replace("the stranger", "Mr. Hale")
    found = who(told + "Gabriel Corwen laughed.")
    assert found["Mr. Hale"] != found["Gabriel Corwen"]


def test_a_noun_beside_it_is_he():
    turns = [Turn(i, i, 1, {}, frozenset()) for i in range(3)]
    conversation = Scene(turns, ["vane", "hale", "vane"], lambda _: "", {}.get)
    (epithet,) = find_epithets({1: "stranger"}, conversation)
    assert epithet.meant == ("hale", 0.95)


def test_a_lie_says_nothing_of_who_the_noun_beside_it_is():
    told = (
        "The sexton knocked at the mill. Mr. Hale opened the door.\n\n"
        '"I am Gabriel Corwen," said the sexton.\n\n"You are not," said Mr. Hale.\n\n'
        '"I am Gabriel Corwen," said the sexton.\n\n"Go away," said Mr. Hale.'
    )
    found = who(told)
    assert found.get("the sexton") != found["Gabriel Corwen"]
