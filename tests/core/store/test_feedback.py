import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading

import pytest
from tests.contracts.rating_contract import rating_of
from tests.tables import values

from fabula.core.queries.router import QueryAnalysis
from fabula.core.store.dialects import connect
from fabula.core.store.sqlite import ProjectStore
from fabula.core.types import Horizon
from fabula.core.weight_manager import AdaptiveWeightManager
from fabula.errors import ProjectError

BOOK = Horizon()


@pytest.fixture
def store(tmp_path):
    with ProjectStore.create(tmp_path / "p") as made:
        yield made


def test_a_manager_learns_from_what_another_process_wrote(store):
    mine, other = store.feedback(), store.feedback()
    manager, analysis = AdaptiveWeightManager(mine), QueryAnalysis("", "factual", "mixed", ())
    assert manager.decide(analysis, horizon=BOOK).semantic == 0.4
    for _ in range(20):
        other.add(rating_of(rating=0.1))
    assert manager.decide(analysis, horizon=BOOK).semantic > 0.4


WRITER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from fabula.core.store.sqlite import ProjectStore
    from tests.contracts.rating_contract import rating_of

    store = ProjectStore.create(Path(sys.argv[1])).feedback()
    for i in range(int(sys.argv[3])):
        store.add(rating_of(f"{sys.argv[2]}{i}"))
        sys.stdout.write(f"{i}\\n")
        sys.stdout.flush()
""")


def _writer(folder, name, count):
    command = [sys.executable, "-c", WRITER, str(folder), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_write_at_once_and_nothing_is_lost(tmp_path):
    """Both also make the project, which neither finds."""
    count = 100
    writers = {name: _writer(tmp_path / "p", name, count) for name in "ab"}
    said = [(writer.communicate(timeout=120)[1], writer.returncode) for writer in writers.values()]
    assert [code for _, code in said] == [0, 0], said
    with ProjectStore.open(tmp_path / "p") as store:
        found = [rating.query for rating in store.feedback().recent(1000, horizon=BOOK)][::-1]
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


def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path):
    writer = _writer(tmp_path / "p", "k", 1_000_000)
    acknowledged = [int(writer.stdout.readline()) for _ in range(25)]
    os.kill(writer.pid, signal.SIGKILL)
    rest, _ = writer.communicate(timeout=60)
    acknowledged += [int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    with ProjectStore.open(tmp_path / "p") as store:
        found = {rating.query for rating in store.feedback().recent(10**6, horizon=BOOK)}
    assert {f"k{i}" for i in acknowledged} <= found
    assert len(found) <= len(acknowledged) + 1  # at most the one that was being told


@pytest.mark.parametrize(("column", "value"), values(__file__, "a_broken_row_is_a_project.tsv"))
def test_a_broken_row_is_a_project_error(store, column, value):
    store.feedback().add(rating_of())
    statement = f"UPDATE feedback SET {column} = ?"  # noqa: S608
    store.database.write(lambda db: db.exec_driver_sql(statement, (value,)))
    with pytest.raises(ProjectError, match=r"rating 1 in .*cannot be read"):
        store.feedback().recent(5, horizon=BOOK)
