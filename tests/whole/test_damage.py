"""Every file of a project and a server, damaged in turn: a line that says so, or the answer as before; what
else lies there is left alone, and with the file as it was before all is as it was."""

import hashlib
import shlex
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from tests.scripted import ScriptedGenerator
from tests.tables import file_text, rows

from fabula.api.backend import Backend
from fabula.api.jobs.registry import JobKind, Jobs
from fabula.api.settings import ServerSettings
from fabula.core.store.sqlite import ProjectStore
from fabula.core.types import Prompt
from fabula.core.vectors.index import VectorIndex
from fabula.errors import FabulaError
from fabula.llm.recorded import RecordedGenerator

BOOK = (
    "# One\n\nWilf hated Len. Len sent Ada a letter.\n\n# Two\n\nAda met Wilf in the old mill. Wilf wept.\n"
)
ASKED = file_text(__file__, "asked_of_damaged.txt").splitlines()
INDEX = (
    "chunks.npy codex.yaml facts.json facts.npy lexical-chunks.npy lexical-counts.npy lexical-lengths.npy "
    "lexical-starts.npy lexical-words.npy passage_entities.txt passage_graph.npz story.json vectors.npy "
    "vocabulary.txt"
).split()
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
CASES = [(f, damage) for f in FILES for damage in DAMAGES if "page" not in damage or f == "fabula.db"]


@pytest.fixture(scope="module", autouse=True)
def _as_if_there_were_many_chunks():
    """Then vectors are scanned by codes of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(VectorIndex.__init__.__kwdefaults__, "small", 0)
        patch.setitem(VectorIndex.load.__func__.__kwdefaults__, "small", 0)
        yield


def changed(place, *statements, **values):
    with closing(sqlite3.connect(place / "p" / "fabula.db")) as db, db:
        for statement in statements:
            assert db.execute(statement, values).rowcount


@pytest.fixture(scope="module")
def index(done):
    def made(place, *more):
        return done("index", place / "tale.md", "-o", place / "p", "--codex", place / "codex.yaml", *more)

    return made


@pytest.fixture(scope="module")
def whole(done, index, tmp_path_factory):
    """A project that holds every kind of file."""
    place = tmp_path_factory.mktemp("whole")
    project = place / "p"
    (place / "tale.md").write_text(BOOK)
    (place / "codex.yaml").write_text("characters:\n  - name: Ada\n")
    (place / "draft.txt").write_text("Ada went to the mill. Wilf loved Len.")
    index(place)
    done("correct", "rename", project, "Len", "Leonard", "--from", 2)
    done("ask", project, "Who sent a letter?", "--no-model", "--conversation", "talk")
    done("search", project, "letter", "--rate", 1, 1)
    (project / "fabula.toml").write_text("[retrieval]\nk = 4\n")
    noted = '[[suppress]]\nfingerprint = "0123456789abcdef"\nreason = "meant"\n'
    (project / "suppressions.toml").write_text(noted)
    changed(place, "PRAGMA wal_checkpoint(TRUNCATE)")
    return place


@pytest.fixture
def copy(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "copy")


@pytest.fixture(scope="module")
def answers(run_cli):
    def asked(place):
        named = {"PROJECT": place / "p", "DRAFT": place / "draft.txt"}
        ran = [run_cli(*(named.get(word, word) for word in shlex.split(one))) for one in ASKED]
        return [(one.code, " ".join(one.out.replace(str(place), ".").split()), one.err) for one in ran]

    return asked


@pytest.fixture(scope="module")
def before(answers, whole):
    found = answers(whole)
    assert {code for code, _, _ in found} <= {0, 1}, found
    return found


def digests(folder):
    """Every file but the database's log of who reads."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(LOCKS)
    }


def flip(place, file):
    path = place / "p" / "index" / "000002" / file
    path.write_bytes(_flipped(path.read_bytes()))


def is_made_alike(copy, whole, *names):
    now, was = digests(copy / "p"), digests(whole / "p")
    assert [name for name in names if now[f"index/000003/{name}"] != was[f"index/000002/{name}"]] == []


def test_every_kind_of_file_is_damaged_here(whole):
    there = {name for name in digests(whole / "p") if not name.startswith("index/000001")}
    assert there == {*FILES, *(f"index/000002/{name}" for name in INDEX)}


@pytest.mark.parametrize("file", INDEX)
def test_no_answer_is_made_from_a_damaged_file(answers, before, copy, file):
    flip(copy, file)
    found = answers(copy)[:-1]
    refused = [(out, err) for code, out, err in found if code == 2]
    assert refused
    for out, err in refused:
        assert (out, err.count("\n")) == ("", 1) and file in err and "fabula index --rebuild" in err
    assert all(one in before for one in found if one[0] != 2)


def test_the_way_out_that_is_said_leads_out(answers, index, before, copy):
    for file in INDEX:
        flip(copy, file)
    index(copy, "--rebuild")
    assert answers(copy)[:-1] == before[:-1]


@pytest.mark.parametrize("file", INDEX)
def test_an_index_made_again_is_as_if_nothing_had_been_damaged(index, whole, copy, file, caplog):
    flip(copy, file)
    index(copy)
    is_made_alike(copy, whole, *INDEX)
    if file in ("facts.npy", "chunks.npy"):  # it builds on them
        assert f"{file} of index generation 000002 is damaged" in caplog.text
        assert "made again" in caplog.text


@pytest.mark.parametrize(("statement",), rows(__file__, "changes_of_a_text.tsv"))
def test_a_text_changed_in_the_database_is_seen(run_cli, done, index, refusal, copy, statement):
    changed(copy, statement)
    looked_at = run_cli("doctor", copy / "p")
    assert looked_at.code == 1 and "--rebuild" in looked_at.out
    assert "the text in the database" in looked_at.out
    assert "--rebuild" in refusal("search", copy / "p", "letter", "--mode", "lexical")
    index(copy)
    assert "verified" in done("doctor", copy / "p")


