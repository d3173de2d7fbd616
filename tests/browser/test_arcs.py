import pytest
from tests.browser.stories import LATER_STORY, LATER_WORD

from fabula.library.library import DEMO

MARKS = "[data-testid=\"stVegaLiteChart\"] svg [aria-roledescription='point']"


def opened(visit, width="laptop", story=DEMO, chapter=9, **given):
    seen = visit(width, **given)
    seen.seconds = seen.open("arcs", story=story, chapter=chapter)
    seen.page.locator(MARKS).first.wait_for()
    return seen


def test_two_are_compared_and_a_point_shows_its_quotes(visit, page_times):
    seen = opened(visit)
    page_times["arcs"] = seen.seconds
    assert "Turning points" in seen.words
    seen.page.locator(MARKS).nth(2).click(force=True)
    seen.page.locator("h3", has_text="at the end of ch.").wait_for()
    assert seen.page.locator(".s-quote").count() > 0
    assert not seen.unlabelled


def test_another_can_be_added(visit):
    seen = opened(visit)
    seen.page.get_by_role("combobox", name="Characters").click()
    seen.page.keyboard.type("Nat Crewe")
    seen.page.keyboard.press("Enter")
    seen.page.locator("h3", has_text="Nat Crewe").wait_for()


def test_nothing_told_later_is_sent(visit):
    seen = opened(visit, story=LATER_STORY, chapter=3)
    assert not seen.traffic.holds(LATER_WORD)


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_phone(visit, dark):
    assert opened(visit, "phone", dark=dark).overflow <= 0
