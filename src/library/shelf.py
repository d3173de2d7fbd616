"""Projects kept open between requests, and closed when they are not needed any more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..config import Source
from ..core.runtime.memory_monitor import MemoryMonitor
from ..engine import Project
from ..project.parts import give_up_caches
from .library import Entry


class _Open:
    """A project that is open, or about to be. ``users`` is counted under the shelf's lock; ``busy`` is held
    by the one who has it alone."""

    def __init__(self) -> None:
        self.project: Project | None = None
        self.opening = threading.Lock()
        self.busy = threading.Lock()
        self.users = 0


class Shelf:
    """At most ``capacity`` open projects (more only while they are in use), least recently used out first.

    ``monitor`` is started here and told what can be given up; :meth:`close` ends both. While memory
    stays above its budget no project is opened (MemoryBudgetError). Safe in threads.
    """

    def __init__(
        self,
        monitor: MemoryMonitor,
        *,
        capacity: int = 2,
        settings: Sequence[Source] = (),
        opener: Callable[..., Project] = Project.open,
    ) -> None:
        self.monitor = monitor
        self._capacity = capacity
        self._settings = tuple(settings)
        self._opener = opener
        self._lock = threading.Lock()
        self._open: dict[tuple[Path, str], _Open] = {}  # least recently used first
        give_up_caches(monitor, self.projects)
        monitor.add_evictor("closed the stories not in use", self.close_idle, cost=1.0)
        monitor.__enter__()

    @contextmanager
    def use(self, entry: Entry) -> Iterator[Project]:
        """The entry's project for as long as the block runs, for nobody else's ``use`` meanwhile; waits its
        turn. For work with a model, which takes one caller at a time."""
        with self._held(entry) as held, held.busy:
            yield self._opened(entry, held)

    @contextmanager
    def read(self, entry: Entry) -> Iterator[Project]:
        """The entry's project beside whoever else has it: for searches and questions to the graph, which
        threads may share."""
        with self._held(entry) as held:
            yield self._opened(entry, held)

    def at_hand(self, entry: Entry) -> Project | None:
        """The entry's project if it is open now, for a look at it; None where it would have to be opened."""
        with self._lock:
            held = self._open.get((entry.folder, entry.stamp))
        return held.project if held is not None else None

    def close_idle(self) -> None:
        """Closes every project that is not in use."""
        self._close(lambda: list(self._open))

    def projects(self) -> list[Project]:
        """Those open now, for a look at them; any may be closed at any time."""
        with self._lock:
            return [held.project for held in self._open.values() if held.project is not None]

    def close(self) -> None:
        """Stops the monitor and closes what is not in use."""
        self.monitor.__exit__(None, None, None)
        self.close_idle()

    def __len__(self) -> int:
        return len(self._open)

    @contextmanager
    def _held(self, entry: Entry) -> Iterator[_Open]:
        key = (entry.folder, entry.stamp)
        with self._lock:
            held = self._open.pop(key, None) or _Open()
            held.users += 1
            self._open[key] = held
        try:
            yield held
        finally:
            with self._lock:
                held.users -= 1
                if held.project is None and not held.users:  # it could not be opened
                    self._open.pop(key, None)
            if len(self._open) > 1:
                self._close(self._surplus)

    def _opened(self, entry: Entry, held: _Open) -> Project:
        if held.project is None:
            with held.opening:
                if held.project is None:
                    self.monitor.admit()
                    project = self._opener(entry.folder, settings=self._settings)
                    project.monitor = self.monitor  # one process, one memory
                    held.project = project
            self._close(self._surplus)
        return held.project

    def _surplus(self) -> list[tuple[Path, str]]:
        keys = list(self._open)
        newest = dict(keys)
        outdated = [key for key in keys if newest[key[0]] != key[1]]
        current = [key for key in keys if key not in outdated]
        return outdated + current[: max(0, len(current) - self._capacity)]

    def _close(self, which: Callable[[], list[tuple[Path, str]]]) -> None:
        with self._lock:  # what is in use goes when its last user is done
            idle = [self._open.pop(key) for key in which() if not self._open[key].users]
        for held in idle:
            if held.project is not None:
                held.project.close()
