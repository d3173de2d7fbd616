"""The page Read: the text up to the horizon, with names, and a quote in its place."""

import re

import pytest
from tests.stories.printed_book import printed_book

from fabula.core.types import Span
from fabula.engine import Project, index_book
from fabula.errors import HorizonError
from fabula.library.library import DEMO
from fabula.ui.markup import reading as markup
from fabula.views.chapter import ChapterShown, Named, chapter_shown


def test_a_chapter_is_read_with_the_names_that_are_known_by_then(with_demo, open_page):
    page = open_page("read", story=DEMO, chapter=3)
    assert "Dr. Ostler Objects" in page.words
    who = re.search(r'popovertarget="(who-[^"]+)" title="Harriet Pellow">Harriet</button>', page.words)
    assert f'id="{who[1]}"><article' in page.words and 'href="bible?story=the-bloom-line' in page.words
    page.press("Previous")
    assert "Nobody Is Called Humphrey Drone" in page.words


def test_emphasis_and_scene_breaks_are_set_as_such_and_hide_no_word():
    text = "He _ran_. A *bad, bad* idea, 2*3*4, snake_case_name.\n\n* * *\n\nThe **end** of Ann."
    at = text.index("Ann")
    named = (Named(at, at + 3, "ann", "character", "Ann <b>"),)
    html = markup.chapter(ChapterShown(1, "One", 0, text, named), None)
    assert "<em>ran</em>" in html and "<em>bad, bad</em>" in html and "<em>end</em>" in html
    assert "2*3*4, snake_case_name" in html and '<span class="f-break">* * *</span>' in html
    assert 'title="Ann &lt;b&gt;">Ann</button>' in html


def test_a_paragraph_that_is_indented_as_a_whole_flows_and_verse_does_not():
    letter = "    I was standing on the dock by the merest\n    accident when I fell in talk with him.\n"
    verse = "    Fifteen men\n    on the chest\n"
    html = markup.chapter(ChapterShown(1, "One", 0, letter + "\n" + verse, ()), Span(58, 66))
    assert "merest acciden" in html.replace('<mark class="f-at">', "").replace("</mark>", "")
    assert "Fifteen men\n    on the chest" in html and "\0" not in html


def test_the_printed_page_of_a_place_is_shown(home, open_page):
    home.mkdir()
    (home.parent / "ferry.pdf").write_bytes(printed_book())
    index_book(home.parent / "ferry.pdf", home / "ferry")
    page = open_page("read", story="ferry", chapter=2)
    page.one("toggle", "Show the printed page").set_value(True).run()
    assert page.test.get("image") and not page.alerts


def test_a_quote_is_marked_in_its_place_and_no_later_chapter_is_shown(with_demo, open_page, demo_project):
    with Project.open(demo_project) as project:
        quote = "I have brought a cake."
        at, later = project.document.text.index(quote), project.document.chapter(9)
        with pytest.raises(HorizonError):
            chapter_shown(project.view(5), project.document, 9)
    where = {"read": 9, "at": f"{at}-{at + len(quote)}"}
    page = open_page("read", story=DEMO, chapter=9, **where)
    assert f'<mark class="f-at">{quote}</mark>' in page.words
    early = open_page("read", story=DEMO, chapter=5, **where)
    assert quote not in early.words and later.title not in early.words
    assert "<mark" not in open_page("read", story=DEMO, chapter=9, read=9, at="5-99999999").words


def test_what_is_shown_of_a_chapter_is_the_chapter(demo_project):
    with Project.open(demo_project) as project:
        for number in (1, 9):
            shown = chapter_shown(project.view(), project.document, number)
            body = project.document.chapter(number).body
            assert shown.text == body.of(project.document.text) and shown.start == body.start
            ends = [0, *(one.end for one in shown.named)]
            assert all(one.start >= end for one, end in zip(shown.named, ends, strict=False))
            assert all(re.search(r"\w", shown.text[one.start : one.end]) for one in shown.named)
