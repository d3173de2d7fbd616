import json
import re

import pytest
from tests.llm.chat_server import ChatServer, Status
from tests.stories.told_later import PLANTED, rewritten
from tests.tables import values

from fabula.core.documents import document_from_text
from fabula.core.types import Evidence, Horizon, Span
from fabula.demo import story_text
from fabula.engine import Project
from fabula.errors import ModelRefused, UsageError
from fabula.llm.openai_compatible import OpenAICompatibleGenerator
from fabula.llm.scripted import ScriptedGenerator
from fabula.story.plot.ledger import Thread, Turn, ledger_plan, read_ledger
from fabula.views.text.so_far import ledger_shown, ledger_text


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
    found = opened.recap(length=length, on_chapter=lambda *one: heard.append(one))
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
    early = opened.recap(length="medium", as_of=4)
    late = opened.recap(length="medium")
    assert early.chapter == 4 and {line.chapter for line in early.lines} <= {1, 2, 3, 4}
    assert early.lines == tuple(line for line in late.lines if line.chapter <= 4)


def test_a_model_tells_what_has_support_and_nothing_else(opened):
    line = opened.recap(length="short", as_of=3).lines[0].text
    said = f"{line} [1] In the end Napoleon took Moscow."
    opened.__dict__["generator"] = model = ScriptedGenerator([said])
    pieces = []
    found = opened.recap(length="short", as_of=3, model=True, on_text=pieces.append)
    _stands(found, opened.document)
    assert "Napoleon" not in repr(found) and "Napoleon" not in "".join(pieces)
    assert found.model == model.name and "left out" in found.notices[0]
    assert all(quote.chapter <= 3 for one in found.lines for quote in one.evidence)
    assert "at most 6 sentences" in model.prompts[0].user and PLANTED not in model.prompts[0].user


def test_a_model_that_makes_all_of_it_up_or_fails_leaves_the_story_s_own_sentences(opened, monkeypatch):
    opened.__dict__["generator"] = ScriptedGenerator(["Napoleon took Moscow."])
    own = opened.recap(length="short", as_of=3, model=False)
    found = opened.recap(length="short", as_of=3, model=True)
    assert found.lines == own.lines and "1 of 1 sentences" in found.notices[0]
    monkeypatch.setenv("A_KEY", "sk-1")
    with ChatServer([Status(401)]) as server:
        opened.__dict__["generator"] = OpenAICompatibleGenerator(
            "m", base_url=server.url, api_key_env="A_KEY", context_tokens=4096
        )
        found = opened.recap(length="short", as_of=3, model=True)
    assert found.lines == own.lines and "since the language model failed" in found.notices[0]


def test_the_command_tells_it(demo_project, run_cli):
    told = run_cli("recap", demo_project, "--length", "short", "--as-of", 3)
    assert told.out.startswith("ch. 1 “")
    data = json.loads(run_cli("recap", demo_project, "--as-of", 3, "--json").out)
    assert data["as_of"] == 3 and data["length"] == "medium"
    for line in data["lines"]:
        assert line["quotes"][0]["text"].split() == line["text"].split()


def _book(*chapters):
    text = "".join(f"## {n}\n\n{body}\n\n" for n, body in enumerate(chapters, start=1))
    return document_from_text(text, id="book", title="Book")


LOCKET = _book(
    "Ann hid the silver locket under the floor. “I shall come back for it,” she told nobody.",
    "It rained all week, and Ann said nothing of the matter to her brother.",
    "He lifted the board and held up the silver locket. Ann turned white.",
)


def _planted(kind="object", what="Ann has hidden a locket", quote="Ann hid the silver locket", **more):
    return {"kind": kind, "what": what, "quote": quote, "settled": False, "settled_quote": ""} | more


def _says(*chapters):
    """A model that answers in this order."""
    return ScriptedGenerator(
        [json.dumps({"moved": moved, "planted": planted}) for moved, planted in chapters],
        context_tokens=16_384,
    )


def test_a_thread_is_planted_moves_and_is_settled_each_turn_with_its_quote():
    model = _says(
        ([], [_planted()]),
        ([{"thread": 1, "step": "advanced", "quote": "Ann said nothing of the matter"}], []),
        ([{"thread": 1, "step": "resolved", "quote": "held up the silver locket"}], []),
    )
    heard = []
    found = read_ledger(LOCKET, horizon=Horizon(), generator=model, on_chapter=lambda *n: heard.append(n))
    (thread,) = found.threads
    assert [(turn.step, turn.evidence.chapter) for turn in thread.turns] == [
        ("planted", 1),
        ("advanced", 2),
        ("resolved", 3),
    ]
    assert all(turn.evidence.span.of(LOCKET.text) == turn.evidence.quote for turn in thread.turns)
    assert (thread.state, found.told, found.claimed, found.dropped) == ("resolved", 3, 3, ())
    assert heard == [(1, 3), (2, 3), (3, 3)]
    asked = [call.prompt.user for call in model.calls]
    assert "(no threads)" in asked[0] and "1. object: Ann has hidden a locket" in asked[1]


