"""Things that are gone and used again; and every way in which they may have come back."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import OPENING, document, story, told
from tests.stories.slips import found_apart

from fabula.story.continuity.rules.object_conflict import ObjectConflict
from fabula.story.model.findings import Severity

HERE = Path(__file__).parent


def found(gone, used):
    return found_apart(ObjectConflict(), gone, used)


def test_what_is_gone_is_used_and_what_came_back_or_never_went():
    assert_read(HERE / "object_conflict.tsv", found)


def test_what_is_destroyed_is_an_error_what_is_lost_a_warning():
    (violation,) = ObjectConflict().find(story("Marcus burned his diary.", "Marcus read from his diary."))
    assert violation.severity is Severity.ERROR
    (violation,) = ObjectConflict().find(story("Marcus lost his watch.", "Marcus looked at his watch."))
    assert violation.severity is Severity.WARNING
    assert (
        violation.message == "Marcus Hale's watch is lost in chapter 2, yet Marcus Hale has it in chapter 3."
    )


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
