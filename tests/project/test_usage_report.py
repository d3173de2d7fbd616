import json
import os
import stat

import pytest
from tests.llm.chat_server import ChatServer, Status, answer
from tests.llm.embedding.embedding_server import KEY, EmbeddingServer
from tests.scripted import ScriptedGenerator

from fabula.config import load_config
from fabula.core.store.sqlite import ProjectStore
from fabula.core.store.usage import UsageRow
from fabula.core.types import Call, Prompt
from fabula.demo import save_story
from fabula.errors import ProjectError
from fabula.project.factories import keep_answers, make_generator
from fabula.project.spending import recorder, usage_report
from fabula.ui.pages.model import usage_table, usage_words
from fabula.views.text.kept import usage_text

QUESTION = "Who hated Barnaby Pellow?"
SAID = "Ambrose Keating hated Barnaby Pellow [1]."


def row(day, model, kind="language", *, free=False, calls=1, estimated=0, tokens=(1_000_000, 1_000_000)):
    return UsageRow(day, model, kind, free, calls, estimated, *tokens, 1.0)


@pytest.fixture
def prices(tmp_path):
    file = tmp_path / "prices.toml"
    file.write_text('["m"]\nprompt = 0.5\ncompletion = 2.0\n["text-e"]\nprompt = 0.02\ncompletion = 0\n')
    return file


ROWS = (
    row("2026-01-01", "m@host/v1"),
    row("2026-01-01", "text-e@host/v1", "embedding", tokens=(500_000, 0)),
    row("2026-01-02", "m@host/v1", calls=3, estimated=1, tokens=(2_000_000, 0)),
    row("2026-01-02", "Smol.gguf@abc", free=True),
)


def test_dollars_are_tokens_times_prices(prices):
    report = usage_report(ROWS, prices)
    assert [line.dollars for line in report.lines] == [0.5 + 2.0, 0.01, 1.0, 0.0]
    assert report.dollars == pytest.approx(3.51)
    assert report.unpriced == ()
    assert [(one.model, one.calls, one.dollars) for one in report.models] == [
        ("text-e@host/v1", 1, 0.01),
        ("Smol.gguf@abc", 1, 0.0),
        ("m@host/v1", 4, 3.5),
    ]


def test_what_has_no_price_is_said_and_not_zero():
    report = usage_report(ROWS)
    assert report.unpriced == ("m@host/v1", "text-e@host/v1")
    assert [line.dollars for line in report.lines] == [None, None, None, 0.0]
    text = usage_text(report)
    assert "0.0000 dollars, without m@host/v1, text-e@host/v1: no price" in text
    assert [line.split()[-1] for line in text.splitlines()[1:5]] == ["?", "?", "?", "0.0000"]
    assert "~2,000,000" in text and "~1,000,000" not in text


def test_the_apps_table_shows_the_last_days_and_escapes_names(prices):
    html = usage_table(usage_report((row("2026-01-01", "<b>"), *ROWS), prices))
    assert html.index("2026-01-02") < html.index("2026-01-01")
    assert "&lt;b&gt;" in html and "<b>" not in html
    many = tuple(row(f"2026-01-{day:02}", "m") for day in range(1, 32)) + ROWS
    assert usage_table(usage_report(many, prices)).count("<tr>") == 31


def test_the_app_says_what_was_spent_in_a_sentence(prices):
    assert usage_words(usage_report(())) == "No model has been used for this story yet."
    assert usage_words(usage_report((row("2026-01-01", "m"),), prices)) == (
        "1 request for this story: 2.5000 dollars."
    )
    free = row("2026-01-01", "local", free=True, calls=2)
    assert usage_words(usage_report((free,), prices)) == "2 requests for this story, at no cost."
    both = usage_words(usage_report((row("2026-01-01", "x@host"), free), prices))
    assert both == "3 requests for this story; there is no known price for x."


@pytest.fixture
def chat():
    with ChatServer(lambda _: answer(SAID, usage=(2_000, 50))) as server:
        yield server


