import hashlib
import json
import zipfile

import pytest

from fabula.core.store.generations import hold, release
from fabula.project.keeping import backup

ASKED = ("the letter in the mill", "--mode", "lexical")


@pytest.fixture
def packed(kept, run_cli, tmp_path):
    file = tmp_path / "backups" / "tale.backup"
    made = run_cli("backup", kept.project, file)
    assert made.code == 0, made.err
    return file


def contents(folder):
    left_out = ("fabula.db", "fabula.db-wal", "fabula.db-shm")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".") and path.name not in left_out
    }


def test_a_project_comes_back_as_it_was(kept, packed, run_cli, tmp_path):
    new = tmp_path / "new" / "p"
    restored = run_cli("backup", new, packed, "--restore")
    assert restored.code == 0, restored.out
    assert "clean" in restored.out and "1 ratings, 1 turns, 1 corrections" in restored.out
    old = {name: raw for name, raw in contents(kept.project).items() if "index/000001" not in name}
    assert contents(new) == old  # of two indexes, the one that counts
    found = run_cli("search", new, *ASKED)
    assert found.code == 0 and found == run_cli("search", kept.project, *ASKED)
    again = run_cli("index", kept.book, "-o", new, "--json")
    assert '"read": 0' in again.out and '"embedded": 0' in again.out


def test_a_backup_replaces_an_older_one_and_nothing_else(kept, packed, run_cli, refusal):
    kept.change("DELETE FROM feedback")
    assert run_cli("backup", kept.project, packed).code == 0
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


def test_what_killed_ones_left_goes_and_nothing_else(kept, packed, run_cli, tmp_path):
    left = packed.parent / f".{packed.name}.abc123.partial"
    alive = packed.parent / f".{packed.name}.def456.partial"
    mine = packed.parent / ".other.backup.x.partial"
    for place in (left, alive, mine):
        place.mkdir()
        (place / "fabula.db").write_bytes(b"x")
    held = hold(alive)
    (packed.parent / f".{packed.name}.link.partial").symlink_to(kept.project)
    assert run_cli("backup", kept.project, packed).code == 0
    assert not left.exists() and alive.is_dir() and mine.is_dir() and kept.index.is_dir()
    release(held)
    assert run_cli("backup", kept.project, packed).code == 0
    assert not alive.exists()
    (tmp_path / ".again.x.partial" / "project").mkdir(parents=True)
    assert run_cli("backup", tmp_path / "again", packed, "--restore").code == 0
    assert not list(tmp_path.glob(".again.*"))


def test_no_project_is_written_over(kept, packed, run_cli, refusal, tmp_path):
    before = contents(kept.project)
    for place in (kept.project, kept.book):
        assert "is not empty" in refusal("backup", place, packed, "--restore")
    assert contents(kept.project) == before
    (tmp_path / "empty").mkdir()
    assert run_cli("backup", tmp_path / "empty", packed, "--restore").code == 0


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


def index_in(files):
    return next(name for name, _ in files if name.startswith("index/")).rpartition("/")[0] + "/"


def with_file(name, raw=b"x"):
    return files(lambda held: [*held, (name, raw)])


def files(change):
    return lambda packed: rewritten(packed, change)


def manifest(**said):
    return lambda packed: rewritten(packed, list, lambda told: told.update(said))


def database(**said):
    return lambda packed: rewritten(packed, list, lambda told: told["files"]["fabula.db"].update(said))


def deep(packed):
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("manifest.json", "[" * 200_000)


def flipped(packed):
    raw = bytearray(packed.read_bytes())
    raw[len(raw) // 3] ^= 4
    packed.write_bytes(bytes(raw))


BAD = {
    "a way out": with_file("../escaped.toml"),
    "a way out further down": with_file("index/000001/../../../escaped.npy"),
    "an absolute path": with_file("/somewhere/escaped.toml"),
    "a windows path": with_file("..\\escaped.toml"),
    "a drive": with_file("C:escaped.toml"),
    "a hidden file": with_file(".lock"),
    "a program": with_file("run.py"),
    "a second database": with_file("fabula.db-wal"),
    "a folder": with_file("graphs/"),
    "two files of one name": with_file("fabula.toml", b"[generator]\nprovider = 'openai'\n"),
    "a manifest of deep brackets": deep,
    "another checksum": database(sha256="0" * 64),
    "another size": database(bytes=10**13),
    "a checksum that is none": database(sha256="no"),
    "a file too few": lambda packed: rewritten(packed, list, lambda told: told["files"].pop("fabula.toml")),
    "a file too many": lambda packed: rewritten(
        packed, list, lambda told: told["files"].update({"more.toml": {"bytes": 1, "sha256": "0" * 64}})
    ),
    "a file that the index does not know": files(
        lambda held: [*held, (f"{index_in(held)}more.npy", b"x" * 1_800_000)]
    ),
    "an index file of other bytes": files(
        lambda held: [(name, raw + b"x" * name.endswith("chunks.npy")) for name, raw in held]
    ),
    "a second index": with_file("index/000077/chunks.npy"),
    "an index without manifest": files(lambda held: [f for f in held if not f[0].endswith("/manifest.json")]),
    "what unpacks to a thousand times its size": with_file("notes.toml", b"#" * 100_000_000),
    "no database": files(lambda held: [f for f in held if f[0] != "fabula.db"]),
    "another format": manifest(format="zip"),
    "a later format": manifest(schema=2),
    "files that are none": manifest(files=[1]),
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
    assert (
        "make room" in refusal("backup", tmp_path / "p", packed, "--restore")
        and not (tmp_path / "p").exists()
    )


def test_a_broken_project_is_restored_as_it_was_and_said_to_be_broken(kept, run_cli, tmp_path):
    import numpy as np

    np.save(kept.index / "vectors.npy", np.load(kept.index / "vectors.npy")[[1, 0, 2]])
    kept.reseal()
    assert run_cli("backup", kept.project, tmp_path / "b").code == 0
    restored = run_cli("backup", tmp_path / "q", tmp_path / "b", "--restore")
    assert restored.code == 1 and "vectors.npy" in restored.out
    assert run_cli("verify", tmp_path / "q", "--mend").code == 0
