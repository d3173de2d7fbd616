import io
import json
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.llm.chat_server import ChatServer, answer
from tests.scripted import ScriptedGenerator
from tests.stories.answering import over_http

from fabula.api.app import create_app
from fabula.api.settings import ServerSettings
from fabula.config import Config
from fabula.core.embeddings import EmbeddingManager
from fabula.packs.asking import conversation, suggest
from fabula.packs.pack import Pack, index_packs

LIST = "1. Ask what she sees.\n2. **Ask the dog's name.**\n3. Say hello."


def told(body):
    return body["messages"][-1]["content"]


@pytest.fixture
def endpoint():
    """Answers a question by the first source, a wish for suggestions with a list."""

    def script(body):
        if "numbered 1." in told(body):
            return answer(LIST)
        return over_http("ROS 2 was released in 2017 [1]. It is written in Pascal [1].")(body)

    with ChatServer(script) as server:
        yield server


@pytest.fixture
def settings(endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    return [
        word
        for one in ("provider=openai", "model=m", f"base_url={endpoint.url}")
        for word in ("--set", f"generator.{one}")
    ]


def made(folder, items):
    index_packs([Path(__file__).with_name(items)], folder, embedder=EmbeddingManager())
    return folder


def test_the_command_has_the_model_answer_and_checks_it(tmp_path, run_cli, settings, endpoint):
    pack = made(tmp_path / "book", "textbook.json")
    asked = ["packs", "ask", pack, "When was ROS 2 released?", *settings, "--json"]
    found = run_cli(*asked)
    facts = json.loads(found.out)
    assert facts["answer"] == "ROS 2 was released in 2017. [1]"
    assert facts["told"] and facts["model"].startswith("m@") and facts["supported"] == 0.5
    assert [one["label"] for one in facts["citations"]] == ["ros What it is"]
    assert "one sentence was left out" in facts["notices"][0]
    assert run_cli(*asked).out == found.out
    assert len(endpoint.requests) == 2
    quoted = run_cli(*asked, "--no-model").out
    assert json.loads(quoted)["model"] == "" and "2017" in quoted
    assert len(endpoint.requests) == 2


def test_a_conversation_is_kept_and_goes_into_the_next_question(
    tmp_path, run_cli, settings, endpoint, monkeypatch
):
    pack = made(tmp_path / "book", "textbook.json")
    for question in ("What is ROS 2?", "When was it released?"):
        assert run_cli("packs", "ask", pack, question, "--conversation", "a", *settings).code == 0
    assert "What is ROS 2?" in told(endpoint.requests[-3])
    assert [asked for asked, _ in conversation(pack, "a", as_of=None)] == [
        "What is ROS 2?",
        "When was it released?",
    ]
    assert conversation(pack, "a", as_of=1) == conversation(pack, "b", as_of=None) == []
    monkeypatch.setattr(sys, "stdin", io.StringIO("What is a node?\n\nWhat is ROS 2 for?\n"))
    lines = run_cli("packs", "ask", pack, *settings)
    assert lines.code == 0
    assert run_cli("packs", "ask", pack, "x", "--conversation", "a b", *settings).code == 2


def test_suggestions_are_made_of_the_whole_conversation(tmp_path, run_cli, settings, endpoint):
    pack = made(tmp_path / "tips", "tips.json")
    for _ in range(2):
        done = run_cli(
            *("packs", "suggest", pack, "What now?", "-n", "2", "--style", "warm", "--twist", "a joke"),
            *("--in", "German", "--tag", "phase=opening", *settings),
        )
    assert done.out.splitlines() == ["1. Ask what she sees.", "2. **Ask the dog's name.**", "by open_1"]
    [request] = endpoint.requests
    for words in (
        "Suggest 2 things",
        "The style: warm.",
        "If there is a twist, it is a joke.",
        "Write it in German.",
    ):
        assert words in told(request), words
    assert "its name" not in told(request)
    small = run_cli("packs", "suggest", pack, "What now?")
    assert small.code == 2 and "too small" in small.err


def test_what_was_said_before_decides_which_items_are_shown(tmp_path, endpoint):
    pack = Pack(made(tmp_path / "tips", "tips.json"), embedder=EmbeddingManager())
    model = ScriptedGenerator([LIST, LIST, "only one"])
    history = [("I met somebody with a big dog in the park.", "Nice!")]
    found = suggest(pack, "And now?", model, history=history)
    assert found.sources[0].entry.key == "dog_1" and len(found.items) == 3
    with_it = suggest(pack, "And now?", model, history=[*history, ("It is called Rex.", "")])
    assert len(with_it.items) == 3
    for text in "- Ask.\n- Wait.", "1. Ask.\n2. Wait.", "Two ideas:\n\n* Ask.\n* Wait.", "1) Ask.\n2) Wait.":
        listed = suggest(pack, "x", ScriptedGenerator([text]), count=2)
        assert listed.items == ("Ask.", "Wait.") and not listed.notices
    few = suggest(pack, "x", model, count=2)
    assert few.items == ("only one",) and few.notices == ("the model gave 1 of 2",)


def test_a_model_that_is_away_leaves_the_quotes(tmp_path, run_cli, monkeypatch):
    monkeypatch.setattr("fabula.llm.endpoint.MOST_RETRIES", 0)
    pack = made(tmp_path / "book", "textbook.json")
    away = ["--set", "generator.provider=openai", "--set", "generator.model=m"]
    away += ["--set", "generator.base_url=http://127.0.0.1:9/v1"]
    done = run_cli("packs", "ask", pack, "When was ROS 2 released?", *away)
    assert done.code == 0, done.err
    assert "2017" in done.out and "language model failed" in done.out


def test_over_http_a_model_is_asked_where_it_is_wanted(tmp_path, endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    (tmp_path / ".packs").mkdir()
    made(tmp_path / ".packs" / "book", "textbook.json")
    made(tmp_path / ".packs" / "tips", "tips.json")
    app = create_app(ServerSettings(tmp_path))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        question = {"question": "When was ROS 2 released?"}
        quoted = client.post("/v1/packs/book/ask", json=question).json()
        assert quoted["model"] == "" and "2017" in quoted["text"]
        refused = client.post("/v1/packs/tips/suggest", json={"said": "What now?"})
        assert refused.status_code == 422 and "too small" in refused.json()["detail"]
        generator = {"provider": "openai", "model": "m", "base_url": endpoint.url}
        app.state.backend.packs._config = Config.model_validate({"generator": generator})
        assert client.post("/v1/packs/book/ask", json=question | {"model": False}).json()["told"]
        assert not endpoint.requests
        answers = [client.post("/v1/packs/book/ask", json=question) for _ in range(2)]
        assert answers[0].json() == answers[1].json() and len(endpoint.requests) == 2
        found = answers[0].json()
        assert found["text"] == "ROS 2 was released in 2017. [1]" and found["model"].startswith("m@")
        assert found["citations"][0]["chunk_id"].startswith("ros")
        before = [{"question": "What is ROS 2?", "answer": "A set of libraries."}]
        client.post("/v1/packs/book/ask", json={"question": "When was it released?", "history": before})
        assert any("A set of libraries." in told(one) for one in endpoint.requests[2:])
        asked = {"said": "What now?", "history": before, "count": 3, "style": "warm"}
        asked |= {"twist": "x", "spoken": "de"}
        made_of = [client.post("/v1/packs/tips/suggest", json=asked).json() for _ in range(2)]
        assert made_of[0] == made_of[1] and len(made_of[0]["items"]) == 3 and len(endpoint.requests) == 6
        assert made_of[0]["sources"][0]["entry"]["key"] == "open_1"
        assert client.post("/v1/packs/none/ask", json=question).status_code == 404
        assert client.post("/v1/packs/book/ask", json={"q": "x"}).status_code == 422
