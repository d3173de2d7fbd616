"""Nothing told after chapter N changes any output at horizon N: not a byte."""

import re
import shlex
from functools import partial

import pytest
from tests.stories.answering import answering
from tests.stories.told_later import PLANTED, rewritten
from tests.tables import file_text

from fabula.core.documents import document_from_text
from fabula.core.files.plain_json import plain
from fabula.core.fusion.presets import PRESETS
from fabula.demo import story_text
from fabula.engine import Project
from fabula.ui.graph_component import drawing
from fabula.views.arc_lines import arc_lines
from fabula.views.bible import bible_at
from fabula.views.bible_files.formats import FORMATS, Wanted
from fabula.views.cards import cards_at
from fabula.views.findings_shown import findings_shown
from fabula.views.history import history_of
from fabula.views.lanes import ages_and_dates, lanes_at, told_back
from fabula.views.lives import life_of
from fabula.views.quotes import in_context
from fabula.views.text.comparison import render_json
from fabula.views.times import times_at
from fabula.views.world import world_at


def _cut(text, horizon):
    document = document_from_text(text, id="x", title="x")
    return text[: document.chapter(horizon + 1).heading.start]


def _continued(text, horizon):
    last = len(document_from_text(text, id="x", title="x").chapters)
    return f"{text}\n\n## Chapter {last + 1}: After\n\n{PLANTED}. {PLANTED}.\n"


ASKED = [shlex.split(line) for line in file_text(__file__, "asked_of_leak.txt").splitlines()]
ASKED += [["search", "the letter", "--set", f"retrieval.fusion={fusion}"] for fusion in PRESETS]
CHANGES = {"rewritten": rewritten, "cut off": _cut, "continued": _continued}


def _outputs(folder, run, horizon, names):
    """Everything the program says at the horizon, by what was asked."""
    told = {}
    for command, *more in ASKED:
        words = [word.format(*names) for word in more]
        for form in [("--json",)] if "--set" in words else [(), ("--json",)]:
            result = run(command, folder, *words, "--as-of", horizon, *form)
            assert result.code == 0, result.err
            told[" ".join((command, *words, *form))] = result.out
    return told


def _comparison(folder, horizon):
    replies = ["He hates her. He loves her. Nothing was said on the way home."] * 9
    with Project.open(folder) as project:
        project.__dict__["generator"] = answering(*replies)
        report = project.compare("They meet on the stairs.", chapter=horizon)
        for question in ("Who lied about the letter?", "Write on: they meet again."):
            project.ask(question, as_of=horizon, model=True)
        prompts = project.generator.prompts
    content = re.sub(r'\n "machine": \{.*?\n \}', "", render_json(report), flags=re.DOTALL)
    content = re.sub(r'"(seconds|generation_seconds)": [\d.e-]+', "", content)
    return content.split('"machine"')[0], prompts


@pytest.fixture
def changed(story_told_otherwise, index_like_demo, tmp_path):
    """A project of the demo story with what is told after the horizon changed."""

    def made(change, horizon):
        if (change, horizon) == ("rewritten", 8):
            return story_told_otherwise
        book = tmp_path / "the-bloom-line.md"
        book.write_text(CHANGES[change](story_text(), horizon), encoding="utf-8", newline="")
        index_like_demo(book, tmp_path / "project")
        return tmp_path / "project"

    return made


@pytest.mark.parametrize(
    ("change", "horizon"),
    [
        pytest.param("rewritten", 8, marks=pytest.mark.slow),
        pytest.param("cut off", 6, marks=[pytest.mark.slow, pytest.mark.thorough]),
        pytest.param("rewritten", 3, marks=[pytest.mark.slow, pytest.mark.thorough]),
        pytest.param("continued", 9, marks=pytest.mark.slow),
    ],
)
def test_later_chapters_change_nothing(demo_project, changed, run_cli, change, horizon):
    other = changed(change, horizon)
    with Project.open(demo_project) as project:
        view = project.view(horizon)
        names = [entity.name for entity in view.entities()[:4]]
        assert len(names) == 4
    expected = _outputs(demo_project, run_cli, horizon, names)
    found = _outputs(other, run_cli, horizon, names)
    for label, text in expected.items():
        assert found[label] == text, label
        assert "Quillon" not in found[label]
    assert _comparison(other, horizon) == _comparison(demo_project, horizon)
    assert _views(other, horizon, names) == _views(demo_project, horizon, names)


def _views(folder, horizon, names):
    """What server and app show of the story, and what a browser is sent to draw."""
    with Project.open(folder) as project:
        view, whole = project.view(horizon), world_at(project.view(horizon), least_confidence=0.0, limit=500)
        assert whole.edges and whole.as_of == horizon
        quotes = [quote for edge in whole.edges for quote in edge.quotes]
        return (
            plain([whole, world_at(view), world_at(view, around=names[0]), drawing(whole)]),
            plain([times_at(view, limit=5000), times_at(view, entity=names[1])]),
            plain([cards_at(view, project.bible(horizon)), history_of(view, names[0], names[1])]),
            plain([lanes_at(view), lanes_at(view, places=True), *told_back(view), *ages_and_dates(view)]),
            plain([life_of(view, name, last=horizon) for name in names]),
            plain(bible_at(project, horizon, careful=True)),
            {format: _bible(project, format, horizon, names) for format in FORMATS},
            list(_bible(project, "wiki", None, names).items())[:horizon],
            plain([arc_lines(project.arcs(horizon), view, names), arc_lines(project.arcs(horizon), view)]),
            plain(findings_shown(project.check(as_of=horizon), project.document, view=view, context=9)),
            plain([in_context(quote, project.document, context=9) for quote in quotes]),
        )


def _bible(project, format, as_of, names):
    about = names[0] if format == "character-card" else None
    return dict(Wanted(format, as_of, about).files(partial(bible_at, project)))


def test_ratings_given_later_in_the_story_change_nothing_before(demo_copy, run_cli):
    query = ("search", demo_copy.project, "Who lied about the letter?", "-k", "8", "--json")
    before = [run_cli(*query, "--as-of", n).out for n in (4, 5)]
    whole = run_cli(*query).out
    with Project.open(demo_copy.project) as project:
        for n in range(60):  # what the semantic index has first is right, what the lexical one has is not
            shown = project.search("Who lied about the letter?", 8, as_of=5).passages
            rank = {s.retriever: s.rank for s in shown[n % 8].shares}
            semantic = rank.get("semantic", 99) < rank.get("lexical", 99)
            project.rate("Who lied about the letter?", shown[n % 8].chunk.id, float(semantic), k=8, as_of=5)
    assert run_cli(*query, "--as-of", 4).out == before[0]
    assert run_cli(*query, "--as-of", 5).out != before[1]
    assert run_cli(*query).out != whole


def test_the_test_would_see_a_leak(demo_project, story_told_otherwise, run_cli):
    """The same edits do change what is told at the whole book."""
    for asked in ("search murdered", "graph", "arcs", "bible", "graph --scenes 9-", "discover --limit 50"):
        command, *more = asked.split()
        assert run_cli(command, demo_project, *more).out != run_cli(command, story_told_otherwise, *more).out
