"""The temporal knowledge graph of one story: a log of all that is told, asked through views."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING

from ...core.types import Horizon
from ...errors import UsageError
from ..model.predicates import PREDICATES
from ..model.types import StoryLog
from .views.log_json import dump_log, load_log
from .views.network import horizon_view, story_network
from .views.story_view import StoryView

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["STORY_FILE", "StoryKnowledgeGraph", "StoryView"]

STORY_FILE = "story.json"  # in the folder of an index generation

_VIEWS_KEPT = 8


class StoryKnowledgeGraph:
    """Who, where, what and when, with the quotes it stands on, as a reader at any chapter knows it.

    ``graph.network`` is all of it as a ``networkx.MultiDiGraph``, ``graph.network_at(n)`` a subgraph view of
    what is told up to chapter n. ``graph.as_of(n)`` answers exactly as the graph of the log cut at n does: a
    view is made from the cut log alone. The eight views used last are kept, since their indexes are worth
    keeping. Threads may share a graph.
    """

    def __init__(self, log: StoryLog) -> None:
        """Stores the log as it is; ``from_log`` checks it first."""
        self.log = log
        self._views: dict[int | None, StoryView] = {}
        self._lock = threading.Lock()

    @classmethod
    def from_log(cls, log: StoryLog) -> StoryKnowledgeGraph:
        """Raises UsageError where a relation's predicate is not in the table of predicates."""
        for relation in log.relations:
            if relation.predicate not in PREDICATES:
                raise UsageError(
                    f"{relation.predicate!r} ({relation.subject} to {relation.object}, chapter "
                    f"{relation.told}) is no predicate: use one of {', '.join(sorted(PREDICATES))}"
                )
        return cls(log)

    @classmethod
    def from_json(cls, text: str) -> StoryKnowledgeGraph:
        """The graph that ``to_json`` wrote. Raises ProjectError where the text is damaged or of
        another schema, UsageError as ``from_log``."""
        return cls.from_log(load_log(text))

    def to_json(self) -> str:
        """One line of JSON: ``from_json`` gives the same log, and the same log the same bytes."""
        return dump_log(self.log)

    @cached_property
    def network(self) -> nx.MultiDiGraph:
        """Everything told, as nodes and edges with chapter, confidence and quotes; see ``views.network``."""
        return story_network(self.log)

    def network_at(self, horizon: Horizon) -> nx.MultiDiGraph:
        """What is told up to the horizon: a read-only subgraph view, without a copy."""
        return horizon_view(self.network, horizon.chapter)

    def as_of(self, horizon: Horizon) -> StoryView:
        """What a reader knows there. Costs one pass over the log; a view from an earlier answer, nothing."""
        with self._lock:
            view = self._views.pop(horizon.chapter, None)
            if view is None:
                view = StoryView(self.log.told(horizon.chapter), horizon)
            self._views[horizon.chapter] = view
            while len(self._views) > _VIEWS_KEPT:
                del self._views[next(iter(self._views))]
            return view
