"""A story that grows while it is written: the graph holds a draft as soon as its last word has come.

While the words arrive, finished paragraphs are parsed (see ``writing.read_ahead``); at the end only the last
paragraph, the rules and the linking of one chapter are left to do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import HorizonError

if TYPE_CHECKING:
    from ..story.comparison_engine import ComparisonEvent
    from ..story.graph_rag.story_graph import StoryKnowledgeGraph

__all__ = ["GrowingStory", "Grown"]


@dataclass(frozen=True, slots=True)
class Grown:
    """The graph with a draft as the story's next chapter, and the seconds from the draft's last piece until
    it was there."""

    graph: StoryKnowledgeGraph
    seconds: float


class GrowingStory:
    """Listens to one pipeline's comparison. ``grow`` makes the graph of the story with a text appended; it
    raises HorizonError where the text makes no chapter, and then there is nothing to hold."""

    def __init__(
        self, grow: Callable[[str], StoryKnowledgeGraph], *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._grow = grow
        self._clock = clock
        self._pieces: list[str] = []
        self._last = clock()
        self._grown: dict[str, Grown] = {}

    def hear(self, event: ComparisonEvent) -> None:
        """Takes an event of ``compare``; the draft is appended when its check begins."""
        if event.stage in ("generate", "revise"):
            if event.text:
                self._pieces.append(event.text)
            else:
                self._pieces = []
            self._last = self._clock()
        elif event.stage == "check":
            self._append("".join(self._pieces))

    def grown(self, text: str) -> Grown | None:
        """The story with that draft; None for one that was not heard, or makes no chapter."""
        return self._grown.get(text)

    def _append(self, text: str) -> None:
        try:
            graph = self._grow(text)
        except HorizonError:
            return
        self._grown[text] = Grown(graph, self._clock() - self._last)
