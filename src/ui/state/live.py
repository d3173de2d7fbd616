"""Work running in a thread of its own, watched by the page that asked for it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from ...story.comparison.engine import ComparisonEvent

E = TypeVar("E")
T = TypeVar("T")

STAGE_WORDS = {
    "waiting": "waiting",
    "retrieve": "searching the text",
    "context": "assembling its context",
    "generate": "writing",
    "check": "the critic is reading",
    "revise": "revising",
    "done": "done",
    "error": "failed",
}


class _Abandoned(Exception):  # noqa: N818 (nothing went wrong)
    """Nobody watches any more; unwinds the model's call."""


class Running(Generic[E, T]):
    """Runs ``work(on_event)`` in a thread. Streamlit's calls stay with the thread that watches.

    Use as a context manager: leaving it early stops the work at its next event.
    """

    def __init__(self, work: Callable[[Callable[[E], None]], T]) -> None:
        self._work = work
        self._events: queue.SimpleQueue[E | None] = queue.SimpleQueue()
        self._left = threading.Event()
        self._outcome: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="work", daemon=True)

    def __enter__(self) -> Running[E, T]:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()

    def batches(self, *, every: float = 0.1) -> Iterator[list[E]]:
        """What came since the last batch, until the work ends. A batch may be empty: at least every
        ``every`` seconds the watcher gets a turn, and with it the chance to be stopped."""
        ended = False
        while not ended:
            batch: list[E] = []
            try:
                event = self._events.get(timeout=every)
                while event is not None:
                    batch.append(event)
                    event = self._events.get_nowait()
                ended = True
            except queue.Empty:
                pass
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
        finally:
            self._events.put(None)

    def _pass_on(self, event: E) -> None:
        if self._left.is_set():
            raise _Abandoned
        self._events.put(event)


@dataclass(frozen=True, slots=True)
class LiveDraft:
    """One pipeline while it works: the stage it is in and the text so far."""

    stage: str = "waiting"
    text: str = ""
    error: str = ""


class LiveDrafts:
    """The drafts of a running comparison, by pipeline."""

    def __init__(self, pipelines: Iterable[str]) -> None:
        self._drafts = {name: LiveDraft() for name in pipelines}

    def __getitem__(self, pipeline: str) -> LiveDraft:
        return self._drafts[pipeline]

    def apply(self, events: Sequence[ComparisonEvent]) -> list[str]:
        """Takes the events in; returns the pipelines that changed, in the order given at the start."""
        changed = set()
        for event in events:
            before = self._drafts[event.pipeline]
            self._drafts[event.pipeline] = _after(before, event)
            if self._drafts[event.pipeline] != before:
                changed.add(event.pipeline)
        return [name for name in self._drafts if name in changed]


def _after(draft: LiveDraft, event: ComparisonEvent) -> LiveDraft:
    if event.stage == "error":
        return replace(draft, stage="error", error=event.text)
    if event.stage in ("generate", "revise"):  # an empty text opens a new draft
        return replace(draft, stage=event.stage, text=draft.text + event.text if event.text else "")
    return replace(draft, stage=event.stage)
