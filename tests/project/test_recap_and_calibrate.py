import json

import pytest
from tests.llm.chat_server import ChatServer, Status, generator_at
from tests.scripted import ScriptedGenerator
from tests.stories.answering import answering
from tests.stories.builder import StoryBuilder
from tests.stories.told_later import PLANTED
from tests.tables import values

from fabula.cli.answers import staged
from fabula.core.types import Evidence, Span
from fabula.engine import Project
from fabula.errors import UsageError
from fabula.project.asking import recap
from fabula.project.checking import calibrate
from fabula.story.plot.ledger import Thread, Turn
from fabula.views.text.so_far import NO_THREADS, ledger_shown, ledger_text, recap_shown, recap_text


def _stands(found, document):
    assert found.lines
    for line in found.lines:
        assert line.evidence and line.chapter == line.evidence[0].chapter
        for quote in line.evidence:
            assert quote.span.of(document.text) == quote.quote
            assert document.chapter(quote.chapter).body.contains(quote.span)


@pytest.mark.parametrize(
    ("length", "most", "a_chapter"), [("short", 8, 1), ("medium", 50, 1), ("long", 300, 3)]
)
def test_each_line_is_a_sentence_of_the_story_in_order(opened, length, most, a_chapter):
    heard = []
    found = recap(opened, length=length, on_chapter=lambda *one: heard.append(one))
    _stands(found, opened.document)
    assert (found.model, found.notices, found.length) == ("", (), length)
    assert [line.text for line in found.lines] == [line.evidence[0].quote for line in found.lines]
    starts = [line.evidence[0].span.start for line in found.lines]
    assert starts == sorted(set(starts)) and len(starts) <= most
    chapters = [line.chapter for line in found.lines]
    assert max(map(chapters.count, chapters)) <= a_chapter
    last = len(opened.document.chapters)
    assert heard == [(n, last) for n in range(1, last + 1)]


def test_what_is_told_of_a_chapter_does_not_hang_on_later_ones(opened):
    early = recap(opened, length="medium", as_of=4)
    late = recap(opened, length="medium")
    assert early.chapter == 4 and {line.chapter for line in early.lines} <= {1, 2, 3, 4}
    assert early.lines == tuple(line for line in late.lines if line.chapter <= 4)


SAID = '{"sentences": [{"says": %s, "sources": [1]}, {"says": "%s", "sources": [1, 2]}]}'


def test_a_model_tells_what_has_support_and_nothing_else(opened):
    line = recap(opened, length="short", as_of=3).lines[0].text
    said = SAID % (json.dumps(line), "Napoleon took Moscow.")
    opened.__dict__["generator"] = model = answering(said)
    pieces = []
    found = recap(opened, length="short", as_of=3, model=True, on_text=pieces.append)
    _stands(found, opened.document)
    assert "Napoleon" not in repr(found) and "Napoleon" not in "".join(pieces)
    assert found.model == model.name and "left out" in found.notices[0]
    assert all(quote.chapter <= 3 for one in found.lines for quote in one.evidence)
    assert "At most 6 sentences" in model.prompts[0].user and PLANTED not in model.prompts[0].user


def test_a_model_that_makes_all_of_it_up_or_fails_leaves_the_story_s_own_sentences(opened, monkeypatch):
    opened.__dict__["generator"] = answering("Napoleon took Moscow [1].")
    own = recap(opened, length="short", as_of=3, model=False)
    found = recap(opened, length="short", as_of=3, model=True)
    assert found.lines == own.lines and "one sentence was left out" in found.notices[0]
    monkeypatch.setenv("A_API_KEY", "sk-1")
    with ChatServer([Status(401)]) as server:
        opened.__dict__["generator"] = generator_at(server.url, api_key_env="A_API_KEY", context_tokens=4096)
        found = recap(opened, length="short", as_of=3, model=True)
    assert found.lines == own.lines and "since the language model failed" in found.notices[0]


def test_the_command_tells_it(demo_project, done):
    assert done("recap", demo_project, "--length", "short", "--as-of", 3).startswith("ch. 1 “")
    data = json.loads(done("recap", demo_project, "--as-of", 3, "--json"))
    assert data["as_of"] == 3 and data["length"] == "medium"
    assert data["lines"][0]["quotes"][0]["text"].split() == data["lines"][0]["text"].split()


