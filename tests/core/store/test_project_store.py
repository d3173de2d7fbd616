import errno
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import zipfile
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.contracts.rating_contract import rating_of
from tests.contracts.store_contract import Place, StoreContract, document_of
from tests.tables import values

from fabula.core.queries.router import QueryAnalysis
from fabula.core.store import dialects, sqlite
from fabula.core.store.conversations import KeptTurn
from fabula.core.store.dialects import connect
from fabula.core.store.sqlite import SCHEMA, ProjectStore, digest
from fabula.core.store.usage import UsageRow, UsageStore
from fabula.core.types import Call, Horizon
from fabula.core.weight_manager import AdaptiveWeightManager
from fabula.errors import ProjectError


def _made(save):
    return SimpleNamespace(document=document_of(), save=save, meta={"settings": "{}"}, used=())


def _publish(store, content="a"):
    with store.lock():
        store.publish(_made(lambda folder: (folder / "x.txt").write_text(content)))


def test_damage_is_found(tmp_path):
    with ProjectStore.create(tmp_path) as store:
        _publish(store)
        file = store.index().files() / "x.txt"
        file.write_text("b")
        with pytest.raises(ProjectError, match="damaged"):
            store.generations.verify("000001")
        file.write_text("longer")
        with pytest.raises(ProjectError, match=r"has 6 bytes, not 1.*--rebuild"):
            store.index().files()
        for manifest, said in (("{", "cannot be read"), ('{"schema": 99, "files": {}}', "schema 99")):
            (file.parent / "manifest.json").write_text(manifest)
            with pytest.raises(ProjectError, match=said):
                store.index().files()


def test_what_is_no_project_is_refused_and_left_alone(tmp_path):
    with pytest.raises(ProjectError, match="no project in"):
        ProjectStore.open(tmp_path)
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ProjectError, match="holds other files"):
        ProjectStore.create(tmp_path)
    assert [f.name for f in tmp_path.iterdir()] == ["thesis.txt"]
    (tmp_path / "fabula.db").write_bytes(b"not a database" * 100)
    for enter in (ProjectStore.open, ProjectStore.create):
        with pytest.raises(ProjectError, match="cannot be used"):
            enter(tmp_path)
    assert (tmp_path / "fabula.db").read_bytes() == b"not a database" * 100


