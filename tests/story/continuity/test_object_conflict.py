"""Things that are gone and used again; and every way in which they may have come back."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.object_conflict import ObjectConflict
from fabula.story.model.findings import Severity

from .told_story import OPENING, document, story, told


def found(gone: str, used: str):
    return list(ObjectConflict().find(story(gone, used)))


@pytest.mark.parametrize(
    ("gone", "used"),
    [
        (
            "Marcus lost his father's watch in the harbour.",
            "Marcus drew out his father's watch and wound it.",
        ),
        ("Elena threw the silver locket into the sea.", "Elena opened the silver locket."),
        ("The brass compass fell overboard in the gale.", "Tobias consulted the brass compass."),
        ("Marcus burned his diary in the kitchen stove.", "In the evening Marcus read from his diary."),
        ("Marcus sold his violin to a dealer.", "Marcus took his violin from its case."),
        ("Elena gave the emerald ring to Tobias.", "Elena turned the emerald ring on her finger."),
        ("Somebody stole Marcus's revolver while he slept.", "Marcus cocked his revolver."),
        ("Tobias dropped the iron key down the well.", "Tobias unlocked the boathouse with the iron key."),
        ("Elena took off her pearl necklace and flung it into the fire.", "Elena wore her pearl necklace."),
        ("Marcus's sword broke in two at the hilt.", "Marcus drew his sword and saluted."),
        (
            "The brass pocket compass he had had from a child was burned that night with the other things.",
            "Marcus had the brass pocket compass in his hand.",
        ),
        (
            "Elena's ivory fan, crushed flat by a cart, lay in the road.",
            "Elena never went out without her ivory fan.",
        ),
        ("The silver flute was thrown upon the rubbish-heap.", "Marcus brought out the silver flute."),
        (
            "A thief had taken the ivory fan from Elena's room.",
            "Elena, feeling in her pocket for the ivory fan, found it.",
        ),
        (
            "“I have given away my ivory fan,” said Elena.",
            "The ivory fan lay in Elena's lap.",
        ),
        ("Marcus made a present of the silver flute to a sailor.", "Marcus played upon the silver flute."),
        ("Marcus sold the silver flute.", "Marcus lent the silver flute to Elena."),
    ],
)
def test_what_is_gone_is_used(gone, used):
    (violation,) = found(gone, used)
    assert [quote.quote for quote in violation.evidence] == [gone, used]


def test_what_is_destroyed_is_an_error_what_is_lost_a_warning():
    (violation,) = found("Marcus burned his diary.", "Marcus read from his diary.")
    assert violation.severity is Severity.ERROR
    (violation,) = found("Marcus lost his watch.", "Marcus looked at his watch.")
    assert violation.severity is Severity.WARNING
    assert (
        violation.message == "Marcus Hale's watch is lost in chapter 2, yet Marcus Hale has it in chapter 3."
    )


@pytest.mark.parametrize(
    ("gone", "used"),
    [
        ("Marcus lost his watch. Tobias found the watch in his nets.", "Marcus wound his watch."),
        ("Marcus sold his violin. In May he bought another violin.", "Marcus took his violin."),
        ("Marcus sold his violin. In May the dealer sent it back.", "Marcus took his violin."),
        ("Elena gave the emerald ring to Tobias. Tobias returned it.", "Elena wore the emerald ring."),
        ("Elena gave the gold ring to Tobias. Tobias gave the ring to Elena.", "Elena wore the gold ring."),
        ("Elena meant to throw the silver locket into the sea.", "Elena opened the silver locket."),
        ("Elena dreamt that she had lost the silver locket.", "Elena opened the silver locket."),
        ("Elena lost the silver locket.", "Tobias opened the gold locket."),
        ("Elena lost her locket.", "Mrs. Reed opened her locket."),
        ("Marcus gave his watch to Tobias.", "Tobias wound the watch."),
        ("Tobias never lost his compass.", "Tobias consulted his compass."),
        ("Marcus sold his violin.", "Marcus remembered how he had played his violin."),
        ("Marcus burned a letter.", "Marcus read a letter."),
        ("Marcus drew his sword and flung it into the sea.", "Marcus laughed."),
    ],
)
def test_what_came_back_or_never_went(gone, used):
    assert found(gone, used) == []


def test_what_is_soon_replaced_conflicts_only_nearby():
    lost, put_on = "Marcus lost his hat in the wind. Elena laughed.", "Marcus took off his hat."
    assert len(list(ObjectConflict().find(story(f"{lost} {put_on}")))) == 1
    assert len(list(ObjectConflict().find(story(lost, "Rain fell.", "Rain fell.", put_on)))) == 1
    view = story(lost, "Rain fell.", "Rain fell.", "Rain fell.", put_on, "Elena lost the straw hat.")
    assert list(ObjectConflict().find(view)) == []


def test_a_draft_is_held_against_its_source():
    source = document(OPENING, "Elena threw the silver locket into the sea.")
    view = told(source, document("Elena opened the silver locket.", title="draft", first=3))
    (violation,) = ObjectConflict().find(view, only_document="draft")
    assert violation.evidence[-1].quote == "Elena opened the silver locket."
    assert len(ObjectConflict().checkable(view, only_document="draft")) == 1
    assert list(ObjectConflict().find(view, only_document="another")) == []
