import shutil
import sqlite3
import subprocess
import sys
from contextlib import contextmanager

import pytest

from fabula.core.store.sqlite import ProjectStore


def _some(often, *seldom):
    """Sizes that every run tries, and those that only the slow one does."""
    return [*often, *(pytest.param(one, marks=pytest.mark.slow) for one in seldom)]


BOOK = "# One\n\nWilf hated Len. Len loved Ada.\n\n# Two\n\nAda met Wilf at the mill. Wilf loved Len.\n"
MORE = "\n\n# Three\n\n" + " ".join(f"Ada gave the letter {n} to Len at the mill." for n in range(40)) + "\n"


@contextmanager
def _mounted(folder, *options):
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _remount(folder, option):
    subprocess.run(["mount", "-o", f"remount,{option}", str(folder)], check=True)


@pytest.fixture
def protect(tmp_path):
    """Puts a copy of a project where it can only be read."""
    with _mounted(tmp_path / "protected", "size=16m") as disk:

        def copied(project):
            shutil.copytree(project, disk / "p")
            _remount(disk, "ro")
            return disk / "p"

        yield copied


ASKED = ("the letter at the mill", "--mode", "lexical")


@pytest.mark.parametrize("kilobytes", _some([4, 96, 256], 16, 36, 64, 128, 192, 320))
def test_a_disk_that_fills_while_a_project_is_made(run_cli, done, tmp_path, kilobytes):
    book = tmp_path / "tale.md"
    book.write_text(BOOK + MORE)
    with _mounted(tmp_path / "disk", f"size={kilobytes}k") as disk:
        made = run_cli("index", book, "-o", disk / "p")
        assert made.code in (0, 2)
        if made.code:
            assert made.err.count("\n") == 1, made.err
            assert "room" in made.err
        _remount(disk, "size=8m")
        for place in (disk / "p", tmp_path / "whole"):
            done("index", book, "-o", place)
        assert done("search", disk / "p", *ASKED) == done("search", tmp_path / "whole", *ASKED)


@pytest.mark.parametrize("kilobytes", _some([24], 4, 48, 80))
def test_a_disk_that_fills_while_a_project_grows(done, refusal, tmp_path, kilobytes):
    book = tmp_path / "tale.md"
    book.write_text(BOOK)
    with _mounted(tmp_path / "disk", "size=8m") as disk:
        done("index", book, "-o", disk / "p")
        before = done("search", disk / "p", *ASKED)
        used = shutil.disk_usage(disk).used // 1024
        _remount(disk, f"size={used + kilobytes}k")
        book.write_text(BOOK + MORE)
        assert "room" in refusal("index", book, "-o", disk / "p")
        _remount(disk, "size=8m")
        assert done("search", disk / "p", *ASKED) == before
        done("index", book, "-o", disk / "p")


def test_a_project_that_can_only_be_read_answers_as_ever(done, demo_project, protect):
    project = protect(demo_project)
    for command, *more in (
        ("search", "Who forged the telegram?"),
        ("search", "Who forged the telegram?", "--as-of", 4, "--mode", "lexical"),
        ("graph", "--limit", 3),
        ("check",),
        ("ask", "Who forged the telegram?", "--no-model"),
        ("graph", "--scenes", "3-5"),
    ):
        assert done(command, project, *more) == done(command, demo_project, *more)


def test_what_would_write_there_is_refused_in_a_line(refusal, demo_project, demo_copy, protect):
    project = protect(demo_project)
    for asked in (
        ("index", demo_copy.book, "-o", project),
        ("search", project, "Who forged the telegram?", "--rate", 1, 1),
        ("search", project, "--forget-ratings"),
    ):
        assert "can only be read" in refusal(*asked)


_UNFINISHED = """
import os, sys
from pathlib import Path
from fabula.core.store.sqlite import ProjectStore
store = ProjectStore.open(Path(sys.argv[1]))
store.remember("told", "last")
os._exit(0)
"""


def test_what_was_acknowledged_is_read_there_though_its_log_was_never_folded_in(tmp_path, demo_copy, protect):
    subprocess.run([sys.executable, "-c", _UNFINISHED, str(demo_copy.project)], check=True)
    assert (demo_copy.project / "fabula.db-wal").stat().st_size > 0
    with ProjectStore.open(protect(demo_copy.project)) as store:
        assert store.meta("told") == "last"
        assert store.document() is not None


def test_one_that_nobody_rated_and_an_earlier_version_made(done, demo_copy, protect):
    with sqlite3.connect(demo_copy.project / "fabula.db") as db:
        db.execute("DROP TABLE IF EXISTS feedback")
        db.execute("UPDATE meta SET value = '3' WHERE key = 'schema'")
    db.close()
    assert not [*demo_copy.project.glob("fabula.db-*")]
    done("search", protect(demo_copy.project), "Who forged the telegram?")
