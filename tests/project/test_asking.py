import io
import json
import sys
from dataclasses import replace

import pytest
from tests.llm.chat_server import ChatServer, Hang, Page, Status, generator_at
from tests.scripted import ScriptedGenerator
from tests.stories.answering import answering, prompts_of
from tests.tables import file_text, values

from fabula.core.answering import answer_reader
from fabula.core.embeddings import EmbeddingManager
from fabula.engine import Project
from fabula.views.text.so_far import answered_text

QUESTION = "Who hated Barnaby Pellow?"
SAID = "Ambrose Keating hated Barnaby Pellow."
KEY = "sk-never-shown-1234567890"


def _quotes_stand(found, document):
    assert found.citations
    for citation in found.citations:
        assert citation.span.of(document.text) == citation.quote
        chapter = document.chapter(citation.chapter)
        assert chapter.body.contains(citation.span)


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
    opened.__dict__["generator"] = generator = answering(*[SAID] * 3)
    opened.ask(QUESTION, as_of=3, model=True)
    assert opened.ask("Who hated Barnaby Pellow", as_of=3, model=True).cached
    assert not opened.ask(QUESTION, as_of=2, model=True).cached
    assert len(prompts_of(generator)) == 2
    opened.drop_results()
    assert not opened.ask("Who hated Barnaby Pellow", as_of=3, model=True).cached


def test_a_wish_to_write_becomes_a_scene(opened):
    opened.__dict__["generator"] = ScriptedGenerator(["Harriet waited."] * 3)
    found = opened.ask("Write the next scene: Harriet waits for Len.", as_of=4, model=True)
    assert (found.route, found.text, found.grounded) == ("narrative", "Harriet waited.", None)
    assert all(passage.chunk.chapter <= 4 for passage in found.passages)


def test_the_command_answers_with_places(demo_project, done, refusal):
    asked = ("ask", demo_project, QUESTION, "--as-of", 3, "--no-model")
    assert f"“{SAID}” (ch. 1)" in done(*asked)
    assert json.loads(done(*asked, "--json"))["citations"][0]["quote"] == SAID
    refusal("ask", demo_project, " ", "--no-model")
    nobody = done("ask", demo_project, "Who is the king of Peru?", "--no-model", "--as-of", 3)
    assert "The story so far does not say." in nobody and "closest, in ch. " in nobody


def test_lines_of_stdin_are_a_conversation(demo_project, done, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("Who hated Barnaby Pellow?\n\nAnd why did he?\n"))
    assert done("ask", demo_project, "--as-of", 3, "--no-model").count(SAID) == 2


class Never:
    """No model: whoever asks for one is wrong."""

    def __getattr__(self, name):
        pytest.fail(f"the language model was asked for {name}")


def test_the_story_answers_itself_unless_a_model_is_wanted(opened):
    opened.__dict__["generator"] = Never()
    found = opened.ask(QUESTION, as_of=3)
    assert found.extractive and (found.supported, found.grounded) == (None, None)
    assert SAID in found.text
    _quotes_stand(found, opened.document)
    wish = opened.ask("Write the next scene: Harriet waits for Len.", as_of=4)
    assert not wish.told and not wish.citations and wish.confidence is None
    assert "which a language model does" in wish.text and "fabula compare" in wish.text
    opened.__dict__["generator"] = answering(SAID)
    assert opened.ask(QUESTION, as_of=3, model=True).model == "scripted"


@pytest.mark.parametrize(("assignments", "asked"), values(__file__, "who_answers_hangs_on_the_settings.tsv"))
def test_who_answers_hangs_on_the_settings(demo_project, assignments, asked):
    with Project.open(demo_project, assignments=assignments) as project:
        project.__dict__["generator"] = answering(SAID)
        found = project.ask(QUESTION, as_of=3)
    assert found.extractive is not asked


def test_the_command_asks_the_model_when_told_to(demo_project, done, monkeypatch):
    said = "The capital of Peru is Lima. Ambrose Keating hated Barnaby Pellow [1]."
    monkeypatch.setattr("fabula.llm.factory.make_generator", lambda _: answering(said))
    asked = ("ask", demo_project, QUESTION, "--as-of", 3)
    assert json.loads(done(*asked, "--json"))["extractive"]
    told = done(*asked, "--model")
    assert told.startswith(f"{SAID} [1]")
    assert "Lima" not in told and "one sentence was left out" in told
    assert "Lima" not in done(*asked, "--model", "--json")