def asked(server):
    settings = ("provider=openai", "model=m", f'base_url="{server.url}"')
    return [word for one in settings for word in ("--set", f"generator.{one}")]


def test_an_answer_is_in_the_usage_of_the_command(folder, chat, prices, done):
    assert done("model", "usage", folder) == "no model was used through an endpoint, and none wrote\n"
    metered = ("--set", "generator.max_cost=5", "--set", f'generator.prices="{prices}"')
    for more in ((), metered):
        done("ask", folder, QUESTION, "--as-of", 3, "--model", *asked(chat), *more)
    told = json.loads(done("model", "usage", folder, "--prices", prices, "--json"))
    [line] = told["lines"]
    assert (line["calls"], line["prompt_tokens"], line["completion_tokens"]) == (2, 4_000, 100)
    assert line["dollars"] == told["dollars"] == pytest.approx((4_000 * 0.5 + 100 * 2.0) / 1e6)
    assert line["kind"] == "language" and line["model"].startswith("m@127.0.0.1") and not line["estimated"]
    shown = done("model", "usage", folder, "--prices", prices)
    assert "4,000" in shown and "0.0022 dollars" in shown


def test_a_call_that_failed_is_not_counted(folder, run_cli):
    with ChatServer(lambda _: Status(400)) as server:
        run_cli("ask", folder, QUESTION, "--as-of", 3, "--model", *asked(server))
        assert server.requests
    assert '"calls"' not in run_cli("model", "usage", folder, "--json").out


def test_kept_answers_are_counted_once(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("fabula.llm.factory.make_generator", lambda _: ScriptedGenerator(["So it was."] * 2))
    named = load_config(assignments=[f"generator.recording={tmp_path / 'named'}"])
    with ProjectStore.open(folder) as store:
        unnamed = keep_answers(make_generator(load_config(), store), tmp_path)
        for made in (unnamed, make_generator(named, store)):
            for _ in range(3):
                made.generate(Prompt("", "Tell.", "v"), max_tokens=8)
            made.close()
        assert [row.calls for row in store.usage().rows()] == [2]


def test_embeddings_of_an_endpoint_are_counted(index_like_demo, tmp_path, monkeypatch, done, prices):
    monkeypatch.setenv("TEST_API_KEY", KEY)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    with EmbeddingServer() as server:
        url = server.url("openai")
        told = ["embedding.provider=openai", "embedding.model=text-e", f'embedding.base_url="{url}"']
        config = load_config(assignments=[*told, "embedding.api_key_env=TEST_API_KEY"])
        index_like_demo(save_story(tmp_path), tmp_path / "p", config=config)
        words = sum(len(text.split()) for text in server.texts)  # what this server counts as tokens
        requests = len(server.requests)
        done("search", tmp_path / "p", "bees on the night train")
    [line] = json.loads(done("model", "usage", tmp_path / "p", "--prices", prices, "--json"))["lines"]
    assert line["kind"] == "embedding"
    assert (line["calls"], line["prompt_tokens"]) == (requests + 1, words + 5)
    assert line["dollars"] == pytest.approx((words + 5) * 0.02 / 1e6)


def test_an_answer_is_not_lost_where_nothing_can_be_kept(folder, monkeypatch, caplog):
    with ProjectStore.open(folder) as store:
        record = recorder(store, "language")

        def full(*_, **__):
            raise ProjectError("the disk is full")

        monkeypatch.setattr("fabula.core.store.usage.UsageStore.add", full)
        record(Call("m", 1, 1, 0.1))
    assert "a call of m is not in the project's usage (the disk is full)" in caplog.text


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_project_that_can_only_be_read(folder):
    for path in (folder / "fabula.db", folder):
        path.chmod(path.stat().st_mode & ~stat.S_IWUSR)
    with ProjectStore.open(folder) as store:
        recorder(store, "language")(Call("m", 1, 1, 0.1))
        assert store.usage().rows() == ()
