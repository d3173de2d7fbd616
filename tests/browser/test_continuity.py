import json
import os

import pytest
from tests.browser.stories import LATER_STORY, LATER_WORD

from fabula.library.library import DEMO

DRAFT = "Harriet Pellow was nineteen years old."


def opened(visit, width="laptop", story=DEMO, chapter=9, **given):
    seen = visit(width, **given)
    seen.seconds = seen.open("continuity", story=story, chapter=chapter)
    seen.page.locator(".s-soft", has_text="facts set beside").wait_for()
    return seen


def check(seen, text=DRAFT):
    seen.page.get_by_text("A draft", exact=True).click()
    seen.page.get_by_label("The draft").fill(text)
    seen.page.get_by_role("button", name="Check it").click()
    seen.page.locator(".s-find").first.wait_for()


def test_a_draft_shows_both_sides_and_can_be_taken_away(visit, page_times):
    seen = opened(visit)
    page_times["continuity"] = seen.seconds
    check(seen)
    finding = seen.page.locator(".s-find").first
    assert finding.locator("mark").count() >= 2
    assert "the draft" in finding.inner_text()
    with seen.page.expect_download() as kept:
        seen.page.get_by_role("button", name="Findings as SARIF").click()
    assert json.loads(kept.value.path().read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert not seen.unlabelled


def test_a_word_document_with_comments_and_what_else_speaks_of_it(visit):
    import docx

    seen = opened(visit)
    check(seen)
    with seen.page.expect_download() as kept:
        seen.page.get_by_role("button", name="Findings as Word").click()
    [comment] = docx.Document(str(kept.value.path())).comments
    assert comment.text.startswith("Harriet Pellow is 26")
    seen.page.get_by_role("button", name="What else speaks of it").first.click()
    seen.page.get_by_role("button", name="Look", exact=True).click()
    seen.page.get_by_text("Look at these too").wait_for()
    if folder := os.environ.get("FABULA_SCREENS"):
        seen.page.screenshot(path=f"{folder}/continuity.png")


def test_the_rules_say_what_they_assume(visit):
    seen = opened(visit)
    seen.page.get_by_text("What each rule looks for").click()
    seen.page.get_by_text("attribute conflict").first.wait_for()
    assert "right" in seen.words


def test_nothing_told_later_is_sent(visit):
    seen = opened(visit, story=LATER_STORY, chapter=3)
    assert not seen.traffic.holds(LATER_WORD)


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_phone(visit, dark):
    seen = opened(visit, "phone", dark=dark)
    check(seen)
    assert seen.overflow <= 0
