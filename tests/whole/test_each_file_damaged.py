"""Every file of a project and a server, damaged in turn: a line that says so, or the answer as before; what
else lies there is left alone, and with the file as it was before all is as it was."""

import hashlib
import shlex
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.scripted import ScriptedGenerator
from tests.whole.test_damage import FILES as INDEX_FILES

from fabula.api.backend import Backend
from fabula.api.jobs.registry import JobKind, Jobs
from fabula.api.settings import ServerSettings
from fabula.core.types import Prompt
from fabula.core.vectors.index import VectorIndex
from fabula.errors import FabulaError
from fabula.llm.recorded import RecordedGenerator

BOOK = (
    "# One\n\nWilf hated Len. Len sent Ada a letter.\n\n# Two\n\nAda met Wilf in the old mill. Wilf wept.\n"
)
ASKED = Path(__file__).with_name("asked_of_damaged.txt").read_text(encoding="utf-8").splitlines()
FILES = (
    "fabula.db fabula.toml corrections.toml suppressions.toml "
    "index/000002/corrections.toml index/000002/manifest.json index/000002/scan-signs.npy "
    "index/000002/scan-bytes.npy"
).split()
LOCKS = (".lock", "-wal", "-shm")


def _flipped(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0x04]) + content[middle + 1 :]


def _page(number):
    """One page of a database overwritten."""

    def damaged(content):
        start = min(number * 4096, max(0, len(content) - 4096))
        return content[:start] + b"\xff" * 4096 + content[start + 4096 :]

    return damaged


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a bit": _flipped,
    "emptied": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "zeros": lambda content: bytes(len(content)),
    "noise": lambda content: hashlib.sha512(content).digest() * (len(content) // 64 + 1),
    "deep": lambda content: b"[" * 200_000,
    **{f"page {number}": _page(number) for number in (0, 1, 2, 3, 5, 8, 13)},
}
CASES = [
    (file, damage)
    for file in FILES
    for damage in DAMAGES
    if not damage.startswith("page") or file == "fabula.db"
]


