"""Here and there at the same moment; and all that may lie between."""

from __future__ import annotations

import pytest

from fabula.story.continuity.two_places_at_once import TwoPlacesAtOnce

from .told_story import OPENING, document, story, told

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


def test_a_draft_answers_for_itself():
    draft = "Elena sat in the kitchen. She peeled an apple. At that moment Elena was in the library."
    view = told(document(OPENING), document(draft, title="draft", first=2))
    assert len(list(TwoPlacesAtOnce().find(view, only_document="draft"))) == 1
    assert len(TwoPlacesAtOnce().checkable(view, only_document="draft")) == 1
    assert list(TwoPlacesAtOnce().find(view, only_document="tale")) == []
