"""The wiki of a story bible in a real browser, from a folder."""

from functools import partial
from pathlib import Path

import axe_playwright_python as axe
import pytest

from fabula.engine import Project
from fabula.views.bible import bible_at
from fabula.views.bible_files.formats import Wanted

LAST = 13


@pytest.fixture(scope="module")
def wiki(demo_project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wiki") / "wiki"
    with Project.open(demo_project) as project:
        Wanted("wiki").write(partial(bible_at, project), folder)
    return folder


@pytest.fixture(params=["light", "dark", "phone", "no script"])
def reader(browser, wiki, request):
    wide = 390 if request.param == "phone" else 1280
    colours = "dark" if request.param == "dark" else "light"
    size, scripts = {"width": wide, "height": 844}, request.param != "no script"
    context = browser.new_context(viewport=size, color_scheme=colours, java_script_enabled=scripts)
    page = context.new_page()
    page.asked, page.failed = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.failed.append(message.text))
    page.on("pageerror", lambda error: page.failed.append(str(error)))
    page.goto((wiki / "index.html").as_uri())
    yield page
    assert page.failed == []
    assert [url for url in page.asked if not url.startswith(wiki.as_uri())] == []
    context.close()


def is_sound(page):
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    assert [(one["id"], one["nodes"][0]["html"]) for one in grave] == []
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_reader_chooses_a_chapter_moves_the_slider_and_finds_a_name(reader, request):
    page = reader
    page.get_by_role("link", name="Chapter 5", exact=True).click()
    assert page.url.endswith("chapter-005.html") and "Barnaby Pellow dies" not in page.content()
    quotes = page.locator("article details").first
    quotes.locator("summary").click()
    assert quotes.locator("blockquote").first.is_visible()
    if "no script" in request.node.name:
        assert not page.get_by_role("slider").is_visible()
        page.get_by_role("link", name="Chapter 4", exact=True).click()
        assert page.url.endswith("chapter-004.html")
        return
    assert is_sound(page)
    slider = page.get_by_role("slider")
    assert (slider.get_attribute("max"), slider.input_value()) == (str(LAST), "5")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**/chapter-009.html*")
    assert "Barnaby Pellow dies" in page.content() and page.evaluate("document.activeElement.id") == "chapter"
    page.get_by_label("Find a name or a word").fill("zorblax")
    page.get_by_text("0 of ").wait_for()
    page.get_by_label("Find a name or a word").fill("barnaby pellow dies")
    shown = page.locator("article:visible h3").all_inner_texts()
    assert "Barnaby Pellow" in shown and len(shown) < page.locator("article").count()
    page.locator("article:visible a").first.click()  # a name that the words left out comes back
    assert page.locator("article:target").is_visible() and is_sound(page)
    page.goto(page.url.replace("009", f"0{LAST}"))
    assert page.get_by_role("link", name=f"Chapter {LAST + 1}", exact=True).count() == 0
