import pytest
from tests.stories.builder import StoryBuilder

from fabula.story.continuity.rules.relationship_conflict import RelationshipConflict
from fabula.story.model.findings import Severity
from fabula.story.model.types import Interval, Modality


def conflicts(story: StoryBuilder, only: str | None = None, **given) -> list:
    return list(RelationshipConflict(**given).find(story.view(), only_document=only))


def test_love_and_hatred_in_one_chapter_conflict() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Anna")
    (found,) = conflicts(story)
    assert found.severity is Severity.ERROR and found.confidence == 1.0
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


def test_what_does_not_conflict() -> None:
    for quiet in (
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Anna", "HATES", "Tom"),
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Bert"),
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Tom", "DISTRUSTS", "Anna"),
        lambda s: s.bond("Tom", "LOVES", "Anna", confidence=0.4).bond("Tom", "HATES", "Anna"),
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Anna", confidence=0.4),
        lambda s: s.bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Anna", modality=Modality.NEGATED),
        lambda s: s.bond("Tom", "LOVES", "Anna", modality=Modality.REPORTED).bond("Tom", "HATES", "Anna"),
        lambda s: s.bond("Tom", "LOVES", "Anna").flashback("Tom", "HATES", "Anna"),
    ):
        assert conflicts(quiet(StoryBuilder().chapter(2))) == [], quiet


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
