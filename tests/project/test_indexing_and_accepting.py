import json
import logging
import signal
import subprocess
import sys

import pytest
from tests.conftest import DemoCopy
from tests.tables import file_text, values

from fabula.core.documents import document_from_text
from fabula.core.store.sqlite import ProjectStore
from fabula.demo import save_story, story_text
from fabula.engine import Project, index_book
from fabula.errors import ProjectError, UsageError
from fabula.project.accepting import Desk, with_next_chapter

BOOK = file_text(__file__, "brindle_fox.md")
DRAFT = "Lucy Vane hated Edmund Harrow. She hid the zither under the floor.\n\nNobody saw it."


@pytest.fixture
def place(indexed_once):
    return indexed_once("fox.md", BOOK)


def told(folder, as_of=None):
    """All that is searched and shown."""
    with Project.open(folder) as project:
        return (
            project.document.text,
            project.view(as_of).log,
            project.search("the zither under the floor", 5, as_of=as_of).passages,
            project.check(as_of=as_of),
        )


def test_it_is_a_chapter_like_any_other(place, tmp_path):
    before = told(place / "project", 2)[1:]
    done = Desk(place / "project").accept(DRAFT, title="The Zither")
    assert (done.number, done.title, done.words) == (3, "Chapter 3: The Zither", 15)
    assert (done.report.embedded, done.report.read, done.report.chapters) == (1, 1, 3)
    assert done.file == place / "project" / "book" / "fox.md"
    with Project.open(place / "project") as project:
        assert "zither" in project.search("zither", 1, mode="lexical").passages[0].chunk.text
        assert project.book_file == done.file
    assert told(place / "project", 2)[1:] == before  # to a reader of chapter 2 nothing has changed
    assert (place / "fox.md").read_text(encoding="utf-8") == BOOK
    index_book(done.file, tmp_path / "whole")  # the book that the project keeps makes the same project
    assert told(tmp_path / "whole") == told(place / "project")
    again = index_book(done.file, place / "project")
    assert (again.embedded, again.read) == (0, 0)


def test_it_can_be_taken_back_to_the_byte(place):
    before = told(place / "project")
    desk = Desk(place / "project")
    desk.accept(DRAFT)
    second = desk.accept("Mrs. Pole found it and said nothing of it to anybody.")
    assert second.number == 4
    assert [desk.take_back().number, desk.take_back().number] == [4, 3]
    assert told(place / "project") == before
    with pytest.raises(UsageError, match="was not accepted from a draft"):
        desk.take_back()
    assert told(place / "project") == before


@pytest.mark.parametrize(
    ("draft", "after", "said"),
    [(DRAFT, 1, "continues after it"), ("## Chapter 3\n\nA.\n\n## Chapter 4\n\nB.", None, "chapters")],
)
def test_what_is_refused_leaves_all_as_it_was(place, draft, after, said):
    before = told(place / "project")
    with pytest.raises(UsageError, match=said):
        Desk(place / "project").accept(draft, after=after)
    assert told(place / "project") == before
    assert not (place / "project" / "book").exists()


def test_a_run_that_dies_before_it_publishes_changes_nothing(place, monkeypatch):
    before = told(place / "project")

    def dies(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(ProjectStore, "publish", dies)
        Desk(place / "project").accept(DRAFT)
    assert told(place / "project") == before
    with pytest.raises(UsageError, match="was not accepted from a draft"):
        Desk(place / "project").take_back()
    assert Desk(place / "project").accept(DRAFT).report.read == 0  # what was read is kept


def test_another_version_of_the_book_without_the_chapter_is_warned_of(place, caplog):
    caplog.set_level(logging.WARNING)
    file = Desk(place / "project").accept(DRAFT).file
    grown = file.read_text(encoding="utf-8")
    index_book(place / "fox.md", place / "project")
    assert "lacks 1 chapters that were accepted" in caplog.text
    assert file.read_text(encoding="utf-8") == grown
    Desk(place / "project").accept("Another came down the lane, and nobody knew him.")
    assert (file.parent / "fox.old.md").read_text(encoding="utf-8") == grown
    assert "zither" not in file.read_text(encoding="utf-8")


def test_what_the_critic_finds_is_said_and_keeps_nothing_out(demo_copy, done, tmp_path):
    draft = tmp_path / "draft.txt"
    draft.write_text("Wilf hated Len. He said nothing more that night.", encoding="utf-8")
    facts = json.loads(done("accept", demo_copy.project, draft, "--json"))
    assert facts["number"] == 14 and any("Wilf hates Len" in one for one in facts["findings"])


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


PROSE = "It rained on the hill, and the men went home to their fires and sat there late. " * 12
START = "*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\n"
END = "\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\n\nlicence\n"
SCENE = "The fox sat down by the gate.\n\nIt slept there until the morning came over the hill."


def titled(*headings, before="", behind=""):
    before, behind = before.replace("START", START), behind.replace("END", END)
    text = before + "\n\n".join(f"{heading}\n\n{PROSE.strip()}" for heading in headings) + behind
    return document_from_text(text, id="book", title="The Book")


PLAIN = titled("## Chapter 1", "## Chapter 2", before="# The Book\n\n")
BOOKS = {
    name: (titled(*told, **around), label) for name, told, around, label in values(__file__, "books.tsv")
}
BOOKS["no heading"] = document_from_text(PROSE * 3, id="book", title="The Book"), "Chapter 2"


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("title", ["", "The Bell"])
def test_a_chapter_is_added_and_nothing_moves(name, title):
    old, label = BOOKS[name]
    grown = with_next_chapter(old, SCENE, title=title)
    *others, last = grown.document.chapters
    assert [one.body for one in others] == [one.body for one in old.chapters]
    assert last.number == len(old.chapters) + 1
    assert last.title == (f"{label}: {title}" if title else label)
    assert last.body.of(grown.document.text) == SCENE
    text, added = grown.document.text, grown.added
    assert text[: added.start] + text[added.end :] == old.text


@pytest.mark.parametrize(("draft", "title", "label"), values(__file__, "headings_of_drafts.tsv"))
def test_a_heading_of_the_drafts_own(draft, title, label):
    grown = with_next_chapter(PLAIN, draft.replace("DRAFT", SCENE), title=title).document
    last = grown.chapters[-1]
    assert (last.number, last.title, last.body.of(grown.text)) == (3, label, SCENE)


def test_line_ends_are_those_of_the_book():
    text = titled("CHAPTER I", "CHAPTER II").text.replace("\n", "\r\n")
    grown = with_next_chapter(document_from_text(text, id="b", title="B"), SCENE)
    assert "\n" not in grown.document.text.replace("\r\n", "")
    assert grown.document.chapters[-1].body.of(grown.document.text) == SCENE.replace("\n", "\r\n")


@pytest.mark.parametrize(("draft", "title", "said"), values(__file__, "drafts_refused.tsv"))
def test_what_is_refused(draft, title, said):
    with pytest.raises(UsageError, match=said):
        with_next_chapter(PLAIN, draft.replace("DRAFT", SCENE).replace("PROSE", PROSE), title=title)


def test_a_short_text_without_headings_has_no_place_for_a_chapter():
    old = document_from_text("Once upon a time there was a fox.", id="b", title="The Fox")
    with pytest.raises(UsageError, match="put a line such as CHAPTER 1"):
        with_next_chapter(old, SCENE)
