import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.html_pages import Page
from tests.tables import values
from tests.ui.conftest import EVIL

from fabula.core.answering.answered import Answered
from fabula.core.answering.grounding import Citation
from fabula.core.types import Chunk, Evidence, Note, Passage, Share, Span
from fabula.story.model.types import CODEX_ID
from fabula.ui.markup import ask, search
from fabula.ui.markup import findings as cards
from fabula.ui.markup import page as pages
from fabula.ui.markup.filters import flowing, in_context, marked
from fabula.ui.state.conversation import Turn, told_by
from fabula.views.chapter import chapter_words
from fabula.views.findings_shown import FindingShown, FindingsShown
from fabula.views.quotes import QuoteInContext, QuoteShown, Surroundings
from fabula.views.search import HitShown

LAMP = f"the lamp {EVIL}"
AROUND = Surroundings(3, "III", f"Before. {EVIL}\n\n", LAMP, " after.", True, True)
SHARES = (Share("lexical", 2, 1.0, 0.125, EVIL), Share("semantic", 1, 1, 0.375))
CHUNK = Chunk("c", "d", 3, 0, Span(1000, 1024), LAMP)
HIT = HitShown(Passage(CHUNK, 0.5, SHARES), (Span(4, 8),), replace(AROUND, title=EVIL))
ANSWERED = Answered(
    question=EVIL,
    route="factual",
    text=f"The lamp burned [1]. He flew [7]. {EVIL}",
    supported=0.5,
    reasons=(),
    told=True,
    model=EVIL,
)
TURN = Turn("s", 3, ANSWERED, ((Citation(1, 3, Span(0, 5), LAMP, "c", "chapter 3"), AROUND),))


def address(quote):
    return f"read?read={quote.chapter}&at={quote.start}-{quote.end}"


def test_marks_and_places_of_a_hit():
    page = search.hit(1, HIT, "read?at=1-2")
    assert "the <mark>lamp</mark> " in page
    assert "1,024" not in page  # a reader finds a place by its words
    assert "<b>25%</b> rank 2" in page and "score 0.500" in page


def test_numbers_are_raised_where_there_is_a_quote():
    page = ask.answer(TURN)
    place = re.search(r' id="(quote-[0-9a-f]{8}-1)">', ask.citations(TURN, address))[1]
    assert f'burned<sup><a href="#{place}">1</a></sup>.' in page.replace(" <sup>", "<sup>")
    assert "[7]" in page  # nothing stands behind it
    assert "each sentence was checked" in ask.verdict(TURN)


def test_what_is_made_by_hand_is_escaped_too():
    page = (
        search.hit(1, HIT, "read?at=1-2")
        + ask.answer(TURN)
        + ask.citations(TURN, address)
        + ask.verdict(TURN)
    )
    assert "script" not in Page(page).tags and page.count("<a ") == 3
    assert page.count("&lt;script&gt;") > 7


def test_what_the_story_has_not_told_is_left_out():
    untold = replace(TURN, answered=replace(ANSWERED, told=False))
    page = ask.answer(untold)
    assert "I did not find it in what you have read so far, up to chapter 3." in page
    assert "lamp" not in page
    assert "I did not find it in the story." in ask.answer(replace(untold, whole=True))
    later, other = replace(TURN, as_of=4), replace(TURN, stamp="old")
    assert told_by([TURN, later, other], stamp="s", as_of=3) == (TURN,)


@pytest.mark.parametrize(("text", "shown"), values(__file__, "hard_wrapped_lines.tsv"))
def test_hard_wrapped_lines_flow(text, shown):
    assert flowing(text) == shown


@given(st.text(st.sampled_from("ab<&\n\r "), max_size=150))
def test_flowing_keeps_every_offset(text):
    assert len(flowing(text)) == len(text)
    assert flowing(text).split() == text.split()


def test_marks_and_ellipses_in_context():
    text = "x" * 60 + "\nthe lamp & more"
    assert marked(text, [Span(65, 69)]) == "x" * 60 + " the <mark>lamp</mark> &amp; more"
    page = in_context(Surroundings(1, "", "a ", "b", " c", True, False))
    assert "… a <mark>b</mark> c</div>" in page


@pytest.mark.parametrize(("number", "title", "words"), values(__file__, "a_chapter_is_called_by_its.tsv"))
def test_a_chapter_is_called_by_its_title(number, title, words):
    assert chapter_words(number, title) == words


def test_what_a_codex_lays_down_stands_above_an_answer_that_no_model_wrote():
    quotes = [Evidence(document, 0, Span(0, 9), "no magic;") for document in (CODEX_ID, "story")]
    notes = tuple(Note("state", f"{quote.document_id} says", (), (quote,)) for quote in quotes)
    plain = replace(ANSWERED, model="", notes=notes, short="the lamp", extractive=True)
    page = ask.answer(replace(TURN, answered=plain))
    assert page.index("from the codex") < page.index(f"{CODEX_ID} says") < page.index(">the lamp<")
    assert "story says" not in page
    assert "lays down" not in ask.answer(replace(TURN, answered=replace(plain, model="m")))


IMG = '<img src=x onerror="bad()">'
SIDE = QuoteInContext(QuoteShown(3, 10, 37, IMG), f"Before {IMG}. ", f" After {IMG}.", IMG)


def test_a_quote_stands_in_its_context_which_is_cut():
    told = QuoteInContext(QuoteShown(2, 4, 9, "two\nx"), "One. ", " Three.")
    assert pages.around(told) == "<span>One. </span><mark>two x</mark><span> Three.</span>"
    long = QuoteInContext(QuoteShown(1, 0, 900, "q" * 900), "b" * 2000, "a" * 2000)
    assert [pages.around(long).count(sign) for sign in "bq"] == [700, 900]


def test_a_finding_shows_both_sides_what_mends_it_and_the_authors_note():
    shown = FindingShown("f", IMG, "error", IMG, (IMG,), 3, (SIDE, SIDE), IMG, IMG, IMG, 0.25, IMG, IMG)
    html = cards.card(shown)
    assert html.count("onerror=&#34;") > 7 and "s-error" in html and "<img" not in html
    assert html.count("<mark>") == 2
    for title in ("To fix", "Unless", "Your note"):
        assert title in html
    assert "1 place to check in the draft" in cards.lead([shown], "the draft")


def numbers(**changed):
    given = dict.fromkeys(("counted", "facts_checkable", "facts_checked"), 4) | {
        "findings": (),
        "suppressed": (),
    }
    given |= {"consistency": 0.9, "coverage": 0.5, "words": 2400}
    given |= {"per_10k_words": 4.2, "rate_interval": (1.0, 8.0)}
    return cards.numbers(FindingsShown(**(given | changed)))


def test_numbers_are_given_where_there_are_any():
    assert "4.20 per 10,000 words (95 % interval 1.00 to 8.00)" in numbers()
    assert "per 10,000" not in numbers(words=400) and "0.90" in numbers()
    assert "No score" in numbers(consistency=None, per_10k_words=None)
