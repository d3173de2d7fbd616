"""Jobs that outlive the request that asked for them, and the events they tell on the way."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from ...errors import ProjectError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL, kind TEXT NOT NULL, project TEXT NOT NULL,
    work TEXT NOT NULL, status TEXT NOT NULL, created REAL NOT NULL, started REAL, finished REAL,
    outcome TEXT, cancelled INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS jobs_by_status ON jobs (status, number);
CREATE TABLE IF NOT EXISTS events (
    job TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (job, number)
);
CREATE TABLE IF NOT EXISTS keys (
    owner TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, created REAL NOT NULL,
    status INTEGER, headers TEXT, body TEXT, PRIMARY KEY (owner, key)
);
"""
_VERSION = 1


class Ledger:
    """One connection under one lock; what :meth:`writing` wrote is on disk when it ends."""

    def __init__(self, file: Path) -> None:
        """Raises ProjectError where the file cannot be opened or is of another version."""
        self._file = file
        self._lock = threading.RLock()
        self._depth = 0
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ProjectError(f"the server's database {file} cannot be made ({error})") from error
        with self._translated(), ExitStack() as failing:
            self._db = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
            failing.callback(self._db.close)
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
                self._db.execute(f"PRAGMA {pragma}")
            self._db.row_factory = sqlite3.Row
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                raise ProjectError(
                    f"{file} is of version {version}, this server reads {_VERSION}: move it away"
                )
            self._db.executescript(_SCHEMA)
            self._db.execute(f"PRAGMA user_version={_VERSION}")
            failing.pop_all()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction; one inside another is part of it. Undone where the block raises. Raises
        ProjectError where the database is damaged, or cannot be written."""
        with self._lock, self._translated():
            if self._depth == 0:
                self._db.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield self._db
            except BaseException:
                self._depth -= 1
                if self._depth == 0 and self._db.in_transaction:  # a full disk has undone it already
                    self._db.execute("ROLLBACK")
                raise
            self._depth -= 1
            if self._depth == 0:
                self._db.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection under the lock, for statements that only read. Raises ProjectError where the
        database is damaged."""
        with self._lock, self._translated():
            yield self._db

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise ProjectError(
                f"the server's database {self._file} cannot be used ({error}): it holds jobs and keys alone, "
                "no project; put back a copy, or stop the server and move it away"
            ) from error

    def is_open(self) -> bool:
        """Does it answer?"""
        try:
            with self.reading() as db:
                db.execute("SELECT 1 FROM jobs LIMIT 1").fetchone()
        except ProjectError:
            return False
        return True

    def close(self) -> None:
        """Closes the database, once whoever holds the lock has let go of it."""
        with self._lock:
            self._db.close()


_NEXT = "SELECT * FROM jobs WHERE status = 'queued' ORDER BY number LIMIT 1"


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
    """What a job does: index a text that was sent, index the demo story, make a project's vectors anew,
    change the books of a series, or make a pack."""

    INGEST = "ingest"
    DEMO = "demo"
    EMBEDDINGS = "embeddings"
    BOOK = "book"
    PACK = "pack"


@dataclass(frozen=True, slots=True)
class Job:
    """``work`` is what the worker is told; ``outcome`` what came of it: a report where it is done, a problem
    where it failed. Times are seconds since 1970. ``cancelled`` says that an end was asked for."""

    id: str
    kind: JobKind
    project: str
    status: JobStatus
    created: float
    started: float | None = None
    finished: float | None = None
    outcome: Mapping[str, Any] | None = None
    cancelled: bool = False
    work: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobEvent:
    """``number`` counts a job's events from 1; ``kind`` is a status or ``"progress"``."""

    number: int
    kind: str
    data: Mapping[str, Any]

    @property
    def is_last(self) -> bool:
        """Does no event of the job come after this one?"""
        return self.kind in ("done", "failed", "cancelled")


