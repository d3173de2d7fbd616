import signal
import subprocess
import sys

import pytest
from tests.conftest import DemoCopy

from fabula.core.documents import document_from_text
from fabula.demo import save_story, story_text
from fabula.engine import Project, index_book
from fabula.errors import ProjectError

QUERIES = ["Who forged the telegram?", "a quarrel between old friends", "bees on the night train"]


def _answers(folder, as_of=None):
    with Project.open(folder) as project:
        found = [project.search(q, 8, as_of=as_of) for q in QUERIES]
        return found, project.graph.to_json(), project.check(as_of=as_of)


def _beginning(chapters):
    """The first chapters of the demo story: what an edit or a kill does shows in few."""
    text = story_text()
    return text[: document_from_text(text, id="x", title="x").chapters[chapters].heading.start]


@pytest.fixture
def short(indexed_once):
    """A short book and its project."""
    place = indexed_once("short.md", _beginning(4))
    return DemoCopy(place / "short.md", place / "project")


def test_indexing_again_works_on_nothing(demo_copy):
    report = index_book(demo_copy.book, demo_copy.project)
    assert (report.embedded, report.read, report.embedded_chunks) == (0, 0, 0)


def test_an_added_chapter_costs_only_itself_and_equals_a_rebuild(demo_project, index_like_demo, tmp_path):
    book, grown = save_story(tmp_path), tmp_path / "grown"
    book.write_text(_beginning(-1), encoding="utf-8", newline="")
    first = index_like_demo(book, grown)
    book.write_text(story_text(), encoding="utf-8", newline="")
    second = index_book(book, grown)
    assert second.chapters == first.chapters + 1
    assert (second.embedded, second.read) == (1, 1)
    assert _answers(grown) == _answers(demo_project)
    assert _answers(grown, 5) == _answers(demo_project, 5)


@pytest.mark.slow
def test_an_edited_chapter_costs_only_itself_and_equals_a_rebuild(short, tmp_path):
    text = _beginning(4)
    body = document_from_text(text, id="x", title="x").chapters[1].body
    edited = text[: body.start] + text[body.start : body.end].replace(" the ", " that ", 3) + text[body.end :]
    short.book.write_text(edited, encoding="utf-8", newline="")
    report = index_book(short.book, short.project)
    assert (report.embedded, report.read) == (1, 1)
    index_book(short.book, tmp_path / "anew")
    assert _answers(short.project) == _answers(tmp_path / "anew")


@pytest.mark.slow
def test_rebuild_gives_the_same(short):
    before = _answers(short.project)
    report = index_book(short.book, short.project, rebuild=True)
    assert report.embedded == report.read == report.chapters
    assert _answers(short.project) == before


def test_another_book_is_refused(demo_copy, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("A short tale. It ends here.")
    with pytest.raises(ProjectError, match="index another book into its own folder"):
        index_book(other, demo_copy.project)


_KILLED = """
import os, signal, sys
from pathlib import Path
from fabula.engine import index_book
def told(stage, done, total):
    if [stage, str(done)] == sys.argv[3:]:
        os.kill(os.getpid(), signal.SIGKILL)
index_book(Path(sys.argv[1]), Path(sys.argv[2]), progress=told)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "done", "left"),
    [
        pytest.param("embed", 2, (2, 4), marks=pytest.mark.thorough),
        ("read", 2, (0, 2)),
        pytest.param("read", 4, (0, 0), marks=pytest.mark.thorough),
    ],
)
def test_killed_while_indexing_it_goes_on_where_it_stopped(short, tmp_path, stage, done, left):
    folder = tmp_path / "project"
    command = [sys.executable, "-c", _KILLED, str(short.book), str(folder), stage, str(done)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    report = index_book(short.book, folder)
    assert (report.embedded, report.read) == left
    assert _answers(folder) == _answers(short.project)
