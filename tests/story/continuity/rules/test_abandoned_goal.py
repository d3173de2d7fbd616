"""Vows that a finished story forgets, and those it comes back to."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import FILLER, story
from tests.stories.slips import found_in

from fabula.core.types import Horizon
from fabula.story.continuity.rules.abandoned_goal import AbandonedGoal

HERE = Path(__file__).parent
REST = [f"Elena laughed at Marcus. Tobias nodded. Elena poured the tea.\n\n{FILLER}"] * 5
VOW = "Elena vowed that she would find the tinker who had stolen the locket."


def found(vow, *rest):
    bodies = (vow, *(rest or REST))
    return found_in(AbandonedGoal(), story(*bodies), *bodies)


def test_a_forgotten_vow_is_a_hint_and_a_weak_one_or_none_is_not():
    assert_read(HERE / "vows.tsv", found)


def test_a_story_that_comes_back_to_it():
    for later in (
        "Elena found the tinker, and he gave back the locket.",
        "“That tinker has my locket still,” said Elena.",
        "Elena gave up the search for the tinker and forgot the locket.",
    ):
        assert not found(VOW, *REST[:3], later, *REST[3:]), later


def test_words_that_the_story_always_uses_count_where_all_of_the_aim_is_there():
    vow = "Elena made a vow to unmask the writer of the anonymous letter."
    talk = "\n\n".join(["“A letter,” said Elena.", "“The writer,” said Marcus."] * 20)
    rest = [f"{each}\n\n{talk}" for each in REST]
    assert found(vow, *rest)
    assert not found(vow, *rest[:3], f"Elena found the writer of the anonymous letter. {rest[3]}", rest[4])


def test_a_vow_is_found_once_however_often_it_is_read():
    vow = "“I will find the poacher who shot my spaniel, if it takes me all my life,” said Marcus Hale."
    assert found(vow, *[f"{FILLER} Marcus poured the tea."] * 6) == ["info 2"]


def test_only_of_a_finished_story_and_of_those_who_stay_in_it():
    vow = "Marcus swore to rebuild the burnt almshouse."
    view = story(vow, *REST)
    rule = AbandonedGoal()
    assert list(rule.find(view)) and rule.checkable(view)
    assert not list(rule.find(view.as_of(Horizon(5))))
    assert not list(rule.find(view, only_document="draft"))
    assert not found(vow, *["Elena laughed. Tobias nodded."] * 5)
    assert not found("Elena laughed.", *REST[:4], vow)
