import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import values

from fabula.core.types import Chapter, Document, Evidence, Horizon, Span
from fabula.errors import EvidenceError, HorizonError
from fabula.story.continuity.critic import DRAFT_ID
from fabula.story.model.types import CODEX_ID
from fabula.views import quotes

TEXT = "One came. Two went. Three stayed. Four slept. Five woke."
BODY = "One.\n\nTwo.\n\nThree, the lamp.\n\nFour.\n\nFive."
HEADS = ("I\n", "\nII\n")
STORY = HEADS[0] + BODY + HEADS[1] + "Later the lamp went out."


def book(text, *places):
    """A book whose chapters begin, speak and end at these places."""
    chapters = (
        Chapter(number, "I" * number, Span(start, body), Span(body, end))
        for number, (start, body, end) in enumerate(places, 1)
    )
    return Document("book", "Book", text, tuple(chapters))


BOOK = book(TEXT, (0, 0, 33), (33, 33, len(TEXT)))
END = len(HEADS[0] + BODY)
PARAGRAPHS = book(STORY, (0, len(HEADS[0]), END), (END, END + len(HEADS[1]), len(STORY)))


def quoted(words, chapter):
    start = TEXT.index(words)
    return quotes.QuoteShown(chapter, start, start + len(words), words)


@pytest.mark.parametrize(
    ("words", "chapter", "how", "before", "after"),
    values(__file__, "a_quote_stands_between_the_sentences.tsv"),
)
def test_a_quote_stands_between_the_sentences_of_its_chapter(words, chapter, how, before, after):
    shown = quotes.in_context(quoted(words, chapter), BOOK, **how)
    assert (shown.before, shown.after, shown.title) == (before, after, "I" * chapter)


def test_a_draft_gives_the_context_of_its_own_text():
    draft = "Up she got. Down she sat. Out she went."
    quote = quotes.quote_shown(Evidence(DRAFT_ID, 3, Span(12, 25), "Down she sat."))
    assert quote.draft
    shown = quotes.in_context(quote, BOOK, draft=draft)
    assert (shown.before, shown.after, shown.title) == ("Up she got. ", " Out she went.", "")
    assert quotes.in_context(quote, BOOK).before == ""


@pytest.mark.parametrize("chapter", [0, 1, 3])
def test_a_quote_of_another_place_comes_bare(chapter):
    shown = quotes.in_context(quotes.QuoteShown(chapter, 34, 45, "Four slept."), BOOK)
    assert (shown.before, shown.after) == ("", "")


def test_each_place_is_quoted_once():
    told = [Evidence("book", 1, Span(i, i + 3), TEXT[i : i + 3]) for i in (0, 4, 0, 8)]
    assert [quote.start for quote in quotes.quotes_shown(told)] == [0, 4, 8]
    assert [quote.start for quote in quotes.quotes_shown(told, most=2)] == [0, 4]


@given(st.integers(0, 33), st.integers(0, 33), st.integers(0, 4))
def test_context_and_quote_are_one_piece_of_the_chapter(one, other, context):
    start, end = sorted((one, other))
    shown = quotes.in_context(quotes.QuoteShown(1, start, end, TEXT[start:end]), BOOK, context=context)
    whole = shown.before + shown.quote.text + shown.after
    assert whole == TEXT[start - len(shown.before) : end + len(shown.after)]
    assert start - len(shown.before) >= 0 and end + len(shown.after) <= 33


def test_a_quote_of_the_codex_is_exact_and_shown_in_plain_words():
    text = "death: {chapter: 1}"
    shown = quotes.quote_shown(Evidence(CODEX_ID, 1, Span(7, 19), text[7:]))
    assert (shown.text, shown.words, shown.place) == ("{chapter: 1}", "chapter: 1", "the codex")
    assert quotes.in_context(shown, BOOK) == quotes.QuoteInContext(shown, "", "")


def around(words, *, chapter=1, horizon=None, **how):
    start = STORY.index(words)
    span = Span(start, start + len(words))
    return quotes.surroundings(PARAGRAPHS, span, chapter=chapter, horizon=Horizon(horizon), **how)


@pytest.mark.parametrize(("words", "how", "before", "after", "more"), values(__file__, "around.tsv"))
def test_a_quote_has_the_paragraphs_around_it_within_its_chapter(words, how, before, after, more):
    found = around(words, **how)
    assert (found.before, found.quote, found.after) == (before, words, after)
    assert ((found.more_before, found.more_after), found.chapter, found.title) == (more, 1, "I")


def test_what_is_told_later_is_refused_and_a_heading_is_not():
    found = quotes.surroundings(PARAGRAPHS, Span(0, 1), chapter=1, horizon=Horizon(1))
    assert (found.quote, found.before) == ("I", "")
    with pytest.raises(HorizonError, match="chapter 2 is told after chapter 1"):
        around("went out", chapter=2, horizon=1)
    assert around("went out", chapter=2, horizon=2).quote == "went out"


@pytest.mark.parametrize("span", [Span(0, 0), Span(9, 5), Span(4, 10_000), Span(len(STORY) - 3, len(STORY))])
def test_a_place_outside_the_chapter_is_refused(span):
    with pytest.raises(EvidenceError):
        quotes.surroundings(PARAGRAPHS, span, chapter=1, horizon=Horizon())


@given(st.data())
def test_the_pieces_are_the_text(data):
    body = data.draw(st.text(st.sampled_from("ab .\n\r"), min_size=1, max_size=120))
    start = data.draw(st.integers(0, len(body) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(body))))
    longest, paragraphs = data.draw(st.integers(0, 60)), data.draw(st.integers(0, 3))
    how = {"chapter": 1, "horizon": Horizon(1), "paragraphs": paragraphs, "longest": longest}
    found = quotes.surroundings(book(body, (0, 0, len(body))), span, **how)
    whole = found.before + found.quote + found.after
    assert body[span.start - len(found.before) : span.end + len(found.after)] == whole
    assert max(len(found.before), len(found.after)) <= longest
