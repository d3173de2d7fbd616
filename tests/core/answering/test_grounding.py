import pytest
from tests.tables import values

from fabula.core.answering.grounding import best_quotes, nearest, numbered_sources, source_block
from fabula.core.types import Chunk, Evidence, Note, Passage, Span

TEXT = (
    "Anna ran the ferry across the Wend. She had three brothers, and trusted none of them. "
    "Old Cato drowned in the weir in 1874. Bela mended the nets at the mill."
)


def passage(start, end, *, chapter=1, score=1.0):
    span = Span(start, end)
    text = span.of(TEXT)
    return Passage(Chunk(Chunk.make_id("s", span, text), "s", chapter, 0, span, text), score)


def sources(*spans):
    found, _ = numbered_sources(
        [passage(*span) for span in spans], [], budget=10_000, note_share=0.0, count=len
    )
    return found


FIRST = (0, TEXT.index("Old Cato"))
SECOND = (TEXT.index("Old Cato"), len(TEXT))


def test_the_best_quotes_share_the_most_telling_words():
    found = best_quotes({"drown": 3.0, "ferri": 1.0, "the": 0.0}, sources(FIRST, SECOND), limit=2)
    assert [c.quote for c in found] == [
        "Old Cato drowned in the weir in 1874.",
        "Anna ran the ferry across the Wend.",
    ]
    assert best_quotes({"volcano": 5.0}, sources(FIRST, SECOND)) == ()


def test_a_source_of_which_half_was_given_is_left_out_and_the_first_always_fits():
    given, left = numbered_sources(
        [passage(0, 100), passage(50, 150), passage(40, 170)], [], budget=5, note_share=0.0, count=len
    )
    assert [s.number for s in given] == [1]
    assert [one.reason for one in left] == ["duplicate", "budget"]


def test_notes_keep_their_share_of_the_budget():
    note = Note("relation", "Anna distrusts her brothers", (), (Evidence("s", 1, Span(36, 84), TEXT[36:84]),))
    room = len(source_block(sources(FIRST)[0])) + 120
    given, left = numbered_sources(
        [passage(*FIRST), passage(*SECOND)], [note], budget=room, note_share=0.5, count=len
    )
    assert [s.kind for s in given] == ["passage", "note"]
    assert [one.reason for one in left] == ["budget"]


@pytest.mark.parametrize(("words", "says", "quote"), values(__file__, "cited.tsv"))
def test_a_sentence_is_cited_by_the_words_that_decided(words, says, quote):
    found = nearest(sources(FIRST, SECOND)[1], words, says)
    assert found.quote == quote == found.span.of(TEXT)
