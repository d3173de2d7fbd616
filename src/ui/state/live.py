"""Work running in a thread of its own, watched by the page that asked for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import streamlit as st

from ...story.comparison.engine import ComparisonEvent

E = TypeVar("E")
T = TypeVar("T")


class _Abandoned(Exception):  # noqa: N818 (nothing went wrong)
    """Nobody wants it any more; unwinds the model's call."""


class Running(Generic[E, T]):
    """Runs ``work(on_event)`` in a thread. Streamlit's calls stay with the threads that watch.

    Its events are kept, so that whoever comes later sees all of them. As a context manager it stops at its
    next event when the block is left early; :meth:`start` lets it go on whether or not anybody watches.
    """

    def __init__(self, work: Callable[[Callable[[E], None]], T]) -> None:
        self._work = work
        self._events: list[E] = []
        self._news = threading.Condition()
        self._left = threading.Event()
        self._outcome: list[T] = []
        self._error: BaseException | None = None
        self._began = 0.0
        self._thread = threading.Thread(target=self._run, name="work", daemon=True)

    def start(self) -> Running[E, T]:
        """Begins; gives itself."""
        self._began = time.monotonic()
        self._thread.start()
        return self

    def stop(self) -> None:
        """Ends the work at its next event."""
        self._left.set()

    def __enter__(self) -> Running[E, T]:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._began

    @property
    def is_over(self) -> bool:
        """Has it ended, well or not?"""
        return not self._thread.is_alive()

    @property
    def is_stopped(self) -> bool:
        """Was it told to stop?"""
        return self._left.is_set()

    @property
    def last(self) -> E | None:
        """Its latest event."""
        with self._news:
            return self._events[-1] if self._events else None

    def batches(self, *, every: float = 0.1) -> Iterator[list[E]]:
        """All events so far, then what came since the last batch, until the work ends. A batch may be empty:
        at least every ``every`` seconds the watcher gets a turn, and with it the chance to be stopped."""
        seen, over = 0, False
        while not over:
            with self._news:
                if len(self._events) == seen and not self.is_over:
                    self._news.wait(every)
                over = self.is_over
                batch = self._events[seen:]
            seen += len(batch)
            yield batch

    def result(self) -> T:
        """Waits for the work's end: what it returned. Raises what it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._outcome[0]

    def _run(self) -> None:
        try:
            self._outcome.append(self._work(self._pass_on))
        except BaseException as error:  # noqa: BLE001 (the thread's outermost edge; result() raises it)
            self._error = error

    def _pass_on(self, event: E) -> None:
        if self._left.is_set():
            raise _Abandoned
        with self._news:
            self._events.append(event)
            self._news.notify_all()


class Jobs:
    """Work that goes on when its page is closed, by key. Safe in threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[str, Running[Any, Any]] = {}

    def start(self, key: str, work: Callable[[Callable[[Any], None]], Any]) -> None:
        """Begins it; where work of that key runs already, nothing happens."""
        with self._lock:
            if key not in self._jobs or self._jobs[key].is_over:
                self._jobs[key] = Running(work).start()

    def get(self, key: str) -> Running[Any, Any] | None:
        """The work of that key, running or over."""
        return self._jobs.get(key)

    def take(self, key: str) -> Running[Any, Any] | None:
        """The work of that key, which is over, for whoever comes first; None where there is none."""
        with self._lock:
            job = self._jobs.get(key)
            return self._jobs.pop(key) if job is not None and job.is_over else None


@st.cache_resource(show_spinner=False)  # type: ignore[untyped-decorator]
def jobs() -> Jobs:
    """Those of this process, of all sessions."""
    return Jobs()


@dataclass(frozen=True, slots=True)
class LiveDraft:
    """One pipeline while it works: the stage it is in and the text so far."""

    stage: str = "waiting"
    text: str = ""
    error: str = ""

    def after(self, event: ComparisonEvent) -> LiveDraft:
        """The draft once this has happened."""
        if event.stage == "error":
            return replace(self, stage="error", error=event.text)
        if event.stage in ("generate", "revise"):  # an empty text opens a new draft
            return replace(self, stage=event.stage, text=self.text + event.text if event.text else "")
        return replace(self, stage=event.stage)
