import subprocess
import sys

import pytest
from tests.project.test_codex_and_pictures import image
from tests.stories.printed_book import printed_book
from tests.tables import file_text

from fabula.core.files.atomic import changing
from fabula.core.store.conversations import KeptTurn
from fabula.core.store.sqlite import ProjectStore
from fabula.core.types import Horizon
from fabula.engine import Project, index_book
from fabula.errors import FabulaError, HorizonError, UsageError
from fabula.project import creating as authored_files
from fabula.project.accepting import Desk
from fabula.project.codex_editing import CodexDesk
from fabula.project.correcting import Workshop
from fabula.project.creating import Bookshelf
from fabula.project.pictures import add_picture, pictures_at
from fabula.project.recalling import recall
from fabula.project.storage.pictures_file import read_pictures
from fabula.story.passages.filter import SearchFilter

FIRST = file_text(__file__, "first_light.md")
ZERO = FIRST.replace("First", "Zero")
SECOND = file_text(__file__, "second_light.md")
OTHER = SECOND.replace("buried", "married").replace("dead", "happy").replace("Clara Finch", "Ada Bray")

RENAME = '[[correct]]\nkind = "rename"\nwho = "Clara Finch"\nto = "{}"  # as she signs\nfrom_chapter = {}\n'


@pytest.fixture
def place(made_once):
    def make(place):
        for name, text in (("zero", ZERO), ("first", FIRST), ("second", SECOND)):
            (place / f"{name}.md").write_text(text, encoding="utf-8")
        index_book([place / "first.md", place / "second.md"], place / "lights")

    return made_once("two-lights", make)


def told(folder, as_of=None):
    with Project.open(folder) as project:
        return (
            project.view(as_of).log,
            [project.search(q, 5, as_of=as_of) for q in ("Who is dead?", "the zither", "Clara Finch")],
            project.check(as_of=as_of),
            recall(project, "Who is Lucy Vane?", as_of=as_of),
        )


def test_one_canon_over_all_books(place):
    with Project.open(place / "lights") as project:
        held = project.document
        books = [(one.title, one.first, one.last) for one in held.books]
        assert books == [("The First Light", 1, 2), ("The Second Light", 3, 4)]
        assert (held.title, held.id) == ("Lights", "first")
        lucy = project.view().find("Lucy Vane")
        assert lucy is not None and project.view(2).find("Lucy Vane").id == lucy.id
        assert project.view(2).find("Clara Finch") is None
        assert project.view().find("Clara Finch") is not None
        for passage in project.search("Lucy Vane", 10).passages:
            assert passage.chunk.span.of(held.text) == passage.chunk.text


def test_a_reader_of_the_first_book_is_told_nothing_of_the_second(place):
    before = told(place / "lights", 2)
    (place / "second.md").write_text(OTHER, encoding="utf-8")
    Bookshelf(place / "lights").add(place / "second.md")
    assert told(place / "lights", 2) == before
    Bookshelf(place / "lights").remove(2)
    assert told(place / "lights", 2) == before


def test_what_was_asked_goes_where_the_books_it_knew_go(place):
    with Project.open(place / "lights") as project:
        for chapter in (1, 2, 3):
            turn = KeptTurn(f"as of {chapter}", "Edmund Harrow had brown eyes.", chapter, True)
            project.conversations.add("c", turn)
            [found, *_] = project.search("Lucy Vane", 5, as_of=chapter).passages
            project.rate("Lucy Vane", found.chunk.id, 1.0, as_of=chapter)
    Bookshelf(place / "lights").move(2, 1)
    with Project.open(place / "lights") as project:
        for horizon, there in ((2, 0), (3, 1), (4, 3)):
            assert len(project.conversations.turns("c", horizon=Horizon(horizon))) == there
            assert len(project.ratings(horizon)) == there


def test_only_what_is_new_is_worked_on_where_a_book_grows_into_a_series(place):
    folder = place / "grown"
    index_book(place / "first.md", folder)

    def found():
        with Project.open(folder) as project:
            return [one.chunk.id for one in project.search("Lucy Vane", 10, as_of=2).passages]

    before = found()
    both = [place / "first.md", place / "second.md"]
    (place / "third.md").write_text(OTHER.replace("Second", "Third"), encoding="utf-8")
    for act, worked_on, chapters in (
        (lambda: index_book(both, folder), 2, 4),
        (lambda: Bookshelf(folder).add(place / "third.md"), 2, 6),
        (lambda: Bookshelf(folder).move(3, 2), 0, 6),
        (lambda: index_book(both, folder), 0, 4),
    ):
        report = act()
        assert (report.embedded, report.read, report.chapters) == (worked_on, worked_on, chapters)
        assert found() == before


