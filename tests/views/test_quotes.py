"""Quotes in their context: exact, and never beyond their own chapter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Chapter, Document, Evidence, Span
from fabula.story.continuity.draft_checker import DRAFT_ID
from fabula.story.model.types import CODEX_ID
from fabula.views.quotes import QuoteInContext, QuoteShown, in_context, quote_shown, quotes_shown

TEXT = "One came. Two went. Three stayed. Four slept. Five woke."
BOOK = Document(
    "book",
    "Book",
    TEXT,
    (Chapter(1, "I", Span(0, 0), Span(0, 33)), Chapter(2, "II", Span(33, 33), Span(33, len(TEXT)))),
)


def quoted(words, chapter):
    start = TEXT.index(words)
    return QuoteShown(chapter, start, start + len(words), words)


def test_a_quote_stands_between_the_sentences_before_and_after():
    shown = in_context(quoted("Two went.", 1), BOOK)
    assert (shown.before, shown.after, shown.title) == ("One came. ", " Three stayed.", "I")


def test_part_of_a_sentence_keeps_the_rest_of_it():
    shown = in_context(quoted("went", 1), BOOK)
    assert (shown.before, shown.after) == ("One came. Two ", ". Three stayed.")


def test_nothing_of_the_next_chapter_is_near():
    shown = in_context(quoted("Three stayed.", 1), BOOK, context=9)
    assert (shown.before, shown.after) == ("One came. Two went. ", "")
    assert in_context(quoted("Four slept.", 2), BOOK, context=9).before == ""


def test_no_context_gives_the_rest_of_the_sentence_alone():
    shown = in_context(quoted("went", 1), BOOK, context=0)
    assert (shown.before, shown.after) == ("Two ", ".")


def test_a_draft_gives_the_context_of_its_own_text():
    draft = "Up she got. Down she sat. Out she went."
    quote = quote_shown(Evidence(DRAFT_ID, 3, Span(12, 25), "Down she sat."))
    assert quote.draft
    shown = in_context(quote, BOOK, draft=draft)
    assert (shown.before, shown.after, shown.title) == ("Up she got. ", " Out she went.", "")
    assert in_context(quote, BOOK).before == ""


@pytest.mark.parametrize("chapter", [0, 1, 3])
def test_a_quote_of_another_place_comes_bare(chapter):
    shown = in_context(QuoteShown(chapter, 34, 45, "Four slept."), BOOK)
    assert (shown.before, shown.after) == ("", "")


def test_each_place_is_quoted_once():
    told = [Evidence("book", 1, Span(i, i + 3), TEXT[i : i + 3]) for i in (0, 4, 0, 8)]
    assert [quote.start for quote in quotes_shown(told)] == [0, 4, 8]
    assert [quote.start for quote in quotes_shown(told, most=2)] == [0, 4]


@given(st.integers(0, 33), st.integers(0, 33), st.integers(0, 4))
def test_context_and_quote_are_one_piece_of_the_chapter(one, other, context):
    start, end = sorted((one, other))
    shown = in_context(QuoteShown(1, start, end, TEXT[start:end]), BOOK, context=context)
    whole = shown.before + shown.quote.text + shown.after
    assert whole == TEXT[start - len(shown.before) : end + len(shown.after)]
    assert start - len(shown.before) >= 0 and end + len(shown.after) <= 33


def test_a_quote_of_the_codex_is_exact_and_shown_in_plain_words():
    text = "death: {chapter: 1}"
    shown = quote_shown(Evidence(CODEX_ID, 1, Span(7, 19), text[7:]))
    assert (shown.text, shown.words, shown.place) == ("{chapter: 1}", "chapter: 1", "the codex")
    assert in_context(shown, BOOK) == QuoteInContext(shown, "", "")
