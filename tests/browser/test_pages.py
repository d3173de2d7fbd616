from pathlib import Path

import axe_playwright_python as axe
import pytest

from fabula.library.library import DEMO
from fabula.ui.navigation import PAGES

from .stories import LATER_STORY, LATER_WORD, LONG_NAME, ODD_STORY

KEYS = [info.key for info in PAGES]
FORMS = {
    "search": ("Look for", "Search", ".f-mast"),
    "ask": ("Your question", "Ask", ".f-mast"),
    "compare": ("What should happen next?", "Write and compare", ".f-lead"),
}


def use(visit, key, words):
    """What a reader does on the page, where there is something to do."""
    if key in FORMS:
        label, button, shows = FORMS[key]
        visit.ask(label, words, button, shows=shows)
    if key == "library":
        visit.page.get_by_text("Add a story").wait_for()


@pytest.mark.parametrize("key", KEYS)
def test_a_page_comes_fits_and_is_named(visit, key):
    reader = visit("laptop")
    seen = []
    reader.page.on("pageerror", lambda error: seen.append(str(error)))
    reader.open(key, story=DEMO)
    assert reader.page.locator(".f-alert").count() == 0
    assert reader.overflow <= 0
    assert reader.covered == 0
    assert reader.unlabelled == []
    assert seen == []
    assert reader.page.locator("h1").count() == 1
    reader.page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = reader.page.evaluate("async () => (await axe.run()).violations")
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    assert [(one["id"], one["nodes"][0]["html"]) for one in grave] == []


def test_every_page_fits_a_phone_whatever_the_story_is_called(visit):
    reader = visit("phone", dark=True)
    reader.open("library", story=ODD_STORY, chapter=1)
    wide = {}
    for info in PAGES:
        reader.turn_to(info.title)
        use(reader, info.key, LONG_NAME)
        wide[info.key] = reader.overflow
        assert reader.page.locator("script:has-text('bad()')").count() == 0
    assert {key: pixels for key, pixels in wide.items() if pixels > 0} == {}


def test_nothing_told_later_comes_to_the_browser(visit):
    reader = visit()
    reader.open("library", story=LATER_STORY, chapter=3)
    for info in PAGES:
        reader.turn_to(info.title)
        use(reader, info.key, "Who hid the ledger at Moss End?")
    assert reader.traffic.holds("ledger")
    assert not reader.traffic.holds(LATER_WORD)


def test_what_is_told_by_then_does_come(visit):
    reader = visit()
    reader.open("search", story=LATER_STORY, chapter=4)
    use(reader, "search", "Who hid the ledger?")
    assert reader.traffic.holds(LATER_WORD)


def test_the_horizon_outlives_a_reload(visit):
    reader = visit()
    reader.open("search", story=LATER_STORY, chapter=2)
    reader.page.reload()
    reader.page.locator(".f-where", has_text="read up to chapter 2 of 4").wait_for()


def test_every_page_can_be_reached_by_the_keyboard(visit):
    reader = visit("wide")
    reader.open("search", story=DEMO)
    reached = []
    for _ in range(40):
        reader.page.keyboard.press("Tab")
        reached.append(
            reader.page.evaluate(
                "() => document.activeElement.closest('a') ? document.activeElement.innerText : ''"
            )
        )
    assert {info.title for info in PAGES} <= {words.splitlines()[-1] for words in reached if words}
