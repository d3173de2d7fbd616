"""What a server is started with.

A file names bearer tokens, and who may use which projects by them. It has their SHA-256, so that it gives
nothing away::

    [[token]]
    name = "reading-group"
    sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    projects = ["the-bloom-line"]      # or ["*"] for all

``python -c "import hashlib,sys; print(hashlib.sha256(sys.argv[1].encode()).hexdigest())" TOKEN`` makes the
digest; a token should be random and 20 characters or longer, since the digest is not salted.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from ..core.files.toml import TomlError, load_toml
from ..engine import Project
from ..errors import ConfigError
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

    ``tokens`` is a TOML file of bearer tokens (see :class:`Tokens`); without it everybody who reaches the
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


@dataclass(frozen=True, slots=True)
class Access:
    """Who asks, and which projects they may use (None: all)."""

    name: str
    projects: frozenset[str] | None = None

    def allows(self, project: str) -> bool:
        """May they use the project of that id?"""
        return self.projects is None or project in self.projects


EVERYBODY = Access("")


class _Token(BaseModel):
    name: str = Field(pattern=r"\S")
    sha256: str = Field(pattern=r"^[0-9A-Fa-f]{64}$")
    projects: list[str]

    @property
    def opened(self) -> frozenset[str] | None:
        return None if "*" in self.projects else frozenset(self.projects)


_TOKENS = TypeAdapter(Annotated[list[_Token], Field(min_length=1)])


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a server; compared in constant time. ``known`` are (SHA-256 in hex, access) pairs."""

    known: Sequence[tuple[str, Access]]

    @classmethod
    def load(cls, path: Path) -> Tokens:
        """Raises ConfigError, which names no digest, where the file cannot be read or holds no token."""
        try:
            rows = _TOKENS.validate_python(load_toml(path).get("token", []))
        except ValidationError as error:
            [first, *_] = error.errors()
            place = " ".join(["token", *(str(part) for part in first["loc"])])
            wanted = 'a [[token]] has name, sha256 (64 hex digits) and projects (ids, or ["*"])'
            raise ConfigError(f"the token file {path}: {place}: {first['msg']}; {wanted}") from None
        except (OSError, TomlError) as error:
            raise ConfigError(f"the token file {path} cannot be read: {error}") from error
        if len({one.name for one in rows}) < len(rows):
            raise ConfigError(f"two tokens in {path} share a name: give each its own")
        return cls([(one.sha256.lower(), Access(one.name, one.opened)) for one in rows])

    def access(self, token: str) -> Access | None:
        """What the token opens; every token is looked at, whichever it is."""
        digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
        found = None
        for known, access in self.known:
            if hmac.compare_digest(known, digest):
                found = access
        return found
