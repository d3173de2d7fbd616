import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.tables import rows

from fabula.story.graph_rag.views.timeline import acts, closing, effective, standing, surely_together
from fabula.story.model.types import Interval, Open


@pytest.mark.parametrize(("story", "between", "left"), rows(__file__, "stands.tsv"))
def test_what_stands_between_two(story, between, left):
    found = standing(StoryBuilder.of(story).view(), *between.split())
    assert [bond.predicate for bond in found] == left.split()


def test_standing_can_leave_out_a_document_and_what_is_unsure():
    view = StoryBuilder.of("Tom LOVES Anna; Tom HATES Anna / 0.3; draft 2:; Tom HATES Anna").view()
    (sure,) = standing(view, "tom", "anna", min_confidence=0.5, without="draft")
    (last,) = standing(view, "tom", "anna")
    assert (sure.predicate, last.predicate) == ("LOVES", "HATES")


def test_the_interval_of_a_bond_is_closed_by_what_ended_it():
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
def test_what_is_surely_together_is_never_apart(a, b, c, d):
    for start, end in ((a, b), (c, d)):
        if isinstance(start, int) and isinstance(end, int) and end < start:
            return
    one, other = Interval(a, b), Interval(c, d)
    assert surely_together(one, other) == bool(sure_chapters(one) & sure_chapters(other))


def sure_chapters(interval):
    start, end = interval.start, interval.end
    if start is Open.UNKNOWN or (start is Open.UNBOUNDED and end is Open.UNKNOWN):
        return set()
    first = start if isinstance(start, int) else 0
    last = {Open.UNKNOWN: first, Open.UNBOUNDED: 10}.get(end, end)
    return set(range(first, last + 1))


def test_what_begins_together_is_together_and_knowing_has_no_end():
    assert surely_together(Interval(3), Interval(3))
    assert not surely_together(Interval(3), Interval(4))
    assert surely_together(Interval(3, 5), Interval(4))
    assert not surely_together(Interval(Open.UNKNOWN, 5), Interval(4))
    story = StoryBuilder().bond("Anna", "KNOWS", "Berta").chapter(3).event("DIES", patient="Berta")
    view = story.view()
    bond = view.relations(predicate="KNOWS")[0]
    assert effective(view, bond, view.relations(), ()).end is Open.UNKNOWN