def test_what_has_no_quote_in_its_chapter_is_dropped_and_counted():
    odd = [{"thread": 1, "step": "lost", "quote": "It rained all week"}]
    model = _says(
        ([], [_planted(), _planted(quote="Ann sold the silver locket"), _planted(quote="the")]),
        (
            [{"thread": 7, "step": "advanced", "quote": "It rained all week"}, *odd],
            [_planted(quote="held up the silver locket")],
        ),
        ([], [_planted(quote="Ann hid the silver locket")]),
    )
    found = read_ledger(LOCKET, horizon=Horizon(), generator=model)
    assert [thread.turns[0].evidence.quote for thread in found.threads] == ["Ann hid the silver locket"]
    assert dict(found.dropped) == {
        "items in another form": 1,
        "quotes of less than 3 words or more than 40": 1,
        "quotes that do not stand in the text": 3,
        "threads that were not shown": 1,
    }


def test_a_chapter_may_settle_what_it_plants_and_nothing_moves_after_that():
    model = _says(
        ([], [_planted(settled=True, settled_quote="I shall come back for it")]),
        ([{"thread": 1, "step": "advanced", "quote": "It rained all week"}], []),
        ([], []),
    )
    found = read_ledger(LOCKET, horizon=Horizon(), generator=model)
    assert [turn.step for turn in found.threads[0].turns] == ["planted", "resolved"]
    assert dict(found.dropped) == {"threads that were not shown": 1}


@pytest.mark.parametrize(
    ("step", "chapter", "told", "state"),
    values(__file__, "overdue_is_what_nothing_was_told.tsv"),
)
def test_overdue_is_what_nothing_was_told_of_for_long(step, chapter, told, state):
    moved = Turn(step, Evidence("book", chapter, Span(0, 1), "x"))
    assert Thread("object", "x", (moved,), told).state == state


def test_a_refused_chapter_is_passed_over_and_a_long_one_is_read_in_parts():
    model = ScriptedGenerator(
        [ModelRefused("no"), *['{"moved": [], "planted": []}'] * 2], context_tokens=9000
    )
    assert dict(read_ledger(LOCKET, horizon=Horizon(), generator=model).dropped) == {
        "parts that the model refused": 1
    }
    refusing = ScriptedGenerator([ModelRefused(f"no {n}") for n in range(3)], context_tokens=9000)
    with pytest.raises(ModelRefused, match="no 0"):
        read_ledger(LOCKET, horizon=Horizon(), generator=refusing)
    long = _book(" ".join(f"Ann counted the {n} sheep on the hill again." for n in range(900)))
    parts = ScriptedGenerator(lambda _: '{"moved": [], "planted": []}', context_tokens=9000)
    read_ledger(long, horizon=Horizon(), generator=parts)
    assert len(parts.calls) > 1


def test_the_plan_counts_what_is_left_to_ask():
    model = _says(([], [_planted()]), ([], []), ([], []))
    whole = ledger_plan(LOCKET, horizon=Horizon(), generator=model)
    assert (whole.requests, whole.answered, len(model.calls)) == (3, 0, 0)
    rest = ledger_plan(
        LOCKET,
        horizon=Horizon(None),
        generator=model,
        is_answered=lambda prompt, _: "shall come" in prompt.user,
    )
    assert (rest.requests, rest.answered) == (2, 1)
    assert 0 < rest.prompt_tokens < whole.prompt_tokens


def _reads(prompt):
    """A model that plants each chapter's second sentence and moves every thread that it is shown."""
    draft = prompt.user.split("[Draft]")[1].split("STORY>>>")[0]
    sentence = re.split(r"(?<=[.!?])\s+", draft.strip())[1].strip().split("\n")[0]
    quote = " ".join(sentence.split()[:12])
    moved = [
        {"thread": int(n), "step": "advanced", "quote": quote}
        for n in re.findall(r"^(\d+)\. \w+:", prompt.user.split("[Draft]")[0], re.MULTILINE)
    ]
    return json.dumps({"moved": moved[:3], "planted": [_planted("goal", f"what of {quote}", quote)]})


@pytest.mark.parametrize("horizon", [2, 5])
def test_nothing_told_later_changes_what_is_read_of_a_chapter(horizon):
    found = []
    for text in (story_text(), rewritten(story_text(), horizon)):
        model = ScriptedGenerator(_reads, context_tokens=16_384)
        book = document_from_text(text, id="x", title="x")
        ledger = read_ledger(book, horizon=Horizon(horizon), generator=model)
        assert ledger.threads and not any(PLANTED in call.prompt.user for call in model.calls)
        found.append((ledger, [call.prompt for call in model.calls]))
    assert found[0] == found[1]
    late = read_ledger(book, horizon=Horizon(), generator=ScriptedGenerator(_reads, context_tokens=16_384))
    firsts = [(one.kind, one.what, one.turns[0]) for one in ledger.threads]
    assert firsts == [
        (one.kind, one.what, one.turns[0]) for one in late.threads if one.turns[0].evidence.chapter <= horizon
    ]


def test_the_project_keeps_what_was_answered(demo_copy):
    with Project.open(demo_copy.project) as project, pytest.raises(UsageError, match="connect-a-model"):
        project.ledger()
    chosen = ("generator.provider=openai", "generator.model=m")
    plans = []
    for replies in (_reads, []):
        with Project.open(demo_copy.project, assignments=chosen) as project:
            project.__dict__["generator"] = ScriptedGenerator(replies, context_tokens=16_384)
            shown = ledger_shown(project.ledger(as_of=4, confirm=plans.append))
    assert [(plan.requests, plan.answered) for plan in plans] == [(4, 0), (0, 4)]
    assert shown.as_of == 4 and all(t.quote.chapter <= 4 for one in shown.threads for t in one.turns)
    assert "planted: “" in ledger_text(shown)
