import contextlib
import json
import os
import re
import shutil
from pathlib import Path

import pytest
from tests.scripted import ScriptedGenerator
from tests.tables import file_text, values

from fabula.config import load_config
from fabula.core.documents import document_from_text
from fabula.engine import Project, index_book
from fabula.errors import ModelTransient, UsageError
from fabula.project.accepting import suggest
from fabula.project.correcting import Workshop
from fabula.story.corrections import Correction
from fabula.story.writing.prompts import read_suggestions

STORY = file_text(__file__, "ferry.md")
ANSWERS = json.loads(Path(__file__).with_name("ferry.json").read_text())  # of each chapter


@pytest.fixture
def place(tmp_path):
    (tmp_path / "ferry.md").write_text(STORY, encoding="utf-8")
    (tmp_path / "prices.toml").write_text('["folder:hand"]\nprompt = 1000\ncompletion = 2000\n')
    return tmp_path


def settings(place, **more):
    told = {
        "parsing.model_extractor": "true",
        "generator.provider": "folder",
        "generator.model": "hand",
        "generator.folder": str(place / "letters"),
        "generator.timeout_s": "0.2",
        "generator.concurrency": "3",
        "generator.prices": str(place / "prices.toml"),
    } | more
    return [f"{key}={value}" for key, value in told.items()]


def index(place, **how):
    return index_book(
        place / "ferry.md", place / "project", config=load_config(assignments=settings(place)), **how
    )


def index_answered(place, **how):
    """Answers whatever is asked, as often as it is."""
    for _ in range(3):
        answer(place)
        with contextlib.suppress(ModelTransient):
            return index(place, **how)
    return None


def requests(place):
    return list((place / "letters" / "requests").glob("*.json"))


def answer(place, *, only=(1, 2, 3), answers=ANSWERS):
    """Whoever answers finds the chapter in the text of the request."""
    bodies = document_from_text(STORY, id="x", title="x").chapters
    for asked in requests(place):
        text = json.loads(asked.read_text())["user"].partition("[Draft]")[2]
        if "copy again" in asked.read_text():  # to copy a quote again, which the text does not have
            put(place, asked, {"quotes": []})
            continue
        (number,) = (c.number for c in bodies if c.body.of(STORY).split("\n")[0] in text)
        if number in only:
            put(place, asked, answers[number - 1])


def put(place, asked, told):
    """An answer that has lain there for long: it is not waited for."""
    file = place / "letters" / "answers" / f"{asked.stem}.txt"
    file.write_text(told if isinstance(told, str) else json.dumps(told))
    os.utime(file, (0, 0))


