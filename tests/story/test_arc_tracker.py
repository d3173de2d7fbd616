"""States and arcs: golden moves as arithmetic, and no state that knows what comes later."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder

from fabula.core.types import Horizon
from fabula.errors import HorizonError
from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.graph_rag.arcs.measures import (
    GoalMoves,
    direction,
    magnitude,
    mean_change,
    next_phase,
    strength_of,
)
from fabula.story.model.types import Modality

from .test_story_graph import stories


def fallen() -> StoryBuilder:
    story = StoryBuilder().feel("Tom", "hopeful", 0.6).goal("Tom", "find gold").goal("Tom", "marry Anna")
    story.chapter(2).feel("Tom", "desperate", -0.8)
    return story.goal("Tom", "find gold", -1).goal("Tom", "marry Anna", -1)


def test_from_hope_to_despair_with_every_goal_lost_is_a_great_fall() -> None:
    (move,) = DynamicArcTracker(fallen().view()).transitions("tom")
    # valence by 1.4 of 2, arousal (neither is a named emotion) by 0.8 - 0.6, goals 2 of 2
    assert move.magnitude == pytest.approx(1 - (1 - 1.4 / 2) * (1 - 0.3 * 0.2) * (1 - 0.6 * 2 / 2))
    assert move.magnitude == pytest.approx(0.9, abs=0.02)
    assert (move.kind, move.from_chapter, move.to_chapter) == ("fall", 1, 2)
    assert move.reasons == (
        "hopeful (+0.60) to desperate (-0.80)",
        "goal lost: find gold",
        "goal lost: marry Anna",
    )


def test_named_emotions_have_the_arousal_of_the_table() -> None:
    story = StoryBuilder().feel("Tom", "hope", 0.6).goal("Tom", "a").goal("Tom", "b")
    story.chapter(2).feel("Tom", "despair", -0.8).goal("Tom", "a", -1).goal("Tom", "b", -1)
    (move,) = DynamicArcTracker(story.view()).transitions("tom")
    assert move.magnitude == pytest.approx(1 - 0.3 * (1 - 0.3 * (0.6 - 0.5)) * 0.4)


def test_nothing_told_moves_nobody() -> None:
    story = StoryBuilder().mention("Tom").chapter(2).mention("Tom")
    (move,) = DynamicArcTracker(story.view()).transitions("tom")
    assert (move.magnitude, move.kind, move.reasons) == (0.0, "steady", ())


unit = st.floats(0, 1)
signed = st.floats(-1, 1)


@given(st.floats(-2, 2), signed, unit, signed)
def test_magnitude_is_0_to_1_and_grows_with_each_part(v: float, a: float, g: float, r: float) -> None:
    whole = magnitude(valence=v, arousal=a, goals=g, relations=r)
    assert 0 <= whole <= 1
    assert whole >= magnitude(valence=v, arousal=a, goals=0, relations=r) - 1e-12
    assert whole >= magnitude(valence=0, arousal=a, goals=g, relations=r) - 1e-12


@given(*(st.integers(0, 5) for _ in range(4)))
def test_goal_moves_stay_in_range(before: int, adopted: int, lost: int, reached: int) -> None:
    moves = GoalMoves(before, adopted, lost, reached)
    assert 0 <= moves.extent <= 1
    assert -1 <= moves.balance <= 1


def test_goal_moves_by_hand() -> None:
    assert GoalMoves(before=2, lost=1).extent == 1 / 2
    assert GoalMoves(before=2, lost=1).balance == -1 / 2
    assert GoalMoves(before=1, adopted=1, reached=1).extent == (1 + 0.5) / 2
    assert GoalMoves().extent == 0


def test_direction_by_the_sum_of_the_parts() -> None:
    assert direction(0.5, valence=0.8, goals=-0.5, relations=0) == "rise"  # 0.4 - 0.3
    assert direction(0.5, valence=0.05, goals=-0.5, relations=0) == "fall"  # 0.025 - 0.3
    assert direction(0.5, valence=0.6, goals=-0.5, relations=0) == "steady"  # 0.3 - 0.3
    assert direction(0.05, valence=0.1, goals=0, relations=0.5) == "steady"


def test_strengths_and_their_change_by_hand() -> None:
    assert strength_of([1.0]) == 1 / 1.5
    assert strength_of([1.0, -0.5]) == 0.5 / 2
    assert strength_of([]) == 0
    assert mean_change({"a": 0.5}, {"a": -0.5, "b": 1.0}) == (-1.0 + 1.0) / 4
    assert mean_change({}, {}) == 0


def test_goals_are_adopted_reached_and_lost() -> None:
    story = StoryBuilder().goal("Tom", "find the gold").goal("Tom", "Find the gold").goal("Tom", "marry Anna")
    story.chapter(2).goal("Tom", "find the lost gold", 2).goal("Tom", "sail home")
    story.chapter(3).goal("Tom", "something else", -1)
    tracker = DynamicArcTracker(story.view())
    assert tracker.state("tom", 1).active_goals == ("find the gold", "marry Anna")
    assert tracker.state("tom", 2).active_goals == ("marry Anna", "sail home")
    assert tracker.state("tom", 3).active_goals == ("marry Anna", "sail home")


def test_an_emotion_is_the_surest_of_the_last_chapter_and_fades() -> None:
    story = StoryBuilder().feel("Tom", "joy", 0.8, confidence=0.4).feel("Tom", "anger", -0.6, confidence=0.8)
    story.chapter(9).mention("Tom")
    tracker = DynamicArcTracker(story.view())
    here = tracker.state("tom", 1)
    assert here.emotional_state == "anger"
    assert here.valence == pytest.approx((0.8 * 0.4 - 0.6 * 0.8) / 1.2)
    assert tracker.state("tom", 3).valence == pytest.approx(here.valence / 2)
    assert tracker.state("tom", 5).emotional_state == "anger"
    gone = tracker.state("tom", 6)
    assert (gone.emotional_state, gone.valence, gone.arousal, gone.evidence) == ("", 0.0, 0.0, ())


def test_location_is_the_last_told_and_none_once_left() -> None:
    story = StoryBuilder().bond("Tom", "LOCATED_AT", "@London").chapter(2).at("Tom", "@Bath")
    story.chapter(3).flashback("Tom", "LOCATED_AT", "@Paris").bond(
        "Tom", "LOCATED_AT", "@Rome", modality=Modality.PLANNED
    )
    story.chapter(4).event("LEAVES", "Tom", place="@London").chapter(5).event("LEAVES", "Tom", place="@Bath")
    tracker = DynamicArcTracker(story.view())
    assert [tracker.state("tom", chapter).location for chapter in range(6)] == [
        None, "london", "bath", "bath", "bath", None,
    ]  # fmt: skip


def test_relationships_weigh_tellings_and_halve_every_ten_chapters() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna", confidence=0.8).bond("Bert", "HATES", "Tom")
    story.event("ATTACKS", "Cora", "Tom")
    story.chapter(11).mention("Tom")
    tracker = DynamicArcTracker(story.view())
    love, attack = tracker.state("tom", 1).relationships  # Bert's hatred is Bert's
    assert (love.entity, love.predicate) == ("anna", "LOVES")
    assert love.strength == pytest.approx(0.8 / (0.8 + 0.5))
    assert attack.strength == pytest.approx(-0.6 / (0.6 + 0.5))
    assert tracker.state("tom", 11).relationships[0].strength == pytest.approx(0.4 / (0.4 + 0.5))


def test_of_opposed_bonds_the_last_counts() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "FRIEND_OF", "Anna")
    story.chapter(2).bond("Tom", "HATES", "Anna")
    tracker = DynamicArcTracker(story.view())
    assert tracker.state("tom", 1).relationships[0].strength == pytest.approx(2 / 2.5)
    (hate,) = tracker.state("tom", 2).relationships
    assert (hate.predicate, hate.strength) == ("HATES", pytest.approx(-1 / 1.5))


def test_phases_are_told_forwards() -> None:
    story = StoryBuilder().mention("Tom")
    for chapter, valence in enumerate([0.5, 0.4, -0.7, -0.3, 0.5, -0.2, -0.9], start=2):
        story.chapter(chapter).feel("Tom", "mood", valence)
    phases = [state.arc_phase for state in DynamicArcTracker(story.view()).arc("tom")]
    assert phases == [
        "setup", "rising", "rising", "crisis", "falling", "resolution", "falling", "crisis",
    ]  # fmt: skip


def test_a_great_fall_is_a_crisis_even_from_a_height() -> None:
    assert next_phase("setup", valence=-0.2, extent=0.5, kind="fall") == "crisis"
    assert next_phase("setup", valence=-0.2, extent=0.5, kind="rise") == "rising"
    assert next_phase("setup", valence=0.0, extent=0.1, kind="steady") == "setup"
    assert next_phase("resolution", valence=0.0, extent=0.1, kind="steady") == "resolution"


def test_the_arc_has_the_chapters_that_mention_the_character() -> None:
    story = StoryBuilder().mention("Tom").chapter(2).mention("Anna").chapter(3).mention("Tom")
    tracker = DynamicArcTracker(story.view())
    assert [state.chapter for state in tracker.arc("tom")] == [1, 3]
    assert tracker.arc("nobody") == ()
    assert tracker.state("nobody", 2).evidence == ()


def test_a_state_beyond_the_horizon_is_refused() -> None:
    with pytest.raises(HorizonError, match="chapter 3"):
        DynamicArcTracker(fallen().view(2)).state("tom", 3)


def test_a_state_before_a_merge_knows_nothing_of_it() -> None:
    story = StoryBuilder().feel("Stranger", "anger", -0.5).mention("Tom").chapter(2).mention("Tom")
    story.chapter(3).merge("Stranger", "Tom").mention("Tom")
    tracker = DynamicArcTracker(story.view())
    assert tracker.state("tom", 2).valence == 0
    assert tracker.state("tom", 3).valence == pytest.approx(-0.5 / 2)
    assert tracker.state("stranger", 1).entity == "stranger"
    assert tracker.state("stranger", 3).entity == "tom"
    assert [state.chapter for state in tracker.arc("stranger")] == [1, 3]


def test_every_quote_of_a_state_is_told_by_then() -> None:
    state = DynamicArcTracker(fallen().view()).state("tom", 1)
    assert [quote.quote for quote in state.evidence] == [
        "Tom: emotion hopeful.",
        "Tom: goal find gold.",
        "Tom: goal marry Anna.",
    ]


@given(stories(), st.integers(0, 12))
def test_a_state_is_the_same_from_every_view_that_reaches_it(story: StoryBuilder, chapter: int) -> None:
    far, near = story.view(), story.view(chapter)
    ahead, there = DynamicArcTracker(far), DynamicArcTracker(near)
    for who in ("tom", "anna", "bert", "cora"):
        assert repr(ahead.state(who, chapter)) == repr(there.state(who, chapter))
        arc = [state for state in ahead.arc(who) if state.chapter <= chapter]
        assert repr(arc) == repr(list(there.arc(who)))
        moves = [move for move in ahead.transitions(who) if move.to_chapter <= chapter]
        assert repr(moves) == repr(list(there.transitions(who)))
        for state in arc:
            assert -1 <= state.valence <= 1
            assert all(-1 < one.strength < 1 for one in state.relationships)
            assert all(quote.chapter <= state.chapter for quote in state.evidence)
    assert far.as_of(Horizon(chapter)).horizon == Horizon(chapter)
