import json
import os
import sqlite3
import stat
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.llm.chat_server import ChatServer, Status, answer
from tests.llm.embedding.embedding_server import KEY, EmbeddingServer
from tests.scripted import ScriptedGenerator
from tests.tables import values

from fabula.config import load_config
from fabula.core.store.sqlite import ProjectStore
from fabula.core.store.usage import UsageRow
from fabula.core.types import Call, Prompt
from fabula.demo import save_story
from fabula.engine import Project
from fabula.errors import ConfigError, ProjectError
from fabula.project.connecting import save_settings
from fabula.project.factories import keep_answers, make_generator
from fabula.project.spending import recorder, usage_report
from fabula.project.trust import trust_index
from fabula.ui.pages.model import usage_table, usage_words
from fabula.views.text.kept import usage_text

QUESTION = "Who hated Barnaby Pellow?"
SECRET = "wJalr-not-a-real-secret"  # noqa: S105


@pytest.fixture(autouse=True)
def keys(own_home, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("STORY_API_KEY", SECRET)


@pytest.fixture
def listener():
    with ChatServer(lambda _: answer("Ambrose Keating hated Barnaby Pellow [1].")) as server:
        yield server


def hostile(folder, listener, *, key="STORY_API_KEY", more=""):
    file = folder / "fabula.toml"
    file.write_text(
        f'{more}\n[generator]\nprovider = "openai"\nmodel = "m"\nbase_url = "{listener.url}"\n'
        f'api_key_env = "{key}"\n\n[retrieval]\nk = 2\n'
    )
    return file


@pytest.mark.parametrize("key", ["STORY_API_KEY", "AWS_SECRET_ACCESS_KEY"])
def test_nothing_goes_to_where_a_project_says(folder, listener, run_cli, key):
    hostile(folder, listener, key=key)
    ran = run_cli("ask", folder, QUESTION, "--as-of", 3, "--model", "--set", "generator.model=/no/model.gguf")
    assert ran.code == 0, ran.err
    assert listener.requests == []
    assert "Ambrose Keating hated Barnaby Pellow." in ran.out
    [notice] = [line for line in ran.err.splitlines() if "fabula trust" in line]
    assert listener.url in notice and key in notice


def test_a_project_is_searched_without_what_it_asks_for(folder, listener, run_cli):
    hostile(folder, listener, more='codex = "/etc/passwd"')
    ran = run_cli("search", folder, "letter", "--mode", "lexical", "--json")
    assert ran.code == 0, ran.err
    assert len(json.loads(ran.out)["passages"]) == 2  # what does not reach out holds
    assert ran.err.count("\n") == 1


def test_what_was_confirmed_holds_until_it_changes(folder, listener, run_cli, done):
    file = hostile(folder, listener)
    assert listener.url in done("trust", folder)
    assert run_cli("ask", folder, QUESTION, "--as-of", 3, "--model").err == ""
    assert listener.headers[0]["Authorization"] == f"Bearer {SECRET}"
    confirmed = file.read_text()
    for other in (confirmed.replace("STORY_API_KEY", "OTHER_API_KEY"), confirmed.replace("api_key_env", "#")):
        file.write_text(other)
        assert "fabula trust" in run_cli("search", folder, "letter", "--mode", "lexical").err
    assert len(listener.requests) == 1


def test_a_confirmation_is_for_one_folder(folder, listener, run_cli, tmp_path):
    hostile(folder, listener)
    run_cli("trust", folder)
    folder.rename(tmp_path / "elsewhere")
    assert "fabula trust" in run_cli("search", tmp_path / "elsewhere", "letter", "--mode", "lexical").err


def test_only_keys_are_sent_even_when_confirmed(folder, listener, run_cli, refusal):
    hostile(folder, listener, key="AWS_SECRET_ACCESS_KEY")
    run_cli("trust", folder)
    said = refusal("ask", folder, QUESTION)
    assert "generator.api_key_env = 'AWS_SECRET_ACCESS_KEY': only" in said and "_API_KEY" in said
    assert listener.requests == []


def test_what_the_user_names_needs_no_word(folder, listener, run_cli, own_home):
    by_hand = ("generator.provider=openai", "generator.model=m", f"generator.base_url={listener.url}")
    asked = [word for one in by_hand for word in ("--set", one)]
    assert run_cli("ask", folder, QUESTION, "--as-of", 3, *asked, "--model").err == ""
    own_home.mkdir(parents=True)
    (own_home / "fabula.toml").write_text(
        f'[generator]\nprovider = "openai"\nmodel = "m"\nbase_url = "{listener.url}"\n'
    )
    assert run_cli("ask", folder, QUESTION, "--as-of", 3, "--model").err == ""
    assert len(listener.requests) == 2


def named_in_index(folder, **models):
    """As if the index said that it was made with these."""
    with sqlite3.connect(folder / "fabula.db") as db:
        [(raw,)] = db.execute("SELECT value FROM meta WHERE key = 'settings'").fetchall()
        told = json.loads(raw)
        for section, model in models.items():
            told[section]["model"] = model
        db.execute("UPDATE meta SET value = ? WHERE key = 'settings'", (json.dumps(told),))
    db.close()


@pytest.fixture
def code(tmp_path):
    """A folder that is a model to sentence-transformers, and whose code says that it ran."""
    folder = tmp_path / "model"
    folder.mkdir()
    ran = tmp_path / "it ran"
    modules = [{"idx": 0, "name": "0", "path": "", "type": "evil.Evil"}]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "evil.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Evil: pass\n")
    (folder / "config.json").write_text("{}")
    return folder, ran


