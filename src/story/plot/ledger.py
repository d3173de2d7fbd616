"""The plot ledger: what a story plants so that its reader waits for it, and what has come of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from ...core.types import Evidence

ThreadKind = Literal["promise", "threat", "secret", "object", "question", "goal", "omen"]
THREADS: tuple[ThreadKind, ...] = get_args(ThreadKind)
Step = Literal["planted", "advanced", "resolved"]
ThreadState = Literal["open", "advanced", "overdue", "resolved"]
STATES: tuple[ThreadState, ...] = get_args(ThreadState)

_PATIENCE, _LEAST = 3, 3
"""Overdue is what nothing was told of for more than a third of the chapters so far, and more than three."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A place where a thread is planted, moves on, or is settled."""

    step: Step
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Thread:
    """``what`` is the reader's own wording of what is waited for; the quotes of ``turns``, in order of
    telling, the planting first, are the story's. ``told`` is how many chapters the reader knows."""

    kind: ThreadKind
    what: str
    turns: tuple[Turn, ...]
    told: int

    @property
    def state(self) -> ThreadState:
        """Resolved for good once a turn says so."""
        last = self.turns[-1]
        if last.step == "resolved":
            return "resolved"
        silent = self.told - last.evidence.chapter
        if silent > max(_LEAST, self.told / _PATIENCE):
            return "overdue"
        return "advanced" if last.step == "advanced" else "open"


@dataclass(frozen=True, slots=True)
class Ledger:
    """As the ``model`` read it up to chapter ``told``, threads in order of planting. ``claimed`` counts the
    turns that it stated, ``dropped`` those that were left out, by reason."""

    model: str
    told: int
    threads: tuple[Thread, ...]
    claimed: int = 0
    dropped: tuple[tuple[str, int], ...] = ()
