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
    return connected(endpoint.url)


def connected(url):
    settings = ("provider=openai", "model=m", f"base_url={url}")
    return [word for one in settings for word in ("--set", f"generator.{one}")]


def made(folder, items):
    index_packs([Path(__file__).with_name(items)], folder, embedder=EmbeddingManager())
    return folder


def test_the_command_has_the_model_answer_and_checks_it(tmp_path, done, settings, endpoint):
    pack = made(tmp_path / "book", "textbook.json")
    asked = ["packs", "ask", pack, "When was ROS 2 released?", *settings, "--json"]
    found = done(*asked)
    facts = json.loads(found)
    assert facts["answer"] == "ROS 2 was released in 2017. [1]"
    assert facts["told"] and facts["model"].startswith("m@") and facts["supported"] == 0.5
    assert [one["label"] for one in facts["citations"]] == ["ros What it is"]
    assert "one sentence was left out" in facts["notices"][0]
    assert done(*asked) == found
    quoted = done(*asked, "--no-model")
    assert json.loads(quoted)["model"] == "" and "2017" in quoted
    assert len(endpoint.requests) == 2


def test_a_conversation_goes_into_the_next_question(tmp_path, done, refusal, settings, endpoint, monkeypatch):
    pack = made(tmp_path / "book", "textbook.json")
    asked = ["What is ROS 2?", "When was it released?"]
    for question in asked:
        done("packs", "ask", pack, question, "--conversation", "a", *settings)
    assert "What is ROS 2?" in told(endpoint.requests[-3])
    assert [question for question, _ in conversation(pack, "a", as_of=None)] == asked
    assert conversation(pack, "a", as_of=1) == conversation(pack, "b", as_of=None) == []
    monkeypatch.setattr(sys, "stdin", io.StringIO("What is a node?\n\nWhat is ROS 2 for?\n"))
    done("packs", "ask", pack, *settings)
    refusal("packs", "ask", pack, "x", "--conversation", "a b", *settings)


def test_suggestions_are_made_of_the_whole_conversation(tmp_path, done, refusal, settings, endpoint):
    pack = made(tmp_path / "tips", "tips.json")
    wishes = "-n 2 --style warm --in German --tag phase=opening".split()
    for _ in range(2):
        said = done("packs", "suggest", pack, "What now?", *wishes, "--twist", "a joke", *settings)
    assert said.splitlines() == ["1. Ask what she sees.", "2. **Ask the dog's name.**", "by open_1"]
    [request] = endpoint.requests
    assert "Suggest 2 things" in told(request)
    assert "The style: warm. If there is a twist, it is a joke. Write it in German." in told(request)
    assert "its name" not in told(request)
    assert "too small" in refusal("packs", "suggest", pack, "What now?")


def test_what_was_said_before_decides_which_items_are_shown(tmp_path, endpoint):
    pack = Pack(made(tmp_path / "tips", "tips.json"), embedder=EmbeddingManager())
    model = ScriptedGenerator([LIST, "only one"])
    history = [("I met somebody with a big dog in the park.", "Nice!")]
    found = suggest(pack, "And now?", model, history=history)
    assert found.sources[0].entry.key == "dog_1" and len(found.items) == 3
    for text in "- Ask.\n- Wait.", "1. Ask.\n2. Wait.", "Two ideas:\n\n* Ask.\n* Wait.", "1) Ask.\n2) Wait.":
        listed = suggest(pack, "x", ScriptedGenerator([text]), count=2)
        assert listed.items == ("Ask.", "Wait.") and not listed.notices
    few = suggest(pack, "x", model, count=2)
    assert few.items == ("only one",) and few.notices == ("the model gave 1 of 2",)


def test_a_model_that_is_away_leaves_the_quotes(tmp_path, done, monkeypatch):
    monkeypatch.setattr("fabula.llm.endpoint.EndpointClient.retries", 0)
    pack = made(tmp_path / "book", "textbook.json")
    said = done("packs", "ask", pack, "When was ROS 2 released?", *connected("http://127.0.0.1:9/v1"))
    assert "2017" in said and "language model failed" in said


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
