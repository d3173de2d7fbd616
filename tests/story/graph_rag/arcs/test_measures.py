import pytest

from fabula.story.graph_rag.arcs.moves import (
    GoalMoves,
    direction,
    greatest_change,
    kind_of,
    magnitude,
    mean_change,
    next_phase,
)


def test_direction_by_the_sum_of_the_parts():
    assert direction(0.5, valence=0.8, goals=-0.5, relations=0) == "rise"  # 0.4 - 0.3
    assert direction(0.5, valence=0.05, goals=-0.5, relations=0) == "fall"  # 0.025 - 0.3
    assert direction(0.5, valence=0.6, goals=-0.5, relations=0) == "steady"  # 0.3 - 0.3
    assert direction(0.05, valence=0.1, goals=0, relations=0.5) == "steady"


def test_kinds_by_the_greatest_part():
    assert kind_of("rise", 0.05, valence=2, goals=0, bond=0, deeds=0) == "steady"
    assert kind_of("rise", 0.5, valence=0.8, goals=0, bond=0.5, deeds=0) == "rise"  # 0.4 to 0.2
    assert kind_of("rise", 0.5, valence=0.2, goals=0, bond=-0.5, deeds=0) == "break"  # 0.1 to 0.2
    assert kind_of("fall", 0.5, valence=0.2, goals=0, bond=0.5, deeds=0.5) == "growth"
    assert greatest_change({"a": 0.5}, {"a": 0.4, "b": -0.6}) == pytest.approx(-0.05)  # b was no bond
    assert greatest_change({"a": 0.2}, {"a": -0.4, "b": 0.5}) == pytest.approx(-0.3)
    assert greatest_change({}, {}) == 0
    assert magnitude(valence=0, arousal=0, goals=0, relations=0, deeds=-0.5) == pytest.approx(0.2)


def test_measures_by_hand():
    assert direction(0.5, valence=-0.3, goals=0.9, relations=0.0) == "steady"
    assert direction(0.5, valence=0.3, goals=0.9, relations=0.0) == "rise"
    assert direction(0.5, valence=-0.3, goals=-0.9, relations=0.0) == "fall"
    moved = GoalMoves(before=1, adopted=1, reached=1)
    assert moved.extent == (1 + 0.5) / 2 and -1 <= moved.balance <= 1
    assert GoalMoves(before=2, lost=1).balance == -1 / 2
    assert mean_change({"a": 0.5}, {"a": -0.5, "b": 1.0}) == (-1.0 + 1.0) / 4
    assert mean_change({"a": 0.5}, {}) == -0.5 / 2 and mean_change({}, {}) == 0
    assert next_phase("setup", valence=-0.2, extent=0.5, kind="fall") == "crisis"  # even from a height
    assert next_phase("setup", valence=-0.2, extent=0.5, kind="rise") == "rising"
