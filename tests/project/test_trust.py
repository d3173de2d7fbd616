import json
import sqlite3

import pytest
from tests.llm.chat_server import ChatServer, answer

from fabula.engine import Project

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


@pytest.fixture
def project(demo_copy):
    return demo_copy.project


def hostile(project, listener, *, key="STORY_API_KEY", more=""):
    file = project / "fabula.toml"
    file.write_text(
        f'{more}\n[generator]\nprovider = "openai"\nmodel = "m"\nbase_url = "{listener.url}"\n'
        f'api_key_env = "{key}"\n\n[retrieval]\nk = 2\n'
    )
    return file


ASK = ("--model",)


@pytest.mark.parametrize("key", ["STORY_API_KEY", "AWS_SECRET_ACCESS_KEY"])
def test_nothing_goes_to_where_a_project_says(project, listener, run_cli, key):
    hostile(project, listener, key=key)
    ran = run_cli("ask", project, QUESTION, "--as-of", 3, *ASK, "--set", "generator.model=/no/model.gguf")
    assert ran.code == 0, ran.err
    assert listener.requests == []
    assert "Ambrose Keating hated Barnaby Pellow." in ran.out
    [notice] = [line for line in ran.err.splitlines() if "fabula trust" in line]
    assert listener.url in notice and key in notice


def test_a_project_is_searched_without_what_it_asks_for(project, listener, run_cli):
    hostile(project, listener, more='codex = "/etc/passwd"')
    ran = run_cli("search", project, "letter", "--mode", "lexical", "--json")
    assert ran.code == 0, ran.err
    assert len(json.loads(ran.out)["passages"]) == 2  # what does not reach out holds
    assert ran.err.count("\n") == 1


def test_what_was_confirmed_holds_until_it_changes(project, listener, run_cli):
    file = hostile(project, listener)
    told = run_cli("trust", project)
    assert told.code == 0 and listener.url in told.out
    assert run_cli("ask", project, QUESTION, "--as-of", 3, *ASK).err == ""
    assert listener.headers[0]["Authorization"] == f"Bearer {SECRET}"
    file.write_text(file.read_text().replace("STORY_API_KEY", "OTHER_API_KEY"))
    assert "fabula trust" in run_cli("search", project, "letter", "--mode", "lexical").err
    file.write_text(file.read_text().replace('api_key_env = "OTHER_API_KEY"\n', ""))
    assert "fabula trust" in run_cli("search", project, "letter", "--mode", "lexical").err
    assert len(listener.requests) == 1


def test_a_confirmation_is_for_one_folder(project, listener, run_cli, tmp_path):
    hostile(project, listener)
    run_cli("trust", project)
    project.rename(tmp_path / "elsewhere")
    assert "fabula trust" in run_cli("search", tmp_path / "elsewhere", "letter", "--mode", "lexical").err


def test_only_keys_are_sent_even_when_confirmed(project, listener, run_cli, refusal):
    hostile(project, listener, key="AWS_SECRET_ACCESS_KEY")
    run_cli("trust", project)
    said = refusal("ask", project, QUESTION)
    assert "generator.api_key_env = 'AWS_SECRET_ACCESS_KEY': only" in said and "_API_KEY" in said
    assert listener.requests == []


def test_what_the_user_names_needs_no_word(project, listener, run_cli, own_home):
    by_hand = ("generator.provider=openai", "generator.model=m", f"generator.base_url={listener.url}")
    asked = [word for one in by_hand for word in ("--set", one)]
    assert run_cli("ask", project, QUESTION, "--as-of", 3, *asked, *ASK).err == ""
    own_home.mkdir(parents=True)
    (own_home / "fabula.toml").write_text(
        f'[generator]\nprovider = "openai"\nmodel = "m"\nbase_url = "{listener.url}"\n'
    )
    assert run_cli("ask", project, QUESTION, "--as-of", 3, *ASK).err == ""
    assert len(listener.requests) == 2


def named_in_index(project, **models):
    """As if the index said that it was made with these."""
    with sqlite3.connect(project / "fabula.db") as db:
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
    (folder / "modules.json").write_text(
        json.dumps([{"idx": 0, "name": "0", "path": "", "type": "evil.Evil"}])
    )
    (folder / "evil.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Evil: pass\n")
    (folder / "config.json").write_text("{}")
    return folder, ran


def test_no_code_of_an_index_runs(project, code, run_cli):
    folder, ran = code
    named_in_index(project, embedding=str(folder), parsing=str(folder))
    found = run_cli("search", project, "letter")
    assert found.code == 0 and "chapter" in found.out
    assert "embedding.model" in found.err and "parsing.model" in found.err
    assert run_cli("ask", project, QUESTION, "--no-model").code == 0
    refused = run_cli("search", project, "letter", "--mode", "semantic")
    assert refused.code == 2 and "fabula trust" in refused.err
    (project.parent / "draft.txt").write_text("Wilf hated Len.")
    run_cli("check", project, "--draft", project.parent / "draft.txt")
    assert not ran.exists()


def test_a_draft_is_read_by_the_own_parser(project, run_cli):
    named_in_index(project, parsing="/no/such/parser")
    with Project.open(project) as opened:
        assert opened.config.parsing.model == "en_core_web_sm"
        assert "parsing.model" in opened.notices[0]


def test_indexing_by_hand_confirms_its_models(demo_copy):
    from fabula.config import load_config
    from fabula.project.trust import trust_index

    named_in_index(demo_copy.project, embedding="mine")
    trust_index(demo_copy.project, load_config(assignments=["embedding.model=mine"]))
    with Project.open(demo_copy.project) as opened:
        assert opened.notices == ()


def test_a_file_of_confirmations_that_cannot_be_read_is_said(project, listener, refusal, own_home):
    hostile(project, listener)
    own_home.mkdir(parents=True)
    for text in ("{", "[]"):
        (own_home / "trusted.json").write_text(text)
        assert "trusted.json" in refusal("search", project, "letter", "--mode", "lexical")
