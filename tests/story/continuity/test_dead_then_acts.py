"""The dead who act again are found; dreams, ghosts, namesakes and false deaths are let be."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.dead_then_acts import DeadThenActs
from fabula.story.model.findings import Severity

from .told_story import FILLER, OPENING, document, story, told

DIED = "Marcus died in the night, before the doctor could cross the water."


ACTED = "Marcus came in at ten with his boots full of sand."


def found(death: str, act: str, **given):
    return list(DeadThenActs(**given).find(story(f"{death} {FILLER}", f"The ice went out. {act}")))


@pytest.mark.parametrize(
    "death",
    [
        DIED,
        "By morning Marcus Hale was dead.",
        "They buried Marcus on the hill behind the chapel.",
        "Marcus was killed when the crane fell on the north quay.",
        "Mr. Reed shot Marcus dead on the steps of the customs house.",
        "Tobias murdered Marcus for the sake of forty pounds.",
        "Marcus was found dead at the foot of the cliff.",
        "Marcus bled to death on the stones.",
        "Marcus lost his life in the great storm.",
        "Before the doctor came Marcus was no more.",
        "Marcus lay in the churchyard by then.",
        "Marcus was found at the foot of the quarry with his neck broken.",
        "A fever carried Marcus off within the week.",
        "Marcus did not survive the night.",
        "They laid Marcus to rest beside his mother.",
        "Marcus was lost at sea in the autumn gales.",
        "“Marcus is dead,” said Tobias.",
        "That was how Marcus Hale met his death.",
        "The whole town came to Marcus's funeral.",
        "Two fishermen carried Marcus's body up from the beach.",
        "Marcus had died at sea, and the letter that said so was three weeks old.",
    ],
)
def test_a_death_in_many_words(death):
    (violation,) = found(death, ACTED)
    assert violation.severity is Severity.ERROR
    assert violation.entities == ("marcus-hale",)
    assert [quote.quote for quote in violation.evidence] == [death, ACTED]


@pytest.mark.parametrize(
    "act",
    [
        "“You have let the fire go out,” said Marcus.",
        "Elena was still counting when Marcus crossed the yard.",
        "Marcus Hale nodded to the pilot.",
        "Mr. Reed shook hands with Marcus on the quay.",
        "“Good morning,” said Elena to Marcus.",
        "The letter was brought by Marcus, and Elena read it in the hall.",
        "It was Marcus who opened the gate.",
        "In the afternoon Elena and Marcus walked to the chapel.",
    ],
)
def test_an_act_in_many_words(act):
    assert len(found(DIED, act)) == 1


@pytest.mark.parametrize(
    "act",
    [
        "Elena dreamt that Marcus came in with his boots full of sand.",
        "Elena remembered how Marcus had laughed.",
        "“Marcus would have liked this,” said Elena.",
        "It was as if Marcus stood beside her.",
        "Two years before, Marcus had stood on this very wall.",
        "Marcus's ghost walked up and down the stairs.",
        "Marcus lay in the cold ground.",
        "In the picture Marcus stood at the window.",
        "They carried Marcus to the chapel.",
        "Marcus's brother walked up from the harbour.",
        "Tobias came in at ten.",
    ],
)
def test_what_the_dead_may_do(act):
    assert found(DIED, act) == []


@pytest.mark.parametrize(
    "death",
    [
        "The doctor feared that Marcus would die in the night.",
        "Marcus nearly died of the fever.",
        "By morning Marcus was dead tired.",
        "Marcus was as good as dead.",
        "Everybody said that Marcus was dead.",
        "“I am a dead man,” said Marcus.",
        "Marcus buried his face in his hands.",
        "If Marcus died, the survey would die with him.",
        "Marcus did not die.",
        "Marcus's brother died in the night.",
        "Elena dreamt that Marcus was dead.",
        "The talk between Elena and Marcus died down.",
        "The conjecture that Marcus was drowned grew up again.",
    ],
)
def test_what_is_no_death(death):
    assert found(death, ACTED) == []


def test_a_death_that_proves_false():
    assert found(DIED, f"“Marcus is alive!” cried Elena. {ACTED}") == []


def test_a_namesake_makes_the_rule_silent():
    others = "Old Peter Hale stood up. Peter Hale sat down. Peter Hale nodded. Peter Hale bowed."
    view = story(f"{others} Hale died in the night. {FILLER}", "Hale came in at ten.")
    assert list(DeadThenActs().find(view)) == []


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
    view = story(f"{DIED} Marcus came in at ten.")
    assert list(DeadThenActs().find(view)) == []


def test_a_draft_is_held_against_its_source():
    source = document(OPENING, DIED)
    draft = document(ACTED, title="draft", first=3)
    view = told(source, draft)
    (violation,) = DeadThenActs().find(view, only_document="draft")
    assert violation.evidence[-1].document_id == "draft"
    (fact,) = DeadThenActs().checkable(view, only_document="draft")
    assert fact.evidence[0].quote == ACTED
    assert list(DeadThenActs().find(view, only_document="another")) == []


@pytest.mark.parametrize(
    "act",
    [
        "Elena dreamed that Marcus came in at ten.",
        "Elena remembered how Marcus came in at ten.",
        "The ghost of Marcus came in at ten.",
        "Once Marcus came in at ten with his boots full of sand.",
        "Years before, Marcus came in at ten with his boots full of sand.",
        "It was as if Marcus came in at ten with his boots full of sand.",
        "Every evening Marcus came in at ten with his boots full of sand.",
        "In the portrait Marcus came in at ten with his boots full of sand.",
        "So it stood in the diary: Marcus came in at ten with his boots full of sand.",
    ],
)
def test_what_is_set_aside_from_the_story_s_present_is_no_act(act):
    assert len(found(DIED, ACTED)) == 1
    assert found(DIED, act) == []


BACK = (
    "Eleven years earlier, on the last night of April, Marcus walked down through the works. "
    "He carried sugar on his back for three hours. “You will catch your death,” said Marcus."
)


ON = (
    "By five in the morning on the first of May the sugar was across the yard. Anna closed the gate. "
    "“Go to bed,” said Marcus. Nobody slept in the caravan. He took off his boots at the door and went in."
)


@pytest.mark.parametrize(
    ("scenes", "expected"),
    [
        ([BACK], 0),
        ([BACK, ON], 0),  # the first of May is the day after the last night of April
        ([BACK, ON.replace("May", "November")], 1),
        ([ON], 1),
    ],
)
def test_what_is_told_from_before_is_no_act_in_any_of_its_scenes(scenes, expected):
    later = "\n\n***\n\n".join(["The lamp wanted oil. Anna filled it.", *scenes])
    assert len(list(DeadThenActs().find(story(f"{DIED} {FILLER}", later)))) == expected
