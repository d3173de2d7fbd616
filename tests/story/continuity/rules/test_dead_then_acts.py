"""The dead who act again are found; dreams, ghosts, namesakes and false deaths are let be."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import FILLER, OPENING, document, story, told
from tests.stories.slips import found_apart

from fabula.story.continuity.rules.dead_then_acts import DeadThenActs
from fabula.story.model.findings import Severity

HERE = Path(__file__).parent
DIED = "Marcus died in the night, before the doctor could cross the water."
ACTED = "Marcus came in at ten with his boots full of sand."


def found(death, act):
    return found_apart(DeadThenActs(), death, act)


def test_deaths_and_acts_in_many_words():
    assert_read(HERE / "dead_then_acts.tsv", found)


def test_a_finding_names_who_is_dead_and_quotes_death_and_act():
    (violation,) = DeadThenActs().find(story(f"{DIED} {FILLER}", f"The ice went out. {ACTED}"))
    assert violation.severity is Severity.ERROR
    assert violation.entities == ("marcus-hale",)
    assert [quote.quote for quote in violation.evidence] == [DIED, ACTED]


def test_a_namesake_makes_the_rule_silent():
    others = "Old Peter Hale stood up. Peter Hale sat down. Peter Hale nodded. Peter Hale bowed."
    view = story(f"{others} Hale died in the night. {FILLER}", "Hale came in at ten.")
    assert list(DeadThenActs().find(view)) == []


def test_a_wife_is_no_rival_for_her_husbands_name():
    wife = "Mrs. Reed poured the tea. Mrs. Reed smiled. Mrs. Reed sat down, and Mrs. Reed sighed."
    death, act = "Mr. Reed died in the night.", "Mr. Reed opened the gate and bowed."
    (violation,) = DeadThenActs().find(story(wife, f"{FILLER} {death}", f"{FILLER} {act}"))
    assert [quote.quote for quote in violation.evidence] == [death, act]


def test_a_death_told_ahead_of_its_time():
    view = story(f"{DIED} {FILLER}", ACTED, "Marcus died on the first of May.")
    assert list(DeadThenActs().find(view)) == []


def test_one_who_lives_on_was_perhaps_never_dead():
    acts = ("Marcus came in.", "Marcus laughed.", "Marcus took his hat.")
    view = story(f"{DIED} {FILLER}", *acts)
    (violation,) = DeadThenActs().find(view)
    assert violation.severity is Severity.WARNING
    (violation,) = DeadThenActs(most_chapters=3).find(view)
    assert violation.severity is Severity.ERROR


def test_the_sentences_right_behind_a_death_are_let_be():
    assert list(DeadThenActs().find(story(f"{DIED} Marcus came in at ten."))) == []


def test_a_draft_is_held_against_its_source():
    view = told(document(OPENING, DIED), document(ACTED, title="draft", first=3))
    (violation,) = DeadThenActs().find(view, only_document="draft")
    assert violation.evidence[-1].document_id == "draft"
    (fact,) = DeadThenActs().checkable(view, only_document="draft")
    assert fact.evidence[0].quote == ACTED
    assert list(DeadThenActs().find(view, only_document="another")) == []


BACK = (
    "Eleven years earlier, on the last night of April, Marcus walked down through the works. "
    "He carried sugar on his back for three hours. “You will catch your death,” said Marcus."
)
ON = (
    "By five in the morning on the first of May the sugar was across the yard. Anna closed the gate. "
    "“Go to bed,” said Marcus. Nobody slept in the caravan. He took off his boots at the door and went in."
)


def test_what_is_told_from_before_is_no_act_in_any_of_its_scenes():
    for scenes, expected in (
        ([BACK], 0),
        ([BACK, ON], 0),  # the first of May is the day after the last night of April
        ([BACK, ON.replace("May", "November")], 1),
        ([ON], 1),
    ):
        later = "\n\n***\n\n".join(["The lamp wanted oil. Anna filled it.", *scenes])
        assert len(list(DeadThenActs().find(story(f"{DIED} {FILLER}", later)))) == expected, scenes
