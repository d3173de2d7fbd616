import json
import logging

import pytest
from tests.tables import file_text

from fabula.core.store.sqlite import ProjectStore
from fabula.engine import Project, index_book
from fabula.errors import UsageError
from fabula.project.accepting import Desk

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
