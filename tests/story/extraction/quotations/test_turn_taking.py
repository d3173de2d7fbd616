import pytest

from fabula.story.extraction.quotations.turn_taking import Turn, take_turns


def turn(place, voices=None, **more):
    return Turn(place, place, 0, voices or {}, **{key: frozenset(value) for key, value in more.items()})


def best(turns):
    return [ranks[0][0] if ranks else None for ranks in take_turns(turns)]


def test_probabilities_sum_to_one():
    (ranks,) = take_turns([turn(0, {"a": 0.5, "b": 0.3})])
    assert [who for who, _ in ranks] == ["a", "b"]
    assert sum(sure for _, sure in ranks) == pytest.approx(1, abs=0.01)


def test_a_named_speaker_is_certain_against_all_habits():
    turns = [turn(0, {"a": 0.97}), turn(1, {"a": 0.97}, called=["a"])]
    assert take_turns(turns) == [[("a", 1.0)], [("a", 1.0)]]


def test_who_is_barred_never_speaks():
    turns = [turn(0, {"a": 0.97}), turn(1, {"b": 0.97}), turn(2, barred=["a"])]
    assert best(turns) == ["a", "b", "b"]


def test_far_apart_is_another_conversation():
    assert best([turn(0, {"a": 0.97}), turn(1, {"b": 0.97}), turn(50)]) == ["a", "b", None]


def test_same_evidence_same_order():
    turns = [turn(0, {"b": 0.4, "a": 0.4}), turn(1)]
    assert take_turns(turns) == take_turns(turns)