class Jobs:
    """The jobs in a ledger. What is finished is forgotten after ``keep_days``. Where the clock is set back
    meanwhile, a job's times stay in order."""

    def __init__(self, ledger: Ledger, *, keep_days: float, clock: Callable[[], float] = time.time) -> None:
        self._ledger = ledger
        self._clock = clock
        with ledger.writing() as db:
            old = clock() - keep_days * 86_400
            db.execute("DELETE FROM events WHERE job IN (SELECT id FROM jobs WHERE finished < ?)", (old,))
            db.execute("DELETE FROM jobs WHERE finished < ?", (old,))

    def add(self, kind: JobKind, project: str, work: Mapping[str, Any], *, id: str | None = None) -> Job:
        """Queues a job; on disk when it returns."""
        job = Job(id or self.new_id(), kind, project, JobStatus.QUEUED, self._clock(), work=dict(work))
        with self._ledger.writing() as db:
            db.execute(
                "INSERT INTO jobs (id, number, kind, project, work, status, created) VALUES "
                "(?, (SELECT coalesce(max(number), 0) + 1 FROM jobs), ?, ?, ?, ?, ?)",
                (job.id, job.kind, job.project, json.dumps(work), job.status, job.created),
            )
            self._tell(db, job.id, JobStatus.QUEUED, {})
        return job

    @staticmethod
    def new_id() -> str:
        """16 random hex digits."""
        return secrets.token_hex(8)

    def get(self, id: str) -> Job | None:
        """The job of that id; None where there is none, or where it was forgotten."""
        return next(iter(self._selected("SELECT * FROM jobs WHERE id = ?", id)), None)

    def listed(self, *, status: JobStatus | None = None, project: str | None = None) -> list[Job]:
        """Newest first."""
        wanted = "SELECT * FROM jobs WHERE ?1 IN (status, '') AND ?2 IN (project, '') ORDER BY number DESC"
        return self._selected(wanted, status or "", project or "")

    def _selected(self, wanted: str, *values: str) -> list[Job]:
        with self._ledger.reading() as db:
            rows = db.execute(wanted, values).fetchall()
        return [_job(row) for row in rows]

    def counts(self) -> dict[str, float]:
        """How many there are of each status."""
        with self._ledger.reading() as db:
            rows = db.execute("SELECT status, count(*) AS n FROM jobs GROUP BY status").fetchall()
        return {status.value: 0.0 for status in JobStatus} | {row["status"]: float(row["n"]) for row in rows}

    def waiting(self) -> int:
        """How many jobs are queued."""
        return int(self.counts()[JobStatus.QUEUED])

    def start_next(self) -> Job | None:
        """The job that has waited longest, now running; None where none waits."""
        with self._ledger.writing() as db:
            for job in self._selected(_NEXT):
                begun = "UPDATE jobs SET status = 'running', started = max(created, ?) WHERE id = ?"
                db.execute(begun, (self._clock(), job.id))
                self._tell(db, job.id, JobStatus.RUNNING, {})
                return self.get(job.id)
        return None

    def progress(self, id: str, data: Mapping[str, Any]) -> None:
        """Adds a ``"progress"`` event, whose ``data`` is plain JSON, to the job's events."""
        with self._ledger.writing() as db:
            self._tell(db, id, "progress", data)

    def finish(self, id: str, status: JobStatus, outcome: Mapping[str, Any] | None) -> None:
        """Nothing happens where it is over already."""
        with self._ledger.writing() as db:
            changed = db.execute(
                "UPDATE jobs SET status = ?, finished = max(coalesce(started, created), ?), outcome = ? "
                "WHERE id = ? AND status IN ('queued', 'running')",
                (status, self._clock(), json.dumps(outcome), id),
            ).rowcount
            if changed:
                self._tell(db, id, status, outcome or {})

    def put_back(self, id: str) -> None:
        """Has a running job wait again: it goes on where it stopped."""
        with self._ledger.writing() as db:
            db.execute("UPDATE jobs SET status = 'queued', started = NULL WHERE id = ?", (id,))
            self._tell(db, id, JobStatus.QUEUED, {})

    def ask_to_end(self, id: str) -> None:
        """Notes that the job is to be ended. Its status stays as it is until the runner has ended it."""
        with self._ledger.writing() as db:
            db.execute("UPDATE jobs SET cancelled = 1 WHERE id = ?", (id,))

    def events(self, id: str, *, after: int = 0) -> list[JobEvent]:
        """The job's events whose number is above ``after``, in order; none for a job that is not known."""
        with self._ledger.reading() as db:
            rows: Sequence[sqlite3.Row] = db.execute(
                "SELECT * FROM events WHERE job = ? AND number > ? ORDER BY number", (id, after)
            ).fetchall()
        return [JobEvent(row["number"], row["kind"], json.loads(row["data"])) for row in rows]

    def _tell(self, db: sqlite3.Connection, id: str, kind: str, data: Mapping[str, Any]) -> None:
        db.execute(
            "INSERT INTO events (job, number, kind, data) VALUES "
            "(?, (SELECT coalesce(max(number), 0) + 1 FROM events WHERE job = ?), ?, ?)",
            (id, id, str(kind), json.dumps(data)),
        )


def _job(row: sqlite3.Row) -> Job:
    told = {name: row[name] for name in ("id", "project", "created", "started", "finished")}
    return Job(
        **told,
        kind=JobKind(row["kind"]),
        status=JobStatus(row["status"]),
        outcome=json.loads(row["outcome"] or "null"),
        cancelled=bool(row["cancelled"]),
        work=json.loads(row["work"]),
    )
