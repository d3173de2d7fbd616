"""A question is answered, in the story's own words at worst, whatever is down: with the real clients."""

import pytest
from tests.llm.chat_server import ChatServer, Hang, Status, answer
from tests.llm.test_faults import Page, Reset

from fabula.core.answering import answer_reader
from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders import question_encoder
from fabula.engine import Project
from fabula.llm.openai_compatible import OpenAICompatibleGenerator

QUESTION = "Who hated Barnaby Pellow?"
KEY = "sk-never-shown-1234567890"


def _asked(folder, script, monkeypatch, *, embedder=None, assignments=(), **settings):
    """The answer, and what came in pieces."""
    monkeypatch.setenv("A_KEY", KEY)
    pieces = []
    with ChatServer(script) as server, Project.open(folder, assignments=assignments) as project:
        settings = {"timeout_s": 0.3, "max_retries": 1, "context_tokens": 4096, **settings}
        project.__dict__["generator"] = OpenAICompatibleGenerator(
            "m",
            base_url=settings.pop("url", server.url),
            api_key_env="A_KEY",
            sleep=lambda _: None,
            **settings,
        )
        if embedder is not None:
            project.__dict__["embedder"] = embedder
        found = project.ask(QUESTION, as_of=3, model=True, on_text=pieces.append)
    return found, "".join(pieces)


FAULTS = {
    "wrong key": ([Status(401, message=f"Incorrect API key provided: {KEY}")], "401"),
    "no such model": ([Status(404, message="no model m")], "404"),
    "too many": ([Status(429), Status(429)], "429"),
    "down": ([Status(503), Status(503)], "503"),
    "hangs up": ([Reset(), Reset()], ""),
    "says nothing": ([Hang(), Hang()], ""),
    "a page of html": ([Page("<html>hello</html>", "text/html")] * 2, ""),
    "empty": ([answer("")] * 2, ""),
}


@pytest.mark.parametrize(("script", "said"), FAULTS.values(), ids=FAULTS)
def test_a_model_that_fails_leaves_the_story_s_own_words(demo_project, monkeypatch, script, said):
    found, streamed = _asked(demo_project, list(script), monkeypatch)
    assert found.told and found.extractive and found.text == streamed
    assert "Ambrose Keating hated Barnaby Pellow." in found.text
    (notice,) = found.notices
    assert "since the language model failed" in notice and said in notice
    assert KEY not in repr(found)


def test_nobody_listens_at_the_address(demo_project, monkeypatch):
    found, _ = _asked(demo_project, [], monkeypatch, url="http://127.0.0.1:9/v1")
    assert found.extractive and "since the language model failed" in found.notices[0]


DOWN = {
    "embedder": EmbeddingManager(withheld="nobody confirmed this model"),
    "assignments": ["answering.encoder=search"],
}


def test_without_vectors_the_model_answers_from_a_search_by_words(demo_project, monkeypatch):
    said = "Ambrose Keating hated Barnaby Pellow."
    found, streamed = _asked(demo_project, [answer(said)], monkeypatch, **DOWN)
    assert found.text == streamed == said and found.supported == 1
    (notice,) = found.notices
    assert "searched by words alone" in notice and "nobody confirmed this model" in notice


def test_an_encoder_of_questions_that_is_gone_leaves_a_search_by_words(demo_project, monkeypatch, tmp_path):
    monkeypatch.setattr(question_encoder, "QUESTION_WEIGHTS", tmp_path / "gone.npz")
    found, _ = _asked(demo_project, [answer("Ambrose Keating hated Barnaby Pellow.")], monkeypatch)
    assert found.supported == 1
    (notice,) = found.notices
    assert "searched by words alone" in notice and "gone.npz cannot be read" in notice


def test_with_everything_down_the_story_still_answers(demo_project, monkeypatch, tmp_path):
    gone = answer_reader.AnswerReader(answer_reader.packaged_shape(), weights=tmp_path / "gone.npz")
    with monkeypatch.context() as patch:
        patch.setattr(Project, "answer_reader", gone)
        found, _ = _asked(demo_project, [Status(503), Status(503)], monkeypatch, **DOWN)
    assert found.told and "Ambrose Keating hated Barnaby Pellow." in found.text
    said = "\n".join(found.notices)
    assert len(found.notices) == 3
    for part in ("searched by words alone", "chosen by words alone", "the language model failed"):
        assert part in said