def test_a_search_in_one_book(place):
    with Project.open(place / "lights") as project:

        def chapters(*books, as_of=None):
            found = project.search("Lucy", 9, as_of=as_of, wanted=SearchFilter(books=books))
            return {one.chunk.chapter for one in found.passages}

        assert (chapters(1), chapters(2)) == ({1, 2}, {3, 4})
        assert chapters(1, 2) == {1, 2, 3, 4}
        assert chapters(2, as_of=3) == {3}
        with pytest.raises(HorizonError, match="book 2 cannot be searched: ask for books 1 to 1"):
            chapters(2, as_of=2)


def test_a_draft_becomes_the_last_books_next_chapter(place):
    desk, folder = Desk(place / "lights"), place / "lights"
    with Project.open(folder) as project:
        before = project.document
    done = desk.accept("Lucy Vane burned the zither.", title="Ashes")
    assert (done.number, done.report.embedded) == (5, 1)
    assert done.file.read_text(encoding="utf-8").startswith("# The Second Light")
    with Project.open(folder) as project:
        assert [(one.first, one.last) for one in project.document.books] == [(1, 2), (3, 5)]
    desk.take_back()
    with Project.open(folder) as project:
        assert project.document == before


def test_a_change_that_fails_leaves_all_as_it_was(place):
    before = told(place / "lights")
    shelf = Bookshelf(place / "lights")
    for change in (
        lambda: shelf.add(place / "none.md"),
        lambda: shelf.remove(3),
        lambda: shelf.move(1, 9),
        lambda: shelf.add(place / "first.md", at=1),
    ):
        with pytest.raises(FabulaError):
            change()
    assert told(place / "lights") == before


def test_pages_are_those_of_one_book_and_go_with_a_second(place):
    (place / "ferry.pdf").write_bytes(printed_book())
    index_book(place / "ferry.pdf", place / "ferry")
    with Project.open(place / "ferry") as project:
        assert any(project.search("evening lamp", 1).places)
    Bookshelf(place / "ferry").add(place / "first.md", at=1)
    with Project.open(place / "ferry") as project:
        assert project.printed is None and project.pdf is None
        assert not any(project.search("evening lamp", 1).places)


