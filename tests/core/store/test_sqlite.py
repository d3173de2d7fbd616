import errno
import os
import signal
import subprocess
import sys
import textwrap
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from tests.contracts.store_contract import document_of

from fabula.core.store.sqlite import ProjectStore
from fabula.errors import ProjectError


def _made(save):
    return SimpleNamespace(document=document_of(), save=save, meta={"settings": "{}"}, used=())


def _publish(store, content="a"):
    with store.lock():
        store.publish(_made(lambda folder: (folder / "x.txt").write_text(content)))


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
        for manifest, said in (("{", "cannot be read"), ('{"schema": 99, "files": {}}', "schema 99")):
            (file.parent / "manifest.json").write_text(manifest)
            with pytest.raises(ProjectError, match=said):
                store.index().files()


def test_what_is_no_project_is_refused_and_left_alone(tmp_path):
    with pytest.raises(ProjectError, match="no project in"):
        ProjectStore.open(tmp_path)
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ProjectError, match="holds other files"):
        ProjectStore.create(tmp_path)
    assert [f.name for f in tmp_path.iterdir()] == ["thesis.txt"]
    (tmp_path / "fabula.db").write_bytes(b"not a database" * 100)
    for enter in (ProjectStore.open, ProjectStore.create):
        with pytest.raises(ProjectError, match="cannot be used"):
            enter(tmp_path)
    assert (tmp_path / "fabula.db").read_bytes() == b"not a database" * 100


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


def test_a_second_writer_waits_for_its_turn_and_says_so_but_not_for_ever(tmp_path, caplog):
    does = "lock = store.lock(); lock.__enter__(); print('held', flush=True); time.sleep(1); store.close()"
    with ProjectStore.create(tmp_path) as store, _elsewhere(tmp_path, does):
        for patience in ({}, {"patience": 0.1}):
            assert not caplog.text
            with pytest.raises(ProjectError, match="another process is writing"), store.lock(**patience):
                pass
        with store.lock(patience=30), store.lock():  # who holds it may take it again
            assert "waiting up to 30 s" in caplog.text


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
            store.publish(_made(fail))
        assert [f.name for f in (tmp_path / "index").iterdir()] == ["000001"]
        assert (store.index().files() / "x.txt").read_text() == "a"
        _publish(store, content="b")
        assert (store.index().files() / "x.txt").read_text() == "b"


_WRITER = """
    import sys
    from pathlib import Path
    from tests.contracts.store_contract import document_of, publish
    from fabula.core.store.sqlite import ProjectStore
    with ProjectStore.create(Path(sys.argv[1])) as store:
        for n in range(1, 10_000):
            store.keep_work("unit", str(n), str(n).encode())
            used = [("unit", str(i)) for i in range(1, n + 1)]
            publish(store, document_of([f"{n} told in words"] * 5), meta={"n": str(n)}, used=used)
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
        assert store.document() == document_of([f"{n} told in words"] * 5)
        assert store.work("unit", str(n)) == str(n).encode()
        store.generations.verify(store.meta("generation"))
        store.index().verify()
        with store.lock():
            pass
