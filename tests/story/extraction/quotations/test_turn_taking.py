import pytest

from fabula.story.extraction.quotations.turn_taking import Turn, take_turns


def turn(place, voices=None, **more):
    return Turn(place, place, 0, voices or {}, **{key: frozenset(value) for key, value in more.items()})


def best(turns):
    return [ranks[0][0] if ranks else None for ranks in take_turns(turns)]


def test_who_speaks_is_weighed_by_the_evidence_alone():
    (ranks,) = take_turns([turn(0, {"a": 0.5, "b": 0.3})])
    assert [who for who, _ in ranks] == ["a", "b"]
    assert sum(sure for _, sure in ranks) == pytest.approx(1, abs=0.01)
    turns = [turn(0, {"a": 0.97}), turn(1, {"a": 0.97}, called=["a"])]
    assert take_turns(turns) == [[("a", 1.0)], [("a", 1.0)]]
    turns = [turn(0, {"a": 0.97}), turn(1, {"b": 0.97}), turn(2, barred=["a"])]
    assert best(turns) == ["a", "b", "b"]
    assert best([turn(0, {"a": 0.97}), turn(1, {"b": 0.97}), turn(50)]) == ["a", "b", None]
    turns = [turn(0, {"b": 0.4, "a": 0.4}), turn(1)]
    assert take_turns(turns) == take_turns(turns)