@contextmanager
def _elsewhere(folder, does):
    """Another process opens the project, does this and says so; in the end it is killed."""
    code = (
        "import sys, time; from pathlib import Path; from fabula.core.store.sqlite import ProjectStore\n"
        f"store = ProjectStore.open(Path(sys.argv[1])); {does}"
    )
    command = [sys.executable, "-c", code, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield
        process.kill()


def test_a_second_writer_waits_for_its_turn_and_says_so_but_not_for_ever(tmp_path, caplog):
    does = (
        "lock = store.lock(); lock.__enter__(); print('held', flush=True)\n"
        "while not Path(sys.argv[1], 'go').exists(): time.sleep(0.05)\nstore.close()"
    )
    with ProjectStore.create(tmp_path) as store, _elsewhere(tmp_path, does):
        for patience in ({}, {"patience": 0.1}):
            assert not caplog.text
            with pytest.raises(ProjectError, match="another process is writing"), store.lock(**patience):
                pass
        threading.Timer(0.3, (tmp_path / "go").touch).start()
        with store.lock(patience=30), store.lock():  # who holds it may take it again
            assert "waiting up to 30 s" in caplog.text


def test_an_index_that_is_read_is_not_swept(tmp_path):
    with ProjectStore.create(tmp_path) as store:
        _publish(store, content="a")
        with ProjectStore.open(tmp_path) as reader:
            held = reader.snapshot()
            for content in "bcdef":
                _publish(store, content=content)
            assert (held.index.files("x.txt") / "x.txt").read_text() == "a"
            kept = sorted(folder.name for folder in (tmp_path / "index").iterdir())
            assert kept == ["000001", "000005", "000006"]
        _publish(store, content="g")
        assert sorted(folder.name for folder in (tmp_path / "index").iterdir()) == ["000006", "000007"]


def test_a_reader_that_is_killed_holds_nothing(tmp_path):
    with ProjectStore.create(tmp_path) as store:
        _publish(store)
        with _elsewhere(tmp_path, "store.snapshot(); print('held', flush=True); time.sleep(60)"):
            for content in "bc":
                _publish(store, content=content)
            assert (tmp_path / "index" / "000001").is_dir()
        _publish(store, content="d")
        assert not (tmp_path / "index" / "000001").exists()


def test_a_failed_publish_changes_nothing(tmp_path):
    def fail(folder):
        (folder / "x.txt").write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with ProjectStore.create(tmp_path) as store:
        _publish(store)
        with pytest.raises(ProjectError, match=r"No space left.*make room"), store.lock():
            store.publish(_made(fail))
        assert [f.name for f in (tmp_path / "index").iterdir()] == ["000001"]
        assert (store.index().files() / "x.txt").read_text() == "a"
        _publish(store, content="b")
        assert (store.index().files() / "x.txt").read_text() == "b"


_WRITER = """
    import sys
    from pathlib import Path
    from tests.contracts.rating_contract import rating_of
    from tests.contracts.store_contract import document_of, publish
    from fabula.core.store.sqlite import ProjectStore
    with ProjectStore.create(Path(sys.argv[1])) as store:
        for n in range(1, 10_000):
            store.keep_work("unit", str(n), str(n).encode())
            store.feedback().add(rating_of(f"q{n}"))
            used = [("unit", str(i)) for i in range(1, n + 1)]
            publish(store, document_of([f"{n} told in words"] * 5), meta={"n": str(n)}, used=used)
            print(n, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 2, 5, 9])
def test_killed_at_any_instant_it_holds_what_it_acknowledged(tmp_path, acknowledged):
    command = [sys.executable, "-c", textwrap.dedent(_WRITER), str(tmp_path / "p")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if int(line) >= acknowledged:
                os.kill(process.pid, signal.SIGKILL)
                break
        last = max([int(line), *map(int, process.stdout.read().split())])
    with ProjectStore.open(tmp_path / "p") as store:
        n = int(store.meta("n"))
        assert n in (last, last + 1)  # it may have died between commit and acknowledgement
        assert store.document() == document_of([f"{n} told in words"] * 5)
        assert store.work("unit", str(n)) == str(n).encode()
        rated = {one.query for one in store.feedback().recent(10**6, horizon=Horizon())}
        assert {f"q{i}" for i in range(1, n + 1)} <= rated <= {f"q{i}" for i in range(1, n + 2)}
        store.generations.verify(store.meta("generation"))
        store.index().verify()
        with store.lock():
            pass


@pytest.fixture
def place(tmp_path):
    return Place(ProjectStore, tmp_path / "project")


class TestProjectStore(StoreContract):
    pass


OLD = Path(__file__).parents[2] / "stories" / "projects"
STORY = """# One

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
        assert document.text == STORY
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
        assert store.document().text == STORY
        assert len(store.feedback().recent(9, horizon=Horizon())) == RATINGS[schema]
        reading = next(producer for producer, _ in store.work_keys() if "reading" in producer)
        body = store.document().chapters[0].body.of(STORY)
        assert store.work(reading, digest(body)).startswith(b"{")
    assert (folder / "fabula.db").read_bytes() == before


def test_whoever_reads_beside_a_writer_leaves_the_migration_for_later(old, caplog):
    folder = old("2")
    writer = ProjectStore(folder, dialects.connect(folder / "fabula.db"))
    with writer.lock(), ProjectStore.open(folder) as store:
        assert store.document().text == STORY
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
    (folder.parent / "tale.md").write_text(STORY)
    again = run_cli("index", folder.parent / "tale.md", "-o", folder, "--json")
    assert again.code == 0, again.err
    assert schema != "1" or '"read": 0' in again.out
    assert run_cli("verify", folder).code == 0


BOOK = Horizon()


@pytest.fixture
def made_store(tmp_path):
    with ProjectStore.create(tmp_path / "p") as made:
        yield made


def test_a_manager_learns_from_what_another_process_wrote(made_store):
    mine, other = made_store.feedback(), made_store.feedback()
    manager, analysis = AdaptiveWeightManager(mine), QueryAnalysis("", "factual", "mixed", ())
    assert manager.decide(analysis, horizon=BOOK).semantic == 0.4
    for _ in range(20):
        other.add(rating_of(rating=0.1))
    assert manager.decide(analysis, horizon=BOOK).semantic > 0.4


RATER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from fabula.core.store.sqlite import ProjectStore
    from tests.contracts.rating_contract import rating_of

    made_store = ProjectStore.create(Path(sys.argv[1])).feedback()
    for i in range(int(sys.argv[3])):
        made_store.add(rating_of(f"{sys.argv[2]}{i}"))
        sys.stdout.write(f"{i}\\n")
        sys.stdout.flush()
""")


def _writer(folder, name, count):
    command = [sys.executable, "-c", RATER, str(folder), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_write_at_once_and_nothing_is_lost(tmp_path):
    """Both also make the project, which neither finds."""
    count = 100
    writers = {name: _writer(tmp_path / "p", name, count) for name in "ab"}
    said = [(writer.communicate(timeout=120)[1], writer.returncode) for writer in writers.values()]
    assert [code for _, code in said] == [0, 0], said
    with ProjectStore.open(tmp_path / "p") as made_store:
        found = [rating.query for rating in made_store.feedback().recent(1000, horizon=BOOK)][::-1]
    for name in "ab":
        assert [q for q in found if q[0] == name] == [f"{name}{i}" for i in range(count)]


def test_who_makes_the_database_waits_for_another_who_does(tmp_path):
    """SQLite answers at once that the file is locked, whatever its time-out, while a transaction is under way
    in a database that has no write-ahead log yet."""
    file = tmp_path / "fabula.db"
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE t (x)")
    other.execute("BEGIN IMMEDIATE")
    done = threading.Timer(0.5, lambda: other.execute("COMMIT"))
    done.start()
    engine = connect(file)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    engine.dispose()
    done.join()
    other.close()


@pytest.mark.parametrize(("column", "value"), values(__file__, "a_broken_row_is_a_project.tsv"))
def test_a_broken_row_is_a_project_error(made_store, column, value):
    made_store.feedback().add(rating_of())
    statement = f"UPDATE feedback SET {column} = ?"  # noqa: S608
    made_store.database.write(lambda db: db.exec_driver_sql(statement, (value,)))
    with pytest.raises(ProjectError, match=r"rating 1 in .*cannot be read"):
        made_store.feedback().recent(5, horizon=BOOK)


def test_what_is_deleted_is_gone_from_the_files(made_store, tmp_path):
    kept = made_store.conversations()
    kept.add("one", KeptTurn("Who loves the zyzzogeton?", "Nobody xyloryctes.", 9, True))
    kept.add("two", KeptTurn("Who sang?", "In the weir.", 9, True))
    assert kept.delete("one") == 1
    assert [one.id for one in kept.listed(horizon=BOOK)] == ["two"]
    held = b"".join(path.read_bytes() for path in (tmp_path / "p").iterdir() if path.is_file())
    assert b"zyzzogeton" not in held and b"xyloryctes" not in held


@pytest.mark.parametrize("asked", [0, 1])
def test_in_a_file_that_can_only_be_read_no_more_are_kept(made_store, tmp_path, monkeypatch, asked):
    for _ in range(asked):
        made_store.conversations().add("one", KeptTurn("Who sang?", "She.", 9, True))
    made_store.close()
    monkeypatch.setattr("fabula.core.store.dialects._is_writable", lambda _: False)
    with ProjectStore.open(tmp_path / "p") as read_only:
        assert not read_only.conversations().is_writable
        assert len(read_only.conversations().listed(horizon=BOOK)) == asked
        assert len(read_only.conversations().turns("one", horizon=BOOK)) == asked


DAY = 86_400
CALL = Call("m", 10, 2, 0.5)


def test_calls_add_up_by_day_model_and_kind(tmp_path):
    with ProjectStore.create(tmp_path / "p") as made_store:
        assert made_store.usage().rows() == ()
        now = [DAY * 20_000 - 1.0]  # a second before midnight, UTC
        usage = UsageStore(made_store.database, clock=lambda: now[0])
        usage.add(CALL, "language")
        usage.add(replace(CALL, estimated=True), "language")
        usage.add(CALL, "embedding")
        usage.add(replace(CALL, model="a"), "language", free=True)
        now[0] += 1
        usage.add(CALL, "language")
        assert made_store.usage().rows() == (
            UsageRow("2024-10-03", "a", "language", True, 1, 0, 10, 2, 0.5),
            UsageRow("2024-10-03", "m", "embedding", False, 1, 0, 10, 2, 0.5),
            UsageRow("2024-10-03", "m", "language", False, 2, 1, 20, 4, 1.0),
            UsageRow("2024-10-04", "m", "language", False, 1, 0, 10, 2, 0.5),
        )
