"""The job queue: jobs that outlive the request that asked for them, their events, and idempotency keys."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ...errors import ProjectError
from ...packs.pack import PackReport
from ...project.indexing import IndexReport
from ..problems import Problem, ProblemShown

_SCHEMA = Path(__file__).with_name("jobs.sql")
_VERSION = 1


class JobStatus(StrEnum):
    """How far a job is: it waits or runs, and then it is over in one of three ways."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """Will nothing more happen to the job?"""
        return self not in (JobStatus.QUEUED, JobStatus.RUNNING)


class JobKind(StrEnum):
    """What a job does: index a text that was sent, make a project's vectors anew, put a book into a series,
    or make a pack."""

    INGEST = "ingest"
    EMBEDDINGS = "embeddings"
    BOOK = "book"
    PACK = "pack"


@dataclass(frozen=True, slots=True)
class Job:
    """``report`` where it is done, ``problem`` where it failed, both as plain JSON data. Times are seconds
    since 1970."""

    id: str
    kind: JobKind
    project: str
    status: JobStatus
    created: float
    started: float | None = None
    finished: float | None = None
    report: IndexReport | PackReport | None = None
    problem: ProblemShown | None = None


@dataclass(frozen=True, slots=True)
class JobEvent:
    """``number`` counts a job's events from 1; ``kind`` is a status or ``"progress"``."""

    number: int
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sent:
    """An idempotency key, whose it is (a token's name), and the digest of the request that came with it."""

    owner: str
    key: str
    fingerprint: str


