"""A quote among its paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Chapter, Document, Horizon, Span
from fabula.errors import EvidenceError, HorizonError
from fabula.views.quotes import surroundings

BODY = "One.\n\nTwo.\n\nThree, the lamp.\n\nFour.\n\nFive."
HEADS = ("I\n", "\nII\n")
TEXT = HEADS[0] + BODY + HEADS[1] + "Later the lamp went out."


def book(text=TEXT):
    first = Span(len(HEADS[0]), len(HEADS[0] + BODY))
    second = Span(first.end, len(HEADS[0] + BODY + HEADS[1]))
    return Document(
        "b",
        "B",
        text,
        (
            Chapter(1, "I", Span(0, first.start), first),
            Chapter(2, "II", second, Span(second.end, len(text))),
        ),
    )


def at(words, text=TEXT):
    start = text.index(words)
    return Span(start, start + len(words))


def around(words, *, chapter=1, horizon=None, **how):
    return surroundings(book(), at(words), chapter=chapter, horizon=Horizon(horizon), **how)


def test_a_quote_has_its_paragraph_and_one_more_on_each_side():
    found = around("the lamp")
    assert found.before == "Two.\n\nThree, "
    assert found.quote == "the lamp"
    assert found.after == ".\n\nFour."
    assert (found.more_before, found.more_after) == (True, True)
    assert (found.chapter, found.title) == (1, "I")


def test_the_chapter_is_the_edge():
    found = around("Five.", paragraphs=9)
    assert found.before == "One.\n\nTwo.\n\nThree, the lamp.\n\nFour.\n\n"
    assert (found.after, found.more_before, found.more_after) == ("", False, False)


def test_without_more_paragraphs_only_its_own():
    found = around("Three", paragraphs=0)
    assert (found.before, found.after) == ("", ", the lamp.")


def test_a_long_side_is_cut_between_words():
    found = around("Four.", paragraphs=9, longest=12)
    assert found.before == "the lamp.\n\n"
    assert found.more_before


def test_what_is_told_later_is_refused():
    with pytest.raises(HorizonError, match="chapter 2 is told after chapter 1"):
        around("went out", chapter=2, horizon=1)
    assert around("went out", chapter=2, horizon=2).quote == "went out"


@pytest.mark.parametrize("span", [Span(0, 0), Span(9, 5), Span(4, 10_000), Span(len(TEXT) - 3, len(TEXT))])
def test_a_place_outside_the_chapter_is_refused(span):
    with pytest.raises(EvidenceError):
        surroundings(book(), span, chapter=1, horizon=Horizon())


def test_a_heading_may_be_quoted():
    found = surroundings(book(), Span(0, 1), chapter=1, horizon=Horizon(1))
    assert (found.quote, found.before) == ("I", "")


@given(st.data())
def test_the_pieces_are_the_text(data):
    body = data.draw(st.text(st.sampled_from("ab .\n\r"), min_size=1, max_size=120))
    start = data.draw(st.integers(0, len(body) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(body))))
    document = Document("b", "B", body, (Chapter(1, "", Span(0, 0), Span(0, len(body))),))
    longest = data.draw(st.integers(0, 60))
    found = surroundings(
        document,
        span,
        chapter=1,
        horizon=Horizon(1),
        paragraphs=data.draw(st.integers(0, 3)),
        longest=longest,
    )
    whole = found.before + found.quote + found.after
    assert body[span.start - len(found.before) : span.end + len(found.after)] == whole
    assert max(len(found.before), len(found.after)) <= longest
