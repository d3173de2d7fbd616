import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder

from fabula.story.graph_rag.arcs.bonds import deed_change
from fabula.story.graph_rag.arcs.measures import (
    GoalMoves,
    direction,
    greatest_change,
    kind_of,
    magnitude,
    mean_change,
    next_phase,
    strength_of,
)
from fabula.story.graph_rag.views.acts import acts

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


def test_a_great_fall_is_a_crisis_even_from_a_height() -> None:
    assert next_phase("setup", valence=-0.2, extent=0.5, kind="fall") == "crisis"
    assert next_phase("setup", valence=-0.2, extent=0.5, kind="rise") == "rising"
    assert next_phase("setup", valence=0.0, extent=0.1, kind="steady") == "setup"
    assert next_phase("resolution", valence=0.0, extent=0.1, kind="steady") == "resolution"


def test_kinds_by_the_greatest_part() -> None:
    assert kind_of("rise", 0.05, valence=2, goals=0, bond=0, deeds=0) == "steady"
    assert kind_of("rise", 0.5, valence=0.8, goals=0, bond=0.5, deeds=0) == "rise"  # 0.4 to 0.2
    assert kind_of("rise", 0.5, valence=0.2, goals=0, bond=-0.5, deeds=0) == "break"  # 0.1 to 0.2
    assert kind_of("fall", 0.5, valence=0.2, goals=0, bond=0.5, deeds=0.5) == "growth"
    assert greatest_change({"a": 0.5}, {"a": 0.4, "b": -0.6}) == pytest.approx(-0.05)  # b was no bond
    assert greatest_change({"a": 0.2}, {"a": -0.4, "b": 0.5}) == pytest.approx(-0.3)
    assert greatest_change({}, {}) == 0
    assert magnitude(valence=0, arousal=0, goals=0, relations=0, deeds=-0.5) == pytest.approx(0.2)


def test_nobody_rises_whose_mood_falls():
    assert direction(0.5, valence=-0.3, goals=0.9, relations=0.0) == "steady"
    assert direction(0.5, valence=0.3, goals=0.9, relations=0.0) == "rise"
    assert direction(0.5, valence=-0.3, goals=-0.9, relations=0.0) == "fall"


def test_deeds_by_hand() -> None:
    story = StoryBuilder().event("HELPS", "Tom", "Anna").chapter(2).event("KILLS", "Tom", "Bert")
    happened = acts(story.view())
    # strength 1/(1+0.5) for one helped, -1/(1+0.5) for one killed, half the difference
    assert deed_change("tom", happened, since=1) == pytest.approx((-1 / 1.5 - 1 / 1.5) / 2)
    assert deed_change("tom", happened, since=2) == 0
    assert deed_change("bert", happened, since=0) == 0
