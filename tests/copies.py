"""Copies of the project that the tests share."""

import shutil
import sqlite3
from contextlib import closing


def copy_unasked(project, place):
    """A copy of a project as if no model had ever been asked: other tests may ask in the shared one."""
    shutil.copytree(project, place)
    with closing(sqlite3.connect(place / "fabula.db")) as db, db:
        db.execute("DELETE FROM usage")
