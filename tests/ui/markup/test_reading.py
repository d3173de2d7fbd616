import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.html_pages import Page
from tests.tables import values
from tests.ui.conftest import EVIL

from fabula.core.answering.answered import Answered
from fabula.core.answering.grounding import Citation, SentenceSupport
from fabula.core.types import Evidence, Note, Span
from fabula.project.doctor import Check, Examination
from fabula.story.model.types import CODEX_ID
from fabula.ui.markup import ask as ask_markup
from fabula.ui.markup import html
from fabula.ui.markup import page as markup
from fabula.ui.markup import reading as search_markup
from fabula.ui.markup.reading import chapter_words, flowing, in_context, marked
from fabula.ui.state.conversation import Cited, Turn, told_by
from fabula.views.quotes import Surroundings
from fabula.views.search import HitShown, SearchAsked, SearchShown, ShareShown
from fabula.views.text.comparison import MetricRow, Seeded
from fabula.views.word_diff import word_diff

AROUND = Surroundings(3, "III", f"Before. {EVIL}\n\n", f"the lamp {EVIL}", " after.", True, True)
HIT = HitShown(
    number=1,
    chunk_id="c",
    chapter=3,
    title=EVIL,
    span=Span(1000, 1024),
    text=f"the lamp {EVIL}",
    score=0.5,
    marks=(Span(4, 8),),
    shares=(
        ShareShown("lexical", f"words {EVIL}", 2, 1.0, 0.25),
        ShareShown("semantic", "meaning", 1, 1, 0.75),
    ),
    around=AROUND,
)
SEARCHED = SearchShown(SearchAsked(EVIL, 5), 3, (HIT,), 0.4, EVIL, (EVIL,), EVIL + "?")
TEXT = f"The lamp burned [1]. He flew [7]. {EVIL}"
ANSWERED = Answered(
    question=EVIL,
    route="factual",
    text=TEXT,
    grounded=False,
    supported=0.5,
    citations=(),
    sources=(),
    sentences=(SentenceSupport(Span(0, 20), ()),),
    passages=(),
    notes=(),
    left_out=(),
    notices=(),
    reasons=(),
    told=True,
    extractive=False,
    cached=False,
    answers="",
    model=EVIL,
    seconds=(("retrieve", 0.25), ("generate", 1.0)),
)
CITED = Cited(Citation(1, 3, Span(0, 5), f"the lamp {EVIL}", "c", "chapter 3"), AROUND)
TURN = Turn("s", 3, ANSWERED, (CITED,))


def _place_of(page):
    return re.search(r'<div id="(quote-[0-9a-f]{8}-1)">', page)[1]


def test_nothing_a_story_or_a_model_says_becomes_markup():
    row = MetricRow("quality", EVIL, "{:.2f}", True, (Seeded(0.5, 0.4, 0.6, 2), None))
    page = "".join(
        (
            search_markup.summary(SEARCHED),
            search_markup.why(SEARCHED),
            search_markup.hit(HIT),
            search_markup.nothing_found(SEARCHED),
            ask_markup.question(TURN),
            ask_markup.streamed(EVIL),
            ask_markup.answer(TURN),
            ask_markup.verdict(TURN),
            ask_markup.citations(TURN),
            ask_markup.sources(ANSWERED),
            markup.diff(word_diff(f"one {EVIL}", f"two {EVIL} three")),
            markup.seeded_table([row], [EVIL, "b"], drafts=3),
            html("settings", "health", Examination((Check(EVIL, EVIL, False, EVIL),)).checks, 1),
            html("settings", "key_state", EVIL, True),
        )
    )
    checker = Page(page)
    assert not {"script", "img", "style", "iframe"} & set(checker.tags)
    assert set(re.findall(r'<a href="([^"]*)"', page)) == {f"#{_place_of(page)}"}
    assert page.count("<a ") == 1
    assert checker.words.count("![x](http://evil.invalid/x.png)") > 15


def test_marks_and_places_of_a_hit():
    page = search_markup.hit(HIT)
    assert "the <mark>lamp</mark> " in page
    assert "1,024" not in page  # a reader finds a place by its words
    assert "<b>25%</b> rank 2" in page and "score 0.500" in page


def test_numbers_are_raised_where_there_is_a_quote():
    page = ask_markup.answer(TURN)
    place = _place_of(ask_markup.citations(TURN))
    assert f'burned<sup><a href="#{place}">1</a></sup>.' in page.replace(" <sup>", "<sup>")
    assert "[7]" in page  # nothing stands behind it
    assert "each sentence was checked" in ask_markup.verdict(TURN)


def test_what_the_story_has_not_told_is_left_out():
    page = ask_markup.answer(replace(TURN, answered=replace(ANSWERED, told=False)))
    assert "The story has not said enough about that up to chapter 3." in page
    assert "lamp" not in page
    whole = replace(TURN, answered=replace(ANSWERED, told=False), whole=True)
    assert "I did not find it in the story." in ask_markup.answer(whole)
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


@pytest.mark.parametrize(
    ("number", "title", "words"),
    values(__file__, "a_chapter_is_called_by_its.tsv"),
)
def test_a_chapter_is_called_by_its_title(number, title, words):
    assert chapter_words(number, title) == words


def test_what_a_codex_lays_down_stands_above_an_answer_that_no_model_wrote():
    quotes = [Evidence(document, 0, Span(0, 9), "no magic;") for document in (CODEX_ID, "story")]
    notes = tuple(Note("state", f"{quote.document_id} says {EVIL}", (), (quote,)) for quote in quotes)
    plain = replace(ANSWERED, model="", notes=notes, short="the lamp", extractive=True)
    page = ask_markup.answer(replace(TURN, answered=plain))
    checker = Page(page)
    assert not {"script", "img", "style", "iframe"} & set(checker.tags)
    assert page.index("from the codex") < page.index(f"{CODEX_ID} says") < page.index(">the lamp<")
    assert "story says" not in page
    assert "lays down" not in ask_markup.answer(replace(TURN, answered=replace(plain, model="m")))