class Jobs:
    """The jobs in one SQLite file: one connection under one lock; what a method wrote is on disk when it
    returns. What is finished is forgotten after ``keep_days``, with its key. Where the clock is set back
    meanwhile, a job's times stay in order. Every method raises ProjectError where the file is damaged or
    cannot be written."""

    def __init__(
        self, file: Path, *, keep_days: float, most_waiting: int = 16, clock: Callable[[], float] = time.time
    ) -> None:
        """Raises ProjectError where the file cannot be opened or is of another version."""
        self._file, self._most_waiting, self._clock = file, most_waiting, clock
        self._lock = threading.Lock()
        with self._translated():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, check_same_thread=False, isolation_level="IMMEDIATE")
        try:
            self._prepare(clock() - keep_days * 86_400)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, oldest: float) -> None:
        with self._translated():
            self._db.row_factory = sqlite3.Row
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                raise ProjectError(
                    f"{self._file} is of version {version}, this server reads {_VERSION}: move it away"
                )
            self._db.executescript(_SCHEMA.read_text(encoding="utf-8"))
        with self._open() as db:
            known = "SELECT value FROM json_each(?)"
            old = f"DELETE FROM jobs WHERE finished < ? OR kind NOT IN ({known})"  # noqa: S608
            db.execute(old, (oldest, json.dumps(list(JobKind))))
            for table in ("events", "job_keys"):
                db.execute(f"DELETE FROM {table} WHERE job NOT IN (SELECT id FROM jobs)")  # noqa: S608

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """One transaction, undone where the block raises."""
        with self._lock, self._translated(), self._db:
            yield self._db

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise ProjectError(
                f"the server's database {self._file} cannot be used ({error}): it holds jobs and keys alone, "
                "no project; put back a copy, or stop the server and move it away"
            ) from error

    def is_open(self) -> bool:
        """Does it answer?"""
        with suppress(ProjectError):
            return bool(self.counts())
        return False

    def close(self) -> None:
        """Closes the file, once whoever holds the lock has let go of it."""
        with self._lock:
            self._db.close()

    def add(
        self,
        kind: JobKind,
        project: str,
        work: Mapping[str, Any],
        *,
        id: str | None = None,
        sent: Sent | None = None,
    ) -> Job:
        """Queues a job for the worker to do ``work``, which names its file (``name``). The same request
        ``sent`` again gives the job of the first time, which has another ``id``. Raises 422 for another
        request under that key, 429 where enough jobs wait."""
        id = id or secrets.token_hex(8)
        with self._open() as db:
            if sent is not None:
                wanted = "SELECT * FROM job_keys JOIN jobs ON jobs.id = job WHERE owner = ? AND key = ?"
                before = db.execute(wanted, (sent.owner, sent.key)).fetchone()
                if before is not None and before["fingerprint"] != sent.fingerprint:
                    detail = "this Idempotency-Key was sent with another request: take a new one"
                    raise Problem(422, "key-used", detail)
                if before is not None:
                    return _job(before)
            (waiting,) = db.execute("SELECT count(*) FROM jobs WHERE status = 'queued'").fetchone()
            if waiting >= self._most_waiting:
                detail = "as many jobs wait as this server takes"
                raise Problem(429, "queue-full", detail, headers={"Retry-After": "60"})
            db.execute(
                "INSERT INTO jobs (id, number, kind, project, work, status, created) VALUES "
                "(?, (SELECT coalesce(max(number), 0) + 1 FROM jobs), ?, ?, ?, 'queued', ?)",
                (id, kind, project, json.dumps(work), self._clock()),
            )
            self._tell(db, id, JobStatus.QUEUED, {})
            if sent is not None:
                key = (sent.owner, sent.key, sent.fingerprint, id)
                db.execute("INSERT INTO job_keys VALUES (?, ?, ?, ?)", key)
            return _job(db.execute("SELECT * FROM jobs WHERE id = ?", (id,)).fetchone())

    def get(self, id: str) -> Job | None:
        """The job of that id; None where there is none, or where it was forgotten."""
        return next(map(_job, self._rows("SELECT * FROM jobs WHERE id = ?", id)), None)

    def listed(self, *, status: JobStatus | None = None, project: str | None = None) -> list[Job]:
        """Newest first."""
        wanted = "SELECT * FROM jobs WHERE ?1 IN (status, '') AND ?2 IN (project, '') ORDER BY number DESC"
        return list(map(_job, self._rows(wanted, status or "", project or "")))

    def unfinished_files(self, project: str) -> list[str]:
        """The names of the files of the project's jobs that wait or run."""
        wanted = "SELECT work FROM jobs WHERE project = ? AND status IN ('queued', 'running')"
        return [json.loads(row["work"]).get("name", "") for row in self._rows(wanted, project)]

    def work(self, id: str) -> dict[str, Any]:
        """What the worker is to do."""
        return dict(json.loads(self._rows("SELECT work FROM jobs WHERE id = ?", id)[0]["work"]))

    def _rows(self, wanted: str, *values: object) -> list[sqlite3.Row]:
        with self._open() as db:
            return db.execute(wanted, values).fetchall()

    def counts(self) -> dict[str, float]:
        """How many there are of each status."""
        rows = self._rows("SELECT status, count(*) AS n FROM jobs GROUP BY status")
        return {status.value: 0.0 for status in JobStatus} | {row["status"]: float(row["n"]) for row in rows}

    def start_next(self) -> Job | None:
        """The job that has waited longest, now running; None where none waits."""
        with self._open() as db:
            begun = (
                "UPDATE jobs SET status = 'running', started = max(created, ?) WHERE number = "
                "(SELECT min(number) FROM jobs WHERE status = 'queued') RETURNING *"
            )
            row = db.execute(begun, (self._clock(),)).fetchone()
            if row is not None:
                self._tell(db, row["id"], JobStatus.RUNNING, {})
            return None if row is None else _job(row)

    def progress(self, id: str, data: Mapping[str, Any]) -> None:
        """Adds a ``"progress"`` event, whose ``data`` is plain JSON, to the job's events."""
        with self._open() as db:
            self._tell(db, id, "progress", data)

    def finish(self, id: str, status: JobStatus, outcome: Mapping[str, Any] | None) -> None:
        """``outcome`` is the report or the problem. Nothing happens where the job is over already."""
        with self._open() as db:
            changed = db.execute(
                "UPDATE jobs SET status = ?, finished = max(coalesce(started, created), ?), outcome = ? "
                "WHERE id = ? AND status IN ('queued', 'running')",
                (status, self._clock(), json.dumps(outcome), id),
            ).rowcount
            if changed:
                self._tell(db, id, status, outcome or {})

    def put_back(self, id: str) -> None:
        """Has a running job wait again: it goes on where it stopped."""
        with self._open() as db:
            db.execute("UPDATE jobs SET status = 'queued', started = NULL WHERE id = ?", (id,))
            self._tell(db, id, JobStatus.QUEUED, {})

    def ask_to_end(self, id: str) -> None:
        """Notes that the job is to be ended. Its status stays as it is until the runner has ended it."""
        with self._open() as db:
            db.execute("UPDATE jobs SET cancelled = 1 WHERE id = ?", (id,))

    def is_asked_to_end(self, id: str) -> bool:
        """Was :meth:`ask_to_end` called for it?"""
        return bool(self._rows("SELECT 1 FROM jobs WHERE id = ? AND cancelled", id))

    def events(self, id: str, *, after: int = 0) -> list[JobEvent]:
        """The job's events whose number is above ``after``, in order; none for a job that is not known."""
        wanted = "SELECT * FROM events WHERE job = ? AND number > ? ORDER BY number"
        rows = self._rows(wanted, id, after)
        return [JobEvent(row["number"], row["kind"], json.loads(row["data"])) for row in rows]

    def _tell(self, db: sqlite3.Connection, id: str, kind: str, data: Mapping[str, Any]) -> None:
        db.execute(
            "INSERT INTO events (job, number, kind, data) VALUES "
            "(?1, (SELECT coalesce(max(number), 0) + 1 FROM events WHERE job = ?1), ?2, ?3)",
            (id, str(kind), json.dumps(data)),
        )


def _job(row: sqlite3.Row) -> Job:
    outcome, status = json.loads(row["outcome"] or "null"), JobStatus(row["status"])
    return Job(
        **{name: row[name] for name in ("id", "project", "created", "started", "finished")},
        kind=JobKind(row["kind"]),
        status=status,
        report=outcome if status is JobStatus.DONE else None,
        problem=outcome if status is JobStatus.FAILED else None,
    )
