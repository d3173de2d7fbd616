import pytest
from tests.llm.chat_server import ChatServer, answer
from tests.ui.conftest import EVIL

from fabula.engine import Project
from fabula.library.library import DEMO
from fabula.ui.state.live import jobs
from fabula.views.quotes import QuoteShown
from fabula.views.text.so_far import (
    LedgerShown,
    RecapLineShown,
    RecapShown,
    ThreadShown,
    TurnShown,
    so_far_markdown,
)


@pytest.fixture
def own_model(tmp_path, monkeypatch):
    """Settings of a user who has connected a model."""
    (tmp_path / "own/fabula").mkdir(parents=True)
    (tmp_path / "own/fabula/fabula.toml").write_text('[generator]\nprovider = "openai"\nmodel = "m"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))


def test_each_chapter_has_a_line_that_opens_at_its_place_and_none_is_later(with_demo, open_page):
    page = open_page("so_far", story=DEMO, chapter=4)
    assert page.words.count("<section><h3") == 4 and "Chapter 5" not in page.words
    assert 'href="read?story=the-bloom-line&amp;chapter=4&amp;read=1&amp;at=' in page.words
    assert "No language model is connected." in page.words
    [saved] = page.test.get("download_button")
    assert saved.label == "Save as Markdown"


def test_a_model_tells_it_where_it_is_asked_to(with_demo, open_page, own_model, says):
    says(f"Barnaby died on the Long Trestle [1]. {EVIL}")
    page = open_page("so_far", story=DEMO, chapter=9)
    page.press("Let the model tell it")
    assert "<script" not in page.words
    assert "m" in jobs().get(next(iter(jobs()._jobs))).result().model or page.alerts == []


def test_markdown_has_every_line_and_what_is_open():
    quote = QuoteShown(1, 0, 4, "Rain")
    lines = (RecapLineShown(1, "Rain", (quote,)), RecapLineShown(2, "Ann left.", (quote,)))
    turns = (TurnShown("planted", quote),)
    threads = (ThreadShown("promise", "Ann will return", "open", turns),)
    ledger = LedgerShown(2, (*threads, ThreadShown("plan", "to flee", "resolved", turns)))
    told = RecapShown(2, "medium", lines, "m", ())
    text = so_far_markdown(told, ledger, title="T", titles={1: "Chapter 1", 2: "Chapter 2: On"})
    for said in (
        "# T: ",
        "## Chapter 1\n\n“Rain”",
        "## Chapter 2: On\n\nAnn left.",
        "- Ann will return (open",
    ):
        assert said in text
    assert "to flee" not in text and text.endswith("Written by m.\n")


def test_a_model_reads_a_story_once_its_price_was_said(with_demo, open_page, monkeypatch, tmp_path):
    with ChatServer(lambda _: answer("{}")) as server:
        (tmp_path / "own/fabula").mkdir(parents=True)
        (tmp_path / "own/fabula/fabula.toml").write_text(
            f'[generator]\nprovider = "openai"\nmodel = "m"\nbase_url = "{server.url}"\n'
        )
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
        monkeypatch.setenv("OPENAI_API_KEY", "x")
        page = open_page("model", story=DEMO, chapter=9)
        assert "m has read 0 of 13 chapters" in page.words
        page.press("What would it cost?")
        assert "requests, some" in page.words and not server.requests
        page.press("Read this story with the model")
        assert "m has read all 13 chapters" in page.words and len(server.requests) > 12
        assert "What it said that was not kept" in [one.label for one in page.test.expander]
    with Project.open(with_demo / DEMO) as project:
        assert len(project.document.chapters) == 13
