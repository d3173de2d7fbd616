"""Projects kept open between reruns of the page, and closed when they are not needed any more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..core.memory_monitor import MemoryMonitor
from ..engine import Project
from .library import Entry

__all__ = ["Shelf"]


class _Open:
    """An open project. ``busy`` is held while it is in use and while it is closed."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.busy = threading.Lock()
        self.closed = False


class Shelf:
    """At most ``capacity`` open projects (more only while they are in use), least recently used out first.

    ``monitor`` is started here and told what can be given up; :meth:`close` ends both. Safe in threads.
    """

    def __init__(
        self,
        monitor: MemoryMonitor,
        *,
        capacity: int = 2,
        settings: Sequence[Path] = (),
        opener: Callable[..., Project] = Project.open,
    ) -> None:
        self.monitor = monitor
        self._capacity = capacity
        self._settings = tuple(settings)
        self._opener = opener
        self._lock = threading.Lock()
        self._open: dict[tuple[Path, str], _Open] = {}  # least recently used first
        monitor.add_evictor("closed the stories not in use", self.close_idle)
        monitor.add_evictor("dropped the search index of those in use", self.drop_indexes)
        monitor.__enter__()

    @contextmanager
    def use(self, entry: Entry) -> Iterator[Project]:
        """The entry's project for as long as the block runs, for nobody else meanwhile; waits its turn."""
        while True:
            held = self._get(entry)
            held.busy.acquire()
            if not held.closed:
                break
            held.busy.release()
        try:
            yield held.project
        finally:
            held.busy.release()
            self._close_surplus()

    def close_idle(self) -> None:
        """Closes every project that is not in use."""
        self._close(lambda: list(self._open))

    def drop_indexes(self) -> None:
        """Drops what the open projects can build again."""
        with self._lock:
            projects = [held.project for held in self._open.values()]
        for project in projects:
            for _, evict in project.evictable():
                evict()

    def close(self) -> None:
        """Stops the monitor and closes what is not in use."""
        self.monitor.__exit__(None, None, None)
        self.close_idle()

    def __len__(self) -> int:
        return len(self._open)

    def _get(self, entry: Entry) -> _Open:
        key = (entry.folder, entry.stamp)
        with self._lock:
            held = self._open.pop(key, None)
            if held is None:
                held = _Open(self._opener(entry.folder, settings=self._settings))
            self._open[key] = held
        self._close_surplus()
        return held

    def _close_surplus(self) -> None:
        def surplus() -> list[tuple[Path, str]]:
            keys = list(self._open)
            newest = dict(keys)
            outdated = [key for key in keys if newest[key[0]] != key[1]]
            current = [key for key in keys if key not in outdated]
            return outdated + current[: max(0, len(current) - self._capacity)]

        self._close(surplus)

    def _close(self, which: Callable[[], list[tuple[Path, str]]]) -> None:
        idle = []
        with self._lock:
            for key in which():
                held = self._open[key]
                if held.busy.acquire(blocking=False):  # else it goes when its user is done
                    held.closed = True
                    del self._open[key]
                    idle.append(held)
        for held in idle:
            try:
                held.project.close()
            finally:
                held.busy.release()
