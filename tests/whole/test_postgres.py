import json
import shlex
import sys
import tomllib

import pytest
from tests.tables import file_text

from fabula.core.types import Call
from fabula.engine import Project
from fabula.library.library import Library

pytestmark = pytest.mark.postgres

BOOK = (
    "# One\n\nWilf hated Len. Len sent Ada a letter.\n\n"
    "# Two\n\nAda met Wilf in the old mill. Wilf wept. Ada's eyes were green.\n\n"
    "# Three\n\nLen went to the harbour with Ada. Nobody was in the mill.\n"
)
DRAFT = "Ada went to the mill. Wilf loved Len. Ada's eyes were blue."
ASKED = file_text(__file__, "asked_of_postgres.txt").splitlines()


@pytest.fixture(scope="module")
def address(postgres_server):
    return postgres_server.new_database()


@pytest.fixture(scope="module")
def indexed(done, address):
    def made(book, folder, *settings):
        done("index", book, "-o", folder, "--set", f"store.url={address}", *settings)
        return folder

    return made


@pytest.fixture(scope="module")
def place(done, indexed, tmp_path_factory):
    place = tmp_path_factory.mktemp("whole")
    (place / "tale.md").write_text(BOOK)
    (place / "codex.yaml").write_text("characters:\n  - name: Ada\n")
    (place / "draft.txt").write_text(DRAFT)
    codex = ("--codex", place / "codex.yaml")
    done("index", place / "tale.md", "-o", place / "folder", *codex)
    indexed(place / "tale.md", place / "server", *codex)
    return place


def test_the_graph_can_be_asked_in_sql(place, postgres_server, address):
    database = address.rpartition("/")[2]
    asked = (
        "SELECT e.name, r.predicate, o.name, substr(g.text, r.span_start + 1, r.span_end - r.span_start) "
        "FROM fabula.relations r JOIN fabula.generations g USING (book, generation) "
        "JOIN fabula.entities e ON (e.book, e.generation, e.id) = (r.book, r.generation, r.subject) "
        "JOIN fabula.entities o ON (o.book, o.generation, o.id) = (r.book, r.generation, r.object) "
        "WHERE r.told <= 2 ORDER BY r.number"
    )
    rows = postgres_server.execute(asked, database)
    assert ("Wilf", "HATES", "Len", "Wilf hated Len.") in rows
    with Project.open(place / "folder") as project:
        view = project.view(None)
        told = [one for one in view.relations() if one.told <= 2]
        assert [(row[1], row[3]) for row in rows] == [(one.predicate, one.evidence[0].quote) for one in told]
        known = [(one.id, one.kind.value, one.name, one.first_appearance) for one in view.entities()]
    found = postgres_server.execute("SELECT id, kind, name, first_chapter FROM fabula.entities", database)
    assert sorted(found) == sorted(known)
    assert max(row[3] for row in found) == 3


def _said(run_cli, place, name, asked):
    command, *more = shlex.split(asked)
    tail = [place / "draft.txt"] if command == "check" else []
    ran = run_cli(command, place / name, *more, *tail)
    return ran.code, ran.out.replace(str(place / name), "PROJECT"), ran.err


@pytest.mark.parametrize("asked", ASKED)
def test_it_says_what_a_project_in_a_folder_says(run_cli, place, asked):
    expected = _said(run_cli, place, "folder", asked)
    assert expected[0] in (0, 1), expected
    assert _said(run_cli, place, "server", asked) == expected


def test_the_folder_holds_settings_and_no_book(place, address):
    assert [path.name for path in (place / "server").glob("[!.]*")] == ["fabula.toml"]
    told = tomllib.loads((place / "server" / "fabula.toml").read_text())
    assert told["store"]["url"] == address
    assert told["store"]["book"].startswith("server-")


def test_a_copy_of_the_folder_opens_the_same_book_once_it_is_trusted(done, refusal, place, tmp_path):
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "fabula.toml").write_text((place / "server" / "fabula.toml").read_text())
    refused = refusal("search", tmp_path / "copy", "the mill")
    assert "fabula trust" in refused and "store.url" in refused
    done("trust", tmp_path / "copy")
    assert done("search", tmp_path / "copy", "the mill") == done("search", place / "server", "the mill")