@pytest.fixture(scope="module", autouse=True)
def _as_if_there_were_many_chunks():
    """Then vectors are scanned by codes of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(VectorIndex.__init__.__kwdefaults__, "small", 0)
        patch.setitem(VectorIndex.load.__func__.__kwdefaults__, "small", 0)
        yield


@pytest.fixture(scope="module")
def whole(run_cli, tmp_path_factory):
    """A project that holds every kind of file."""
    place = tmp_path_factory.mktemp("whole")
    project = place / "p"
    (place / "tale.md").write_text(BOOK)
    done = [
        run_cli("index", place / "tale.md", "-o", project),
        run_cli("correct", "rename", project, "Len", "Leonard", "--from", 2),
        run_cli("ask", project, "Who sent a letter?", "--no-model", "--conversation", "talk"),
        run_cli("search", project, "letter", "--rate", 1, 1),
    ]
    assert not [one.err for one in done if one.code]
    (project / "fabula.toml").write_text("[retrieval]\nk = 4\n")
    (project / "suppressions.toml").write_text(
        '[[suppress]]\nfingerprint = "0123456789abcdef"\nreason = "meant"\n'
    )
    with sqlite3.connect(project / "fabula.db") as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return place


def answers(run_cli, place):
    ran = [run_cli(*shlex.split(one.replace("PROJECT", str(place / "p")))) for one in ASKED]
    return [(one.code, " ".join(one.out.replace(str(place), ".").split()), one.err) for one in ran]


def digests(place):
    files = sorted(path for path in (place / "p").rglob("*") if path.is_file())
    return {
        path.relative_to(place / "p").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if not path.name.endswith(LOCKS)
    }


@pytest.fixture(scope="module")
def before(run_cli, whole):
    found = answers(run_cli, whole)
    assert {code for code, _, _ in found} <= {0, 1}, found
    return found


def test_every_kind_of_file_is_damaged_here(whole):
    elsewhere = {f"index/000002/{name}" for name in INDEX_FILES if name != "codex.yaml"}
    there = {name for name in digests(whole) if not name.startswith("index/000001")}
    assert there == {*FILES, *elsewhere}


@pytest.mark.thorough
@pytest.mark.parametrize(("file", "damage"), CASES)
def test_one_line_and_nothing_lost(run_cli, whole, before, tmp_path, file, damage):
    place = tmp_path / "copy"
    shutil.copytree(whole, place)
    path = place / "p" / file
    content = path.read_bytes()
    path.write_bytes(DAMAGES[damage](content))
    there, refused = digests(place), 0
    for command, (code, out, err), (_, was, _) in zip(ASKED, answers(run_cli, place), before, strict=False):
        where = (file, damage, command, code, out[-300:], err[-500:])
        assert "Traceback" not in out + err, where
        refused += code == 2 or (command.startswith("doctor") and code == 1)
        if code == 2:
            assert not out and err.startswith("fabula: ") and err.count("\n") == 1, where
        elif not command.startswith("doctor"):
            assert code in (0, 1), where
            silent = (file, damage) == ("fabula.db", "a bit")  # a rating, say, has no checksum
            assert out == was or file.endswith(".toml") or silent, where
    if file == "corrections.toml" and damage == "noise":
        refused += run_cli("correct", "apply", place / "p").code == 2
    assert refused or damage != "noise"
    after = digests(place)
    if (file, damage) == ("fabula.db", "emptied"):
        there.pop(file), after.pop(file)  # SQLite gives it a head
    assert after == there, "what reads a damaged project changes no file of it"
    if file == "fabula.db":
        rated = run_cli("search", place / "p", "letter", "--rate", 1, 1)
        assert (rated.code, rated.err.count("\n")) == (2, 1) or not rated.code, rated.err
    path.write_bytes(content)
    for part in LOCKS[1:]:
        (place / "p" / f"fabula.db{part}").unlink(missing_ok=True)
    assert answers(run_cli, place)[:-1] == before[:-1]  # but for the doctor, who tells of the machine


@pytest.mark.thorough
def test_a_log_that_is_noise_takes_nothing_from_what_was_there(run_cli, whole, before, tmp_path):
    place = tmp_path / "copy"
    shutil.copytree(whole, place)
    for name, damage in DAMAGES.items():
        (place / "p" / "fabula.db-wal").write_bytes(damage(b"\x37\x7f\x06\x82" + bytes(40_000)))
        (place / "p" / "fabula.db-shm").unlink(missing_ok=True)
        assert answers(run_cli, place)[:-1] == before[:-1], name


def test_a_log_that_was_cut_keeps_what_was_whole_in_it(run_cli, whole, tmp_path):
    """A writer that was ended: what it had acknowledged stays, half a page of the next is passed over."""
    place = tmp_path / "copy"
    shutil.copytree(whole, place)
    database = place / "p" / "fabula.db"
    with sqlite3.connect(database) as db:
        db.execute("PRAGMA wal_autocheckpoint=0")
        for n in range(5):
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"seen-{n}", "x" * 3_000))
            db.commit()
        log = database.with_name("fabula.db-wal").read_bytes()
        shutil.copy(database, place / "kept.db")
    db.close()
    for end in range(len(log), 0, -1_700):
        shutil.copy(place / "kept.db", database)
        database.with_name("fabula.db-wal").write_bytes(log[:end])
        database.with_name("fabula.db-shm").unlink(missing_ok=True)
        assert run_cli("search", place / "p", "letter", "--mode", "lexical").code == 0
        with sqlite3.connect(database) as db:
            seen = [row[0] for row in db.execute("SELECT key FROM meta WHERE key LIKE 'seen-%' ORDER BY key")]
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        db.close()
        assert seen == [f"seen-{n}" for n in range(len(seen))]  # none is missing between two
    assert seen == []


PROMPT = Prompt("You answer.", "Who sent a letter?", "v1")


def recorded(path, *, replay=False):
    make = None if replay else lambda: ScriptedGenerator(["Len sent it."] * 9)
    generator = RecordedGenerator(path, make)
    try:
        return generator.generate(PROMPT, max_tokens=16).text
    finally:
        generator.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_recording_of_answers(tmp_path, damage):
    path = tmp_path / "answers-x.sqlite"
    assert recorded(path) == recorded(path, replay=True) == "Len sent it."
    content = path.read_bytes()
    path.write_bytes(DAMAGES[damage](content))
    try:
        assert recorded(path, replay=True) == "Len sent it."
    except FabulaError as error:
        assert "\n" not in str(error) and str(path) in str(error)
    path.write_bytes(content)
    assert recorded(path, replay=True) == "Len sent it."


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_servers_own_database(tmp_path, damage):
    path = tmp_path / "root" / ".server" / "server.db"
    jobs = Jobs(path, keep_days=7, most_waiting=30)
    kept = [jobs.add(JobKind.INGEST, "tale", {"name": "tale.txt", "more": "x" * 900}).id for _ in range(30)]
    jobs.close()
    content = path.read_bytes()
    path.write_bytes(DAMAGES[damage](content))
    try:
        backend = Backend.open(ServerSettings(tmp_path / "root"))
        try:
            backend.ready()
        finally:
            backend.close()
    except FabulaError as error:
        assert "\n" not in str(error) and "server.db" in str(error)
    path.write_bytes(content)
    for part in LOCKS[1:]:
        path.with_name(f"server.db{part}").unlink(missing_ok=True)
    jobs = Jobs(path, keep_days=7)
    assert [job.id for job in jobs.listed()] == kept[::-1]
    jobs.close()
