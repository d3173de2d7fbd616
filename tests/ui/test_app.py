"""The page as its user meets it, run without a browser."""

import shutil
import tomllib
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from fabula.demo import gold
from fabula.errors import ModelMissing
from fabula.llm.scripted import ScriptedGenerator
from fabula.ui import app
from fabula.ui.library import DEMO

ROOT = Path(__file__).parents[2]
TIMEOUT = 120  # seconds; loading the models takes most of it
EVIL = "<script>bad()</script> ![x](http://evil.invalid/x.png)"
DRAFTS = (
    f"Ambrose Keating loved Barnaby Pellow. {EVIL}",
    "The lamp burned low on the footplate.",
    "Harriet trusted Len. He told her of the day, hour by hour.",
)


@pytest.fixture
def home(tmp_path, monkeypatch):
    place = tmp_path / "home"
    monkeypatch.setenv("FABULA_HOME", str(place))
    yield place
    app._shelf(str(place)).close()
    st.cache_resource.clear()


@pytest.fixture
def with_demo(home, demo_project):
    shutil.copytree(demo_project, home / DEMO)
    return home


@pytest.fixture
def scripted(monkeypatch):
    def make(settings):
        return ScriptedGenerator([*DRAFTS, DRAFTS[2]])

    monkeypatch.setattr("fabula.llm.factory.make_generator", make)


def open_page():
    return AppTest.from_file(str(ROOT / "app_streamlit.py"), default_timeout=TIMEOUT).run()


def shown(page):
    assert not page.exception
    return "\n".join(element.value for element in page.get("html"))


def press(page, label):
    [button] = [one for one in page.button if one.label == label]
    return button.click().run()


def ask(page, prompt=None, chapter=None):
    if prompt is not None:
        page.text_area[0].set_value(prompt)
    if chapter is not None:
        page.slider[0].set_value(chapter)
    return press(page, "Write and compare")


def test_an_empty_library_says_what_can_be_done(home):
    page = open_page()
    assert 'class="f-steps"' in shown(page)
    assert [button.label for button in page.button] == ["Index the demo story"]
    assert len(page.file_uploader) == 1
    assert not page.text_area and not page.selectbox and not page.slider
    assert not home.exists()


def test_the_demo_story_is_indexed_by_its_button(home):
    page = press(open_page(), "Index the demo story")
    words = shown(page)
    assert "The Bloom Line is ready: 13 chapters, 11,402 words." in words
    assert page.selectbox[0].value == DEMO
    assert page.text_area[0].value == gold().default_prompt.prompt
    assert "Index the demo story" not in [button.label for button in page.button]
    assert "is ready" not in shown(page.run())


def test_a_comparison_shows_drafts_numbers_contexts_and_findings(with_demo, scripted):
    page = ask(open_page())
    words = shown(page)
    assert words.count('class="f-head"') == words.count('class="f-strip"') == len(DRAFTS)
    assert DRAFTS[1] in words and DRAFTS[2] in words
    assert words.count('class="f-context"') == len(DRAFTS)
    assert [one.label for one in page.expander].count("What it was given") == len(DRAFTS)
    assert "chapter 9; nothing told later was read" in words
    assert 'class="f-table"' in words
    assert "Ambrose Keating hated Barnaby Pellow." in words  # the story's side
    assert 'class="f-alert"' not in words
    assert [one.label for one in page.get("download_button")] == ["Report as HTML", "Report as JSON"]


def test_no_untrusted_text_goes_by_way_of_markdown(with_demo, scripted):
    page = ask(open_page())
    words = shown(page)
    assert "&lt;script&gt;bad()&lt;/script&gt; ![x](http://evil.invalid/x.png)" in words
    assert "<script" not in words
    spoken = [
        one.value
        for kind in ("markdown", "caption", "error", "warning", "info", "success")
        for one in page.get(kind)
    ]
    assert not any(EVIL in one or "Harriet" in one or "Pellow" in one for one in spoken)


