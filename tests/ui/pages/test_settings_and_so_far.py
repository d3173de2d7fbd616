import os
from dataclasses import replace

import pytest
from tests.llm.chat_server import ChatServer, answer
from tests.ui.conftest import EVIL

from fabula.config import Config, load_config
from fabula.core.store.sqlite import ProjectStore
from fabula.core.types import Call
from fabula.engine import Project
from fabula.errors import UsageError
from fabula.library.library import DEMO
from fabula.llm.connecting.endpoints import EndpointKind
from fabula.ui.state.live import jobs
from fabula.ui.state.setting_fields import GROUPS, Field, changes, forget_key, has_key, keep_key
from fabula.views.quotes import QuoteShown
from fabula.views.text.so_far import (
    LedgerShown,
    RecapLineShown,
    RecapShown,
    ThreadShown,
    TurnShown,
    so_far_markdown,
)

KEY = "sk-no-one-may-see-this"


def test_fields_are_settings_and_only_what_differs_is_written():
    now = Config()
    for field in (field for group in GROUPS.values() for field in group.fields):
        assert isinstance(field.of(now), str | int | float | bool)
    assert Field("generator", "provider", "").choices[:2] == ("local", "openai")
    assert Field("generator", "model", "").choices == ()
    [fields] = [group.fields for group in GROUPS.values() if group.title == "Writing"]
    same = {field.name: field.of(now) for field in fields}
    seven = load_config(assignments=["comparison.seed=7"])
    for given, before, written in (
        (same, now, {}),
        ({**same, "comparison.seed": 7}, now, {"comparison": {"seed": 7}}),
        (same, seven, {"comparison": {"seed": None}}),
    ):
        assert changes(fields, given, now=before) == written


def test_a_setting_is_kept_and_holds_at_once(with_demo, open_page):
    page = open_page("settings")
    page.one("number_input", "Temperature").set_value(-1.0)
    page.test.button(key="FormSubmitter:settings-Writing-Save").click().run()
    [alert] = page.alerts
    assert "comparison.temperature = -1.0" in alert
    assert not (with_demo / "fabula.toml").exists()
    page.one("number_input", "Budget, GiB").set_value(500.0)
    page.test.button(key="FormSubmitter:settings-Memory-Save").click().run()
    assert "Memory: saved in home/fabula.toml." in page.words
    assert (with_demo / "fabula.toml").read_text() == "[memory]\nbudget_gb = 500.0\n"
    assert "of 500.0 GB" in page.test.get("progress")[0].proto.text


def test_a_model_is_found_used_tested_and_left(with_demo, open_page, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    (with_demo / "fabula.toml").write_text('[generator]\nmodel = "old"\n[memory]\nbudget_gb = 2.0\n')
    script = lambda _: answer("{}")  # noqa: E731
    with ChatServer(script, {"/v1/models": {"data": [{"id": "big"}]}}) as server:
        table = {"vllm": EndpointKind("vllm", "vLLM", server.url)}
        monkeypatch.setattr("fabula.llm.connecting.endpoints.endpoint_kinds", lambda: table)
        page = open_page("model")
        page.press("Look for models")
        page.press("Connect")
        assert "vllm/big is connected" in page.words and "Nobody has tested yet" in page.words
        assert "old" not in (with_demo / "fabula.toml").read_text()
        page.press("Test it")
        assert "fit for neither" in page.words
        page.press("Use none")
        assert "No model is connected" in page.words
        page.fill("Its address", server.url).press("Its models").press("Connect")
        assert "No model is connected" not in page.words
        assert load_config(tmp_path / "own/fabula/fabula.toml").generator.base_url == server.url
        page.fill("Its address", "nonsense").press("Its models")
        assert "not an http(s) address" in page.words


def test_health_and_what_was_spent_are_there(with_demo, open_page):
    words = open_page("settings").words
    for said in ("Everything is installed.", "spacy", "memory"):
        assert said in words
    assert "No model has been used" in open_page("model").words
    with ProjectStore.open(with_demo / DEMO) as store:
        store.usage().add(Call("m@host", 12_345, 7, 1.0), "language")
    words = open_page("model").words
    assert "m@host" in words and "12,345" in words and "no known price" in words


def test_a_key_is_kept_and_never_shown(with_demo, open_page, monkeypatch, caplog):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    page = open_page("model")
    page.one("selectbox", "Provider").set_value("OPENAI_API_KEY").run()
    assert "is not set" in page.words
    page.fill("Key of the endpoint", KEY).press("Use this key")
    assert os.environ["OPENAI_API_KEY"] == KEY
    assert KEY not in page.words and KEY not in caplog.text
    assert all(one.value != KEY for one in page.test.text_input)
    assert not any(KEY in file.read_text(errors="ignore") for file in with_demo.rglob("*.toml"))
    page.press("Forget the key")
    assert "OPENAI_API_KEY" not in os.environ and "is not set" in page.words


WRONG = ["PATH", "LD_PRELOAD", "my_key", "A_API_KEY\n", "", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"]


@pytest.mark.parametrize("name", [*WRONG, "X" * 99 + "_API_KEY"])
def test_only_a_key_can_be_set(name):
    before = dict(os.environ)
    for change in (lambda: keep_key(name, "value"), lambda: forget_key(name)):
        with pytest.raises(UsageError, match="not the name of a key"):
            change()
    assert dict(os.environ) == before


@pytest.mark.parametrize("value", ["", "  ", "two words", "schlüssel", "a\nb", "k" * 2000])
def test_what_is_no_key_is_refused_without_repeating_it(value):
    with pytest.raises(UsageError) as refused:
        keep_key("FABULA_TRIAL_API_KEY", value)
    assert "that does not look like a key" in str(refused.value)
    assert not has_key("FABULA_TRIAL_API_KEY")


def test_each_chapter_has_a_line_that_opens_at_its_place_and_none_is_later(with_demo, open_page):
    page = open_page("so_far", story=DEMO, chapter=4)
    assert page.words.count("<section><h3") == 4 and "Chapter 5" not in page.words
    assert 'href="read?story=the-bloom-line&amp;chapter=4&amp;read=1&amp;at=' in page.words
    assert "No language model is connected." in page.words
    [saved] = page.test.get("download_button")
    assert saved.label == "Save as Markdown"


def test_a_model_tells_it_where_it_is_asked_to(with_demo, open_page, own_model, says):
    own_model()
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
    end = TurnShown("resolved", replace(quote, chapter=2))
    settled = ThreadShown("plan", "to flee", "resolved", (*turns, end))
    assert (threads[0].status, settled.status) == ("Open, since chapter 1", "Settled in chapter 2")
    assert (
        "noted" in replace(told, model="").writer and "own" in replace(told, model="", lines=lines[:1]).writer
    )


def test_a_model_reads_a_story_once_its_price_was_said(with_demo, open_page, monkeypatch, own_model):
    with ChatServer(lambda _: answer("{}")) as server:
        own_model(f'base_url = "{server.url}"\n')
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
