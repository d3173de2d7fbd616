from playwright.sync_api import expect
from tests.tables import file_text

from fabula.library.library import DEMO

from .stories import LATER_STORY


def test_an_answer_stands_on_a_quote_that_opens_in_its_place(visit):
    reader = visit()
    reader.open("ask", story=LATER_STORY, chapter=3)
    reader.ask("Your question", "Who kept the lock at Moss End?", "Ask", shows=".f-cited")
    assert "Written by scripted" in reader.words
    reader.page.locator(".f-cited a", has_text="Anna Weir kept the lock").first.click()
    expect(reader.page.locator(".f-at").first).to_be_in_viewport()


def test_light_and_dark_can_be_read(visit):
    for dark in (False, True):
        reader = visit(dark=dark)
        reader.open("search", story=DEMO)
        reader.ask("Look for", "lamp", "Search", shows=".f-hit")
        for place in file_text(__file__, "read.txt").splitlines():
            assert contrast(reader.page, place) >= 4.5, (place, dark)


def contrast(page, place):
    """WCAG 2.2 contrast of a piece of text with what lies behind it."""
    return page.evaluate(file_text(__file__, "contrast.js"), place)
