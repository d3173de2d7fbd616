import os
import signal
import subprocess
import sys
import time

import pytest

from fabula.core.documents import document_from_text
from fabula.demo import save_story, story_text
from fabula.engine import Project, index_book
from fabula.errors import ProjectError

QUERIES = ["Who forged the telegram?", "a quarrel between old friends", "bees on the night train"]


def _answers(folder, as_of=None):
    with Project.open(folder) as project:
        found = [project.search(q, 8, as_of=as_of) for q in QUERIES]
        return found, project.graph.to_json(), project.check(as_of=as_of)


def _without_last_chapter(text):
    last = document_from_text(text, id="x", title="x").chapters[-1]
    return text[: last.heading.start]


def test_indexing_again_works_on_nothing(demo_copy):
    report = index_book(demo_copy.book, demo_copy.project)
    assert (report.embedded, report.read, report.embedded_chunks) == (0, 0, 0)


def test_an_added_chapter_costs_only_itself_and_equals_a_rebuild(demo_project, index_like_demo, tmp_path):
    book, grown = save_story(tmp_path), tmp_path / "grown"
    book.write_text(_without_last_chapter(story_text()), encoding="utf-8", newline="")
    first = index_like_demo(book, grown)
    book.write_text(story_text(), encoding="utf-8", newline="")
    second = index_book(book, grown)
    assert second.chapters == first.chapters + 1
    assert (second.embedded, second.read) == (1, 1)
    assert _answers(grown) == _answers(demo_project)
    assert _answers(grown, 5) == _answers(demo_project, 5)


@pytest.mark.slow
def test_an_edited_chapter_costs_only_itself_and_equals_a_rebuild(demo_copy, tmp_path):
    text = story_text()
    body = document_from_text(text, id="x", title="x").chapters[4].body
    edited = text[: body.start] + text[body.start : body.end].replace(" the ", " that ", 3) + text[body.end :]
    demo_copy.book.write_text(edited, encoding="utf-8", newline="")
    report = index_book(demo_copy.book, demo_copy.project)
    assert (report.embedded, report.read) == (1, 1)
    index_book(demo_copy.book, tmp_path / "whole")
    assert _answers(demo_copy.project) == _answers(tmp_path / "whole")


@pytest.mark.slow
def test_rebuild_gives_the_same(demo_copy):
    before = _answers(demo_copy.project)
    report = index_book(demo_copy.book, demo_copy.project, rebuild=True)
    assert report.embedded == report.read == report.chapters
    assert _answers(demo_copy.project) == before


def test_another_book_is_refused(demo_copy, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("A short tale. It ends here.")
    with pytest.raises(ProjectError, match="index another book into its own folder"):
        index_book(other, demo_copy.project)


@pytest.mark.slow
@pytest.mark.parametrize(
    "after",
    [
        pytest.param(4.0, marks=pytest.mark.thorough),
        7.0,
        pytest.param(9.0, marks=pytest.mark.thorough),
    ],
)
def test_killed_while_indexing_it_goes_on_where_it_stopped(tmp_path, after):
    book, folder = tmp_path / "story.md", tmp_path / "project"
    book.write_text(story_text(), encoding="utf-8", newline="")
    command = [sys.executable, "-m", "fabula", "index", str(book), "-o", str(folder), "--json"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(after)
        os.kill(process.pid, signal.SIGKILL)
    index_book(book, folder)
    index_book(book, tmp_path / "whole")
    assert _answers(folder) == _answers(tmp_path / "whole")
