"""What an author does with a slip: finds it, reads it in its place, marks it as intended, takes it away."""

import docx
from playwright.sync_api import expect

from fabula.story.continuity.suppressions import SUPPRESSIONS_FILE

from .conftest import Task
from .stories import SLIP_STORY


def at_home(visit):
    seen = visit()
    seen.open("library", story=SLIP_STORY, chapter=3)
    return seen, Task(seen)


def test_a_slip_is_found_and_read_in_its_place(visit):
    seen, hand = at_home(visit)
    hand.turn_to("Continuity")
    expect(seen.page.locator(".s-find h4").first).to_contain_text("Mara Quill is 26")
    hand.click(seen.page.locator(".s-quote cite a", has_text="ch. 3"))
    expect(seen.page.locator("mark.f-at").last).to_contain_text("nineteen")
    expect(seen.page.locator("mark.f-at").last).to_be_in_viewport()
    assert hand.clicks <= hand.most
    seen.page.locator(".f-flag").first.click()
    expect(seen.page.locator(".f-open:popover-open")).to_contain_text("Mara Quill was twenty-six")
    seen.page.keyboard.press("Escape")
    seen.page.locator(".f-chapter .f-named", has_text="Tobias").first.click()
    expect(seen.page.locator(".f-open:popover-open h3")).to_have_text("Tobias Quill")


def test_findings_are_taken_away_as_comments(visit, tmp_path):
    seen, hand = at_home(visit)
    hand.turn_to("Continuity")
    hand.click(seen.page.get_by_role("button", name="Export"))
    with seen.page.expect_download() as given:
        hand.click(seen.page.get_by_role("button", name="Comments in a Word document"))
    given.value.save_as(tmp_path / "c.docx")
    assert any("Mara Quill" in one.text for one in docx.Document(tmp_path / "c.docx").comments)
    assert hand.clicks <= hand.most


def test_a_slip_is_marked_as_intended(visit, app):
    seen, hand = at_home(visit)
    hand.turn_to("Continuity")
    seen.page.locator(".s-find").first.wait_for()
    hand.click(seen.page.get_by_role("button", name="Intended …"))
    seen.page.get_by_label("Why it is intended").fill("She lies.")
    seen.page.keyboard.press("Tab")
    seen.settle()
    hand.click(seen.page.get_by_role("button", name="Mark as intended"))
    seen.page.get_by_text("No contradiction was found").wait_for()
    file = app.home / SLIP_STORY / SUPPRESSIONS_FILE
    assert "She lies." in file.read_text() and hand.clicks <= hand.most
    file.unlink()
