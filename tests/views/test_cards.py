"""Cards, histories, lanes and arcs: the same story as rules read it, and as a language model did."""

import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import values

from fabula.core.types import Evidence, Span
from fabula.story.bible import bible
from fabula.views.cards import cards_at
from fabula.views.history import closest_pair, history_of
from fabula.views.lanes import ages_and_dates, lanes_at, told_back
from fabula.views.lives import life_of
from fabula.views.wording import fact_written


def book(origin):
    how = {"origin": origin}
    story = StoryBuilder().fact("Anna", "role", "keeper of the mill", **how)
    story.fact("Anna", "eyes", "green", **how).fact("Anna", "age", "26", **how)
    story.goal("Anna", "keep the mill").feel("Anna", "joy", 0.8).stage("Anna", "@Mill").stage(
        "Boris", "@Mill"
    )
    story.bond("Anna", "TRUSTS", "Boris", **how).bond("Boris", "SIBLING_OF", "Anna", **how)
    story.chapter(2).event("BETRAYS", "Boris", "Anna", what="Boris sells the mill", key=True, **how)
    story.bond("Anna", "HATES", "Boris", **how).goal("Anna", "keep the mill", -1.0)
    story.chapter(3).event("DIES", patient="Boris", **how).fact("Anna", "role", "beggar", **how)
    story.stage("Anna", "@Mill")
    return story


@pytest.fixture(scope="module")
def read():
    return book("model").view()


@pytest.fixture(scope="module")
def ruled():
    return book("rules").view()


@pytest.mark.parametrize(("row", "text", "quote", "said"), values(__file__, "facts_as_written.tsv"))
def test_a_fact_is_worded_with_names_and_places_as_the_text_has_them(row, text, quote, said):
    names = {"june": "June", "wexley bay": "Wexley Bay"}
    assert fact_written(text, row, [Evidence("b", 1, Span(0, len(quote)), quote)], names) == said


def card(view, name):
    shown = cards_at(view, bible(view))
    return next(one for one in shown.cards if one.name == name)


def parts(card):
    return {title: [one.text for one in told] for title, told in card.parts}


def test_a_card_says_who_what_has_become_of_them_and_how_they_stand(read):
    anna = card(read, "Anna")
    assert (anna.who, anna.now, anna.fate) == ("Keeper of the mill", "Beggar", None)
    told = parts(anna)
    assert told["Bonds"][0] == "Boris is a sibling of Anna" and "Anna hates Boris" in told["Bonds"]
    assert told["Looks"] == ["Has green eyes"] and told["Age"] == ["Is 26 years old"]
    assert told["Wants"] == ["Wanted keep the mill; given up (chapter 2)"]
    boris = card(read, "Boris")
    assert boris.fate.text == "Boris dies" and boris.fate.quotes[0].chapter == 3
    assert all(one.quotes for _, said in anna.parts for one in said)


def test_what_rules_take_from_one_sentence_stands_on_no_card(ruled):
    assert not cards_at(ruled, bible(ruled)).by_model
    told = parts(card(ruled, "Anna"))
    assert "Looks" not in told and "Wants" not in told and card(ruled, "Anna").now == ""
    assert told["Age"] == ["Is 26 years old"] and "Anna trusts Boris (until chapter 2)" in told["Bonds"]


def test_a_card_knows_no_later_chapter():
    anna = card(book("model").view(1), "Anna")
    assert anna.who == "Keeper of the mill" and anna.now == ""
    assert "Anna trusts Boris" in parts(anna)["Bonds"]
    assert card(book("model").view(2), "Boris").fate is None


def test_a_death_that_rules_read_counts_if_the_dead_leave_the_stage(ruled):
    assert card(ruled, "Boris").fate is not None
    story = book("rules")
    for chapter in (4, 5, 6):
        story.chapter(chapter).stage("Boris", "@Mill")
    assert card(story.view(), "Boris").fate is None


def test_two_have_a_history_in_order_with_its_ends(read):
    assert closest_pair(read) == ("anna", "boris")
    shown = history_of(read, "Anna", "boris")
    steps = [(step.chapter, step.kind, step.words) for step in shown.steps]
    assert (1, "began", "Anna trusts Boris") in steps
    assert (2, "turned", "Boris sells the mill") in steps
    assert (2, "turned", "Anna hates Boris") in steps
    assert (2, "ended", "Anna trusts Boris") in steps
    assert [step.chapter for step in shown.steps] == sorted(step.chapter for step in shown.steps)
    assert "Anna trusts Boris" not in shown.now and "Anna hates Boris" in shown.now
    assert all(step.quotes for step in shown.steps)


def test_lanes_name_key_events_and_who_is_there(read, ruled):
    lanes = lanes_at(read)
    assert lanes.chapters == (1, 2, 3) and lanes.named == 2
    anna = next(one for one in lanes.lanes if one.name == "Anna")
    assert [(cell.chapter, cell.present) for cell in anna.cells] == [(1, True), (2, False), (3, True)]
    assert [one.words for one in anna.cells[1].events] == ["Boris sells the mill"]
    [mill] = lanes_at(read, places=True).lanes
    assert mill.name == "Mill" and set(mill.cells[0].where) == {"Anna", "Boris"}
    assert lanes_at(ruled, chosen=["boris"]).lanes[0].cells[-1].events[0].words == "Boris dies"
    assert told_back(read) == ()
    [row] = ages_and_dates(read)
    assert row.who == "Anna" and [words for words, _ in row.times] == ["26 years"]


def test_an_arc_is_told_in_feelings_turns_and_goals(read, ruled):
    anna = life_of(read, "Anna", last=3)
    assert (anna.begins, anna.ends) == ("keeper of the mill", "beggar")
    assert [(one.chapter, one.words, one.kind) for one in anna.feelings] == [(1, "joy", "glad")]
    turns = [(one.chapter, one.kind, one.words) for one in anna.turns]
    assert turns == [
        (2, "event", "Boris sells the mill"),
        (2, "bond", "Anna hates Boris"),
        (3, "death", "Boris dies"),
    ]
    assert [(one.words, one.kind) for one in anna.goals] == [("keep the mill", "lost")]
    offline = life_of(ruled, "Anna", last=3)
    assert offline.goals == () and offline.begins == "" and offline.feelings == anna.feelings
