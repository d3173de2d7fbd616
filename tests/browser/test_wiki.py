"""The wiki of a story bible in a real browser, from a folder."""

from pathlib import Path

import axe_playwright_python as axe
import pytest

READERS = {"laptop": {}, "dark": {"color_scheme": "dark"}, "no script": {"java_script_enabled": False}}
READERS["phone"] = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def wiki(demo_project, run_cli, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wiki") / "wiki"
    assert run_cli("bible", demo_project, "--format", "wiki", "--out", folder).code == 0
    return folder.as_uri()


def is_sound(page):
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run({preload: false})).violations")
    assert [one["nodes"][0]["html"] for one in found if one["impact"] in ("serious", "critical")] == []
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_chooses_a_chapter_moves_the_slider_and_finds_a_name(browser, wiki, reader):
    page, seen = browser.new_page(**READERS[reader]), []
    page.on("request", lambda request: seen.append(request.url.replace(wiki, "")))
    page.on("console", lambda message: seen.append(f"{message.text}://"))
    page.on("pageerror", lambda error: seen.append(f"{error}://"))
    page.goto(f"{wiki}/index.html")
    page.get_by_role("link", name="Chapter 5", exact=True).click()
    assert page.url.endswith("chapter-005.html") and "Barnaby Pellow dies" not in page.content()
    page.locator("article summary").first.click()
    assert page.locator("article blockquote").first.is_visible()
    slider = page.get_by_role("slider")
    if reader == "no script":
        page.get_by_role("link", name="Chapter 4", exact=True).click()
        assert not slider.is_visible() and page.url.endswith("chapter-004.html")
    else:
        assert is_sound(page) and (slider.get_attribute("max"), slider.input_value()) == ("13", "5")
        slider.focus()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        page.wait_for_url("**/chapter-009.html*")
        assert page.evaluate("document.activeElement.id") == "chapter"
        page.get_by_label("Find a name or a word").fill("barnaby pellow dies")
        shown = page.locator("article:visible h3").all_inner_texts()
        assert "Barnaby Pellow" in shown and len(shown) < page.locator("article").count()
        page.locator("article:visible a").first.click()  # a name that the words left out comes back
        assert page.locator("article:target").is_visible() and is_sound(page)
        page.goto(f"{wiki}/chapter-013.html")
        assert page.get_by_role("link", name="Chapter 14").count() == 0
    assert [one for one in seen if "://" in one] == []
    page.close()
