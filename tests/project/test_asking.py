import json
from dataclasses import replace

import pytest
from tests.llm.chat_server import ChatServer, Hang, Status, answer, generator_at
from tests.llm.test_faults import Page, Reset
from tests.scripted import ScriptedGenerator
from tests.stories.answering import answering, over_http, prompts_of
from tests.tables import values

from fabula.core.answering import answer_reader
from fabula.core.embeddings import EmbeddingManager
from fabula.core.encoders import adapters
from fabula.engine import Project
from fabula.views.text.so_far import NEAREST, answered_text

QUESTION = "Who hated Barnaby Pellow?"
KEY = "sk-never-shown-1234567890"


def _quotes_stand(found, document):
    assert found.citations
    for citation in found.citations:
        assert citation.span.of(document.text) == citation.quote
        chapter = document.chapter(citation.chapter)
        assert chapter.body.contains(citation.span)


def test_the_story_answers_by_its_sentences_and_its_graph(opened):
    found = opened.ask("Who hated Barnaby Pellow?", as_of=3, model=False)
    assert found.extractive
    assert "Ambrose Keating hated Barnaby Pellow." in found.text
    _quotes_stand(found, opened.document)


def test_notes_of_the_graph_are_sources_too(opened):
    opened.__dict__["generator"] = generator = answering("Ambrose Keating hates Barnaby Pellow.")
    found = opened.ask("How does Ambrose Keating stand to Barnaby Pellow?", as_of=3, model=True)
    assert any(source.kind == "note" for source in found.sources)
    assert found.supported == 1
    _quotes_stand(found, opened.document)
    assert all(source.chapter <= 3 for source in found.sources)
    assert generator.prompts[0].version.startswith("answer/")


@pytest.mark.parametrize(
    "question",
    ["Explain Harriet's motivations across the plot.", "Compare Harriet and Len.", "Why did Barnaby die?"],
)
def test_a_wide_question_is_answered_from_all_that_is_told_so_far(opened, question):
    opened.__dict__["generator"] = generator = answering("She wants it [1].", context_tokens=32_000)
    found = opened.ask(question, as_of=5, model=True)
    assert {source.chapter for source in found.sources if source.kind == "passage"} == {1, 2, 3, 4, 5}
    later = opened.document.text[opened.document.chapter(6).body.start :]
    told = opened.document.text[: len(opened.document.text) - len(later)]
    for prompt in generator.prompts:
        assert "At most 8 sentences" in prompt.user or "Give a verdict" in prompt.user
        assert not [p for p in later.split("\n\n") if p not in told and " ".join(p.split()) in prompt.user]
    texts = [source.text for source in found.sources if source.kind == "note"]
    assert "Why" in question or any("Harriet Pellow" in text for text in texts)
    assert len(texts) == len(set(texts))


def test_answers_are_kept_until_a_rating_changes_the_search(opened):
    replies = ["Ambrose Keating hated Barnaby Pellow."] * 3
    opened.__dict__["generator"] = generator = answering(*replies)
    opened.ask("Who hated Barnaby Pellow?", as_of=3, model=True)
    assert opened.ask("Who hated Barnaby Pellow", as_of=3, model=True).cached
    assert not opened.ask("Who hated Barnaby Pellow?", as_of=2, model=True).cached
    assert len(prompts_of(generator)) == 2
    opened.drop_results()
    assert not opened.ask("Who hated Barnaby Pellow", as_of=3, model=True).cached


def test_a_wish_to_write_becomes_a_scene(opened):
    opened.__dict__["generator"] = ScriptedGenerator(["Harriet waited."] * 3)
    found = opened.ask("Write the next scene: Harriet waits for Len.", as_of=4, model=True)
    assert (found.route, found.text, found.grounded) == ("narrative", "Harriet waited.", None)
    assert all(passage.chunk.chapter <= 4 for passage in found.passages)


def test_the_command_answers_with_places(demo_project, run_cli):
    asked = ("ask", demo_project, QUESTION, "--as-of", 3, "--no-model")
    assert "“Ambrose Keating hated Barnaby Pellow.” (ch. 1)" in run_cli(*asked).out
    data = json.loads(run_cli(*asked, "--json").out)
    assert data["citations"][0]["quote"] == "Ambrose Keating hated Barnaby Pellow."
    assert run_cli("ask", demo_project, " ", "--no-model").code == 2


def test_lines_of_stdin_are_a_conversation(demo_project, run_cli, monkeypatch):
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("Who hated Barnaby Pellow?\n\nAnd why did he?\n"))
    told = run_cli("ask", demo_project, "--as-of", 3, "--no-model")
    assert told.out.count("Ambrose Keating hated Barnaby Pellow.") == 2


class Never:
    """No model: whoever asks for one is wrong."""

    def __getattr__(self, name):
        pytest.fail(f"the language model was asked for {name}")


def test_the_packaged_model_is_not_asked_unless_it_is_wanted(opened):
    opened.__dict__["generator"] = Never()
    found = opened.ask("Who hated Barnaby Pellow?", as_of=3)
    assert found.extractive and (found.supported, found.grounded) == (None, None)
    wish = opened.ask("Write the next scene: Harriet waits for Len.", as_of=4)
    assert not wish.told and not wish.citations and wish.confidence is None
    assert "which a language model does" in wish.text and "fabula compare" in wish.text
    opened.__dict__["generator"] = answering("Ambrose Keating hated Barnaby Pellow.")
    assert opened.ask("Who hated Barnaby Pellow?", as_of=3, model=True).model == "scripted"


