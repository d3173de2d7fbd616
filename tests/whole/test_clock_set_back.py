import os
import sqlite3
import sys
import time
from contextlib import closing

import pytest
from starlette.testclient import TestClient
from tests.api.conftest import FAKE_WORKER, HERE, until

from fabula.api.app import create_app
from fabula.api.jobs.registry import JobKind, Jobs, JobStatus, Sent
from fabula.api.settings import ServerSettings
from fabula.config import Generator
from fabula.core.runtime.memory_monitor import MemoryMonitor
from fabula.core.types import Prompt
from fabula.engine import index_book
from fabula.errors import ModelTransient
from fabula.library.library import Library
from fabula.library.shelf import Shelf
from fabula.llm.folder import FolderGenerator

__all__ = ["until"]  # a fixture

DAY = 86_400
BOOK = "# One\n\nWilf hated Len. Len sent Ada a letter.\n\n# Two\n\nAda met Wilf in the old mill.\n"


def test_a_book_is_read_indexed_again_and_seen_as_new(tmp_path):
    book, folder = tmp_path / "tale.md", tmp_path / "library" / "tale"
    book.write_text(BOOK)
    index_book(book, folder)
    then = time.time() + 2 * DAY
    for path in sorted(tmp_path.rglob("*"), reverse=True):
        os.utime(path, (then, then))
    library = Library(tmp_path / "library")
    shelf = Shelf(MemoryMonitor(budget=1 << 50, interval=60))
    before = library.entry("tale")
    with shelf.read(before) as project:
        assert project.search("letter", 1, mode="lexical").passages
    book.write_text(BOOK + "\n# Three\n\nLen drowned the cat.\n")
    report = index_book(book, folder)
    assert (report.chapters, report.read, report.embedded) == (3, 1, 1)  # what was kept still counts
    after = library.entry("tale")
    assert after.stamp != before.stamp and after.chapters == 3
    with shelf.read(after) as project:
        assert "cat" in project.search("cat", 1, mode="lexical").passages[0].chunk.text
    shelf.close()
    assert library.entries() == [after]


def test_the_times_of_a_job_stay_in_order_and_nothing_is_forgotten(tmp_path):
    now = [10 * DAY]
    jobs = Jobs(tmp_path / "server.db", keep_days=1, clock=lambda: now[0])
    sent = Sent("a", "k", "request")
    first = jobs.add(JobKind.INGEST, "x", {}, sent=sent).id
    now[0] = 2 * DAY
    second = jobs.add(JobKind.INGEST, "x", {}).id
    assert jobs.add(JobKind.INGEST, "x", {}, sent=sent).id == first
    assert [job.id for job in jobs.listed()] == [second, first]
    for expected in (first, second):  # in the order in which they came
        started = jobs.start_next()
        assert started.id == expected
        jobs.progress(started.id, {"done": 1})
        now[0] -= 60
        jobs.finish(started.id, JobStatus.DONE, {})
    for id in (first, second):
        job = jobs.get(id)
        assert job.created <= job.started <= job.finished
        assert [event.kind for event in jobs.events(id)] == ["queued", "running", "progress", "done"]
    jobs.close()
    jobs = Jobs(tmp_path / "server.db", keep_days=1, clock=lambda: now[0])
    assert [job.id for job in jobs.listed()] == [second, first]
    assert jobs.add(JobKind.INGEST, "x", {}, sent=sent).id == first
    jobs.close()


def test_a_server_that_starts_again_in_the_past_goes_on(tmp_path, until):
    worker = tmp_path / "worker.py"
    worker.write_text(FAKE_WORKER)
    settings = ServerSettings(tmp_path / "root", worker=(sys.executable, str(worker)))
    key = {"Idempotency-Key": "k"}

    def upload(client, name):
        return client.post("/v1/projects", files={"file": (name, b"Once upon a time.")}, headers=key)

    with TestClient(create_app(settings), base_url=HERE) as client:
        first = upload(client, "a.txt").json()["id"]
        until(lambda: client.get(f"/v1/jobs/{first}").json()["status"] == "done")
    with closing(sqlite3.connect(settings.root / ".server" / "server.db")) as db, db:
        for column in ("created", "started", "finished"):
            db.execute(f"UPDATE jobs SET {column} = {column} + {3 * DAY}")  # noqa: S608
    with TestClient(create_app(settings), base_url=HERE) as client:
        assert client.get(f"/v1/jobs/{first}").json()["status"] == "done"
        assert upload(client, "a.txt").json()["id"] == first
        key["Idempotency-Key"] = "other"
        second = upload(client, "b.txt").json()["id"]
        until(lambda: client.get(f"/v1/jobs/{second}").json()["status"] == "done")
        assert [one["id"] for one in client.get("/v1/jobs").json()["items"]] == [second, first]


def test_an_answer_of_the_future_is_read(tmp_path):
    def made(timeout):
        told = Generator(provider="folder", folder=str(tmp_path), model="reader", timeout_s=timeout)
        return FolderGenerator(told, settled_s=0.05)

    prompt = Prompt("You answer.", "Who said it?", "v1")
    with pytest.raises(ModelTransient):
        made(0.1).generate(prompt, max_tokens=16)
    [asked] = (tmp_path / "requests").glob("*.json")
    answer = tmp_path / "answers" / f"{asked.stem}.txt"
    answer.write_text("She said nothing.")
    os.utime(answer, (time.time() + 2 * DAY,) * 2)
    assert made(10).generate(prompt, max_tokens=16).text == "She said nothing."
