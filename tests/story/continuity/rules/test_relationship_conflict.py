import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import values

from fabula.story.continuity.rules.relationship_conflict import RelationshipConflict
from fabula.story.model.findings import Severity
from fabula.story.model.types import Interval, Modality


def conflicts(story: StoryBuilder, only: str | None = None, **given) -> list:
    return list(RelationshipConflict(**given).find(story.view(), only_document=only))


BETRAYED = ("BETRAYS", "Anna", "Tom")


def loves(story: StoryBuilder, **how) -> StoryBuilder:
    return story.bond("Tom", "LOVES", "Anna", **how)


def friends(story: StoryBuilder) -> StoryBuilder:
    return story.bond("Tom", "FRIEND_OF", "Anna").chapter(2)


def hates(story: StoryBuilder) -> StoryBuilder:
    return story.bond("Tom", "HATES", "Anna")


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


@pytest.mark.parametrize(
    ("act", "quiet"),
    values(__file__, "turn_between_the_two_makes_a_story_of_it.tsv"),
)
@pytest.mark.parametrize("draft", [False, True])
def test_a_turn_between_the_two_makes_a_story_of_it(act, quiet: bool, draft: bool) -> None:
    story = StoryBuilder().bond("Tom", "SIBLING_OF", "Sam").bond("Tom", "LOVES", "Anna")
    if draft:
        story.document("draft", chapter=2)
    story.event(*act).bond("Tom", "HATES", "Anna")
    assert (conflicts(story, "draft" if draft else None) == []) is quiet


def test_a_draft_is_held_against_the_bond_as_it_stands() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").chapter(7).mention("Tom")
    story.document("draft", chapter=8).bond("Tom", "HATES", "Anna")
    (found,) = conflicts(story, "draft")
    assert [quote.document_id for quote in found.evidence] == ["book", "draft"]
    assert conflicts(story) == []  # as one story it is a change


@pytest.mark.parametrize(
    ("tell", "count"),
    [
        (lambda s: s.bond("Tom", "FRIEND_OF", "Anna").bond("Anna", "HATES", "Tom"), 1),  # symmetric
        (lambda s: loves(s.event(*BETRAYED)).bond("Tom", "HATES", "Anna"), 1),
        (lambda s: loves(s).bond("Tom", "HATES", "Anna").event(*BETRAYED), 1),
        (lambda s: loves(s).event(*BETRAYED, modality=Modality.PLANNED).bond("Tom", "HATES", "Anna"), 1),
        (lambda s: loves(s).bond("Anna", "BETRAYS", "Tom").bond("Tom", "HATES", "Anna"), 0),
        (lambda s: loves(s.bond("Tom", "HATES", "Anna").event("FORGIVES", "Tom", "Anna")), 0),
        (lambda s: loves(s, quote=(both := s.say("Mixed."))).bond("Tom", "HATES", "Anna", quote=both), 0),
    ],
)
def test_a_turn_counts_only_between_the_two_sides(tell, count: int) -> None:
    assert len(conflicts(tell(StoryBuilder()))) == count


@pytest.mark.parametrize(
    ("told", "draft", "count"),
    [
        (lambda s: friends(s).bond("Tom", "HATES", "Anna"), hates, 0),  # as the source has turned
        (lambda s: friends(s).event(*BETRAYED), hates, 0),
        (lambda s: friends(s).event("KILLS", "Bert", "Tom"), hates, 0),
        (lambda s: loves(friends(s), holds=Interval(2, 9)).bond("Tom", "HATES", "Anna"), hates, 0),
        (friends, hates, 1),
        (loves, lambda s: s.bond("Anna", "HATES", "Tom"), 0),  # the other way round
        (loves, lambda s: s.flashback("Tom", "HATES", "Anna"), 0),
        (loves, lambda s: s.bond("Tom", "TRUSTS", "Anna").bond("Tom", "DISTRUSTS", "Anna"), 1),
    ],
)
def test_a_draft_goes_on_with_what_the_source_has_turned(told, draft, count: int) -> None:
    story = told(StoryBuilder()).document("draft", chapter=3)
    assert len(conflicts(draft(story), "draft")) == count


def test_bonds_with_something_earlier_beside_them_are_checkable() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "OWNS", "*Hat")
    story.document("draft", chapter=2).bond("Tom", "LOVES", "Anna").bond("Tom", "LOVES", "Cora")
    (fact,) = RelationshipConflict().checkable(story.view(), only_document="draft")
    assert (fact.object, fact.told) == ("anna", 2)
