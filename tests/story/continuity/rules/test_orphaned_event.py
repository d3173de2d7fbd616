"""Harm, marriages and deaths out of nothing, and every reason that accounts for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.stories.builder import StoryBuilder
from tests.stories.examples import assert_read
from tests.stories.reading import FILLER
from tests.stories.reading import story as read_story
from tests.stories.slips import found_in

from fabula.story.continuity.rules.orphaned_event import OrphanedEvent
from fabula.story.model.findings import Severity
from fabula.story.model.types import Modality


def shown(*who: str) -> StoryBuilder:
    """A story that shows them in its first two chapters, and has come to its third."""
    story = StoryBuilder()
    for chapter in (1, 2):
        story.chapter(chapter)
        for one in who:
            story.mention(one)
    return story.chapter(3)


def orphans(story: StoryBuilder, only: str | None = None) -> list:
    return list(OrphanedEvent().find(story.view(), only_document=only))


def test_a_killing_out_of_nothing_is_noted() -> None:
    (found,) = orphans(shown("Tom", "Anna").event("KILLS", "Tom", "Anna"))
    assert found.severity is Severity.INFO
    assert found.entities == ("anna", "tom")
    assert [quote.quote for quote in found.evidence] == ["Tom.", "Anna.", "Tom Anna KILLS."]
    assert "killing in chapter 3 (Tom and Anna)" in found.message


def test_any_earlier_reason_accounts_for_it() -> None:
    for reason in (
        lambda s: s.bond("Tom", "HATES", "Anna"),
        lambda s: s.event("INSULTS", "Anna", "Tom"),
        lambda s: s.event("KILLS", "Tom", "Anna", modality=Modality.PLANNED),
        lambda s: s.bond("Tom", "FEARS", "Anna", modality=Modality.IMAGINED),
        lambda s: s.bond("Tom", "LOVES", "Bert").bond("Anna", "HATES", "Bert"),
        lambda s: s.bond("Tom", "LOVES", "Bert").event("ATTACKS", "Bert", "Anna"),
        lambda s: s.event("ATTACKS", "Bert", "Tom").bond("Bert", "SIBLING_OF", "Anna"),
    ):
        assert orphans(reason(shown("Tom", "Anna")).event("KILLS", "Tom", "Anna", id="deed")) == [], reason


@pytest.mark.parametrize(
    "friendly",
    [
        lambda s: s.bond("Tom", "KNOWS", "Anna"),
        lambda s: s.event("TELLS", "Anna", "Tom"),
        lambda s: s.bond("Tom", "LOVES", "Anna"),
        lambda s: s.event("SAVES", "Bert", "Tom").bond("Bert", "SIBLING_OF", "Anna"),
    ],
)
def test_nothing_friendly_accounts_for_harm(friendly) -> None:
    assert len(orphans(friendly(shown("Tom", "Anna")).event("KILLS", "Tom", "Anna"))) == 1
    assert orphans(friendly(shown("Tom", "Anna")).event("MARRIES", "Tom", "Anna")) == []


@pytest.mark.parametrize(
    "later",
    [
        lambda s: s.event("DECEIVES", "Anna", "Tom", id="lie").cause("deed", "lie"),
        lambda s: s.flashback("Tom", "HATES", "Anna"),
        lambda s: s.event("DECEIVES", "Anna", "Tom", modality=Modality.FLASHBACK),
    ],
)
def test_a_reason_revealed_later_accounts_for_it_once_told(later) -> None:
    story = shown("Tom", "Anna").event("KILLS", "Tom", "Anna", id="deed")
    later(story.chapter(5))
    assert orphans(story) == []
    assert len(list(OrphanedEvent().find(story.view(4)))) == 1


def test_events_it_does_not_ask_about() -> None:
    for quiet in (
        lambda: StoryBuilder().chapter(1).event("KILLS", "Tom", "Anna"),
        lambda: shown("Tom").event("KILLS", "Tom", "Stranger"),
        lambda: shown("Tom", "Anna").event("KILLS", patient="Anna"),
        lambda: shown("Tom", "Anna").event("HELPS", "Tom", "Anna"),
        lambda: shown("Tom", "Anna").event("KILLS", "Tom", "Anna", confidence=0.4),
        lambda: shown("Tom", "Anna").event("KILLS", "Tom", "Anna", modality=Modality.IMAGINED),
        lambda: shown("Tom", "*Ring").event("STEALS_FROM", "Tom", "*Ring"),
    ):
        assert orphans(quiet()) == [], quiet


def test_a_death_needs_a_sign_before_it() -> None:
    assert len(orphans(shown("Anna").event("DIES", patient="Anna"))) == 1
    assert orphans(shown("Anna").feel("Anna", "sadness", -0.5).event("DIES", patient="Anna")) == []
    assert orphans(shown("Anna").event("ATTACKS", "Tom", "Anna").event("DIES", patient="Anna")) == []


def test_a_draft_is_prepared_by_its_source() -> None:
    story = shown("Tom", "Anna").document("draft", chapter=4).event("MARRIES", "Tom", "Anna")
    assert len(orphans(story, "draft")) == 1
    assert orphans(story, "book") == []
    prepared = shown("Tom", "Anna").bond("Tom", "LOVES", "Anna").document("draft", chapter=4)
    assert orphans(prepared.event("MARRIES", "Tom", "Anna"), "draft") == []
    assert len(OrphanedEvent().checkable(prepared.view(), only_document="draft")) == 1


HERE = Path(__file__).parent
SCENE = "Marcus Hale met Elena Voss by the gate. “Good evening,” said Elena. Marcus bowed to Elena."


def out_of_nowhere(deed: str, before: str = "") -> list[str]:
    """What is found of a deed behind two chapters in which nothing leads to it."""
    view = read_story(SCENE, SCENE, f"{before}\n\n{FILLER}", f"{FILLER}\n\n{deed}")
    return found_in(OrphanedEvent(), view, SCENE, deed)


def test_harm_out_of_nothing_and_what_is_no_harm_or_has_a_reason() -> None:
    assert_read(HERE / "orphaned_event.tsv", out_of_nowhere)


def test_harm_in_play_accounts_for_none() -> None:
    deed = "It was then that Marcus stabbed Elena in the arm with a paper-knife."
    assert out_of_nowhere(deed, "Marcus pelted Elena with roses.")
    assert not out_of_nowhere(deed, "Marcus pelted Elena with stones.")