def test_no_code_of_an_index_runs(folder, code, run_cli, done):
    model, ran = code
    named_in_index(folder, embedding=str(model), parsing=str(model))
    found = run_cli("search", folder, "letter")
    assert found.code == 0 and "chapter" in found.out
    assert "embedding.model" in found.err and "parsing.model" in found.err
    done("ask", folder, QUESTION, "--no-model")
    refused = run_cli("search", folder, "letter", "--mode", "semantic")
    assert refused.code == 2 and "fabula trust" in refused.err
    (folder.parent / "draft.txt").write_text("Wilf hated Len.")
    run_cli("check", folder, "--draft", folder.parent / "draft.txt")
    assert not ran.exists()


def test_indexing_by_hand_confirms_its_models(folder):
    named_in_index(folder, embedding="mine")
    trust_index(folder, load_config(assignments=["embedding.model=mine"]))
    with Project.open(folder) as opened:
        assert opened.notices == ()


def test_a_file_of_confirmations_that_cannot_be_read_is_said(folder, listener, refusal, own_home):
    hostile(folder, listener)
    own_home.mkdir(parents=True)
    for text in ("{", "[]"):
        (own_home / "trusted.json").write_text(text)
        assert "trusted.json" in refusal("search", folder, "letter", "--mode", "lexical")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "home" / "fabula.toml"


def written(file, text):
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def test_what_stands_there_stays_and_none_takes_a_setting_out(file):
    config = save_settings(file, {"retrieval": {"k": 8}, "generator": {"model": "m"}})
    assert file.read_text() == '[retrieval]\nk = 8\n\n[generator]\nmodel = "m"\n'
    assert (config.retrieval.k, config.generator.model) == (8, "m")
    assert load_config(file) == config
    before = "# mine\n[retrieval] # search\nk = {} # eight\ngraph = false\n{}\n[memory]\nbudget_gb = 2.0\n"
    save_settings(written(file, before.format(8, "")), {"retrieval": {"k": 9, "cache": True}})
    assert file.read_text() == before.format(9, "cache = true\n")
    save_settings(file, {"retrieval": {"k": None}})
    assert load_config(file).retrieval.k == 5
    assert not load_config(file).retrieval.graph
    save_settings(file, {"retrieval": {"graph": None, "cache": None}, "memory": {"budget_gb": None}})
    assert not any(tomllib.loads(file.read_text()).values())


@pytest.mark.parametrize(("change", "words"), values(__file__, "what_is_not_valid_changes_nothing.tsv"))
def test_what_is_not_valid_changes_nothing(file, change, words):
    before = "[memory]\nbudget_gb = 2.0\n"
    with pytest.raises(ConfigError, match=words.replace(".", r"\.")):
        save_settings(written(file, before), change)
    assert file.read_text() == before


def test_a_file_that_is_broken_is_left_alone_and_one_written_otherwise_is_not(file):
    with pytest.raises(ConfigError, match=r"fabula\.toml cannot be read"):
        save_settings(written(file, "[retrieval\n"), {"retrieval": {"k": 9}})
    assert file.read_text() == "[retrieval\n"
    save_settings(written(file, "retrieval.k = 8\n"), {"retrieval": {"k": 9}})
    assert file.read_text() == "retrieval.k = 9\n"


OWN = ['"""', "\\", "\x7f", "a\nb", "]\n[memory]\nbudget_gb = 1", "🙂"]


@given(st.sampled_from(OWN) | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30))
def test_any_text_comes_back_and_none_can_write_settings_of_its_own(tmp_path_factory, text):
    file = tmp_path_factory.mktemp("settings") / "fabula.toml"
    assert save_settings(file, {"generator": {"model": text}}).generator.model == text
    assert tomllib.loads(file.read_text()) == {"generator": {"model": text}}
    assert load_config(file).generator.model == text


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
        unnamed = keep_answers(make_generator(load_config(), store), tmp_path, load_config())
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
