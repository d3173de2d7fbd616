import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from fabula.cluster import pools
from fabula.cluster.books import BookTask, books_in, tasks_of, work
from fabula.cluster.pools import spread
from fabula.engine import Project
from fabula.errors import ConfigError, DocumentError, MemoryBudgetError, UsageError

NAMES = ("Anna Vale", "Boris Kane", "Clara Finch", "Dorian Pike")


@pytest.fixture
def shelf(tmp_path):
    """Four books, in two folders, one of them broken."""
    place = tmp_path / "books"
    (place / "deep" / ".git").mkdir(parents=True)
    for number, name in enumerate(NAMES):
        chapters = "".join(f"\n## Chapter {n}\n\n{name} went home. {name} was sad.\n" for n in range(1, 4))
        (place / ("deep" if number % 2 else "") / f"book-{number}.md").write_text(f"# Of {name}\n{chapters}")
    (place / "deep" / "book-0.txt").write_text("Chapter 1\n\nAnother of that name.\n")
    (place / "deep" / ".git" / "hidden.md").write_text("Nobody reads this.")
    (place / "broken.epub").write_bytes(b"no archive")
    return place


def digests(folder):
    """Of every file that searches and the graph are read from, in each project's last index: a worker that
    was killed may leave another."""
    return {
        (*path.relative_to(folder).parts[:-2], path.name): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "index" in path.parts
    }


def test_every_book_below_a_folder_is_found_once_in_order(shelf, tmp_path):
    names = [one.relative_to(shelf).as_posix() for one in books_in(shelf)]
    assert names == "book-0.md book-2.md broken.epub deep/book-0.txt deep/book-1.md deep/book-3.md".split()
    tasks = tasks_of(books_in(shelf), tmp_path / "lib", workers=2)
    folders = [Path(one.folder).name for one in tasks]
    assert folders == "book-0 book-2 broken book-0-2 book-1 book-3".split()
    with pytest.raises(UsageError, match="lies in"):
        tasks_of(books_in(shelf), shelf, workers=1)
    with pytest.raises(DocumentError, match="not a folder"):
        books_in(shelf / "book-0.md")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DocumentError, match="holds no book"):
        books_in(tmp_path / "empty")


def test_memory_is_shared_out_between_workers(shelf, tmp_path):
    def budget(workers):
        given = {"workers": workers, "assignments": ["memory.budget_gb=6"]}
        [task, *_] = tasks_of(books_in(shelf), tmp_path / "lib", **given)
        return json.loads(task.settings)["memory"]["budget_gb"]

    assert (budget(2), budget(3), budget(None)) == (3.0, 2.0, 6.0)


@pytest.mark.slow
def test_two_processes_make_the_bytes_of_one_and_again_nothing(shelf, tmp_path, run_cli, done):
    index = ("library", "index", shelf, "-o")
    one = run_cli(*index, tmp_path / "one", "--workers", 1)
    assert one.code == 1 and "5 of 6 books indexed" in one.out and "broken: not indexed" in one.out
    told = json.loads(run_cli(*index, tmp_path / "two", "--workers", 2, "--json").out)
    assert [one["state"] for one in told] == ["done", "done", "failed", "done", "done", "done"]
    assert len({one["worker"] for one in told if one["state"] == "done"}) == 2
    assert digests(tmp_path / "one") == digests(tmp_path / "two") and len(digests(tmp_path / "one")) > 20
    (shelf / "broken.epub").unlink()
    assert done(*index, tmp_path / "two", "--workers", 1).count("0 of 3 chapters read") == 4
    found = json.loads(done("search", tmp_path / "two", "Who was sad?", "-k", 20, "--json"))
    assert len({one["story"] for one in found}) > 2


def killed_once(task):
    """What a worker does that is killed while it works, the first time."""
    mark = Path(task.folder).with_suffix(".begun")
    if not mark.exists() and "kill" in task.book:
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def killed_always(task):
    if "kill" in task.book:
        os.kill(os.getpid(), signal.SIGKILL)


def hungry(task):
    """Has not enough memory, but for the third time."""
    tries = Path(task.folder).with_suffix(".tries")
    tries.write_text(tries.read_text() + "x" if tries.exists() else "x")
    if len(tries.read_text()) < 3 and "easy" not in task.book:
        raise MemoryBudgetError("not enough")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("act", "names", "failed"),
    [
        (killed_once, ("a", "kill-1", "b", "kill-2", "c"), set()),
        (killed_always, ("a", "kill", "b"), {"kill"}),
        (hungry, ("easy", "x", "y"), set()),
    ],
)
def test_every_task_ends_once(tmp_path, act, names, failed):
    tasks = [BookTask(name, str(tmp_path / f"p{n}"), "{}") for n, name in enumerate(names)]
    ended = list(spread(tasks, act, workers=1))
    assert sorted(one.task.book for one in ended) == sorted(names)
    assert {one.task.book for one in ended if one.state != "done"} == failed
    assert all("three times" in one.problem for one in ended if one.state == "failed")


@contextmanager
def running(*command):
    silent = {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "env": os.environ | {"OMP_NUM_THREADS": "1"},
    }
    ran = subprocess.Popen([sys.executable, "-m", *command], **silent)
    try:
        yield ran
    finally:
        ran.kill()
        ran.wait()


@pytest.fixture
def cluster():
    """A scheduler and two workers, each in a process of its own."""
    pytest.importorskip("distributed")
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        free_port = found.getsockname()[1]
    address = f"tcp://127.0.0.1:{free_port}"
    quiet = ("--no-dashboard",)
    with ExitStack() as stack:
        there = ("--host", "127.0.0.1", "--port", str(free_port))
        stack.enter_context(running("distributed.cli.dask_scheduler", *there, *quiet))
        worker = ("distributed.cli.dask_worker", address, "--host", "127.0.0.1", "--nthreads", "1")
        workers = [stack.enter_context(running(*worker, "--no-nanny", *quiet)) for _ in range(2)]
        yield address, workers


@pytest.mark.slow
def test_a_cluster_of_which_a_worker_is_killed_makes_the_same_bytes(shelf, tmp_path, cluster):
    import distributed

    address, workers = cluster
    (shelf / "broken.epub").unlink()
    books = books_in(shelf)
    for one in tasks_of(books, tmp_path / "one", workers=None):
        work(one)
    with distributed.Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    ended = []
    for outcome in spread(tasks_of(books, tmp_path / "two", workers=None), work, workers=1, cluster=address):
        if not ended:
            workers[0].kill()
        ended.append(outcome)
    assert sorted(one.task.book for one in ended) == sorted(str(book) for book in books)
    assert [one.state for one in ended] == ["done"] * 5
    assert digests(tmp_path / "one") == digests(tmp_path / "two")
    with Project.open(tmp_path / "two" / "book-3") as project:
        assert project.document.title == "Of Dorian Pike"


def test_nobody_answers(monkeypatch, run_cli, refusal, shelf, tmp_path):
    pytest.importorskip("distributed")
    monkeypatch.setattr(pools, "_CONNECT_S", 0.5)
    command = ("library", "index", shelf, "-o", tmp_path / "x", "--cluster", "tcp://127.0.0.1:9")
    assert "no Dask scheduler answers" in refusal(*command)
    assert "leave them out" in run_cli(*command, "--workers", 2).err
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"pip install .fabula\[cluster\]"):
        next(spread([1], work, workers=1, cluster="x"))