def test_a_conversation_is_kept_and_says_whom_a_pronoun_means(demo_copy, done, refusal):
    project, asking = demo_copy.project, ("--no-model", "--as-of", 3, "--conversation", "c1")
    assert SAID in done("ask", project, QUESTION, *asking)
    done("ask", project, "And where is he?", *asking)
    assert done("ask", project, "--conversations").startswith("c1  2 questions, first: Who hated")
    shown = done("ask", project, "--show", "c1", "--as-of", 3)
    assert "And where is he? (as of chapter 3)" in shown
    assert "there is no conversation c1" in done("ask", project, "--show", "c1", "--as-of", 2)
    assert done("ask", project, "--delete", "c1").startswith("deleted c1: 2 questions")
    assert "no conversations yet" in done("ask", project, "--conversations")
    refusal("ask", project, "Who?", "--no-model", "--conversation", "a b")


def _asked(folder, script, monkeypatch, *, embedder=None):
    """The answer, and what came in pieces; with an embedder of its own questions have no encoder either."""
    monkeypatch.setenv("A_API_KEY", KEY)
    pieces = []
    with ChatServer(script) as server, Project.open(folder) as project:
        settings = {"timeout_s": 0.3, "retries": 1, "context_tokens": 4096}
        project.__dict__["generator"] = generator_at(server.url, api_key_env="A_API_KEY", **settings)
        if embedder is not None:
            project.__dict__["embedder"] = embedder
            project.__dict__["question_searcher"] = project.searcher
        found = project.ask(QUESTION, as_of=3, model=True, on_text=pieces.append)
    return found, "".join(pieces)


FAULTS = {
    "wrong key": ([Status(401, message=f"Incorrect API key provided: {KEY}")], "401"),
    "too many": ([Status(429), Status(429)], "429"),
    "down": ([Status(503), Status(503)], "503"),
    "says nothing": ([Hang(), Hang()], ""),
    "a page of html": ([Page("<html>hello</html>", "text/html")] * 2, ""),
}


@pytest.mark.parametrize(("script", "said"), FAULTS.values(), ids=FAULTS)
def test_a_model_that_fails_leaves_the_story_s_own_words(demo_project, monkeypatch, script, said):
    found, streamed = _asked(demo_project, list(script), monkeypatch)
    assert found.told and found.extractive and found.text == streamed
    assert SAID in found.text
    (notice,) = found.notices
    assert "since the language model failed" in notice and said in notice
    assert KEY not in repr(found)


def test_with_everything_down_the_story_still_answers(demo_project, monkeypatch, tmp_path):
    gone = answer_reader.AnswerReader(answer_reader.packaged_shape(), weights=tmp_path / "gone.npz")
    withheld = EmbeddingManager(withheld="nobody confirmed this model")
    with monkeypatch.context() as patch:
        patch.setattr(Project, "answer_reader", gone)
        found, _ = _asked(demo_project, [Status(503), Status(503)], monkeypatch, embedder=withheld)
    assert found.told and SAID in found.text
    assert len(found.notices) == 3
    for part in ("nobody confirmed", "searched by words", "chosen by words", "the language model failed"):
        assert part in "\n".join(found.notices)


def test_words_that_are_likely_the_answer_stand_above_their_quotes(demo_project):
    with Project.open(demo_project) as project:
        asked = project.ask("Who died on the Long Trestle?", model=False)
    sure = replace(asked, short="Barnaby Pellow", confidence=0.8)
    unsure = replace(asked, short="", confidence=0.4)
    told, nearest = answered_text(sure).splitlines(), answered_text(unsure).splitlines()
    likely = answered_text(replace(unsure, confidence=0.86)).splitlines()
    assert (told[0], nearest[0]) == ("Barnaby Pellow", "No sure answer. The nearest that the story says:")
    assert likely[0] == "One of these quotes probably answers it:" and likely[-1].startswith("86% sure")
    assert told[1:-1] == nearest[1:-1] and told[1].startswith("    “")
    assert told[-1] == "80% sure of this answer"
    assert nearest[-1] == "40% sure that one of these quotes answers"
    refused = replace(asked, short="", told=False, extractive=False, citations=(), confidence=0.2)
    assert "20% sure that the story answers this" in answered_text(refused).splitlines()


TEXT = file_text(__file__, "vane.txt")


@pytest.fixture(scope="module")
def vane(indexed_once):
    with Project.open(indexed_once("vane.txt", TEXT) / "project") as project:
        yield project


@pytest.mark.parametrize(("question", "quoted"), values(__file__, "death_of_another_is_no_answer.tsv"))
def test_the_death_of_another_is_no_answer(vane, question, quoted):
    found = vane.ask(question, model=False)
    assert found.told == (quoted is not None)
    if quoted is not None:
        assert found.citations[0].quote.startswith(quoted)


@pytest.mark.parametrize(("before", "question", "short"), values(__file__, "a_relation_is_that_of_the.tsv"))
def test_a_relation_is_that_of_the_person_asked_of_before(vane, before, question, short):
    asked = vane.ask(before, model=False)
    found = vane.ask(question, model=False, history=[(before, asked.text)])
    assert found.short == short
