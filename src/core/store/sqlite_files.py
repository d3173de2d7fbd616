"""Whole SQLite files: copied while others write to them, and looked through for damage."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from ...errors import ProjectError

_NAMED = 5  # problems of a database that are worth a line


def copy_database(file: Path, copy: Path) -> None:
    """A whole copy of an SQLite file as it is at one instant, whoever writes to it meanwhile; without files
    beside it. Raises ProjectError where it cannot be read, or the copy cannot be written."""
    try:
        with closing(read_only(file)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise ProjectError(f"{file} cannot be copied ({error}): look at its disk, and at {copy}") from error


def problems_in(file: Path) -> list[str]:
    """What is wrong with an SQLite file, at most five lines, and what acts in it; reads all of it."""
    try:
        with closing(read_only(file)) as db:
            rows = db.execute(f"PRAGMA integrity_check({_NAMED})").fetchall()
            acting = "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')"
            rows += [(f"it holds a {kind} {name}",) for kind, name in db.execute(acting)]
    except sqlite3.Error as error:
        return [str(error)]
    return [str(row[0]) for row in rows if row[0] != "ok"]


def read_only(file: Path) -> sqlite3.Connection:
    """A connection to be closed, to a file that may stand where nobody can write."""
    uri = file.resolve().as_uri()
    try:
        db = sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=10)
        db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except sqlite3.OperationalError:  # a log that cannot be opened, on a medium that nobody writes
        db = sqlite3.connect(f"{uri}?immutable=1", uri=True)
    return db