@pytest.mark.parametrize(
    ("assignments", "asked"),
    values(__file__, "who_answers_hangs_on_the_settings.tsv"),
)
def test_who_answers_hangs_on_the_settings(demo_project, assignments, asked):
    with Project.open(demo_project, assignments=assignments) as project:
        project.__dict__["generator"] = answering("Ambrose Keating hated Barnaby Pellow.")
        found = project.ask("Who hated Barnaby Pellow?", as_of=3)
    assert found.extractive is not asked


def test_the_command_asks_the_model_when_told_to(demo_project, run_cli, monkeypatch):
    script = ["The capital of Peru is Lima. Ambrose Keating hated Barnaby Pellow [1]."]
    monkeypatch.setattr("fabula.llm.factory.make_generator", lambda _: answering(*script))
    asked = ("ask", demo_project, "Who hated Barnaby Pellow?", "--as-of", 3)
    alone = json.loads(run_cli(*asked, "--json").out)
    assert alone["extractive"] and (alone["supported"], alone["grounded"]) == (None, None)
    told = run_cli(*asked, "--model")
    assert told.out.startswith("Ambrose Keating hated Barnaby Pellow. [1]")
    assert "Lima" not in told.out and "one sentence was left out" in told.out
    assert "Lima" not in run_cli(*asked, "--model", "--json").out


def test_a_conversation_is_kept_and_says_whom_a_pronoun_means(demo_copy, run_cli):
    project, asking = demo_copy.project, ("--no-model", "--as-of", 3, "--conversation", "c1")
    first = run_cli("ask", project, "Who hated Barnaby Pellow?", *asking)
    assert "Ambrose Keating hated Barnaby Pellow." in first.out
    run_cli("ask", project, "And where is he?", *asking)
    assert run_cli("ask", project, "--conversations").out.startswith("c1  2 questions, first: Who hated")
    shown = run_cli("ask", project, "--show", "c1", "--as-of", 3).out
    assert "And where is he? (as of chapter 3)" in shown
    assert "is kept" in run_cli("ask", project, "--show", "c1", "--as-of", 2).out
    assert run_cli("ask", project, "--delete", "c1").out.startswith("deleted c1: 2 questions")
    assert "no conversations yet" in run_cli("ask", project, "--conversations").out
    assert run_cli("ask", project, "Who?", "--no-model", "--conversation", "a b").code == 2


def test_a_question_that_is_not_answered_shows_the_closest_passage(demo_project, run_cli):
    told = run_cli("ask", demo_project, "Who is the king of Peru?", "--no-model", "--as-of", 3).out
    assert "The story so far does not say." in told and "closest, in ch. " in told


def _asked(folder, script, monkeypatch, *, embedder=None, questions=True, **settings):
    """The answer, and what came in pieces."""
    monkeypatch.setenv("A_API_KEY", KEY)
    pieces = []
    with ChatServer(script) as server, Project.open(folder) as project:
        settings = {"timeout_s": 0.3, "max_retries": 1, "context_tokens": 4096, **settings}
        url = settings.pop("url", server.url)
        project.__dict__["generator"] = generator_at(url, api_key_env="A_API_KEY", **settings)
        if embedder is not None:
            project.__dict__["embedder"] = embedder
        if not questions:  # have no encoder of their own
            project.__dict__["question_searcher"] = project.searcher
        found = project.ask(QUESTION, as_of=3, model=True, on_text=pieces.append)
    return found, "".join(pieces)


FAULTS = {
    "wrong key": ([Status(401, message=f"Incorrect API key provided: {KEY}")], "401"),
    "no such model": ([Status(404, message="no model m")], "no model m"),
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


DOWN = {"embedder": EmbeddingManager(withheld="nobody confirmed this model"), "questions": False}


def test_without_vectors_the_model_answers_from_a_search_by_words(demo_project, monkeypatch):
    said = "Ambrose Keating hated Barnaby Pellow."
    found, streamed = _asked(demo_project, over_http(said), monkeypatch, **DOWN)
    assert found.text == streamed and found.text.startswith(said) and found.supported == 1
    (notice,) = found.notices
    assert "searched by words alone" in notice and "nobody confirmed this model" in notice


def test_an_encoder_of_questions_that_is_gone_leaves_a_search_by_words(demo_project, monkeypatch, tmp_path):
    monkeypatch.setattr(adapters, "QUESTION_WEIGHTS", tmp_path / "gone.npz")
    found, _ = _asked(demo_project, over_http("Ambrose Keating hated Barnaby Pellow."), monkeypatch)
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


def test_words_that_are_likely_the_answer_stand_above_their_quotes(demo_project):
    with Project.open(demo_project) as project:
        asked = project.ask("Who died on the Long Trestle?", model=False)
    sure = replace(asked, short="Barnaby Pellow", confidence=0.8)
    unsure = replace(asked, short="", confidence=0.4)
    told, nearest = answered_text(sure).splitlines(), answered_text(unsure).splitlines()
    assert (told[0], nearest[0]) == ("Barnaby Pellow", NEAREST)
    assert told[1:-1] == nearest[1:-1]
    assert told[1].startswith("    “")
    assert told[-1] == "80% sure of this answer"
    assert nearest[-1] == "40% sure that one of these quotes answers"
    refused = replace(asked, short="", told=False, extractive=False, citations=(), confidence=0.2)
    assert "20% sure that the story answers this" in answered_text(refused).splitlines()
