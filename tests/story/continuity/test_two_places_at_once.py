"""Here and there at the same moment; and all that may lie between."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.two_places_at_once import TwoPlacesAtOnce

from .told_story import FILLER, OPENING, document, story, told

TRAVELS = "Marcus went to Paris. He returned to London. Elena went to Brighton. Elena returned to London."


def found(here: str, there: str):
    return list(TwoPlacesAtOnce().find(story(TRAVELS, f"The day was hot.\n\n{here}\n\n{there}")))


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("Elena sat in the kitchen. She peeled an apple.", "At the same moment Elena was in the library."),
        (
            "Marcus was dining in London. “More wine,” said Marcus.",
            "Meanwhile Marcus was sitting in Brighton.",
        ),
        ("Elena waited in the library. She turned a page.", "All this while Elena worked in the kitchen."),
        ("Marcus lay in the cellar. He listened to the rain.", "Marcus stood in the garden."),
    ],
)
def test_two_places_at_once(here, there):
    (violation,) = found(here, there)
    assert violation.evidence[-1].quote == there
    assert here.startswith(violation.evidence[0].quote)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("Marcus lay in the cellar. Then he went up the stairs.", "Marcus stood in the garden."),
        ("Marcus lay in the cellar.", "An hour later Marcus stood in the garden."),
        ("Marcus lay in the cellar.", "At that moment Elena was in the library."),
        ("Marcus stayed in London.", "Marcus dined in Piccadilly."),
        ("Marcus had been in the library all day.", "At that moment Marcus was in the kitchen."),
        ("Marcus sat in the kitchen.", "“At that moment Marcus was in the library,” said Elena."),
        ("Marcus sat in the kitchen.", "At that moment Marcus would be in the library."),
        ("Marcus sat in the kitchen.", "At that moment Marcus was in the old kitchen."),
    ],
)
def test_what_may_be(here, there):
    assert found(here, there) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "At noon on the Saturday, Marcus was in Lyons.",
            "A waiter in Boston had seen Marcus on the steps of the bank on the Saturday at noon.",
        ),
        (
            "On the night of the great fire Marcus walked alone about the streets of Hamburg.",
            "It was in Geneva that on the night of the great fire Marcus sat waiting for a letter.",
        ),
    ],
)
def test_two_towns_at_one_moment_however_far_apart_it_is_told(one, other):
    view = story(f"{one} {FILLER}", FILLER, f"{FILLER} {other}")
    (violation,) = TwoPlacesAtOnce().find(view)
    assert [quote.quote for quote in violation.evidence] == [one, other]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("At noon on the Saturday, Marcus was in Lyons.", "At noon on the Sunday, Marcus was in Boston."),
        ("At noon on the Saturday, Marcus was in Lyons.", "At noon on the Saturday, Elena was in Boston."),
        (
            "At noon on the Saturday, Marcus was in Lyons.",
            "At noon on the Saturday Marcus was not in Boston.",
        ),
        ("At noon on the Saturday, Marcus was in Lyons.", "Elena thought of Boston at noon on the Saturday."),
        ("One morning Marcus was in Lyons.", "One morning Marcus was in Boston."),
        (
            "On the night of the fire Marcus was in Lyons.",
            "Elena supposed that Marcus was in Boston on the night of the fire.",
        ),
    ],
)
def test_two_towns_that_are_no_conflict(one, other):
    assert list(TwoPlacesAtOnce().find(story(one, other))) == []


ELSEWHERE = "Meanwhile, in Geneva, Marcus was sitting down to supper with strangers."


def test_who_acts_here_is_not_told_to_be_far_off_in_between():
    scene = "Marcus poured the tea. Elena thanked Marcus."
    (violation,) = TwoPlacesAtOnce().find(story(f"{scene}\n\n{ELSEWHERE}\n\n“Sugar?” said Marcus."))
    assert violation.evidence[-1].quote == ELSEWHERE


@pytest.mark.parametrize(
    "chapter",
    [
        f"{ELSEWHERE}\n\nMarcus poured the wine.",
        f"Elena poured the tea.\n\n{ELSEWHERE}\n\nElena wept.",
        "Marcus poured the tea.\n\nMarcus described how he had arrived in Geneva that very evening.\n\n"
        "“Sugar?” said Marcus.",
        f"Marcus left the house.\n\n{ELSEWHERE}\n\nMarcus poured the wine.",
        f"Marcus poured the tea.\n\n{ELSEWHERE}\n\nGeneva was full. Marcus paid. The lake of Geneva shone.",
    ],
)
def test_who_may_well_be_far_off(chapter):
    assert list(TwoPlacesAtOnce().find(story("They all met again.", chapter))) == []


def test_a_draft_answers_for_itself():
    draft = "Elena sat in the kitchen. She peeled an apple. At that moment Elena was in the library."
    view = told(document(OPENING), document(draft, title="draft", first=2))
    assert len(list(TwoPlacesAtOnce().find(view, only_document="draft"))) == 1
    assert len(TwoPlacesAtOnce().checkable(view, only_document="draft")) == 1
    assert list(TwoPlacesAtOnce().find(view, only_document="tale")) == []
