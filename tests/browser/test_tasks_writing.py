"""What a newcomer wants to have done, in a real browser: how many clicks it takes, and how many seconds."""

import shutil

import pytest

from fabula.library.library import DEMO

from .conftest import PATIENCE, Task
from .stories import LATER_STORY, LATER_WORD
from .streamlit_app import StreamlitApp

LONG = 300_000  # milliseconds, for what a machine with two cores is long at


@pytest.fixture
def own_app(app, tmp_path):
    """The same stories and model, for what writes into a story."""
    shutil.copytree(app.home, tmp_path / "home")
    with StreamlitApp(tmp_path / "home", log=tmp_path / "app.log", environment=app.own) as started:
        yield started


def test_three_questions(visit):
    reader = visit()
    reader.open("library", story=DEMO)
    with Task(reader) as doing:
        doing.turn_to("Ask")
        for question in ("Who kept the lamp?", "Where did Barnaby Pellow die?", "How old is Harriet?"):
            reader.page.get_by_label("Your question", exact=True).fill(question)
            doing.press("Ask")
            doing.shows(".f-question", question, timeout=LONG)
    assert reader.page.locator(".f-question").count() == 3
    reader.page.locator(".f-cited a.f-link").first.click()
    reader.page.locator(".f-chapter mark").first.wait_for(timeout=PATIENCE)


def test_the_story_so_far(visit):
    reader = visit()
    reader.open("library", story=DEMO)
    with Task(reader) as doing:
        doing.turn_to("Story so far")
        doing.shows(".f-sofar section", timeout=LONG)
    assert reader.page.locator(".f-sofar section").count() == 9
    with reader.page.expect_download() as saved:
        reader.page.get_by_role("button", name="Save as Markdown").click()
    text = saved.value.path().read_text(encoding="utf-8")
    assert "## Chapter 9: No Wire" in text and "Chapter 10" not in text


def test_drafts_are_compared_and_one_becomes_the_next_chapter(visit, own_app):
    reader = visit(own=own_app)
    reader.open("compare", story=DEMO)
    with Task(reader) as doing:
        doing.press("Go to chapter 13")
        reader.page.get_by_label("What should happen next?").fill("Harriet climbs up to the footplate.")
        doing.press("Write and compare")
        doing.shows(".f-lead", timeout=LONG)
        doing.press("Accept as chapter 14")
        doing.press("Accept it")
        doing.shows("h1", "Read", timeout=LONG)
    assert "Accepted: Chapter 14" in reader.words and "read up to chapter 14 of 14" in reader.words
    reader.turn_to("Write")
    reader.page.reload()
    reader.page.get_by_text("Kept comparisons: 1").wait_for(timeout=PATIENCE)


def test_a_small_bench_without_a_file_that_outlives_its_page(visit, own_app):
    reader = visit(own=own_app)
    reader.open("library", story=DEMO)
    with Task(reader) as doing:
        doing.turn_to("Bench")
        doing.press("Start the run")
        doing.shows('[data-testid="stProgress"]', "of 4 comparisons", timeout=LONG)
        reader.page.goto("about:blank")
        other = visit(own=own_app)
        other.open("bench", story=DEMO)
        other.page.locator(".f-lead").wait_for(timeout=LONG)
    other.settle()
    assert other.page.locator('[data-testid="stVegaLiteChart"]').count() == 1
    other.page.get_by_text("Rate blind").click()
    other.page.get_by_label("Your name", exact=True).fill("Ann")
    other.page.keyboard.press("Enter")
    other.page.get_by_role("button", name="A is better").wait_for(timeout=PATIENCE)


def test_without_a_model_every_page_that_needs_one_says_so_and_leads_to_it(visit, app, tmp_path):
    bare = {"XDG_CONFIG_HOME": str(tmp_path / "none")}
    with StreamlitApp(app.home, log=tmp_path / "app.log", environment=bare) as started:
        reader = visit(own=started)
        for key in ("ask", "so_far", "compare", "bench"):
            reader.open(key, story=DEMO)
            reader.page.get_by_text("No language model is connected.").first.wait_for(timeout=PATIENCE)
            reader.page.get_by_role("link", name="Connect a model").first.wait_for(timeout=PATIENCE)
        reader.page.get_by_role("link", name="Connect a model").first.click()
        reader.page.locator("h1", has_text="Model").wait_for(timeout=PATIENCE)
        reader.page.get_by_role("button", name="Look for models").wait_for(timeout=PATIENCE)


def test_what_was_written_from_later_chapters_does_not_come_to_a_reader_before_them(visit, own_app):
    writer = visit(own=own_app)
    writer.open("compare", story=LATER_STORY, chapter=4)
    writer.ask("What should happen next?", "The ledger is found.", "Write and compare", shows=".f-lead")
    assert writer.traffic.holds(LATER_WORD)
    writer.press("Measure this prompt on Bench")
    writer.page.get_by_role("button", name="Start the run").click()
    writer.page.locator('[data-testid="stProgress"], .f-lead').first.wait_for(timeout=LONG)
    reader = visit(own=own_app)
    reader.open("compare", story=LATER_STORY, chapter=3)
    for title in ("Write", "Bench", "Story so far", "Model", "Ask", "Settings"):
        reader.turn_to(title)
    assert not reader.traffic.holds(LATER_WORD)
