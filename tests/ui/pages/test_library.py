import pytest
from tests.tables import values

from fabula.library.library import DEMO


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
