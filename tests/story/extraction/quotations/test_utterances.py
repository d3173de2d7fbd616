import pytest
from tests.stories.reading import reading
from tests.stories.speech import CAST, story

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


def test_pieces_belong_together_and_broken_marks_are_survived():
    tale, log = story(CAST + '"It rains," said Elena, "and I am cold." She rose. "Come."')
    (quotation,) = log.quotations
    pieces = [evidence.span.of(tale.text) for evidence in quotation.evidence[: quotation.pieces]]
    assert pieces == ['"It rains,"', '"and I am cold."', '"Come."']
    assert quotation.evidence[quotation.pieces].span.of(tale.text) == "said Elena"
    for body in ('"', "“", '"Never closed', "— ", "‘’ ‘", '""""', '"Yes," said', "'" * 500, '" ' * 300):
        for quotation in reading(CAST + body).quotations:
            assert all(piece.end <= len(CAST + body) for piece in quotation.pieces), body
