import re

import pytest
from tests.stories.printed_book import printed_book
from tests.tables import values

from fabula.core.types import Span
from fabula.engine import Project, index_book
from fabula.errors import HorizonError
from fabula.library.library import DEMO
from fabula.ui.markup import reading as markup
from fabula.views.chapter import ChapterShown, Named, chapter_shown


def search(page, query):
    return page.fill("Look for", query).press("Search")


def test_hits_say_where_they_stand_and_an_empty_query_is_said(with_demo, open_page):
    page = search(open_page("search"), "lamp on the footplate")
    words = page.words
    assert words.count('class="f-hit"') == 5
    assert "<mark>lamp</mark>" in words and "<mark>footplate</mark>" in words
    assert "rank 1" in words and "In its context" in words
    assert "40% meaning and 60% words" in words
    assert words.count('href="read?story=the-bloom-line&amp;chapter=9&amp;read=') == 5
    assert "start at 0.40 semantic" in words
    assert not any("footplate" in one for one in page.spoken)  # Markdown would fetch pictures
    assert "Enter what to look for" in search(open_page("search"), "  ").words


def test_hits_and_who_can_be_chosen_move_with_the_horizon(with_demo, open_page):
    def people(page):
        return set(page.one("multiselect", "Mention these characters").options)

    page = search(open_page("search", story=DEMO, chapter=13), "telegram")
    late = people(page)
    page.read_up_to(2)
    assert "read up to chapter 2 of 13" in page.words and len(people(page)) < len(late)
    assert "Agnes Mary Keating" in late - people(page)
    assert not any(f"Chapter {number}:" in page.words for number in range(3, 14))


def test_a_filter_that_lets_nothing_through_is_said(with_demo, open_page):
    page = open_page("search")
    page.one("slider", "Importance of at least").set_value(10)
    page.one("multiselect", "are mostly").set_value(["description"])
    assert "Nothing up to chapter 9. Try other words, or fewer filters." in search(page, "lamp").words


def test_a_thumb_is_kept(with_demo, open_page):
    page = search(open_page("search"), "lamp on the footplate")
    page.test.get("feedback")[0].set_value(1).run()
    with Project.open(with_demo / DEMO) as project:
        [rating] = project.searcher.manager._store.recent(9, horizon=project.horizon(9))
    assert (rating.query, rating.rating, rating.horizon.chapter) == ("lamp on the footplate", 1.0, 9)


def test_the_page_of_a_printed_book_is_shown(home, open_page):
    home.mkdir()
    (home.parent / "ferry.pdf").write_bytes(printed_book())
    index_book(home.parent / "ferry.pdf", home / "ferry")
    page = search(open_page("search", story="ferry", chapter=2), "drowned")
    assert "Page 3, Lines " in page.words and "characters " not in page.words
    assert not page.test.get("image")
    page.test.toggle[0].set_value(True).run()
    assert page.test.get("image")


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


def upload(page, name, content, label="our own text"):
    [place] = [one for one in page.test.file_uploader if label in one.label]
    place.upload(name, content, "text/plain").run()
    return page.press("Index this text")


def test_an_empty_library_says_what_can_be_done(home, open_page):
    page = open_page()
    assert 'class="f-steps"' in page.words
    assert page.buttons == ["Index the demo story"]
    assert len(page.test.file_uploader) == 1
    assert not page.test.selectbox and not page.test.slider
    assert not home.exists()


@pytest.mark.slow
def test_the_demo_story_is_indexed_by_its_button(home, open_page):
    page = open_page().press("Index the demo story")
    assert "The Bloom Line is ready: 13 chapters, 11,402 words." in page.words
    assert page.test.selectbox[0].value == DEMO
    assert "Index the demo story" not in page.buttons
    assert "is ready" not in page.run().words


def test_a_text_becomes_a_story_and_is_open(with_demo, open_page):
    page = upload(open_page(), "Other.md", b"# Other\n\nAnna ran the ferry.\n")
    assert "Other is ready: 1 chapter, 4 words." in page.words
    assert page.test.selectbox[0].value == "other"
    assert not page.test.slider  # one chapter, nothing to choose
    page.press("Open")
    assert page.test.selectbox[0].value == DEMO
    assert page.words.count('class="f-badge"') == 1


@pytest.mark.parametrize(("name", "content", "words"), values(__file__, "no_stories.tsv"))
def test_what_is_no_story_is_one_clear_line(with_demo, open_page, name, content, words):
    page = upload(open_page(), name, content)
    [alert] = page.alerts
    assert words in alert and "<script" not in alert
    assert page.buttons  # the rest of the page stands
    assert [path.name for path in with_demo.iterdir()] == [DEMO]


def test_a_title_is_no_markup(home, open_page):
    page = upload(open_page(), "<script>bad() ![x](y) **B**.md", b"Anna ran.\n")
    words = page.words
    assert "&lt;script&gt;bad() ![x](y) **B** is ready: 1 chapter, 2 words." in words
    assert "<script" not in words
    assert not page.spoken or not any("bad()" in one for one in page.spoken)


def test_a_story_goes_when_that_is_confirmed(with_demo, open_page):
    page = open_page().press("Remove this story")
    assert "permanently?" in page.words
    assert page.press("Keep it").press("Remove this story").buttons.count("Remove it") == 1
    assert "The Bloom Line was removed." in page.press("Remove it").words
    assert 'class="f-steps"' in page.words
    assert list(with_demo.iterdir()) == []


def test_a_story_becomes_a_series_and_one_book_again(with_demo, open_page):
    page = upload(open_page(), "Other.md", b"# Other\n\nAnna ran the ferry.\n")
    [*_, place] = [one for one in page.test.file_uploader if one.key.startswith("book-other-")]
    place.upload("Next.md", b"# Next\n\nAnna sold it.\n", "text/plain").run()
    page.press("Add it")
    assert "Other is ready: 2 chapters" in page.words
    assert [one.value for one in page.test.text] == ["1. Other", "2. Next"]
    page.press("Move book 2 up")
    assert [one.value for one in page.test.text] == ["1. Next", "2. Other"]
    page.press("Move book 2 up").press("Remove book 2")
    assert [one.value for one in page.test.text] == ["1. Other"]
