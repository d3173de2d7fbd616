import hashlib
import json
import zipfile

import numpy as np
import pytest
from tests.tables import values

from fabula.core.store.generations import hold, release
from fabula.project.keeping import backup

ASKED = ("the letter in the mill", "--mode", "lexical")


@pytest.fixture
def packed(kept, done, tmp_path):
    file = tmp_path / "backups" / "tale.backup"
    done("backup", kept.project, file)
    return file


def contents(folder):
    left_out = ("fabula.db", "fabula.db-wal", "fabula.db-shm")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".") and path.name not in left_out
    }


def test_a_project_comes_back_as_it_was(kept, packed, done, tmp_path):
    new = tmp_path / "new" / "p"
    restored = done("backup", new, packed, "--restore")
    assert "clean" in restored and "1 ratings, 1 turns, 1 corrections" in restored
    old = {name: raw for name, raw in contents(kept.project).items() if "index/000001" not in name}
    assert contents(new) == old  # of two indexes, the one that counts
    assert done("search", new, *ASKED) == done("search", kept.project, *ASKED)
    again = done("index", kept.book, "-o", new, "--json")
    assert '"read": 0' in again and '"embedded": 0' in again


def test_a_backup_replaces_an_older_one_and_nothing_else(kept, packed, done, refusal):
    kept.change("DELETE FROM feedback")
    done("backup", kept.project, packed)
    assert [each.name for each in packed.parent.iterdir()] == [packed.name]
    before = kept.book.read_bytes()
    assert "is not a backup of fabula" in refusal("backup", kept.project, kept.book)
    assert kept.book.read_bytes() == before
    assert "cannot be written" in refusal("backup", kept.project, kept.book / "under-a-file")


def test_a_backup_that_cannot_be_finished_leaves_the_older_one(kept, packed, refusal, monkeypatch):
    before = packed.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_own_files", fail)
    assert "No space left" in refusal("backup", kept.project, packed)
    assert packed.read_bytes() == before and [each.name for each in packed.parent.iterdir()] == [packed.name]


def test_what_killed_ones_left_goes_and_nothing_else(kept, packed, done, tmp_path):
    left = packed.parent / f".{packed.name}.abc123.partial"
    alive = packed.parent / f".{packed.name}.def456.partial"
    mine = packed.parent / ".other.backup.x.partial"
    for place in (left, alive, mine):
        place.mkdir()
        (place / "fabula.db").write_bytes(b"x")
    held = hold(alive)
    (packed.parent / f".{packed.name}.link.partial").symlink_to(kept.project)
    done("backup", kept.project, packed)
    assert not left.exists() and alive.is_dir() and mine.is_dir() and kept.index.is_dir()
    release(held)
    done("backup", kept.project, packed)
    assert not alive.exists()
    (tmp_path / ".again.x.partial" / "project").mkdir(parents=True)
    done("backup", tmp_path / "again", packed, "--restore")
    assert not list(tmp_path.glob(".again.*"))


def test_no_project_is_written_over(kept, packed, done, refusal, tmp_path):
    before = contents(kept.project)
    for place in (kept.project, kept.book):
        assert "is not empty" in refusal("backup", place, packed, "--restore")
    assert contents(kept.project) == before
    (tmp_path / "empty").mkdir()
    done("backup", tmp_path / "empty", packed, "--restore")


def rewritten(packed, change, about=None):
    """The archive with other files (name to bytes; a list of pairs) and a manifest that ``about`` changes."""
    with zipfile.ZipFile(packed) as archive:
        files = [(name, archive.read(name)) for name in archive.namelist() if name != "manifest.json"]
        manifest = json.loads(archive.read("manifest.json"))
    files = change(files)
    manifest["files"] = {
        name: {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()} for name, raw in files
    }
    if about is not None:
        about(manifest)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files:
            archive.writestr(name, raw)
        archive.writestr("manifest.json", json.dumps(manifest))


def files(change):
    return lambda packed: rewritten(packed, change)


def with_file(name, raw):
    return files(lambda held: [*held, (name, raw)])


def without(end):
    return files(lambda held: [(name, raw) for name, raw in held if not name.endswith(end)])


def beside_the_index(held):
    folder = next(name for name, _ in held if name.startswith("index/")).rpartition("/")[0]
    return [*held, (f"{folder}/more.npy", b"x" * 1_800_000)]


def manifest(where, said):
    def change(told):
        for part in where[:-1]:
            told = told[part]
        told[where[-1]] = said

    return lambda packed: rewritten(packed, list, change)


def deep(packed):
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("manifest.json", "[" * 200_000)


def flipped(packed):
    raw = bytearray(packed.read_bytes())
    raw[len(raw) // 3] ^= 4
    packed.write_bytes(bytes(raw))


BAD = {
    **{what: with_file(name, raw) for what, name, raw in values(__file__, "files_no_backup_holds.tsv")},
    **{what: manifest(where, said) for what, where, said in values(__file__, "manifests_refused.tsv")},
    "a manifest of deep brackets": deep,
    "a file too few": lambda packed: rewritten(packed, list, lambda told: told["files"].pop("fabula.toml")),
    "a file that the index does not know": files(beside_the_index),
    "an index file of other bytes": files(
        lambda held: [(name, raw + b"x" * name.endswith("chunks.npy")) for name, raw in held]
    ),
    "an index without manifest": without("/manifest.json"),
    "what unpacks to a thousand times its size": with_file("notes.toml", b"#" * 100_000_000),
    "no database": without("fabula.db"),
    "a flipped bit": flipped,
    "half of it": lambda packed: packed.write_bytes(packed.read_bytes()[: packed.stat().st_size // 2]),
    "a text": lambda packed: packed.write_text("Once upon a time"),
    "nothing": lambda packed: packed.write_bytes(b""),
    "no file": lambda packed: packed.unlink(),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", BAD)
def test_a_bad_archive_is_one_line_and_writes_nothing(packed, refusal, tmp_path, name):
    BAD[name](packed)
    place = tmp_path / "restored"
    place.mkdir()
    assert refusal("backup", place / "p", packed, "--restore")
    assert list(place.iterdir()) == []
    assert not list(tmp_path.rglob("escaped*"))


def test_what_does_not_fit_on_the_disk_is_not_begun(packed, refusal, tmp_path, monkeypatch):
    full = type("Usage", (), {"free": 1000})
    monkeypatch.setattr(backup.shutil, "disk_usage", lambda _: full)
    assert "make room" in refusal("backup", tmp_path / "p", packed, "--restore")
    assert not (tmp_path / "p").exists()


def test_a_broken_project_is_restored_as_it_was_and_said_to_be_broken(kept, run_cli, done, tmp_path):
    np.save(kept.index / "vectors.npy", np.load(kept.index / "vectors.npy")[[1, 0, 2]])
    kept.reseal()
    done("backup", kept.project, tmp_path / "b")
    restored = run_cli("backup", tmp_path / "q", tmp_path / "b", "--restore")
    assert restored.code == 1 and "vectors.npy" in restored.out
    done("verify", tmp_path / "q", "--mend")
