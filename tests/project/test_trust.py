import json
import sqlite3

import pytest
from tests.llm.chat_server import ChatServer, answer

from fabula.config import load_config
from fabula.engine import Project
from fabula.project.trust import trust_index

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


def test_a_draft_is_read_by_the_own_parser(folder, run_cli):
    named_in_index(folder, parsing="/no/such/parser")
    with Project.open(folder) as opened:
        assert opened.config.parsing.model == "en_core_web_sm"
        assert "parsing.model" in opened.notices[0]


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
