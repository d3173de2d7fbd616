"""Intervals and rules: each rule with the error it is for, and the stories it must leave alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder

from fabula.story.continuity.rules.orphaned_event import OrphanedEvent
from fabula.story.continuity.rules.relationship_conflict import RelationshipConflict
from fabula.story.graph_rag.views.acts import acts
from fabula.story.graph_rag.views.timeline import CLOSES, closing, effective, standing, surely_together
from fabula.story.model.findings import Severity
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import Interval, Modality, Open

# --- intervals -----------------------------------------------------------------------------------


def stands(story: StoryBuilder, a: str = "tom", b: str = "anna", **given) -> list[str]:
    return [bond.predicate for bond in standing(story.view(), a, b, **given)]


def test_of_opposed_bonds_the_last_told_stands() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Anna", "TRUSTS", "Tom")
    story.chapter(2).bond("Tom", "HATES", "Anna")
    assert stands(story) == ["TRUSTS", "HATES"]
    assert stands(story.chapter(3).bond("Tom", "LOVES", "Anna")) == ["TRUSTS", "LOVES"]


def test_hatred_of_one_ends_a_friendship_but_not_the_others_love() -> None:
    story = StoryBuilder().bond("Tom", "FRIEND_OF", "Anna").bond("Tom", "LOVES", "Anna")
    assert stands(story.chapter(2).bond("Anna", "HATES", "Tom")) == ["LOVES", "HATES"]


@pytest.mark.parametrize(
    ("bond", "act", "left"),
    [
        (("Tom", "FRIEND_OF", "Anna"), ("BETRAYS", "Anna", "Tom"), []),
        (("Tom", "TRUSTS", "Anna"), ("BETRAYS", "Anna", "Tom"), []),
        (("Tom", "TRUSTS", "Anna"), ("BETRAYS", "Tom", "Anna"), ["TRUSTS"]),
        (("Tom", "SERVES", "Anna"), ("BETRAYS", "Tom", "Anna"), []),
        (("Tom", "HATES", "Anna"), ("FORGIVES", "Tom", "Anna"), []),
        (("Tom", "HATES", "Anna"), ("FORGIVES", "Anna", "Tom"), ["HATES"]),
        (("Tom", "LOVES", "Anna"), ("KILLS", "Bert", "Anna"), ["LOVES"]),
        (("Tom", "LOVES", "Anna"), ("KILLS", "Bert", "Tom"), []),
        (("Tom", "MARRIED_TO", "Anna"), ("DIES", "", "Anna"), []),
        (("Tom", "SIBLING_OF", "Anna"), ("KILLS", "Tom", "Anna"), ["SIBLING_OF"]),
        (("Tom", "LOVES", "Anna"), ("HELPS", "Tom", "Anna"), ["LOVES"]),
    ],
)
def test_acts_end_bonds_by_the_table(bond, act, left) -> None:
    story = StoryBuilder().bond(*bond).chapter(2)
    assert stands(story.event(*act)) == left


def test_an_act_told_before_the_bond_or_as_a_flashback_ends_nothing() -> None:
    story = StoryBuilder().event("BETRAYS", "Anna", "Tom").chapter(2).bond("Tom", "FRIEND_OF", "Anna")
    story.chapter(3).event("BETRAYS", "Anna", "Tom", modality=Modality.FLASHBACK)
    story.event("BETRAYS", "Anna", "Tom", modality=Modality.IMAGINED)
    assert stands(story) == ["FRIEND_OF"]


def test_a_place_stands_until_the_next() -> None:
    story = StoryBuilder().bond("Tom", "LOCATED_AT", "@London").bond("Anna", "LOCATED_AT", "@London")
    story.chapter(2).bond("Tom", "LOCATED_AT", "@Bath")
    assert stands(story, "tom", "london") == []
    assert stands(story, "london", "anna") == ["LOCATED_AT"]
    assert stands(story.event("LEAVES", "Tom", place="@Bath"), "tom", "bath") == []


def test_a_flashback_that_is_over_does_not_stand_and_ends_nothing() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").chapter(4).flashback("Tom", "HATES", "Anna")
    assert stands(story) == ["LOVES"]


def test_standing_can_leave_out_a_document_and_what_is_unsure() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Anna", confidence=0.3)
    story.document("draft", chapter=2).bond("Tom", "HATES", "Anna")
    assert stands(story, min_confidence=0.5, without="draft") == ["LOVES"]
    assert stands(story) == ["HATES"]


def test_the_interval_of_a_bond_is_closed_by_what_ended_it() -> None:
    story = StoryBuilder().chapter(2).bond("Tom", "FRIEND_OF", "Anna").bond("Tom", "KIN_OF", "Anna")
    story.chapter(5).event("BETRAYS", "Tom", "Anna")
    view = story.view()
    friend, kin = bonds = view.relations()
    happened = acts(view)
    assert effective(view, friend, bonds, happened) == Interval(2, 5)
    assert effective(view, kin, bonds, happened) == Interval(2, Open.UNBOUNDED)
    ended = closing(view, friend, bonds, happened)
    assert (ended.chapter, ended.predicate, ended.evidence[0].quote) == (5, "BETRAYS", "Tom Anna BETRAYS.")
    assert closing(view, kin, bonds, happened) is None


def test_the_table_of_closings_names_acts_and_bonds() -> None:
    for act, bonds in CLOSES.items():
        assert not PREDICATES[act].lasting
        assert all(PREDICATES[bond].lasting and not PREDICATES[bond].permanent for bond in bonds)


bounds = st.one_of(st.integers(1, 9), st.sampled_from([Open.UNKNOWN, Open.UNBOUNDED]))


@given(bounds, bounds, bounds, bounds)
def test_what_is_surely_together_is_never_apart(a, b, c, d) -> None:
    for start, end in ((a, b), (c, d)):
        if isinstance(start, int) and isinstance(end, int) and end < start:
            return
    one, other = Interval(a, b), Interval(c, d)
    assert surely_together(one, other) == surely_together(other, one)
    if surely_together(one, other):
        assert one.overlaps(other) is not False
    if one.overlaps(other) is True and Open.UNKNOWN not in (a, b, c, d):
        assert surely_together(one, other)


def test_what_begins_in_one_chapter_is_together_there_however_it_ends() -> None:
    assert surely_together(Interval(3), Interval(3))
    assert not surely_together(Interval(3), Interval(4))
    assert surely_together(Interval(3, 5), Interval(4))
    assert not surely_together(Interval(Open.UNKNOWN, 5), Interval(4))


# --- relationship_conflict -----------------------------------------------------------------------


def conflicts(story: StoryBuilder, only: str | None = None, **given) -> list:
    return list(RelationshipConflict(**given).find(story.view(), only_document=only))


def test_love_and_hatred_in_one_chapter_conflict() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Anna")
    (found,) = conflicts(story)
    assert found.severity is Severity.WARNING
    assert found.entities == ("anna", "tom")
    assert [quote.quote for quote in found.evidence] == ["Tom LOVES Anna.", "Tom HATES Anna."]
    assert found.message.startswith("Tom loves Anna (chapter 1), yet Tom hates Anna (chapter 1)")
    assert found.suggestion
    assert found.unless


def test_a_later_chapter_is_a_change_and_not_this_rules_business() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").chapter(2).bond("Tom", "HATES", "Anna")
    assert conflicts(story) == []
    lasting = StoryBuilder().bond("Tom", "LOVES", "Anna", holds=Interval(1, 9)).chapter(2)
    assert len(conflicts(lasting.bond("Tom", "HATES", "Anna"))) == 1


@pytest.mark.parametrize(
    "quiet",
    [
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Anna", "HATES", "Tom"),
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Bert"),
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Tom", "DISTRUSTS", "Anna"),
        lambda s: s.bond("Tom", "LOVES", "Anna", confidence=0.4).bond("Tom", "HATES", "Anna"),
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Anna", confidence=0.4),
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Anna", modality=Modality.NEGATED),
        lambda s: s.bond("Tom", "LOVES", "Anna", modality=Modality.REPORTED).bond("Tom", "HATES", "Anna"),
        lambda s: s.bond("Tom", "LOVES", "Anna").flashback("Tom", "HATES", "Anna"),
    ],
)
def test_what_does_not_conflict(quiet) -> None:
    assert conflicts(quiet(StoryBuilder().chapter(2))) == []


def test_both_in_one_sentence_are_mixed_feelings() -> None:
    story = StoryBuilder()
    quote = story.say("Tom loved and hated Anna.")
    assert (
        conflicts(story.bond("Tom", "LOVES", "Anna", quote=quote).bond("Tom", "HATES", "Anna", quote=quote))
        == []
    )


def test_a_symmetric_bond_conflicts_either_way_round() -> None:
    story = StoryBuilder().bond("Tom", "FRIEND_OF", "Anna").bond("Anna", "HATES", "Tom")
    assert len(conflicts(story)) == 1


@pytest.mark.parametrize(
    ("act", "quiet"),
    [
        (("BETRAYS", "Anna", "Tom"), True),
        (("ATTACKS", "Tom", "Anna"), True),
        (("SAVES", "Anna", "Tom"), False),  # a rescue does not explain hatred
        (("TELLS", "Anna", "Tom"), False),
        (("LEARNS", "Tom"), True),
        (("LEARNS", "Bert"), False),
        (("KILLS", "Anna", "Sam"), True),  # Tom's brother
        (("KILLS", "Anna", "Bert"), False),
    ],
)
@pytest.mark.parametrize("draft", [False, True])
def test_a_turn_between_the_two_makes_a_story_of_it(act, quiet: bool, draft: bool) -> None:
    story = StoryBuilder().bond("Tom", "SIBLING_OF", "Sam").bond("Tom", "LOVES", "Anna")
    if draft:
        story.document("draft", chapter=2)
    story.event(*act).bond("Tom", "HATES", "Anna")
    assert (conflicts(story, "draft" if draft else None) == []) is quiet


def test_a_turn_counts_only_between_the_two_sides() -> None:
    before = (
        StoryBuilder()
        .event("BETRAYS", "Anna", "Tom")
        .bond("Tom", "LOVES", "Anna")
        .bond("Tom", "HATES", "Anna")
    )
    after = (
        StoryBuilder()
        .bond("Tom", "LOVES", "Anna")
        .bond("Tom", "HATES", "Anna")
        .event("BETRAYS", "Anna", "Tom")
    )
    planned = (
        StoryBuilder().bond("Tom", "LOVES", "Anna").event("BETRAYS", "Anna", "Tom", modality=Modality.PLANNED)
    )
    assert len(conflicts(before)) == len(conflicts(after)) == 1
    assert len(conflicts(planned.bond("Tom", "HATES", "Anna"))) == 1


def test_a_turn_told_as_a_relation_counts() -> None:
    story = (
        StoryBuilder()
        .bond("Tom", "LOVES", "Anna")
        .bond("Anna", "BETRAYS", "Tom")
        .bond("Tom", "HATES", "Anna")
    )
    assert conflicts(story) == []


def test_forgiveness_explains_love_after_hatred() -> None:
    story = StoryBuilder().bond("Tom", "HATES", "Anna").event("FORGIVES", "Tom", "Anna")
    assert conflicts(story.bond("Tom", "LOVES", "Anna")) == []


def test_a_draft_is_held_against_the_bond_as_it_stands() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").chapter(7).mention("Tom")
    story.document("draft", chapter=8).bond("Tom", "HATES", "Anna")
    (found,) = conflicts(story, "draft")
    assert [quote.document_id for quote in found.evidence] == ["book", "draft"]
    assert conflicts(story) == []  # as one story it is a change


@pytest.mark.parametrize(
    "turned",
    [
        lambda s: s.bond("Tom", "HATES", "Anna"),
        lambda s: s.event("BETRAYS", "Anna", "Tom"),
        lambda s: s.event("KILLS", "Bert", "Tom"),
        lambda s: s.bond("Tom", "LOVES", "Anna", holds=Interval(2, 9)).bond("Tom", "HATES", "Anna"),
    ],
)
def test_a_draft_may_go_on_with_what_the_source_has_turned(turned) -> None:
    story = turned(StoryBuilder().bond("Tom", "FRIEND_OF", "Anna").chapter(2))
    story.document("draft", chapter=3).bond("Tom", "HATES", "Anna")
    assert conflicts(story, "draft") == []


def test_a_draft_is_held_against_bonds_the_same_way_round() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").document("draft", chapter=2)
    assert conflicts(story.bond("Anna", "HATES", "Tom"), "draft") == []


def test_a_draft_that_remembers_an_old_hatred_does_not_conflict() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").document("draft", chapter=2)
    assert conflicts(story.flashback("Tom", "HATES", "Anna"), "draft") == []


def test_a_draft_may_not_contradict_itself_either() -> None:
    story = StoryBuilder().mention("Tom").document("draft", chapter=2)
    story.bond("Tom", "TRUSTS", "Anna").bond("Tom", "DISTRUSTS", "Anna")
    assert len(conflicts(story, "draft")) == 1


def test_bonds_with_something_earlier_beside_them_are_checkable() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "OWNS", "*Hat")
    story.document("draft", chapter=2).bond("Tom", "LOVES", "Anna").bond("Tom", "LOVES", "Cora")
    (fact,) = RelationshipConflict().checkable(story.view(), only_document="draft")
    assert (fact.object, fact.told) == ("anna", 2)


# --- orphaned_event ------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    "reason",
    [
        lambda s: s.bond("Tom", "HATES", "Anna"),
        lambda s: s.event("INSULTS", "Anna", "Tom"),
        lambda s: s.event("KILLS", "Tom", "Anna", modality=Modality.PLANNED),
        lambda s: s.bond("Tom", "FEARS", "Anna", modality=Modality.IMAGINED),
        lambda s: s.bond("Tom", "LOVES", "Bert").bond("Anna", "HATES", "Bert"),
        lambda s: s.bond("Tom", "LOVES", "Bert").event("ATTACKS", "Bert", "Anna"),
        lambda s: s.event("ATTACKS", "Bert", "Tom").bond("Bert", "SIBLING_OF", "Anna"),
    ],
)
def test_any_earlier_reason_accounts_for_it(reason) -> None:
    assert orphans(reason(shown("Tom", "Anna")).event("KILLS", "Tom", "Anna", id="deed")) == []


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


@pytest.mark.parametrize(
    "quiet",
    [
        lambda: StoryBuilder().chapter(1).event("KILLS", "Tom", "Anna"),
        lambda: shown("Tom").event("KILLS", "Tom", "Stranger"),
        lambda: shown("Tom", "Anna").event("KILLS", patient="Anna"),
        lambda: shown("Tom", "Anna").event("HELPS", "Tom", "Anna"),
        lambda: shown("Tom", "Anna").event("KILLS", "Tom", "Anna", confidence=0.4),
        lambda: shown("Tom", "Anna").event("KILLS", "Tom", "Anna", modality=Modality.IMAGINED),
        lambda: shown("Tom", "*Ring").event("STEALS_FROM", "Tom", "*Ring"),
    ],
)
def test_events_it_does_not_ask_about(quiet) -> None:
    assert orphans(quiet()) == []


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