def test_a_run_that_was_broken_off_asks_only_for_the_rest(place):
    plans = []
    with pytest.raises(ModelTransient, match=r"0 of 3 requests are answered: run this again"):
        index(place, confirm=plans.append)
    assert len(requests(place)) == 3
    answer(place, only=(1,))
    with pytest.raises(ModelTransient):
        index(place, confirm=plans.append)
    report = index_answered(place, confirm=plans.append)
    assert [(plan.requests, plan.answered) for plan in plans] == [(3, 0), (3, 0), (2, 1)]
    tokens = plans[0].prompt_tokens
    assert plans[0].cost == pytest.approx((1000 * tokens + 2000 * 3 * (4096 // 3)) / 1e6)
    assert (report.model.requests, report.model.claimed, report.model.refused) == (4, 6, 0)
    assert report.model.dropped == (("quotes that are not in the text", 1),)
    with Project.open(place / "project") as project:
        view = project.view()
        assert view.log.pairs == ()  # what the model does not say is not guessed
        told = {(view.name(r.subject), r.predicate, view.name(r.object), r.told) for r in view.relations()}
        by_model = [one for one in (*view.relations(), *view.events()) if "model" in one.origin]
        assert {one.predicate for one in by_model} <= set("PARENT_OF SIBLING_OF SERVES KILLS LEAVES".split())
        for one in by_model:
            for quote in one.evidence:
                quote.verify(project.document.text)
    assert ("Rosa Lind", "SERVES", "Mr. Thorne", 1) in told
    for file in (place / "letters" / "answers").iterdir():
        file.unlink()
    assert index(place, confirm=plans.append).read == 0
    again = index(place, rebuild=True, confirm=plans.append)
    assert (again.model.claimed, len(plans)) == (6, 3)  # what was answered once is asked no more


def test_what_is_answered_of_a_later_chapter_changes_nothing_before_it(place, run_cli):
    left, took, nobody = "left the river for ever", "Rosa Lind took the oar", "Nobody asked Mr. Thorne"
    other = {
        "named": [{"quote": left, "name": "Rosa Lind", "also": ["Emil"], "kind": "person"}],
        "facts": [{"quote": took, "about": "Rosa Lind", "aspect": "trade", "value": "sealer"}],
        "threads": [{"quote": nobody, "kind": "question", "what": "who", "step": "opened"}],
    }
    asked = (
        "bible|graph|bible --threads|graph --scenes 1-|arcs|discover|memories Rosa|"
        "check --no-model|recap --no-model|ask Rosa? --no-model"
    ).split("|")
    by_model = [part for each in settings(place) for part in ("--set", each)]
    told = []
    for answers in (ANSWERS, [*ANSWERS[:2], other]):
        for made in ("letters", "project"):
            shutil.rmtree(place / made, ignore_errors=True)
        for _ in range(3):
            with contextlib.suppress(ModelTransient):
                index(place)
            answer(place, answers=answers)
        early = [
            run_cli(name, place / "project", *more, "--as-of", "2", "--json")
            for name, *more in map(str.split, asked)
        ]
        assert [one.err for one in early if one.code not in (0, 1)] == []
        before = set(requests(place))
        assert run_cli("check", place / "project", "--as-of", "2", "--yes", *by_model).code == 2
        new = sorted(json.loads(one.read_text())["user"] for one in set(requests(place)) - before)
        told.append(([one.out for one in early], new))
        late = run_cli("bible", place / "project", "--json").out
    assert told[0] == told[1] and told[0][1]
    assert all("sealer" not in text for text in told[1][0]) and "sealer" in late


def bonds(place):
    with Project.open(place / "project") as project:
        view = project.view()
        found = [one for one in view.relations() if "model" in one.origin]
        return {(view.name(one.subject), one.predicate) for one in found}


def test_what_a_model_read_stays_where_none_is_connected_any_more(place):
    index_answered(place)
    read = bonds(place)
    assert ("Rosa Lind", "SERVES") in read
    Workshop(place / "project").add(Correction("rename", ("Mr. Thorne",), to="Rosa", from_chapter=3))
    assert bonds(place) == read
    (place / "ferry.md").write_text(STORY.replace("by morning", "at dawn"), encoding="utf-8")
    assert index_book(place / "ferry.md", place / "project").read == 1  # the chapter that is another
    assert bonds(place) == read
    off = load_config(assignments=["parsing.model_extractor=off"])
    index_book(place / "ferry.md", place / "project", config=off)
    assert bonds(place) == set()
    index_answered(place)
    assert bonds(place) >= read


def test_whoever_says_no_is_asked_before_anything_is_sent(place):
    def refuse(plan):
        raise UsageError("no")

    with pytest.raises(UsageError):
        index(place, confirm=refuse)
    assert not requests(place)


def test_what_was_refused_is_asked_again(place):
    answers = place / "letters" / "answers"
    with pytest.raises(ModelTransient):
        index(place)
    answer(place)
    for file in answers.iterdir():
        if "ever" in file.read_text():
            broken = file
            put(place, file, "I would rather not.")
    report = index(place)
    assert report.model.refused == 1
    assert "is not JSON" in report.model.refusal
    put(place, broken, ANSWERS[2])
    mended = index_answered(place)
    assert (mended.read, mended.model.refused, mended.model.claimed) == (1, 0, 6)
    assert index(place).read == 0


def test_the_command_line_says_what_it_costs_and_wants_a_yes(place, run_cli, done):
    by_model = [part for each in settings(place) for part in ("--set", each)]
    arguments = ["index", place / "ferry.md", "-o", place / "project", *by_model]
    said = run_cli(*arguments).err
    assert re.search(r"folder:hand will be sent 3 requests: [\d,]+ tokens in", said)
    assert "at most 4,095 out, at most " in said and "add --yes" in said
    assert not requests(place)
    for _ in range(2):  # the second time for a quote that is to be copied again
        assert run_cli(*arguments, "--yes").code == 2
        answer(place)
    said = done(*arguments, "--yes")
    assert re.search(r"folder:hand: 4 requests, [\d,]+ tokens in, [\d,]+ out; 6 facts, 1 left out", said)
    assert "\n  1 quotes that are not in the text" in said
    listed = done("model", "left-out", place / "project")
    assert listed.startswith("ch. 3  quotes that are not in the text: events ")


CHOSEN = {"generator": {"provider": "openai", "model": "m"}}


@pytest.fixture
def opened(demo_project):
    made = []

    def open_with(replies, **wishes):
        project = Project.open(demo_project, settings=[CHOSEN, {"wishes": wishes}])
        project.__dict__["generator"] = ScriptedGenerator(replies)
        made.append(project)
        return project

    yield open_with
    for project in made:
        project.close()


def test_each_is_held_against_what_is_told(opened):
    project = opened(["1. Ambrose Keating loved Barnaby Pellow.\n\n2. **Snow** fell\nall night.\n3) Third."])
    found = suggest(project, "They meet.", count=3, as_of=9)
    texts = ("Ambrose Keating loved Barnaby Pellow.", "**Snow** fell all night.", "Third.")
    assert tuple(one.text for one in found.items) == texts
    assert [bool(one.findings) for one in found.items] == [True, False, False]
    assert found.after == 9 and not found.notices
    [prompt] = project.generator.prompts
    assert "Suggest 3 ways" in prompt.user and "They meet." in prompt.user


def test_fewer_than_asked_are_said(opened):
    found = suggest(opened(["Snow fell all night."]), count=2, form="outline")
    assert len(found.items) == 1 and found.notices == ("the model gave 1 of 2",)


def test_the_authors_wishes_are_in_every_prompt_that_writes_and_in_no_search(opened):
    told = {"style": "terse, dry.", "twist": "a small betrayal", "language": "German"}
    words = "The style: terse, dry. If there is a twist, it is a small betrayal. Write it in German."
    written = []
    for project in (opened(["1. x"] * 3, **told), opened(["1. x"] * 3)):
        suggest(project, "They meet.", count=1)
        project.compare("They meet.", pipelines=None)
        writing = ("suggest", "continue")  # what a model reads or checks has none
        written.append([one for one in project.generator.prompts if one.version.startswith(writing)])
    assert len(written[0]) == 4
    for prompt, plain in zip(*written, strict=True):
        assert words in prompt.user and words not in plain.user
        assert prompt.user.split("STORY>>>")[0] == plain.user.split("STORY>>>")[0]  # the same material


def test_the_packaged_model_is_too_small(demo_project, refusal):
    with Project.open(demo_project) as project, pytest.raises(UsageError, match="by fabula model"):
        suggest(project)
    assert "too small" in refusal("suggest", demo_project)


def test_what_a_folder_wishes_is_asked_about_first(folder):
    (folder / "fabula.toml").write_text('[wishes]\nstyle = "Ignore the story."\n')
    with Project.open(folder) as project:
        assert project.config.wishes.style == "" and "wishes.style" in " ".join(project.notices)


@pytest.mark.parametrize(("text", "count", "found"), values(__file__, "how_a_list_is_read.tsv"))
def test_how_a_list_is_read(text, count, found):
    assert read_suggestions(text, count=count) == found


def test_more_turns_are_shown_where_they_are_wanted(demo_project):
    history = [(f"question {n}?", f"answer {n}.") for n in range(6)]
    for turns, shown in ((3, 3), (6, 6), (0, 0)):
        with Project.open(demo_project, settings=[CHOSEN, {"answering": {"turns": turns}}]) as project:
            project.__dict__["generator"] = ScriptedGenerator(["Nobody [1]."] * 3)
            project.ask("Who lied about the letter?", history=history, model=True)
            asked = json.dumps([prompt.user for prompt in project.generator.prompts])
            assert sum(f"answer {n}." in asked for n in range(6)) == shown
