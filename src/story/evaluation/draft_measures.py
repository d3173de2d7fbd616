"""What is measured on a draft through the story that it was told on top of, and through its parse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from .. import metrics
from ..continuity.draft_checker import DRAFT_ID
from ..graph_rag.arc_tracker import DynamicArcTracker
from ..graph_rag.story_graph import StoryView
from ..metrics import Score
from ..writing.context import StoryContext
from .arc_moves import emotional_moves

__all__ = ["DraftMeasures", "DraftTeller", "Nouns"]

Nouns = Callable[[str], Sequence[frozenset[str]]]
"""The nouns of a text, sentence by sentence; see ``StoryReader.nouns``."""


@runtime_checkable
class DraftTeller(Protocol):
    """A checker that can also show the story with a draft told on top; see SourceChecker."""

    @property
    def chapter(self) -> int:
        """The chapter that a draft is read as."""
        ...

    def told(self, text: str, /) -> StoryView:
        """The story with the text told on top, as that chapter. Raises ModelError where the text cannot be
        read."""
        ...


class DraftMeasures:
    """Scores that take a reading of the draft. Without a ``teller`` or ``nouns``, those that need them are
    left out. Both are asked only for texts that a critic has read already."""

    def __init__(self, *, teller: DraftTeller | None = None, nouns: Nouns | None = None) -> None:
        self._teller = teller
        self._nouns = nouns

    def of_text(self, text: str) -> tuple[Score, ...]:
        """``entity_graph`` and ``arc_plausibility``. Raises ModelError where the text cannot be read."""
        scores = []
        if self._nouns is not None:
            scores.append(metrics.entity_graph(self._nouns(text)))
        if self._teller is not None:
            view = self._teller.told(text)
            now, before = emotional_moves(view, arcs=DynamicArcTracker(view), chapter=self._teller.chapter)
            scores.append(metrics.arc_plausibility(now, before=before))
        return tuple(scores)

    def of_context(self, text: str, context: StoryContext) -> tuple[Score, ...]:
        """``grounding``. Raises ModelError where the text cannot be read."""
        if self._teller is None:
            return ()
        return (metrics.grounding(self._teller.told(text), draft=DRAFT_ID, context=context),)
