import hashlib
import json
import shutil
import sqlite3
import zipfile
from contextlib import closing

import numpy as np
import pytest
from tests.tables import rows, values

from fabula.core.store import sqlite
from fabula.core.store.generations import Generations, hold, release
from fabula.core.store.sqlite import ProjectStore
from fabula.engine import Project
from fabula.project.checking import suspects
from fabula.project.keeping import backup
from fabula.project.keeping.mending import compact
from fabula.project.vectors import PAIR_WORK, KeptJudge

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
    Breaks(kept).put("chunks.npy", (1, 1), 8)
    done("backup", kept.project, tmp_path / "b")
    restored = run_cli("backup", tmp_path / "q", tmp_path / "b", "--restore")
    assert restored.code == 1 and "chunks.npy" in restored.out
    done("verify", tmp_path / "q", "--mend")


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


@pytest.mark.parametrize(("made",), rows(__file__, "what_acts_within_a_database_is_refused.tsv"))
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


def digests(kept):
    with_names = json.loads((kept.index / "manifest.json").read_text())["files"]
    return {name: about["sha256"] for name, about in with_names.items()}


class Breaks:
    """Ways to break an index or the database of a project; where it rewrites an array or the story's log it
    has the manifest agree."""

    def __init__(self, kept):
        self.kept = kept
        self.change = kept.change

    def put(self, name, place, value):
        array = np.load(self.kept.index / name)
        array[place] = value
        np.save(self.kept.index / name, array)
        self.kept.reseal()

    def take(self, name, rows):
        np.save(self.kept.index / name, np.load(self.kept.index / name)[rows])
        self.kept.reseal()

    def quote(self, table, at, said):
        file = self.kept.index / "story.json"
        story = json.loads(file.read_text(encoding="utf-8"))
        quotes = story["log"][table][at]["evidence"]
        (quotes[0] if isinstance(quotes, list) else quotes).update(said)
        file.write_text(json.dumps(story), encoding="utf-8")
        self.kept.reseal()

    def flip(self, name):
        raw = bytearray((self.kept.index / name).read_bytes())
        raw[len(raw) // 2] ^= 4
        (self.kept.index / name).write_bytes(bytes(raw))

    def write(self, name, text):
        (self.kept.index / name).write_text(text)

    def drop(self, name):
        (self.kept.index / name).unlink()


def test_a_whole_project_is_clean(kept, done):
    verified = done("verify", kept.project)
    counts = "3 chunks,3 chapters,1 ratings,1 turns,1 corrections,7 pieces"
    assert [one for one in counts.split(",") if one not in verified] == []
    assert verified.count("\n") == 1
    assert json.loads(done("verify", kept.project, "--mend", "--json"))["did"] == []


@pytest.mark.parametrize(("name", "act", "given", "line"), values(__file__, "breaks.tsv"))
def test_a_break_is_named_and_mended(kept, run_cli, done, name, act, given, line):
    before, answer = digests(kept), done("search", kept.project, *ASKED)
    getattr(Breaks(kept), act)(*given)
    verified = run_cli("verify", kept.project)
    assert verified.code == 1
    broken = [each for each in verified.out.splitlines() if each.startswith("broken")]
    assert any(line in each for each in broken), verified.out
    assert all("fabula verify --mend" in each for each in broken), verified.out
    mended = done("verify", kept.project, "--mend")
    assert "mended  " in mended and "clean" in mended
    done("verify", kept.project)
    assert digests(kept) == before
    assert done("search", kept.project, *ASKED) == answer


def test_a_text_that_the_books_file_no_longer_gives_is_not_made_up(kept, run_cli):
    kept.change("UPDATE documents SET text = replace(text, 'letter', 'ladder')")
    kept.book.write_text(kept.book.read_text() + "\n\nMore.\n")
    mended = run_cli("verify", kept.project, "--mend")
    assert mended.code == 1
    assert "the text is damaged and the book's file does not give it" in mended.out
    assert "restore the project from a backup" in mended.out and "--mend" not in mended.out
    assert run_cli("verify", kept.project).out.endswith(mended.out)


def test_ratings_that_cannot_be_read_are_dropped_and_others_stay(kept, run_cli, done, refusal):
    kept.change(
        "INSERT INTO feedback SELECT 77, query, 'odd', chunk_id, rating, chapter, weight, placements"
        " FROM feedback"
    )
    refusal("search", kept.project, "mill")
    verified = run_cli("verify", kept.project)
    assert verified.code == 1 and "feedback: rating 77 cannot be read" in verified.out
    assert "dropped 1 ratings" in done("verify", kept.project, "--mend")
    done("search", kept.project, "mill")


def test_a_rating_of_a_passage_that_is_gone_is_no_break(kept, done):
    kept.change("UPDATE feedback SET chunk_id = '0123456789abcdef'")
    assert "1 ratings are of passages that the text no longer has" in done("verify", kept.project)


@pytest.mark.parametrize(("file", "content", "line"), values(__file__, "what_the_author_keeps.tsv"))
def test_what_the_author_keeps_is_named_and_left_alone(kept, run_cli, file, content, line):
    (kept.project / file).write_text(content)
    verified = run_cli("verify", kept.project)
    assert verified.code == 1 and line in verified.out
    assert run_cli("verify", kept.project, "--mend").code in (1, 2)
    assert (kept.project / file).read_text() == content


def test_what_waits_or_was_left_is_noted_and_swept(kept, done):
    file = kept.project / "corrections.toml"
    file.write_text(file.read_text() + '\n[[correct]]\nkind = "retype"\nwho = "Wilf"\nto = "group"\n')
    assert "fabula correct" in done("verify", kept.project)
    (kept.project / "index" / ".000009.partial").mkdir()
    assert "1 unfinished index folders" in done("verify", kept.project)
    assert "removed 1 index folders" in done("verify", kept.project, "--mend")
    assert not (kept.project / "index" / ".000009.partial").exists()


def test_a_database_that_is_damaged_is_named(kept, run_cli):
    raw = bytearray((kept.project / "fabula.db").read_bytes())
    raw[8192:16384] = b"\xff" * 8192
    (kept.project / "fabula.db").write_bytes(bytes(raw))
    verified = run_cli("verify", kept.project)
    assert verified.code == 1
    assert "broken  fabula.db: " in verified.out and "restore the project from a backup" in verified.out


def test_who_mends_or_compacts_waits_for_a_writer_and_then_says_so(kept, done, refusal, monkeypatch):
    monkeypatch.setattr("fabula.project.keeping.mending.WRITER_PATIENCE_S", 0.1)
    with ProjectStore.open(kept.project) as store, store.lock():
        for act in ("--mend", "--compact"):
            assert "another process is writing" in refusal("verify", kept.project, act)
        done("verify", kept.project)


PAIRS = [("He is six.", "He is nine."), ("She lives in Bath.", "She never left York."), ("A\0", "B")]


def test_unused_work_and_old_indexes_go(kept, done):
    with ProjectStore.open(kept.project) as store:
        for number in range(20):
            store.keep_work("reading:of-old", str(number), bytes(50_000))
    before = done("search", kept.project, "mill")
    done("index", kept.book, "-o", kept.project, "--rebuild")
    assert sorted(f.name for f in (kept.project / "index").iterdir()) == ["000002", "000003"]
    compacted = done("verify", kept.project, "--compact")
    assert "1 index folders" in compacted and float(compacted.split()[1]) >= 1.0  # MB
    assert [f.name for f in (kept.project / "index").iterdir()] == ["000003"]
    assert (kept.project / "fabula.db").stat().st_size < 300_000
    done("verify", kept.project)
    assert done("search", kept.project, "mill") == before
    again = done("index", kept.book, "-o", kept.project, "--json")
    assert '"read": 0' in again and '"embedded": 0' in again


def test_an_index_that_is_open_stays(kept, done):
    with Project.open(kept.project) as project:
        done("index", kept.book, "-o", kept.project, "--rebuild")
        done("verify", kept.project, "--compact")
        assert project.search("mill", mode="lexical").passages
    assert "1 index folders" in done("verify", kept.project, "--compact")


class Judge:
    def __init__(self, version="one"):
        self.version, self.asked = version, []

    def odds(self, pairs, *, on_done=None):
        self.asked += pairs
        return [len(one) - len(other) / 8 for one, other in pairs]


def test_none_is_judged_twice_but_by_another_judge_or_where_there_is_damage(tmp_path):
    judge, other, third = Judge(), Judge("two"), Judge()
    store = ProjectStore.create(tmp_path / "p")
    first = KeptJudge(store, judge).odds(PAIRS + PAIRS[:1])
    again = [*PAIRS, ("He is six.", "He is ten.")]
    assert KeptJudge(store, judge).odds(again)[:3] == first[:3] == list(Judge().odds(PAIRS))
    assert judge.asked == [*PAIRS, again[3]]
    KeptJudge(store, other).odds(PAIRS)
    assert other.asked == PAIRS
    store.keep_work(*PAIR_WORK, b"one\nxyz")
    assert KeptJudge(store, third).odds(PAIRS) == first[:3]
    store.close()


def test_a_project_keeps_them_and_making_it_small_does_not_lose_them(kept):
    with Project.open(kept.project) as project:
        first = suspects(project, limit=3)
        before = project._store.work(*PAIR_WORK)
    assert before
    compact(kept.project)
    with Project.open(kept.project) as project:
        assert project._store.work(*PAIR_WORK) == before
        assert suspects(project, limit=3) == first
