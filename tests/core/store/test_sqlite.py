import errno
import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import contextmanager

import pytest

from fabula.core.store.sqlite import ProjectStore, digest
from fabula.core.types import Chapter, Document, Span
from fabula.errors import ProjectError

TEXT = "One fish.\n\nTwo fish — and a naïve one.\r\n"
BOOK = Document("fish", "Fish", TEXT, (Chapter(1, "Chapter 1", Span(0, 0), Span(0, len(TEXT))),))


class Files:
    def __init__(self, fill):
        self.save = fill


def _publish(store, document=BOOK, content="a", used=()):
    with store.lock():
        store.publish(
            document,
            parts=Files(lambda folder: (folder / "x.txt").write_text(content)),
            meta={"settings": "{}"},
            used=used,
        )


def test_damage_is_found(tmp_path):
    with ProjectStore.create(tmp_path) as store:
        _publish(store)
        file = store.index().files() / "x.txt"
        file.write_text("b")
        with pytest.raises(ProjectError, match="damaged"):
            store.generations.verify("000001")
        file.write_text("longer")
        with pytest.raises(ProjectError, match=r"has 6 bytes, not 1.*--rebuild"):
            store.index().files()
        (file.parent / "manifest.json").write_text("{")
        with pytest.raises(ProjectError, match="cannot be read"):
            store.index().files()
        (file.parent / "manifest.json").write_text('{"schema": 99, "files": {}}')
        with pytest.raises(ProjectError, match="schema 99"):
            store.index().files()


def test_what_is_no_project_is_refused_and_left_alone(tmp_path):
    with pytest.raises(ProjectError, match="no project in"):
        ProjectStore.open(tmp_path)
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ProjectError, match="holds other files"):
        ProjectStore.create(tmp_path)
    assert [f.name for f in tmp_path.iterdir()] == ["thesis.txt"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "fabula.db").write_bytes(b"not a database" * 100)
    with pytest.raises(ProjectError, match="cannot be used"):
        ProjectStore.open(other)
    with pytest.raises(ProjectError, match="cannot be used"):
        ProjectStore.create(other)
    assert (other / "fabula.db").read_bytes() == b"not a database" * 100


@contextmanager
def _elsewhere(folder, does):
    """Another process opens the project, does this and says so; in the end it is killed."""
    code = (
        "import sys, time; from pathlib import Path; from fabula.core.store.sqlite import ProjectStore\n"
        f"store = ProjectStore.open(Path(sys.argv[1])); {does}"
    )
    command = [sys.executable, "-c", code, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield
        process.kill()


def _locked_elsewhere(folder, seconds):
    return _elsewhere(
        folder,
        f"lock = store.lock(); lock.__enter__(); print('held', flush=True)\n"
        f"time.sleep({seconds}); lock.__exit__(None, None, None)",
    )


def test_a_second_writer_waits_for_its_turn_and_says_so(tmp_path, caplog):
    with ProjectStore.create(tmp_path) as store, _locked_elsewhere(tmp_path, 0.5):
        began = time.monotonic()
        with store.lock(patience=30):
            assert time.monotonic() - began < 20
        assert "waiting up to 30 s" in caplog.text


def test_a_second_writer_does_not_wait_for_ever(tmp_path, caplog):
    with ProjectStore.create(tmp_path) as store, _locked_elsewhere(tmp_path, 60):
        began = time.monotonic()
        with pytest.raises(ProjectError, match="another process is writing"), store.lock(patience=0.3):
            pass
        assert 0.3 <= time.monotonic() - began < 20
        caplog.clear()
        with pytest.raises(ProjectError, match="another process is writing"), store.lock():
            pass
        assert not caplog.text


def test_who_holds_the_lock_may_take_it_again(tmp_path):
    with ProjectStore.create(tmp_path) as store, store.lock():
        with store.lock():
            pass
        with ProjectStore.open(tmp_path) as other, pytest.raises(ProjectError), other.lock():
            pass


def test_an_index_that_is_read_is_not_swept(tmp_path):
    with ProjectStore.create(tmp_path) as store:
        _publish(store, content="a")
        with ProjectStore.open(tmp_path) as reader:
            held = reader.snapshot()
            for content in "bcdef":
                _publish(store, content=content)
            assert (held.index.files("x.txt") / "x.txt").read_text() == "a"
            kept = sorted(folder.name for folder in (tmp_path / "index").iterdir())
            assert kept == ["000001", "000005", "000006"]
        _publish(store, content="g")
        assert sorted(folder.name for folder in (tmp_path / "index").iterdir()) == ["000006", "000007"]


def test_a_reader_that_is_killed_holds_nothing(tmp_path):
    with ProjectStore.create(tmp_path) as store:
        _publish(store)
        with _elsewhere(tmp_path, "store.snapshot(); print('held', flush=True); time.sleep(60)"):
            for content in "bc":
                _publish(store, content=content)
            assert (tmp_path / "index" / "000001").is_dir()
        _publish(store, content="d")
        assert not (tmp_path / "index" / "000001").exists()


def test_a_failed_publish_changes_nothing(tmp_path):
    def fail(folder):
        (folder / "x.txt").write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with ProjectStore.create(tmp_path) as store:
        _publish(store)
        with pytest.raises(ProjectError, match=r"No space left.*make room"), store.lock():
            store.publish(BOOK, parts=Files(fail), meta={}, used=())
        assert [f.name for f in (tmp_path / "index").iterdir()] == ["000001"]
        assert (store.index().files() / "x.txt").read_text() == "a"
        _publish(store, content="b")
        assert (store.index().files() / "x.txt").read_text() == "b"


_WRITER = """
    import sys
    from pathlib import Path
    from fabula.core.store.sqlite import ProjectStore
    from fabula.core.types import Chapter, Document, Span
    with ProjectStore.create(Path(sys.argv[1])) as store:
        for n in range(1, 10_000):
            text = f"{n} " * 2000
            book = Document("b", "B", text, (Chapter(1, "1", Span(0, 0), Span(0, len(text))),))
            store.keep_work("unit", str(n), str(n).encode())
            with store.lock():
                class Files:
                    save = staticmethod(lambda folder: (folder / "n.txt").write_text(text))
                used = [("unit", str(i)) for i in range(1, n + 1)]
                store.publish(book, parts=Files, meta={"n": str(n)}, used=used)
            print(n, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 2, 5, 9])
def test_killed_at_any_instant_it_holds_what_it_acknowledged(tmp_path, acknowledged):
    command = [sys.executable, "-c", textwrap.dedent(_WRITER), str(tmp_path / "p")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if int(line) >= acknowledged:
                os.kill(process.pid, signal.SIGKILL)
                break
        last = max([int(line), *map(int, process.stdout.read().split())])
    with ProjectStore.open(tmp_path / "p") as store:
        n = int(store.meta("n"))
        assert n in (last, last + 1)  # it may have died between commit and acknowledgement
        text = f"{n} " * 2000
        assert store.document().text == text
        assert (store.index().files() / "n.txt").read_text() == text
        assert store.work("unit", str(n)) == str(n).encode()
        store.generations.verify(store.meta("generation"))
        with store.lock():
            pass


def test_digest_keeps_parts_apart():
    assert digest("ab", "c") != digest("a", "bc")
