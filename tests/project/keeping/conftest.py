"""A small project that has all that a project can hold, and ways to break it."""

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from fabula.engine import Project

BOOK = (
    "# One\n\nWilf hated Len. Len sent Ada a letter because he feared Wilf.\n\n# Two\n\n"
    "Ada met Wilf in the old mill. Wilf wept. Then Wilf killed Len.\n\n"
    '# Three\n\n"I have brown eyes," said Ada. Ada loved Wilf. They went to the mill.\n'
)


@dataclass(frozen=True)
class Kept:
    """A book and its project, to be broken."""

    book: Path
    project: Path

    @property
    def index(self):
        return max(each for each in (self.project / "index").iterdir() if each.name.isdigit())

    def reseal(self):
        """Has the manifest name the files as they are, so that only what they say is wrong."""
        about = json.loads((self.index / "manifest.json").read_text())
        for name in about["files"]:
            raw = (self.index / name).read_bytes()
            about["files"][name] = {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}
        (self.index / "manifest.json").write_text(json.dumps(about))

    def change(self, statement, *values):
        with closing(sqlite3.connect(self.project / "fabula.db")) as db:
            assert db.execute(statement, values).rowcount
            db.commit()


@pytest.fixture(scope="session")
def whole(made_once, run_cli):
    def make(place):
        (place / "tale.md").write_text(BOOK)
        (place / "p").mkdir()
        (place / "p" / "codex.yaml").write_text("characters:\n  - name: Ada\n    traits: {eyes: brown}\n")
        (place / "p" / "fabula.toml").write_text('codex = "codex.yaml"\n[retrieval]\nk = 3\n')
        made = run_cli("index", place / "tale.md", "-o", place / "p")
        assert made.code == 0, made.err
        with Project.open(place / "p") as project:
            best = project.search("who wept in the mill", mode="lexical").passages[0].chunk
            project.rate("who wept in the mill", best.id, 1.0)
            project.ask("Who wept?", conversation="talk", model=False)
        renamed = run_cli("correct", "rename", place / "p", "Len", "Lennox", "--from", "2")
        assert renamed.code == 0, renamed.err

    return made_once("kept", make)


@pytest.fixture
def kept(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "kept")
    return Kept(tmp_path / "kept" / "tale.md", tmp_path / "kept" / "p")
