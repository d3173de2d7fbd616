import json
import signal
import sqlite3
import subprocess
import sys

import pytest

from fabula.config import load_config
from fabula.core.store.sqlite import ProjectStore
from fabula.errors import ProjectError

STORY = "# One\n\nWilf hated Len. Len loved Ada.\n\n# Two\n\nAda met Wilf at the mill. Wilf loved Len.\n"


@pytest.fixture
def book(tmp_path):
    file = tmp_path / "tale.md"
    file.write_text(STORY)
    return file


def test_after_a_finding_was_suppressed(run_cli, done, demo_copy, tmp_path):
    draft = tmp_path / "draft.txt"
    draft.write_text("Wilf hated Len. He said nothing more that night.")
    asked = ("check", demo_copy.project, "--draft", draft, "--as-of", 5)
    found = json.loads(run_cli(*asked, "--json").out)["violations"]
    done(*asked, "--suppress", found[0]["fingerprint"], "--reason", "meant")
    done("index", demo_copy.book, "-o", demo_copy.project)
    assert json.loads(run_cli(*asked, "--json").out)["violations"] == found[1:]


@pytest.mark.parametrize("name", [".DS_Store", "notes.txt", "fabula.db-journal", "desktop.ini"])
def test_beside_any_other_file(done, book, tmp_path, name):
    if name == ".DS_Store":  # the desktop may have been there first
        (tmp_path / "p").mkdir()
        (tmp_path / "p" / name).write_bytes(b"")
    done("index", book, "-o", tmp_path / "p")
    (tmp_path / "p" / name).write_bytes(b"")
    done("index", book, "-o", tmp_path / "p")
    assert (tmp_path / "p" / name).exists() or name == "fabula.db-journal"


_KILLED_WRITING = """
import os, signal, sys
from pathlib import Path
os.replace = None
Path.replace = lambda self, target: os.kill(os.getpid(), signal.SIGKILL)
from fabula.project.connecting import save_settings
save_settings(Path(sys.argv[1]) / "fabula.toml", {"retrieval": {"k": 7}})
"""


def test_after_a_kill_while_settings_were_written(done, book, tmp_path):
    project = tmp_path / "p"
    project.mkdir()
    ended = subprocess.run([sys.executable, "-c", _KILLED_WRITING, str(project)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert len(list(project.glob("*.partial"))) == 1
    done("index", book, "-o", project)
    assert not list(project.glob("*.partial"))


_TABLES_DIE = """
import os, signal, sys
from pathlib import Path
import sqlalchemy as sa
from fabula.core.store.sqlite import ProjectStore
left = [int(sys.argv[2])]
def count(connection, cursor, statement, parameters, context, executemany):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
sa.event.listen(sa.Engine, "before_cursor_execute", count)
ProjectStore.create(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("statements", [0, 1, 2, 3, 5, 7, 9, 11])
def test_killed_while_it_was_being_made_it_is_made_whole(tmp_path, statements):
    project = tmp_path / "p"
    command = [sys.executable, "-c", _TABLES_DIE, str(project), str(statements)]
    ended = subprocess.run(command, check=False)
    assert ended.returncode in (-signal.SIGKILL, 0)
    if ended.returncode:
        with pytest.raises(ProjectError, match=r"run fabula index|make one with fabula index"):
            ProjectStore.open(project)
    with ProjectStore.create(project) as store:
        store.keep_work("unit", "1", b"done")
        assert store.work("unit", "1") == b"done"
        assert store.document() is None


@pytest.mark.parametrize("rebuild", [(), ("--rebuild",)])
@pytest.mark.parametrize("tables", [["meta"], ["meta", "documents"], []])
def test_what_an_earlier_version_left_half_made_is_made_whole(done, refusal, book, tmp_path, tables, rebuild):
    project = tmp_path / "p"
    project.mkdir()
    with sqlite3.connect(project / "fabula.db") as db:
        if "meta" in tables:
            db.execute("CREATE TABLE meta (key VARCHAR NOT NULL, value VARCHAR, PRIMARY KEY (key))")
        if "documents" in tables:
            db.execute("CREATE TABLE documents (id VARCHAR PRIMARY KEY, title VARCHAR, text TEXT)")
    db.close()
    search = ("search", project, "mill", "--mode", "lexical")
    assert "run fabula index" in refusal(*search)
    done("index", book, "-o", project, *rebuild)
    done(*search)


def test_two_who_set_different_things_lose_neither(tmp_path):
    write = (
        "import sys; from pathlib import Path; from fabula.project.connecting import save_settings\n"
        "for n in range(1, 40): save_settings(Path(sys.argv[1]), {sys.argv[2]: {sys.argv[3]: n}})"
    )
    file = tmp_path / "fabula.toml"
    keys = (("retrieval", "k"), ("comparison", "seed"), ("comparison", "budget"))
    all_three = [subprocess.Popen([sys.executable, "-c", write, str(file), *key]) for key in keys]
    assert [process.wait() for process in all_three] == [0, 0, 0]
    now = load_config(file)
    assert (now.retrieval.k, now.comparison.seed, now.comparison.budget) == (39, 39, 39)
