import shutil
import sqlite3
from contextlib import closing

import pytest
from tests.tables import rows

from fabula.core.store import sqlite
from fabula.core.store.generations import Generations


@pytest.fixture
def others(tmp_path):
    """A folder of somebody else's, in which some names look like fabula's own."""
    place = tmp_path / "others"
    for name in ("photos", "000001", "999999", ".000009.partial"):
        (place / name).mkdir(parents=True)
        (place / name / "mine.txt").write_text("mine")
    (place / "000001" / "manifest.json").write_text("{}")
    return place


def state(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["index", "index/000007", "pictures", "book"])
@pytest.mark.parametrize(("command",), rows(__file__, "writers.tsv"))
def test_a_link_is_refused_in_one_line(kept, refusal, tmp_path, others, name, command):
    place = kept.project / name
    if place.is_dir():
        shutil.rmtree(place)
    place.symlink_to(others)
    before = state(others)
    names = {"P": kept.project, "BOOK": kept.book, "OUT": tmp_path / "out.backup"}
    assert f"{name} is a link" in refusal(*(names.get(word, word) for word in command.split()))
    assert state(others) == before and not (tmp_path / "out.backup").exists()


def test_a_database_is_not_written_through_a_link(kept, refusal, tmp_path):
    (kept.project / "fabula.db").rename(tmp_path / "theirs.db")
    (kept.project / "fabula.db").symlink_to(tmp_path / "theirs.db")
    before = (tmp_path / "theirs.db").read_bytes()
    assert "fabula.db is a link" in refusal("index", kept.book, "-o", kept.project)
    assert (tmp_path / "theirs.db").read_bytes() == before


def test_the_project_s_own_folder_may_be_a_link(kept, done, tmp_path):
    (tmp_path / "linked").symlink_to(kept.project)
    done("index", kept.book, "-o", tmp_path / "linked", "--rebuild")
    done("verify", tmp_path / "linked", "--compact")


@pytest.mark.parametrize("name", ["notes.toml", "codex.yaml", "index/extra.key"])
def test_a_backup_holds_nothing_from_elsewhere(kept, run_cli, tmp_path, name):
    (tmp_path / "key").write_text("PRIVATE KEY")
    place = kept.project / name if "index" not in name else kept.index / "extra.key"
    place.unlink(missing_ok=True)
    place.symlink_to(tmp_path / "key")
    out = tmp_path / "out.backup"
    packed = run_cli("backup", kept.project, out)
    if "index" in name:  # its manifest does not know it
        assert packed.code == 0 and b"PRIVATE KEY" not in out.read_bytes()
    else:
        assert packed.code == 2 and "is a link" in packed.err and not out.exists()


def test_only_what_fabula_made_is_swept(tmp_path, others):
    generations = Generations(others)
    (others / "notes.txt").write_text("mine")
    (others / "000004").symlink_to(others / "photos")
    assert generations.sweep(keep="999999", before=False) == [".000009.partial", "000001"]
    assert sorted(path.name for path in others.iterdir()) == ["000004", "999999", "notes.txt", "photos"]
    assert (others / "photos" / "mine.txt").is_file()


@pytest.mark.parametrize(
    ("made",),
    rows(__file__, "what_acts_within_a_database_is_refused.tsv"),
)
def test_what_acts_within_a_database_is_refused(kept, refusal, made):
    with closing(sqlite3.connect(kept.project / "fabula.db")) as db:
        db.executescript(made)
    for command in (("verify", kept.project), ("search", kept.project, "letter", "--mode", "lexical")):
        assert "that fabula did not make" in refusal(*command)


def test_a_backup_with_a_trigger_is_not_restored(kept, done, refusal, tmp_path, monkeypatch):
    with closing(sqlite3.connect(kept.project / "fabula.db")) as db:
        db.execute("CREATE TRIGGER t AFTER INSERT ON feedback BEGIN DELETE FROM work; END")
    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "foreign_part", lambda _: "")
        done("backup", kept.project, tmp_path / "bad.backup")
    refused = refusal("backup", tmp_path / "new", tmp_path / "bad.backup", "--restore")
    assert "nothing is restored" in refused and "trigger t" in refused
    assert not (tmp_path / "new").exists() and not list(tmp_path.glob(".new.*"))
