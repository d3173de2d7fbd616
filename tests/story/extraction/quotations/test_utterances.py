from tests.stories.reading import reading
from tests.stories.speech import CAST, story


def test_pieces_belong_together_and_broken_marks_are_survived():
    tale, log = story(CAST + '"It rains," said Elena, "and I am cold." She rose. "Come."')
    (quotation,) = log.quotations
    pieces = [evidence.span.of(tale.text) for evidence in quotation.evidence[: quotation.pieces]]
    assert pieces == ['"It rains,"', '"and I am cold."', '"Come."']
    assert quotation.evidence[quotation.pieces].span.of(tale.text) == "said Elena"
    for body in ('"', "“", '"Never closed', "— ", "‘’ ‘", '""""', '"Yes," said', "'" * 500, '" ' * 300):
        for quotation in reading(CAST + body).quotations:
            assert all(piece.end <= len(CAST + body) for piece in quotation.pieces), body