@pytest.mark.parametrize("producer", ["vectors", "reading"])
def test_work_that_was_kept_and_damaged_is_done_anew(index, whole, copy, producer, caplog):
    changed(
        copy,
        "UPDATE work SET output = CAST(substr(output, 1, length(output) - 2) || x'0101' AS BLOB) "
        "WHERE producer LIKE :producer",
        producer=f"{producer}:%",
    )
    index(copy)
    assert "is damaged: it is done again" in caplog.text
    is_made_alike(copy, whole, "vectors.npy", "story.json")


def test_a_project_of_the_version_before_is_read_and_sealed_by_the_next_index(done, index, copy):
    changed(
        copy,
        "UPDATE work SET output = CAST(substr(output, 33) AS BLOB)",
        "UPDATE meta SET value = '2' WHERE key = 'schema'",
        "DELETE FROM meta WHERE key = 'content'",
    )
    done("check", copy / "p")
    assert "no checksum of its text" in done("doctor", copy / "p")
    again = index(copy, "--json")
    assert '"read": 0' in again and '"embedded": 0' in again
    assert "verified" in done("doctor", copy / "p")
    with ProjectStore.open(copy / "p") as store:
        assert store.document() is not None


@pytest.mark.thorough
@pytest.mark.parametrize(("file", "damage"), CASES)
def test_one_line_and_nothing_lost(run_cli, answers, before, copy, file, damage):
    path = copy / "p" / file
    content = path.read_bytes()
    path.write_bytes(DAMAGES[damage](content))
    there, refused = digests(copy / "p"), 0
    for command, (code, out, err), (_, was, _) in zip(ASKED, answers(copy), before, strict=True):
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
        refused += run_cli("correct", "apply", copy / "p").code == 2
    assert refused or damage != "noise"
    after = digests(copy / "p")
    if (file, damage) == ("fabula.db", "emptied"):
        there.pop(file), after.pop(file)  # SQLite gives it a head
    assert after == there, "what reads a damaged project changes no file of it"
    if file == "fabula.db":
        rated = run_cli("search", copy / "p", "letter", "--rate", 1, 1)
        assert (rated.code, rated.err.count("\n")) == (2, 1) or not rated.code, rated.err
    path.write_bytes(content)
    for part in LOCKS[1:]:
        (copy / "p" / f"fabula.db{part}").unlink(missing_ok=True)
    assert answers(copy)[:-1] == before[:-1]  # but for the doctor, who tells of the machine


@pytest.mark.thorough
def test_a_log_that_is_noise_takes_nothing_from_what_was_there(answers, before, copy):
    for name, damage in DAMAGES.items():
        (copy / "p" / "fabula.db-wal").write_bytes(damage(b"\x37\x7f\x06\x82" + bytes(40_000)))
        (copy / "p" / "fabula.db-shm").unlink(missing_ok=True)
        assert answers(copy)[:-1] == before[:-1], name


def test_a_log_that_was_cut_keeps_what_was_whole_in_it(done, copy):
    """A writer that was ended: what it had acknowledged stays, half a page of the next is passed over."""
    database = copy / "p" / "fabula.db"
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA wal_autocheckpoint=0")
        for n in range(5):
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"seen-{n}", "x" * 3_000))
            db.commit()
        log = database.with_name("fabula.db-wal").read_bytes()
        shutil.copy(database, copy / "kept.db")
    for end in range(len(log), 0, -1_700):
        shutil.copy(copy / "kept.db", database)
        database.with_name("fabula.db-wal").write_bytes(log[:end])
        database.with_name("fabula.db-shm").unlink(missing_ok=True)
        done("search", copy / "p", "letter", "--mode", "lexical")
        with closing(sqlite3.connect(database)) as db:
            seen = [row[0] for row in db.execute("SELECT key FROM meta WHERE key LIKE 'seen-%' ORDER BY key")]
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert seen == [f"seen-{n}" for n in range(len(seen))]  # none is missing between two
    assert seen == []


def recorded(path, *, replay=False):
    make = None if replay else lambda: ScriptedGenerator(["Len sent it."] * 9)
    with closing(RecordedGenerator(path, make)) as generator:
        return generator.generate(Prompt("You answer.", "Who sent a letter?", "v1"), max_tokens=16).text


def queued(path, *, replay=False):
    """The numbers of the jobs that a server holds, thirty at first."""
    with closing(Jobs(path, keep_days=7, most_waiting=30)) as jobs:
        for _ in range(0 if replay else 30):
            jobs.add(JobKind.INGEST, "tale", {"name": "tale.txt", "more": "x" * 900})
        return [job.id for job in jobs.listed()]


def served(path, *, replay):
    with closing(Backend(ServerSettings(path.parents[1]))) as backend:
        backend.ready()


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(
    ("name", "kept", "used"),
    [("answers-x.sqlite", recorded, recorded), (".server/server.db", queued, served)],
)
def test_a_recording_of_answers_and_the_servers_own_database(tmp_path, damage, name, kept, used):
    path = tmp_path / name
    before = kept(path)
    content = path.read_bytes()
    path.write_bytes(DAMAGES[damage](content))
    try:
        assert used(path, replay=True) in (before, None)
    except FabulaError as error:
        assert "\n" not in str(error) and path.name in str(error)
    path.write_bytes(content)
    for part in LOCKS[1:]:
        path.with_name(f"{path.name}{part}").unlink(missing_ok=True)
    assert kept(path, replay=True) == before
