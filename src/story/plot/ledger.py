"""The plot ledger: what a story plants so that its reader waits for it, and what has come of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from ...core.answering.grounding import telling_terms
from ...core.text.tokenizing import Tokenizer
from ...core.types import Evidence
from ..graph_rag.views.story_view import StoryView
from ..model.calibration import SURE_ENOUGH
from ..model.types import ThreadTold

ThreadKind = Literal["promise", "threat", "secret", "object", "question", "goal", "omen"]
THREADS: tuple[ThreadKind, ...] = get_args(ThreadKind)
Step = Literal["planted", "advanced", "resolved"]
ThreadState = Literal["open", "advanced", "overdue", "resolved"]
STATES: tuple[ThreadState, ...] = get_args(ThreadState)

_PATIENCE, _LEAST = 3, 3
"""Overdue is what nothing was told of for more than a third of the chapters so far, and more than three."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A place where a thread is planted, moves on, or is settled; ``what`` is told there, in a few words."""

    step: Step
    evidence: Evidence
    what: str = ""


@dataclass(frozen=True, slots=True)
class Thread:
    """``what`` is the reader's own wording of what is waited for; the quotes of ``turns``, in order of
    telling, the planting first, are the story's. ``told`` is how many chapters the reader knows, ``whose``
    the id of who promises, plans or hides it."""

    kind: str
    what: str
    turns: tuple[Turn, ...]
    told: int
    whose: str | None = None

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
    """As the ``model`` read it up to chapter ``told`` (empty: whoever read the chapters when they were
    indexed), threads in order of planting. ``claimed`` counts the
    turns that it stated, ``dropped`` those that were left out, by reason."""

    model: str
    told: int
    threads: tuple[Thread, ...]
    claimed: int = 0
    dropped: tuple[tuple[str, int], ...] = ()


# --- the threads of a log: one is told in several chapters, each time in other words -----------------------

_STEPS: dict[str, Step] = {"opened": "planted", "advanced": "advanced", "closed": "resolved"}


def threads_of(view: StoryView, told: int) -> tuple[Thread, ...]:
    """The threads that the log tells of, in order of planting; the reader knows ``told`` chapters.

    A step goes to the unsettled thread of its kind and of the same person that shares most of its words;
    where it shares none, and where it opens one that shares less than half, it is a thread of its own.
    """
    words = _Words(view)
    found: list[tuple[Thread, list[ThreadTold]]] = []
    for step in view.threads():
        if step.confidence < SURE_ENOUGH:
            continue
        turn = Turn(_STEPS[step.step], step.evidence[0], step.what)
        near = [
            (words.shared(step, steps), n) for n, (one, steps) in enumerate(found) if one.state != "resolved"
        ]
        likeness, n = max(near, default=(0.0, 0))
        if likeness >= (0.5 if step.step == "opened" else 0.01):
            thread, steps = found[n]
            if turn.step == "planted":
                turn = replace(turn, step="advanced")
            joined = replace(thread, turns=(*thread.turns, turn), whose=thread.whose or step.entity)
            found[n] = joined, [*steps, step]
        else:
            found.append((Thread(step.kind, step.what, (turn,), told, step.entity), [step]))
    return tuple(thread for thread, _ in found)


class _Words:
    """How much the steps of threads have in common, whose they are left aside."""

    def __init__(self, view: StoryView) -> None:
        self._view = view
        self._terms = Tokenizer()

    def shared(self, step: ThreadTold, steps: list[ThreadTold]) -> float:
        """The share of the step's words, or of the fewer of the thread's, that both have, 0 to 1; 0 for a
        step of another kind or person."""
        theirs = {one.entity for one in steps} - {None}
        if step.kind != steps[0].kind or (step.entity and theirs and step.entity not in theirs):
            return 0.0
        mine, others = self._of(step), frozenset().union(*map(self._of, steps))
        common = len(mine & others)
        nobody = not (step.entity and theirs)
        return common / max(1, min(len(mine), len(others))) if common > nobody or mine == others else 0.0

    def _of(self, step: ThreadTold) -> frozenset[str]:
        known = self._view.entity(step.entity) if step.entity else None
        names = " ".join((known.name, *known.aliases)) if known else ""
        return telling_terms(self._terms, step.what) - frozenset(self._terms.terms(names))
