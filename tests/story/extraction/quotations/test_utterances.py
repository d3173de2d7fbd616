"""Pieces of direct speech that belong together, and what is no speech."""

from tests.stories.reading import reading
from tests.stories.speech import CAST, spoken, story, who


def test_pieces_of_one_utterance_belong_together():
    tale, log = story(CAST + '"It rains," said Elena, "and I am cold." She rose. "Come."')
    (quotation,) = log.quotations
    pieces = [evidence.span.of(tale.text) for evidence in quotation.evidence[: quotation.pieces]]
    assert pieces == ['"It rains,"', '"and I am cold."', '"Come."']
    assert quotation.evidence[quotation.pieces].span.of(tale.text) == "said Elena"


def test_two_speakers_in_one_paragraph_are_two_quotations():
    told = who('"Yes," said Elena. "No," said Marcus.')
    assert told == ["elena-voss", "marcus-hale"]


def test_speech_that_runs_over_paragraphs_is_one_quotation():
    body = '"It was long ago," said Elena. "I was young.\n\n"Nobody knew me there.\n\n"Then I left."'
    assert who(body) == ["elena-voss"]


def test_a_word_between_marks_is_no_speech():
    assert spoken('The so-called "inn" was shut, and Elena went home.') == []
    assert len(spoken('Elena said, "inn"')) == 1


def test_broken_marks_are_survived():
    for body in ('"', "“", '"Never closed', "— ", "‘’ ‘", '""""', '"Yes," said', "'" * 500, '" ' * 300):
        for quotation in reading(CAST + body).quotations:
            assert all(piece.end <= len(CAST + body) for piece in quotation.pieces), body