def test_a_book_that_only_moves_loads_no_model(place):
    code = (
        "import sys; from pathlib import Path; from fabula.project.creating import Bookshelf\n"
        "Bookshelf(Path(sys.argv[1])).move(2, 1)\n"
        "assert not {'torch', 'spacy', 'faiss'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code, str(place / "lights")], check=True)


CODEX = "characters:\r\n- name: Clara Finch\r\n  description: 'from_chapter: 4'\r\n  from_chapter: {0}\r\n"
CODEX += "rules:\r\n- text: The lamp is lit.\r\n  from_chapter: {0}\r\n  until_chapter: 1{0}\r\n"


@pytest.fixture
def authored(place):
    """The series with a codex and a correction, and a book that may be put first."""
    folder = place / "lights"
    (folder / "corrections.toml").write_text(RENAME.format("Clara Vane", 4), "utf-8")
    with Project.open(folder) as project:
        add_picture(project, image(), "clara.png", caption="The keeper's heir", from_chapter=4)
    CodexDesk(folder).save(CODEX.format(4))
    Workshop(folder).apply()
    return folder


def written(folder):
    """Codex and corrections, in the project's files and in its index; and from where a picture is seen."""
    files = [(folder / name).read_bytes().decode() for name in ("codex.yaml", "corrections.toml")]
    with Project.open(folder) as project:
        corrected = [one.from_chapter for one in project.corrections.entries]
        return files, project.codex.document.text, [*corrected, read_pictures(folder)[0].from_chapter]


def put_first(folder):
    return Bookshelf(folder).add(folder.parent / "zero.md", at=1)


def as_of(chapter):
    codex = CODEX.format(chapter)
    return [codex, RENAME.format("Clara Vane", chapter)], codex, [chapter, chapter]


def test_what_counts_from_a_chapter_counts_from_it_behind_a_book_that_was_put_first(authored, place):
    put_first(authored)
    assert written(authored) == as_of(6)
    with Project.open(authored) as project:
        assert [len(pictures_at(project, chapter)) for chapter in (4, 5, 6)] == [0, 0, 1]
        assert [project.view(chapter).find("Clara Vane") is None for chapter in (5, 6)] == [True, False]
        assert [len(project.codex.rules_at(Horizon(chapter))) for chapter in (5, 6)] == [0, 1]
    index_book([place / f"{name}.md" for name in ("zero", "first", "second")], authored)
    with Project.open(authored) as project:
        assert project.view(5).find("Clara Vane") is None


def put_first_and_die(folder, monkeypatch, publish):
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(ProjectStore, "publish", publish)
        put_first(folder)


def test_files_are_as_they_were_where_nothing_is_published(authored, monkeypatch):
    def publish(store, *_, **__):
        codex = (authored / "codex.yaml").read_text("utf-8")
        assert "from_chapter: 6" in codex  # no index ahead of its codex
        raise KeyboardInterrupt

    put_first_and_die(authored, monkeypatch, publish)
    assert written(authored) == as_of(4)
    put_first(authored)
    assert written(authored) == as_of(6)


def test_files_go_on_with_an_index_that_was_published_before_all_failed(authored, monkeypatch):
    publish = ProjectStore.publish

    def publish_and_fail(store, *given, **named):
        publish(store, *given, **named)
        raise KeyboardInterrupt

    put_first_and_die(authored, monkeypatch, publish_and_fail)
    assert written(authored) == as_of(6)


def test_who_was_killed_before_publishing_does_it_again(authored, caplog):
    for name, text in zip(("codex.yaml", "corrections.toml"), as_of(6)[0], strict=True):
        (authored / name).write_bytes(text.encode())
    put_first(authored)
    assert written(authored) == as_of(6) and not caplog.records


def test_corrections_that_would_clash_leave_all_as_it_was(authored):
    file = authored / "corrections.toml"
    file.write_text(RENAME.format("Clara Vane", 3) + RENAME.format("Clara Finch-Vane", 4), "utf-8")
    Workshop(authored).apply()
    before = written(authored)
    with pytest.raises(UsageError, match="in the new order of the books two corrections would clash"):
        Bookshelf(authored).move(2, 1)
    assert written(authored) == before


def test_files_that_cannot_be_read_leave_all_as_it_was(authored):
    before = told(authored)
    for name in ("corrections.toml", "pictures.toml"):
        kept = (authored / name).read_bytes()
        (authored / name).write_text("[[correct", "utf-8")
        with pytest.raises(UsageError, match=f"{name}.*fix that place"):
            put_first(authored)
        (authored / name).write_bytes(kept)
        assert told(authored) == before and written(authored) == as_of(4)


def test_a_codex_that_is_not_the_index_s_is_named(authored, caplog):
    (authored / "codex.yaml").write_bytes(b"characters:\n- name: Cl\xe4ra\n  from_chapter: 4\n")
    put_first(authored)
    assert "codex.yaml still uses the old chapter numbers" in caplog.text
    assert b"from_chapter: 4" in (authored / "codex.yaml").read_bytes()


def test_a_codex_outside_is_its_authors(place, caplog):
    (place / "canon.yaml").write_text(CODEX.format(4), "utf-8")
    index_book([place / "first.md", place / "second.md"], place / "lights", codex=place / "canon.yaml")
    put_first(place / "lights")
    assert "the codex, which is kept elsewhere, still uses" in caplog.text
    assert "from_chapter: 4" in (place / "canon.yaml").read_text("utf-8")
    with Project.open(place / "lights") as project:
        assert "from_chapter: 6" in project.codex.document.text


def test_who_writes_the_codex_meanwhile_goes_first(authored, monkeypatch):
    monkeypatch.setattr(authored_files, "_MOMENT_S", 0.0)
    with changing(authored / "codex.yaml"), pytest.raises(UsageError, match="another process is writing"):
        put_first(authored)
    assert written(authored) == as_of(4)
