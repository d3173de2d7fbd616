import os
import shutil
import threading
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from streamlit import config

from fabula.cli.commands import cli
from fabula.demo import default_prompt
from fabula.library.library import DEMO, Library
from fabula.ui import app, starting
from fabula.ui.frame import ViewCache

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


def test_both_ways_to_start_have_the_same_settings():
    own = Path(starting.__file__).with_name("streamlit.toml")
    assert own.read_bytes() == (ROOT / ".streamlit" / "config.toml").read_bytes()


def test_streamlit_knows_every_setting():
    chosen = starting.chosen(address="192.0.2.7", port=8600, headless=True, host_names=["books.example"])
    assert chosen.keys() <= config.get_config_options().keys()
    assert (chosen["server.address"], chosen["server.port"]) == ("192.0.2.7", 8600)
    assert chosen["server.headless"] is True and chosen["browser.gatherUsageStats"] is False
    assert chosen["logger.hideWelcomeMessage"] is True  # nor the offer to install something, on the page
    assert chosen["theme.dark.primaryColor"] == "#4677ad"
    assert chosen["server.allowedHosts"] == ["127.0.0.1", "192.0.2.7", "::1", "books.example", "localhost"]


def test_the_command_starts_it_on_the_stories_that_it_is_given(tmp_path, monkeypatch):
    started = {}
    monkeypatch.setattr(starting, "start", lambda **given: started.update(given))
    monkeypatch.setenv("FABULA_HOME", "elsewhere")
    told = CliRunner().invoke(
        cli,
        ["app", "--home", str(tmp_path / "mine"), "--port", "8601", "--headless", "--host-name", "a.example"],
    )
    assert told.exit_code == 0, told.output
    assert "http://127.0.0.1:8601" in told.output
    assert started == {"address": "127.0.0.1", "port": 8601, "headless": True, "host_names": ("a.example",)}
    assert os.environ["FABULA_HOME"] == str(tmp_path / "mine")


def test_a_long_comparison_keeps_no_other_session_from_reading(frame):
    seen = []

    def other():
        seen.append(frame.cached("names", lambda project: len(project.view(3).log.mentions)))
        with frame.project() as project:
            seen.append(len(project.search("the letter", as_of=3).passages))

    with frame.at_work():
        session = threading.Thread(target=other)
        session.start()
        session.join(60)
        assert len(seen) == 2 and all(seen)


def test_models_work_for_one_session_at_a_time(frame):
    inside, order = threading.Event(), []

    def other():
        inside.set()
        with frame.at_work():
            order.append("second")

    with frame.at_work():
        session = threading.Thread(target=other)
        session.start()
        inside.wait(60)
        session.join(0.2)
        order.append("first")
    session.join(60)
    assert order == ["first", "second"]


def test_views_are_kept_by_story_horizon_and_question(frame):
    later = replace(frame, as_of=4)
    assert [frame.cached("v", lambda _, made=made: made, 1) for made in "ab"] == ["a", "a"]
    assert frame.cached("v", lambda _: "c", 2) == "c"
    assert later.cached("v", lambda _: "d", 1) == "d"


def test_views_go_least_recently_used_first():
    views = ViewCache(2)
    for key in "abac":
        views.get(key, lambda key=key: key)
    assert [views.get(key, lambda: "new") for key in "ab"] == ["a", "new"]
    assert len(views) == 2
    views.drop()
    assert len(views) == 0