OVERDUE = values(__file__, "overdue_is_what_nothing_was_told.tsv")


@pytest.mark.parametrize(("step", "chapter", "told", "state"), OVERDUE)
def test_overdue_is_what_nothing_was_told_of_for_long(step, chapter, told, state):
    moved = Turn(step, Evidence("book", chapter, Span(0, 1), "x"))
    assert Thread("object", "x", (moved,), told).state == state


def test_what_was_read_with_the_chapters_is_shown_and_nothing_is_asked(demo_project, monkeypatch):
    story = StoryBuilder().thread("promise", "opened", "Tom will bring back the watch", "Tom")
    story.event("DOES", "Tom", what="Tom sells the watch", key=True).thread("secret", "opened", "a letter")
    story.chapter(2).thread("promise", "closed", "the watch is back", "Tom")
    with Project.open(demo_project) as project:
        project.__dict__["graph"] = story.graph
        monkeypatch.setattr("fabula.project.parts.make_generator", None)
        shown = ledger_shown(project.threads(2), 2)
        letter, promise = ((one.what, one.state) for one in shown.threads)
        assert letter == ("a letter", "open")
        assert promise == ("Tom will bring back the watch", "resolved")
        assert "ch. 2 resolved: “" in ledger_text(shown)
        assert [one.state for one in project.threads(1)] == ["open", "open"]
        told = recap_shown(recap(project, as_of=2, model=False))
        assert [line.text for line in told.lines if line.chapter == 1] == ["Tom sells the watch"]
        assert [line.is_quote for line in told.lines] == [False, True]
        text = recap_text(told)
        assert "ch. 1 Tom sells the watch\n    “" in text and "Still open:\nch. 1 secret: a letter\n" in text
        scene = staged(project, "1", as_of=2).text
        assert "happens: Tom sells the watch" in scene and "secret opened: a letter" in scene
        assert NO_THREADS in ledger_text(ledger_shown((), 2)).replace("\n", " ")


NOTHING = '{"findings": []}'


def test_it_measures_keeps_and_says_it(demo_copy, done):
    with Project.open(demo_copy.project) as project:
        heard = []
        (power,) = calibrate(project, copies=2, words=3000, on_copy=lambda *one: heard.append(one))
        again = calibrate(project, copies=2, words=3000)
        assert again == (power,) and heard == [(1, 2), (2, 2)]
        assert sum(one.n for one in power.slips.values()) == 22
        assert 3000 <= power.words < len(project.document.text.split())
        project.__dict__["generator"] = ScriptedGenerator([])
        score = project.score({"mine": "Harriet sat down."}, prompt="They meet.")
        assert any("copies of this book" in notice for notice in score.notices)
    assert "calibrated on this book" in done("check", demo_copy.project)
    assert json.loads(done("check", demo_copy.project, "--json"))["calibration"][0]["critic"] == "rules"
    said = done("calibrate", demo_copy.project, "--copies", 1, "--words", 1000, "--json")
    assert json.loads(said)[0]["copies"] == 1


def test_without_it_a_comparison_says_that_nothing_is_known(demo_project):
    with Project.open(demo_project) as project:
        project.__dict__["generator"] = ScriptedGenerator([])
        score = project.score({"mine": "Harriet sat down."}, prompt="They meet.")
    assert any("was not measured" in notice for notice in score.notices)


def test_a_model_is_measured_beside_the_rules_and_its_cost_said_first(demo_copy):
    with Project.open(demo_copy.project) as project:
        project.__dict__["generator"] = ScriptedGenerator(lambda _: NOTHING, context_tokens=32_768)
        plans = []
        powers = calibrate(project, copies=1, words=1000, model=True, confirm=plans.append)
        assert [power.critic for power in powers] == ["rules", "model:scripted"]
        assert powers[1].recall.found == 0 and plans[0].requests > 0

        def refuse(plan):
            raise UsageError("too dear")

        with pytest.raises(UsageError, match="too dear"):
            calibrate(project, copies=1, words=1000, model=True, confirm=refuse)
