from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.tables import values

from fabula.story.graph_rag.views.acts import acts
from fabula.story.graph_rag.views.timeline import closing, effective, standing, surely_together
from fabula.story.model.types import Interval, Modality, Open


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


def test_acts_end_bonds_by_the_table() -> None:
    for bond, act, left in values(__file__, "acts_end_bonds_by_the_table.tsv"):
        story = StoryBuilder().bond(*bond).chapter(2)
        assert stands(story.event(*act)) == left, (bond, act, left)


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


def test_knowing_somebody_has_no_end():
    story = StoryBuilder().bond("Anna", "KNOWS", "Berta").chapter(3).event("DIES", patient="Berta")
    view = story.view()
    bond = view.relations(predicate="KNOWS")[0]
    assert effective(view, bond, view.relations(), ()).end is Open.UNKNOWN
