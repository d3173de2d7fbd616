"""Projects that earlier versions really made: every schema there has been is read, and brought to the
present one.

The archives beside ``tests/stories`` were written by the commands of the last commits with schemas 1, 2 and
3, from the story below; the last two were rated, and the last was asked a question.
"""

import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from fabula.core.store import dialects, sqlite
from fabula.core.store.sqlite import SCHEMA, ProjectStore, digest
from fabula.core.types import Horizon
from fabula.errors import ProjectError

OLD = Path(__file__).parents[2] / "stories" / "projects"
TEXT = """# One

Wilf hated Len. Len sent Ada a letter. "Come to the mill," said Len, and Ada laughed.

# Two

Ada met Wilf in the old mill. Wilf wept. The letter lay on the floor between them.
"""
RATINGS = {"1": 0, "2": 1, "3": 1}
TURNS = {"1": 0, "2": 0, "3": 1}


@pytest.fixture
def old(tmp_path):
    def made(schema):
        with zipfile.ZipFile(OLD / f"schema-{schema}.zip") as archive:
            archive.extractall(tmp_path / "p")
        return tmp_path / "p"

    return made


def ask(folder, query):
    with closing(sqlite3.connect(folder / "fabula.db")) as db:
        return db.execute(query).fetchall()


@pytest.mark.parametrize("schema", "123")
def test_what_was_kept_is_there_after_the_migration(old, schema):
    folder = old(schema)
    kept = dict(ask(folder, "SELECT producer || input, output FROM work"))
    with ProjectStore.open(folder) as store:
        document = store.document()
        assert document.text == TEXT
        assert [c.title for c in document.chapters] == ["One", "Two"]
        assert len(store.feedback().recent(9, horizon=Horizon())) == RATINGS[schema]
        assert len(store.conversations().turns("talk", horizon=Horizon())) == TURNS[schema]
        assert store.broken_work() == []
        for producer, key in store.work_keys():
            was = kept[producer + key]
            assert store.work(producer, key) == (was if schema in "12" else was[32:])
    assert ask(folder, "SELECT value FROM meta WHERE key = 'schema'") == [(SCHEMA,)]
    tables = {name for (name,) in ask(folder, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert tables >= {"feedback", "turns"} and "chunks" not in tables


@pytest.mark.parametrize("schema", "123")
def test_where_it_can_only_be_read_it_is_read_as_it_is(old, schema, monkeypatch):
    folder = old(schema)
    before = (folder / "fabula.db").read_bytes()
    monkeypatch.setattr(dialects, "_is_writable", lambda _: False)
    with ProjectStore.open(folder) as store:
        assert store.document().text == TEXT
        assert len(store.feedback().recent(9, horizon=Horizon())) == RATINGS[schema]
        reading = next(producer for producer, _ in store.work_keys() if "reading" in producer)
        body = store.document().chapters[0].body.of(TEXT)
        assert store.work(reading, digest(body)).startswith(b"{")
    assert (folder / "fabula.db").read_bytes() == before


def test_whoever_reads_beside_a_writer_leaves_the_migration_for_later(old, caplog):
    folder = old("2")
    writer = ProjectStore(folder, dialects.connect(folder / "fabula.db"))
    with writer.lock(), ProjectStore.open(folder) as store:
        assert store.document().text == TEXT
        assert store.broken_work() == []
        with pytest.raises(ProjectError, match="can only be read"):
            store.remember("x", "y")
    writer.close()
    assert "a copy is read of what an earlier version left" in caplog.text
    assert ask(folder, "SELECT value FROM meta WHERE key = 'schema'") == [("2",)]


def test_a_migration_is_all_or_nothing(old, monkeypatch):
    def fail(db):
        raise sqlite3.OperationalError("disk I/O error")

    folder = old("1")
    monkeypatch.setattr(sqlite, "_seal_work", fail)
    with pytest.raises(ProjectError, match="disk I/O error"):
        ProjectStore.open(folder)
    assert ask(folder, "SELECT value FROM meta WHERE key = 'schema'") == [("1",)]
    assert ask(folder, "SELECT count(*) FROM chunks") == [(2,)]


@pytest.mark.parametrize("schema", ["6", "0", "x"])
def test_a_schema_that_is_not_known_is_refused_and_left_alone(old, schema):
    folder = old("3")
    with closing(sqlite3.connect(folder / "fabula.db")) as db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'schema'", [schema])
        db.commit()
    for opened in (ProjectStore.open, ProjectStore.create):
        with pytest.raises(ProjectError, match=rf"schema {schema}, this version reads 1 to {SCHEMA}"):
            opened(folder)
    assert ask(folder, "SELECT value FROM meta WHERE key = 'schema'") == [(schema,)]


@pytest.mark.parametrize("schema", "123")
def test_an_old_project_answers_once_it_is_mended(old, schema, run_cli):
    folder = old(schema)
    mended = run_cli("verify", folder, "--mend")
    assert mended.code == 0, mended.out
    if schema == "1":  # later ones need it only where the rules have changed since
        assert "made the index again from the project's own text" in mended.out
    found = run_cli("search", folder, "the letter in the mill", "--mode", "lexical")
    assert found.code == 0 and "The letter lay on the floor" in found.out
    (folder.parent / "tale.md").write_text(TEXT)
    again = run_cli("index", folder.parent / "tale.md", "-o", folder, "--json")
    assert again.code == 0, again.err
    assert schema != "1" or '"read": 0' in again.out
    assert run_cli("verify", folder).code == 0