def test_no_password_is_shown_of_a_folder_that_holds_one(run_cli, tmp_path):
    address = "postgresql://me:s3cret@127.0.0.1/db"
    (tmp_path / "fabula.toml").write_text(f'[store]\nurl = "{address}"\nbook = "b"\n')
    for command in (("search", tmp_path, "x"), ("trust", tmp_path), ("search", tmp_path, "x")):
        ran = run_cli(*command)
        assert "s3cret" not in ran.out + ran.err
        assert "store.url" in ran.out + ran.err


def test_an_added_chapter_costs_only_itself(done, indexed, tmp_path):
    book, folder = tmp_path / "tale.md", tmp_path / "p"
    book.write_text(BOOK)
    indexed(book, folder, "--set", "store.vector_index=hnsw")
    book.write_text(BOOK + "\n# Four\n\nAda burnt the letter in the mill.\n")
    with Project.open(folder) as reader:
        report = json.loads(done("index", book, "-o", folder, "--json"))
        assert (report["chapters"], report["embedded"], report["read"]) == (4, 1, 1)
        assert "burnt" not in reader.search("burnt letter").passages[0].chunk.text
    fresh = tmp_path / "fresh"
    done("index", book, "-o", fresh)
    assert done("search", folder, "burnt letter") == done("search", fresh, "burnt letter")
    assert done("graph", folder) == done("graph", fresh)
    assert tomllib.loads((folder / "fabula.toml").read_text())["store"]["vector_index"] == "hnsw"
    examined = done("doctor", folder)
    assert "4 chapters" in examined and "verified" in examined


def test_a_library_lists_it_and_sees_a_new_index(done, indexed, place, tmp_path):
    folder = indexed(place / "tale.md", tmp_path / "tale")
    library = Library(tmp_path)
    [entry] = library.entries()
    assert entry.chapters == 3
    assert library.entry("tale") == entry
    done("index", place / "tale.md", "-o", folder)
    assert library.entry("tale").stamp != entry.stamp
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "fabula.toml").write_text("[store]\nurl = 7\nbook = 'x'\n")
    assert [one.name for one in library.entries()] == ["tale"]


def test_to_remove_it_removes_its_rows_and_no_others(
    done, indexed, place, tmp_path, address, postgres_server
):
    folder = indexed(place / "tale.md", tmp_path / "tale", "--set", "store.vector_index=hnsw")
    with Project.open(folder) as project:
        project.rate("the old mill", project.search("the old mill").passages[0].chunk.id, 1)
    book = tomllib.loads((folder / "fabula.toml").read_text())["store"]["book"]
    Library(tmp_path).remove("tale")
    assert not folder.exists()
    name = address.rpartition("/")[2]
    tables = postgres_server.execute(
        "SELECT table_name FROM information_schema.columns "
        "WHERE table_schema = 'fabula' AND column_name = 'book'",
        database=name,
    )
    assert len(tables) > 12
    for (table,) in tables:
        held = f'SELECT count(*) FROM fabula."{table}" WHERE book = %(book)s'  # noqa: S608
        assert postgres_server.execute(held, database=name, book=book) == [(0,)], table
    done("search", place / "server", "the mill")


def test_what_cannot_be_done_says_why(refusal, place, tmp_path, address, monkeypatch):
    server = place / "server"
    moved = ("index", place / "tale.md", "-o", place / "folder", "--set", f"store.url={address}")
    for command, said in (
        (moved, "is kept in its folder"),
        (("verify", server), "pg_dump"),
        (("verify", server, "--mend"), "pg_dump"),
        (("backup", server, tmp_path / "b.zip"), "pg_dump"),
        (("verify", server, "--compact"), "pg_dump"),
    ):
        assert said in refusal(*command)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "pip install 'fabula[postgres]'" in refusal("search", server, "the mill")


def test_a_draft_is_accepted_a_name_corrected_and_a_call_counted(done, indexed, place, tmp_path):
    folder = indexed(place / "tale.md", tmp_path / "p")
    done("correct", "merge", folder, "Len", "Wilf")
    done("correct", "undo", folder)
    draft = tmp_path / "draft.txt"
    draft.write_text("Len went back to the old mill and slept.", encoding="utf-8")
    done("accept", folder, draft)
    with Project.open(folder) as project:
        assert "slept" in project.document.text
        project._store.usage().add(Call("m", 7, 1, 0.1), "language")
    assert "m" in done("model", "usage", folder)
