import shutil
import tomllib
from pathlib import Path

import pytest

from fabula.demo import default_prompt
from fabula.library.library import DEMO, Library
from fabula.ui import app

ROOT = Path(__file__).parents[2]


def test_the_horizon_spans_the_chapters_is_named_by_the_address_and_stays(with_demo, open_page):
    slider = open_page().horizon
    assert (slider.min, slider.max, slider.value) == (1, 13, default_prompt().chapter)
    page = open_page("search", story=DEMO, chapter=4)
    assert page.horizon.value == 4
    assert "read up to chapter 4 of 13" in page.words
    page.read_up_to(6)
    assert page.test.query_params["chapter"] in ("6", ["6"])
    assert "read up to chapter 6 of 13" in page.turn_to("ask").words
    assert page.turn_to("settings").horizon.value == 6


@pytest.mark.parametrize("chapter", ["0", "14", "-1", "x", "²", ""])
def test_an_address_that_names_no_chapter_is_passed_over(with_demo, open_page, chapter):
    assert open_page(story=DEMO, chapter=chapter).horizon.value == default_prompt().chapter


def test_a_page_without_a_story_points_to_the_library(home, open_page):
    page = open_page("search")
    assert "There is no story yet" in page.words and not page.test.text_input


def test_settings_are_said_and_the_gauge_shows_the_guards_budget(with_demo, open_page):
    (with_demo / "fabula.toml").write_text("[memory]\nbudget_gbs = 3\n")
    assert "did you mean budget_gb?" in open_page().words
    (with_demo / "fabula.toml").write_text("[memory]\nbudget_gb = 1000\n")
    [gauge] = open_page().test.get("progress")
    assert "of 1000.0 GB, peak" in gauge.proto.text


def test_a_story_that_vanished_is_not_missed(with_demo, open_page):
    page = open_page()
    shutil.rmtree(with_demo / DEMO)
    assert 'class="f-steps"' in page.run().words


def test_a_bug_shows_no_trace(with_demo, open_page, monkeypatch, caplog):
    def broken(*_, **__):
        raise KeyError("nobody should see this")

    monkeypatch.setattr("fabula.ui.pages.settings.examine", broken)
    words = open_page("settings").words
    assert "Something went wrong" in words and "nobody should see this" not in words
    assert "the page failed" in caplog.text


def test_nothing_leaves_the_machine_by_default():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["address"] == "127.0.0.1"
    assert "http" not in str(settings["theme"])  # no font from elsewhere


def test_the_story_seen_first_is_opened_before_anybody_comes(with_demo, open_page):
    app.open_ahead()
    library = Library(with_demo)
    [entry] = library.entries()
    opened = app._shelf(str(library.root), app._stamp(library)).at_hand(entry)
    assert "graph" in opened.__dict__
    drawn = len(app._views(str(library.root)))
    open_page("world")
    assert (drawn, len(app._views(str(library.root)))) == (3, 7)  # the very same views, and those of two


def test_nothing_is_opened_ahead_of_a_story_that_cannot_be_or_where_there_is_none(with_demo):
    [store] = (with_demo / DEMO).glob("*.db")
    store.write_bytes(b"no database")
    app.open_ahead()
    shutil.rmtree(with_demo)
    app.open_ahead()
