import shutil

import pytest

from fabula.library.library import DEMO

READY = {
    "arcs": ".c-feelings a",
    "bible": ".c-card",
    "continuity": ".f-lead",
    "timeline": ".c-lanes td a",
    "world": ".fg[data-drawn]",
}
CANVAS = ".fg-canvas canvas"
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


def opened(visit, key, width="laptop", *, story=DEMO, chapter=9):
    seen = visit(width)
    seen.open(key, story=story, chapter=chapter)
    seen.page.locator(READY[key]).first.wait_for()
    return seen


def choose(seen, label, name):
    seen.page.get_by_role("combobox", name=label).click()
    seen.page.keyboard.type(name)
    seen.page.keyboard.press("Enter")


def entry(seen, name):
    return seen.page.locator(".fg-list > li > button", has_text=name).first


@pytest.mark.parametrize("key", READY)
def test_it_fits_a_phone(visit, key):
    seen = opened(visit, key, "phone")
    if key == "continuity":
        seen.check("Harriet Pellow was nineteen years old.")
    assert seen.overflow <= 0
    assert key != "world" or seen.page.locator(CANVAS).count() > 0


# --- arcs and timeline


def test_a_feeling_opens_its_sentence_in_its_place(visit):
    seen = opened(visit, "arcs")
    assert not seen.unlabelled
    choose(seen, "Characters", "Nat Crewe")
    seen.page.locator("h3", has_text="Nat Crewe").wait_for()
    seen.page.locator(READY["arcs"]).first.click()
    seen.page.locator(".f-chapter mark").first.wait_for()


def test_an_event_in_a_lane_opens_its_quote(visit):
    seen = opened(visit, "timeline")
    assert not seen.unlabelled
    seen.page.locator(READY["timeline"], has_text="Barnaby Pellow dies").first.click()
    seen.page.locator(".f-chapter mark", has_text="died at twenty minutes past five").wait_for()


# --- continuity


def test_the_rules_say_what_they_assume(visit):
    seen = opened(visit, "continuity")
    seen.page.get_by_text("How much was checked").click()
    seen.page.get_by_text("attribute conflict").first.wait_for()
    assert "right" in seen.words


# --- world


def test_the_graph_is_drawn_and_a_name_shows_its_card(visit):
    seen = opened(visit, "world")
    assert seen.page.locator(CANVAS).count() > 0
    entry(seen, "Ambrose Keating").click()
    seen.page.locator(".c-card", has_text="Ambrose Keating").wait_for()
    seen.page.locator(".fg-list ul button", has_text="hates").click()
    seen.page.locator(".c-history", has_text="Ambrose Keating and Barnaby Pellow").wait_for()
    assert seen.overflow <= 0 and not seen.unlabelled


GRAPH = """const hosts = [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean);
  const root = hosts.map(h => h.querySelector('.fg')).find(Boolean) || document.querySelector('.fg');"""


def test_at_an_earlier_chapter_nodes_stand_where_they_stood(visit):
    seen = opened(visit, "world")
    look = f"""() => {{ {GRAPH} return [root.fabula.cy.nodes('[!box]').map(n => n.position()),
      root.fabula.cy.edges().not('.hidden').length]; }}"""
    before, lines = seen.page.evaluate(look)
    seen.page.evaluate(
        f"""() => {{ {GRAPH} const i = root.querySelector('.fg-time input'); i.value = 1;
        i.dispatchEvent(new Event('input')); }}"""
    )
    after, fewer = seen.page.evaluate(look)
    assert before == after and 0 < fewer < lines


def test_a_click_on_a_node_comes_to_the_page(visit):
    seen = opened(visit, "world")
    place = seen.page.evaluate(
        f"""() => {{ {GRAPH}
           const at = root.fabula.cy.getElementById('harriet-pellow').renderedPosition();
           const box = root.querySelector('.fg-canvas').getBoundingClientRect();
           return [box.x + at.x, box.y + at.y]; }}"""
    )
    seen.page.mouse.click(*place)
    seen.page.locator("h3:visible", has_text="Harriet Pellow").wait_for()


def test_the_keyboard_reaches_graph_and_list(visit):
    seen = opened(visit, "world")
    seen.page.locator(".fg-canvas").focus()
    for key in ("ArrowLeft", "+", "-", "0", "Tab", "Tab", "Tab", "Tab", "Tab"):
        seen.page.keyboard.press(key)
    seen.page.keyboard.type("ostler")
    assert seen.page.locator(".fg-list > li").count() == 1
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.press("Enter")
    seen.page.locator("h3:visible", has_text="Ostler").wait_for()


def test_a_name_of_two_hundred_letters_is_cut_and_told_whole_on_request(visit, long_story):
    seen = opened(visit, "world", "phone", story=long_story, chapter=2)
    assert entry(seen, LONG_NAME[:20]).get_attribute("title") == f"Mr. {LONG_NAME}"
    entry(seen, LONG_NAME[:20]).click()
    seen.page.locator(f'h3[title="Mr. {LONG_NAME}"]:visible').wait_for()
    assert seen.overflow <= 0
