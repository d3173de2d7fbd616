import pytest
from tests.browser.stories import LATER_STORY, LATER_WORD

from fabula.library.library import DEMO

CHART = '[data-testid="stVegaLiteChart"] svg'
MARKS = f"{CHART} [aria-roledescription='point']"


def opened(visit, width="laptop", story=DEMO, chapter=9, **given):
    seen = visit(width, **given)
    seen.seconds = seen.open("timeline", story=story, chapter=chapter)
    seen.page.locator(MARKS).first.wait_for()
    return seen


def test_an_event_shows_who_when_and_its_quote(visit, page_times):
    seen = opened(visit)
    page_times["timeline"] = seen.seconds
    seen.page.locator(MARKS).nth(3).click(force=True)
    seen.page.locator(".s-soft", has_text="in the telling").wait_for()
    assert seen.page.locator(".s-quote mark").count() == 1
    assert not seen.unlabelled


def test_it_is_of_one_person_where_one_is_chosen(visit):
    seen = opened(visit)
    before = seen.page.locator(MARKS).count()
    seen.page.get_by_role("combobox", name="Whose").click()
    seen.page.keyboard.type("Nat Crewe")
    seen.page.keyboard.press("Enter")
    seen.settle()
    seen.page.wait_for_function(f"document.querySelectorAll(`{MARKS}`).length < {before}")
    assert seen.page.locator(MARKS).count() > 0


def test_nothing_told_later_is_sent(visit):
    seen = opened(visit, story=LATER_STORY, chapter=3)
    assert not seen.traffic.holds(LATER_WORD)


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_phone(visit, dark):
    assert opened(visit, "phone", dark=dark).overflow <= 0
