"""Runs jobs one after another, each in a process of its own, so that searches do not wait for one."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..problems import Problem, problem_of
from .limits import JobLimits, watched
from .registry import Job, Jobs, JobStatus

_log = logging.getLogger(__name__)
_PATIENCE_S = 5.0
_MOST_STARTS = 3
_INTERRUPTED = Problem(
    503,
    "interrupted",
    "the server stopped each time while this ran, and may lack memory for it: send it again under a new key, "
    "it goes on where it was",
)
_DIED = Problem(500, "worker-died", "the indexing process ended without a word: it may lack memory")
_Running = tuple[str, "subprocess.Popen[str]"]
"""A job's id, and its worker."""


@dataclass(slots=True)
class Runner:
    """Between :meth:`start` and :meth:`stop` a thread takes queued jobs in their order.

    A job that was running when a server died, or that :meth:`stop` ended, waits for the next start and goes
    on where it was. One that was started three times and never came to an end is failed as interrupted.
    ``limits`` are for each job; ``budget`` is the memory (bytes) that this process and its workers share.
    """

    jobs: Jobs
    root: Path
    command: Sequence[str]
    limits: JobLimits
    budget: int
    _wake: threading.Condition = field(default_factory=threading.Condition, init=False)
    _stopping: bool = field(default=False, init=False)
    _running: _Running | None = field(default=None, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def start(self) -> None:
        """Has what a dead server left running wait again, deletes uploads that no queued job waits for, and
        starts the thread."""
        for job in self.jobs.listed(status=JobStatus.RUNNING):
            starts = sum(event.kind == JobStatus.RUNNING for event in self.jobs.events(job.id))
            if self.jobs.is_asked_to_end(job.id):
                self.jobs.finish(job.id, JobStatus.CANCELLED, None)
            elif starts < _MOST_STARTS:
                self.jobs.put_back(job.id)
            else:  # it may be what ends the server
                self.jobs.finish(job.id, JobStatus.FAILED, _INTERRUPTED.data())
        waiting = {job.id for job in self.jobs.listed(status=JobStatus.QUEUED)}
        for file in self.uploads.iterdir() if self.uploads.is_dir() else ():
            if file.name not in waiting:
                file.unlink()
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)
        self._thread.start()

    @property
    def uploads(self) -> Path:
        """Where the text of a job that waits or runs lies, under the job's id."""
        return self.root / ".server" / "uploads"

    def processes(self) -> list[int]:
        """The ids of the workers that run now."""
        with self._wake:
            return [] if self._running is None else [self._running[1].pid]

    def wake(self) -> None:
        """Says that there is a new job."""
        with self._wake:
            self._wake.notify_all()

    def cancel(self, job: Job) -> None:
        """Ends a job that waits or runs; nothing happens to others."""
        self.jobs.ask_to_end(job.id)
        with self._wake:
            running = self._running
        if running is not None and running[0] == job.id:
            _end(running[1])
        elif (now := self.jobs.get(job.id)) is not None and now.status is JobStatus.QUEUED:
            self._forget_upload(job)
            self.jobs.finish(job.id, JobStatus.CANCELLED, None)

    def stop(self) -> None:
        """Ends the worker that runs (killed where it takes more than 5 seconds to go), and waits for the
        thread."""
        with self._wake:
            self._stopping = True
            running = self._running
            self._wake.notify_all()
        if running is not None:
            _end(running[1])
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping:
            job = self.jobs.start_next()
            if job is not None:
                try:
                    self._do(job)
                except Exception as error:  # noqa: BLE001 (the thread's outermost edge: others still wait)
                    self.jobs.finish(job.id, JobStatus.FAILED, problem_of(error).data())
                continue
            with self._wake:
                if not self._stopping:
                    self._wake.wait(timeout=1.0)

    def _do(self, job: Job) -> None:
        outcome = {} if self.jobs.is_asked_to_end(job.id) else self._outcome(job)
        cancelled = self.jobs.is_asked_to_end(job.id)
        if self._stopping and not cancelled and not outcome:
            self.jobs.put_back(job.id)
            return
        self._forget_upload(job)
        if "report" in outcome:
            self.jobs.finish(job.id, JobStatus.DONE, outcome["report"])
        elif cancelled:
            self.jobs.finish(job.id, JobStatus.CANCELLED, None)
        else:
            self.jobs.finish(job.id, JobStatus.FAILED, outcome.get("problem", _DIED.data()))

    def _outcome(self, job: Job) -> Mapping[str, Any]:
        """The worker's last line, or the limit that it passed; its progress is passed on."""
        order = {
            **self.jobs.work(job.id),
            "kind": job.kind,
            "project": job.project,
            "root": str(self.root),
            "file": str(self.uploads / job.id),
            "budget": self.budget,
        }
        process = self._started(job)
        try:
            watching = watched(process.pid, self.limits, lambda: _end(process))
            with contextlib.suppress(BrokenPipeError), process, watching as passed:
                outcome = self._followed(job, process, order)
        finally:
            with self._wake:
                self._running = None
        if "report" in outcome or not passed:
            return outcome
        advice = "take the text in parts, or ask whoever runs the server for more"
        detail = f"failed: job limit: {passed[0]}: {advice}"
        return {"problem": Problem(503, "job-limit", detail).data()}

    def _followed(self, job: Job, process: subprocess.Popen[str], order: object) -> Mapping[str, Any]:
        outcome: Mapping[str, Any] = {}
        if process.stdin is None or process.stdout is None:
            return outcome
        try:
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()  # and left open: its end says that the server is gone
            for line in process.stdout:
                message = json.loads(line)
                if not isinstance(message, dict):
                    continue
                if "progress" in message:
                    self.jobs.progress(job.id, message["progress"])
                else:
                    outcome = message
        except (OSError, ValueError) as error:
            _log.warning("job %s: the worker stopped in the middle (%s)", job.id, error)
        return outcome

    def _forget_upload(self, job: Job) -> None:
        (self.uploads / job.id).unlink(missing_ok=True)

    def _started(self, job: Job) -> subprocess.Popen[str]:
        cores = max(1, (os.cpu_count() or 1) - 1)  # one is left to those who search
        environment = {"OMP_NUM_THREADS": str(cores), "OMP_WAIT_POLICY": "passive"} | os.environ
        process = subprocess.Popen(  # noqa: S603 (our own interpreter and module)
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment,
        )
        with self._wake:
            self._running = job.id, process
            stopping = self._stopping
        if stopping or self.jobs.is_asked_to_end(job.id):  # asked for while it was being started
            _end(process)
        return process


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
