import shutil

import pytest
from tests.browser.stories import LATER_STORY, LATER_WORD

from fabula.library.library import DEMO

DRAWN = ".fg[data-drawn]"
LONG_STORY = "the-long-name"
LONG_NAME = "Bartholo" + "mew" * 64
LONG_TEXT = f"""# The Long Name

## Chapter 1

Mr. {LONG_NAME} trusted Anna Weir. Anna Weir loved Mr. {LONG_NAME}. "Good day," said Mr. {LONG_NAME}.

## Chapter 2

Anna Weir left the mill. Mr. {LONG_NAME} wept. Mr. {LONG_NAME} hated Anna Weir.
"""


@pytest.fixture
def long_story(app, tmp_path):
    """A story with a name of two hundred letters, in the library while the test runs."""
    from fabula.engine import index_book

    book = tmp_path / f"{LONG_STORY}.md"
    book.write_text(LONG_TEXT, encoding="utf-8")
    index_book(book, app.home / LONG_STORY)
    yield LONG_STORY
    shutil.rmtree(app.home / LONG_STORY)


def opened(visit, story=DEMO, chapter=9, width="laptop", **given):
    seen = visit(width, **given)
    seen.seconds = seen.open("world", story=story, chapter=chapter)
    seen.page.locator(DRAWN).wait_for()
    return seen


def entry(seen, name):
    return seen.page.locator(".fg-list > li > button", has_text=name).first


def test_the_graph_is_drawn_and_a_name_shows_its_quotes(visit, page_times):
    seen = opened(visit)
    page_times["world"] = seen.seconds
    assert page_canvas(seen) > 0
    entry(seen, "Nat Crewe").click()
    seen.page.locator(".s-quote mark", has_text="Nat Crewe").first.wait_for()
    seen.page.locator(".fg-list ul button").first.click()
    seen.page.locator(".s-soft", has_text="confidence 0.").wait_for()
    assert seen.overflow <= 0 and not seen.unlabelled


def page_canvas(seen):
    return seen.page.locator(".fg-canvas canvas").count()


def test_a_click_on_a_node_comes_to_the_page(visit):
    seen = opened(visit)
    place = seen.page.evaluate(
        """() => { const hosts = [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean);
           const root = hosts.map(h => h.querySelector('.fg')).find(Boolean) || document.querySelector('.fg');
           const at = root.fabula.cy.getElementById('harriet-pellow').renderedPosition();
           const box = root.querySelector('.fg-canvas').getBoundingClientRect();
           return [box.x + at.x, box.y + at.y]; }"""
    )
    seen.page.mouse.click(*place)
    seen.page.locator("h3", has_text="Harriet Pellow").wait_for()


def test_the_keyboard_reaches_graph_and_list(visit):
    seen = opened(visit)
    canvas = seen.page.locator(".fg-canvas")
    canvas.focus()
    for key in ("ArrowLeft", "+", "-", "0"):
        seen.page.keyboard.press(key)
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.type("ostler")
    assert seen.page.locator(".fg-list > li").count() == 1
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.press("Enter")
    seen.page.locator("h3", has_text="Ostler").wait_for()


def test_the_table_says_the_same(visit):
    seen = opened(visit)
    seen.page.get_by_text("Table", exact=True).click()
    seen.page.get_by_test_id("stDataFrame").wait_for()
    assert seen.page.locator(DRAWN).count() == 0


def test_nothing_told_later_is_sent(visit):
    seen = opened(visit, story=LATER_STORY, chapter=2)
    entry(seen, "Anna Weir").click()
    seen.page.locator(".s-quote").first.wait_for()
    assert not seen.traffic.holds(LATER_WORD)
    later = opened(visit, story=LATER_STORY, chapter=4)
    assert later.traffic.holds(LATER_WORD)


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_phone(visit, dark):
    seen = opened(visit, width="phone", dark=dark)
    assert seen.overflow <= 0
    assert page_canvas(seen) > 0


def test_a_name_of_two_hundred_letters_is_cut_and_told_whole_on_request(visit, long_story):
    seen = opened(visit, story=long_story, chapter=2, width="phone")
    assert entry(seen, LONG_NAME[:20]).get_attribute("title") == f"Mr. {LONG_NAME}"
    entry(seen, LONG_NAME[:20]).click()
    seen.page.locator(f'h3[title="Mr. {LONG_NAME}"]').wait_for()
    assert seen.overflow <= 0
