"""The plot ledger: what a story plants so that its reader waits for it, and what has come of each.

A language model reads it chapter by chapter; what it says counts only with a quote from the text.

Of each chapter it is shown the text and the threads that are open by then, so that nothing told later can
reach what it says of an earlier one, and a book that grows keeps what was read. Whether a quote *means* what
the model says is not checked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from ...core.answering.grounding import telling_terms
from ...core.text.tokenizing import Tokenizer
from ...core.types import Evidence
from ..graph_rag.views.story_view import StoryView
from ..model.predicates import SURE_ENOUGH
from ..model.types import ThreadTold

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
        """As its last turn says."""
        last = self.turns[-1]
        if last.step == "resolved":
            return "resolved"
        silent = self.told - last.evidence.chapter
        if silent > max(_LEAST, self.told / _PATIENCE):
            return "overdue"
        return "advanced" if last.step == "advanced" else "open"


# --- the threads of a log: one is told in several chapters, each time in other words -----------------------

_STEPS: dict[str, Step] = {"opened": "planted", "advanced": "advanced", "closed": "resolved"}


def threads_of(view: StoryView, told: int) -> tuple[Thread, ...]:
    """The threads that the log tells of, in order of planting; the reader knows ``told`` chapters.

    A step goes to the thread of its kind in the very same words, else to the unsettled one of the same person
    that shares most of them; where it shares none, where nobody's could go to several, and where it opens one
    that shares less than half, it is a thread of its own.
    """
    tokenizer = Tokenizer()
    found: list[tuple[Thread, frozenset[str]]] = []
    for step in view.threads():
        if step.confidence < SURE_ENOUGH:
            continue
        words = _words(view, step, tokenizer)
        said = step.kind, step.what.casefold()  # in the very same words, whoever the reader says it is of
        told_so = ({(one.kind, turn.what.casefold()) for turn in one.turns} for one, _ in found)
        same = next((n for n, wordings in enumerate(told_so) if said in wordings), None)
        turn = Turn(_STEPS[step.step], step.evidence[0], step.what)
        near = [(_shared(step, words, *one), n) for n, one in enumerate(found)]
        likeness, n = max(near, default=(0.0, 0)) if same is None else (1.0, same)
        unclear = same is None and not step.entity and [one for one, _ in near].count(likeness) > 1
        if not unclear and likeness >= (0.5 if step.step == "opened" else 0.01):
            thread, known = found[n]
            if turn.step == "planted":
                turn = replace(turn, step="advanced")
            joined = replace(thread, turns=(*thread.turns, turn), whose=thread.whose or step.entity)
            found[n] = joined, known | words
        else:
            found.append((Thread(step.kind, step.what, (turn,), told, step.entity), words))
    return tuple(thread for thread, _ in found)


def _shared(step: ThreadTold, words: frozenset[str], thread: Thread, known: frozenset[str]) -> float:
    """The share of the step's words, or of the fewer of the thread's, that both have, 0 to 1; 0 for a step of
    another kind or person, and for a thread that is settled."""
    another = bool(step.entity and thread.whose and step.entity != thread.whose)
    if another or step.kind != thread.kind or thread.state == "resolved":
        return 0.0
    return len(words & known) / max(1, min(len(words), len(known)))


def _words(view: StoryView, step: ThreadTold, tokenizer: Tokenizer) -> frozenset[str]:
    """What the step is about; the names of whose it is are left out."""
    known = view.entity(step.entity) if step.entity else None
    names = " ".join((known.name, *known.aliases)) if known else ""
    return telling_terms(tokenizer, step.what) - frozenset(tokenizer.terms(names))