def test_results_stay_with_their_story_and_their_question(with_demo, scripted):
    page = ask(open_page(), chapter=4)
    assert "chapter 4; nothing told later was read" in shown(page)
    page.slider[0].set_value(7)
    assert "chapter 4; nothing told later was read" in shown(page.run())
    page.file_uploader[0].upload("Other.md", b"# Other\n\nAnna ran the ferry.\n", "text/markdown").run()
    page = press(page, "Index this text")
    words = shown(page)
    assert page.selectbox[0].value == "other"
    assert "Other is ready: 1 chapter, 4 words." in words
    assert 'class="f-table"' not in words
    assert not page.slider  # one chapter, nothing to choose
    assert page.text_area[0].value == ""
    page.selectbox[0].select(DEMO).run()
    assert "chapter 4; nothing told later was read" in shown(page)


def test_the_slider_spans_the_chapters(with_demo):
    [slider] = open_page().slider
    assert (slider.min, slider.max, slider.value) == (1, 13, gold().default_prompt.chapter)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.txt", b"", "empty.txt is empty: choose a file that holds a story"),
        ("image.txt", bytes(range(256)), "image.txt is not text in UTF-8"),
        (f"{EVIL.replace('/', '')}.md", b"\0", "&lt;script&gt;"),
    ],
)
def test_what_is_no_story_is_one_clear_line(with_demo, name, content, words):
    page = open_page()
    page.file_uploader[0].upload(name, content, "text/plain").run()
    page = press(page, "Index this text")
    [alert] = [one.value for one in page.get("html") if 'class="f-alert"' in one.value]
    assert words in alert and "<script" not in alert
    assert page.text_area  # the rest of the page stands
    assert [path.name for path in with_demo.iterdir()] == [DEMO]


def test_a_title_is_no_markup(home):
    page = open_page()
    page.file_uploader[0].upload("<script>bad() ![x](y) **B**.md", b"Anna ran.\n", "text/markdown").run()
    page = press(page, "Index this text")
    words = shown(page)
    assert "<h2>&lt;script&gt;bad() ![x](y) **B**</h2>" in words
    assert "&lt;script&gt;bad() ![x](y) **B** is ready: 1 chapter, 2 words." in words
    assert "<script" not in words
    assert not page.markdown and not page.success


def test_a_blank_prompt_is_said_and_the_page_stands(with_demo, scripted):
    page = ask(open_page(), prompt="  ")
    assert "Say in a sentence or two what should happen next" in shown(page)
    assert page.text_area


def test_a_missing_model_is_said(with_demo, monkeypatch):
    def missing(settings):
        raise ModelMissing("the default model is not installed: pip install it")

    monkeypatch.setattr("fabula.llm.factory.make_generator", missing)
    assert "the default model is not installed: pip install it" in shown(ask(open_page()))


def test_a_bug_shows_no_trace(with_demo, monkeypatch, caplog):
    def broken(settings):
        raise KeyError("secret")

    monkeypatch.setattr("fabula.llm.factory.make_generator", broken)
    words = shown(ask(open_page()))
    assert "Something failed that should not" in words
    assert "secret" not in words
    assert "the page failed" in caplog.text


def test_a_damaged_setting_is_said(with_demo):
    (with_demo / "fabula.toml").write_text("[memory]\nbudget_gbs = 3\n")
    assert "did you mean budget_gb?" in shown(open_page())
    (with_demo / "fabula.toml").unlink()


def test_the_gauge_shows_the_guards_budget(with_demo):
    (with_demo / "fabula.toml").write_text("[memory]\nbudget_gb = 1000\n")
    [gauge] = open_page().get("progress")
    assert "of 1000.0 GB, peak" in gauge.proto.text


def test_a_story_that_vanished_is_not_missed(with_demo):
    page = open_page()
    shutil.rmtree(with_demo / DEMO)
    assert 'class="f-steps"' in shown(page.run())


def test_nothing_leaves_the_machine_by_default():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["address"] == "127.0.0.1"
    assert "http" not in str(settings["theme"])  # no font from elsewhere


@pytest.mark.slow
@pytest.mark.local_model
def test_the_small_model_writes_and_is_called_what_it_is(with_demo):
    page = ask(open_page())
    words = shown(page)
    assert 'class="f-alert"' not in words
    assert words.count('class="f-strip"') == len(DRAFTS)
    assert "Drafts written by a 135M model: proves the path, judges nothing." in words
