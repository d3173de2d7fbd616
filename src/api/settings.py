"""What a server is started with."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..engine import Project
from ..library.library import MAX_UPLOAD_MB
from .jobs.limits import JobLimits

# What the schema of the interface says, so it is the same for every server.
LONGEST_QUERY = 2_000  # characters
LONGEST_PROMPT = 4_000
LONGEST_DRAFT = 400_000
MOST_PASSAGES = 100


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server takes. ``body`` and ``upload`` are bytes; ``heavy`` is how many requests may work with
    a model or the whole graph at once, ``threads`` how many of the others may; ``queued`` is how many jobs
    may wait. ``keep_days`` is how long finished jobs and idempotency keys are remembered.

    ``connections`` may be open at once. A request's ``head`` (bytes) must be there ``head_s`` seconds after
    it was begun, or after the connection was made; its body ``body_s`` seconds after that, and a second more
    for each ``body_rate`` bytes that came.

    ``job`` is what one job may take; ``stream_s`` is how long an answer may be streamed (seconds)."""

    body: int = 2_000_000
    upload: int = MAX_UPLOAD_MB * 1_000_000 + 65_536  # what is around the file in a form
    heavy: int = 2
    threads: int = field(default_factory=lambda: max(4, 2 * (os.cpu_count() or 1)))
    queued: int = 16
    keep_days: float = 7.0
    connections: int = 500
    head: int = 32 * 1024
    head_s: float = 20.0
    body_s: float = 30.0
    body_rate: int = 10_000
    job: JobLimits = field(default_factory=JobLimits)
    stream_s: float = 900.0


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """``root`` is the folder of the library: its projects, and ``.server`` with jobs and idempotency keys.

    ``tokens`` is a TOML file of bearer tokens (see :mod:`.tokens`); without it everybody who reaches the
    server may do everything. ``host_names`` are the names that it answers to beside this machine's own.
    ``origins`` are web origins that browsers may call from beside the server's own, none by default.
    ``opener`` opens a project; it takes the folder and ``settings=``. ``worker`` is the command of the
    process that indexes (see :mod:`.jobs.worker`). ``log_queries``: the log of searches and answers holds
    what was asked.
    """

    root: Path
    tokens: Path | None = None
    limits: Limits = field(default_factory=Limits)
    host_names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    open_projects: int = 4
    opener: Callable[..., Project] = Project.open
    log_queries: bool = False
    worker: tuple[str, ...] = (sys.executable, "-m", "fabula.api.jobs.worker")
