"""Plain contradictions in everyday wordings, and what looks like them and is none."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.dead_then_acts import DeadThenActs
from fabula.story.continuity.rules.object_conflict import ObjectConflict
from fabula.story.continuity.rules.timeline.timeline_conflict import TimelineConflict
from fabula.story.continuity.rules.two_places_at_once import TwoPlacesAtOnce
from fabula.story.extraction.patterns.masking import spelled_out
from fabula.story.lexicon.kinds_of_place import far_apart
from fabula.story.model.trait_values import STAY

from .told_story import FILLER, story

ACT = "Marcus peeled an apple by the window."
DEATHS = [
    ("Marcus never woke from the operation.", 1),
    ("Marcus had been carried to the churchyard before the snow fell.", 1),
    ("Before morning Marcus was a corpse.", 1),
    ("A stroke carried off Marcus at his own table.", 1),
    ("The drowned man was Marcus.", 1),
    ("The last breath went out of Marcus.", 1),
    ("Marcus did not recover his watch.", 0),
    ("Marcus was buried in the old churchyard.", 1),
    ("Marcus was buried in profound repose.", 0),
    ("Marcus never spoke again of the matter.", 0),
    ("They feared that a stroke would carry off Marcus.", 0),
    ("Elena had the news of her death from Marcus.", 0),
    ("If Marcus never woke from the operation, the yard would be sold.", 0),
]


@pytest.mark.parametrize(("death", "expected"), DEATHS)
def test_deaths(death, expected):
    assert len(list(DeadThenActs().find(story(f"{death} {FILLER}", f"{FILLER}\n\n{ACT}")))) == expected


@pytest.mark.parametrize(
    ("early", "late", "expected"),
    [
        ("Elena's illness lasted three weeks.", "Elena had lain ill for five months.", 1),
        ("Marcus was in prison for eighteen months.", "Marcus had passed ten years in prison.", 1),
        ("Elena's illness lasted three weeks.", "Elena had lain ill for three weeks.", 0),
        ("Elena's illness lasted three weeks.", "Elena has been ill for five days.", 0),
        ("Elena's illness lasted three weeks.", "Perhaps Elena was ill for five months.", 0),
    ],
)
def test_stretches_of_life(early, late, expected):
    view = story(f"{early}\n\n{FILLER}", f"{FILLER}\n\n{late}")
    assert len(list(TimelineConflict().find(view))) == expected
    assert not expected or any(trait.aspect == STAY for trait in view.traits())


@pytest.mark.parametrize(
    ("early", "late", "expected"),
    [
        (
            "At nine on Friday morning Marcus was at the theatre.",
            "At nine on Friday evening Marcus was walking upon the moor.",
            0,
        ),
        (
            "At nine on the night of the fire Marcus was at the theatre.",
            "At nine on the night of the fire Marcus was not upon the moor.",
            0,
        ),
        (
            "Marcus was in Boston for the month.",
            "The same evening Marcus returned and drew a chair to the table.",
            0,
        ),
        ("Marcus was in Boston for the month.", "In spring Marcus drew a chair to the table.", 0),
    ],
)
def test_places(early, late, expected):
    assert len(list(TwoPlacesAtOnce().find(story(f"{early}\n\n{FILLER}\n\n{late}")))) == expected


def test_only_places_that_differ_in_kind_are_apart():
    assert far_apart("the theatre", "the moor")
    assert not far_apart("the kitchen", "the garden")
    assert not far_apart("the theatre", "boston")


def test_what_happens_in_the_sentence_of_a_loss_brings_nothing_back():
    lost = "Marcus gave his father's watch to the pilot, who took it with him to China."
    view = story(f"{lost}\n\n{FILLER}", f"{FILLER}\n\nMarcus wound his father's watch.")
    assert len(list(ObjectConflict().find(view))) == 1


def test_words_run_together_are_read_as_if_written_out():
    assert spelled_out("§0's in ¤, and §0'm the third of three") == "§0 is in ¤, and §0 am the third of three"
    assert spelled_out("§0's dead wife") == "§0's dead wife"
    assert spelled_out("§0's dead.") == "§0 is dead."


@pytest.mark.parametrize(
    ("late", "expected"),
    [
        ("Marcus picked up his guitar and played a song.", 1),
        ("Marcus bought back his guitar and played a song.", 0),
    ],
)
def test_a_thing_that_was_sold_is_not_had_back_by_taking_it_up(late, expected):
    view = story(f"Marcus sold his guitar to a sailor.\n\n{FILLER}", f"{FILLER}\n\n{late}")
    assert len(list(ObjectConflict().find(view))) == expected
