"""Indexing in a thread of its own, which goes on when the page is left; one story at a time."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

from ..errors import FabulaError, UsageError
from ..library.library import Added
from ..project.indexing import Progress

_log = logging.getLogger(__name__)
_LOADING = "Loading the models"
# Where each stage stands on the bar, from and to, and what it is called.
_STAGES = {"embed": (0.05, 0.45, "Embedding for search"), "read": (0.45, 1.0, "Reading for the story graph")}
_FAILED = "Something went wrong while the text was indexed. The app's log has the details; try again."


class Indexing:
    """One run. ``share`` (0 to 1) and ``words`` say how far it is; at the end ``added`` or ``problem`` is
    set."""

    def __init__(self, work: Callable[[Progress], Added]) -> None:
        self.added: Added | None = None
        self.problem = ""
        self._work, self._start, self._share, self.words = work, time.monotonic(), 0.0, _LOADING
        self._thread = threading.Thread(target=self._run, name="index", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Is it still at work?"""
        return self._thread.is_alive()

    @property
    def share(self) -> float:
        """How much is done; it moves from the first second."""
        loading = 0.05 * (1 - math.exp((self._start - time.monotonic()) / 5))
        return max(self._share, loading)

    def wait(self, seconds: float) -> None:
        """Until it has ended, but no longer than that."""
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            self.added = self._work(self._show)
        except FabulaError as error:
            self.problem = str(error)
        except Exception:  # noqa: BLE001 (the thread's outermost edge)
            _log.exception("indexing failed")
            self.problem = _FAILED

    def _show(self, stage: str, done: int, total: int) -> None:
        start, end, words = _STAGES.get(stage, (0.0, 1.0, stage))
        self._share = min(1.0, start + (end - start) * (done / total if total else 1.0))
        self.words = f"{words}: {done} of {total} chapters" if total else words


class IndexingDesk:
    """The run of an app, for all its sessions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._run: Indexing | None = None

    @property
    def run(self) -> Indexing | None:
        """The run that is under way or has ended; None without one."""
        return self._run

    def start(self, work: Callable[[Progress], Added]) -> Indexing:
        """Begins a run. Raises UsageError while another is under way."""
        with self._lock:
            if self._run is not None and self._run.running:
                raise UsageError("another story is being indexed: wait until it is ready")
            self._run = Indexing(work)
            return self._run

    def take(self) -> Indexing | None:
        """The run that has ended, once."""
        with self._lock:
            if self._run is None or self._run.running:
                return None
            ended, self._run = self._run, None
            return ended
