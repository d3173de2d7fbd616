from dataclasses import replace
from pathlib import Path

import pytest
from tests.stories.builder import StoryBuilder
from tests.stories.examples import rows

from fabula.core.types import Horizon
from fabula.errors import UsageError
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.types import Interval, Modality, Open, Order, Time
from fabula.views.times import time_words, times_at


def told():
    """Chapter 2 tells that the theft came before the meeting of chapter 1."""
    book = StoryBuilder()
    book.event("MEETS", "Anna", "Boris", id="meeting")
    book.event("DOES", "Anna", id="walk", verb="walk", confidence=0.5)
    past = {"modality": Modality.FLASHBACK, "holds": Interval(Open.UNKNOWN, 1), "when": "the year before"}
    book.chapter(2).event("STEALS_FROM", "Boris", "Olga", "@Riga", id="theft", **past)
    book.chapter(3).event("DIES", patient="Olga", id="death")
    quote = book.log.events[2].evidence
    book._log["orders"].append(Order("theft", "meeting", quote, 0.8, 2))
    book._log["times"].append(Time("age", "P30Y", book.say("thirty"), "olga", told=3))
    return book


def at(chapter=None, **given):
    return times_at(told().view(chapter), **given)


def places(shown, *fields):
    """The id of each event, with these of what is told of it."""
    return [(event.id, *(getattr(event, name) for name in fields)) for event in shown.events]


def test_a_flashback_ranks_before_what_it_precedes():
    shown = at()
    ranks = [("meeting", 0, 1), ("walk", 1, 2), ("theft", 2, 0), ("death", 3, 3)]
    assert places(shown, "position", "rank") == ranks
    [back] = shown.anachronies
    assert (back.event, back.told, back.back_to, back.reach) == ("theft", 2, 1, 2)
    assert back.sentence == "Ch. 2: Boris steals from Olga (happened before something in ch. 1)"
    [order] = shown.orders
    assert (order.earlier, order.later, order.told) == ("theft", "meeting", 2)


def test_labels_are_words_and_events_say_who_where_and_when():
    theft = at().events[2]
    assert theft.who == ("Boris", "Olga") and theft.place == "Riga"
    assert (theft.when, theft.modality, theft.told) == ("the year before", "flashback", 2)
    assert theft.quote.text == "Boris Olga @Riga STEALS_FROM." and theft.start == theft.quote.start
    labels = ["Anna meets Boris", "Anna DOES.", "Boris steals from Olga", "Olga dies"]
    assert [event.label for event in at().events] == labels


def test_what_the_same_words_tell_of_the_same_people_is_one_line():
    book = StoryBuilder()
    quote = book.say("Anna rose, worked, came in and met Boris.")
    for predicate, id in (("DOES", "a"), ("DOES", "b"), ("DOES", "c"), ("MEETS", "d")):
        book.event(predicate, "Anna", id=id, quote=quote)
    book.event("DOES", "Boris", id="e", quote=quote)
    shown = times_at(book.view())
    assert places(shown) == [("a",), ("d",), ("e",)]
    assert shown.left_out == 0


def test_before_the_flashback_is_told_nothing_is_out_of_order():
    shown = at(1)
    assert places(shown, "rank") == [("meeting", 0), ("walk", 1)]
    assert shown.anachronies == shown.orders == shown.times == ()
    assert shown.as_of == 1


def test_of_one_person_ranks_stay_those_of_the_story():
    shown = at(entity="Olga")
    assert places(shown, "position") == [("theft", 2), ("death", 3)]
    [age] = shown.times
    assert (age.kind, age.value, age.who, age.told) == ("age", "P30Y", "Olga", 3)
    assert at(entity="Boris").times == ()
    with pytest.raises(UsageError):
        at(entity="Igor")


def test_the_gravest_stay_where_the_limit_bites():
    shown = at(limit=2)
    assert places(shown) == [("theft",), ("death",)] and shown.left_out == 2
    assert shown.orders == ()
    assert [back.event for back in shown.anachronies] == ["theft"]


def test_what_a_model_named_as_a_key_event_stays_before_what_is_untyped_too():
    log = told().log
    changed = {"walk": {"origin": "model"}, "meeting": {"predicate": "DOES"}}
    events = tuple(replace(one, **changed.get(one.id, {})) for one in log.events)
    view = StoryKnowledgeGraph.from_log(replace(log, events=events)).as_of(Horizon())
    assert places(times_at(view, limit=3)) == [("walk",), ("theft",), ("death",)]


def test_one_past_perfect_turns_nothing_back_and_three_do():
    def anachronies(back):
        story = StoryBuilder()
        for i in range(6):
            past = Modality.FLASHBACK if i in back else Modality.FACT
            story.event("MEETS", agent="Anna", patient=f"Berta{'abcdef'[i]}", modality=past)
        return len(times_at(story.view()).anachronies)

    assert anachronies(()) == anachronies((2,)) == anachronies((1, 3, 5)) == 0
    assert anachronies((2, 3, 4)) == 3


@pytest.mark.parametrize(("value", "words"), [*rows(Path(__file__).with_name("time_words.tsv")), ("", "")])
def test_a_value_is_told_in_words_or_left_as_it_is(value, words):
    assert time_words(value) == words


def test_a_shift_says_which_way():
    words = {"P36Y": "36 years later", "-P1D": "1 day before", "P0D": "the same day", "TEV": "evening"}
    assert {value: time_words(value, "shift") for value in words} == words
