"""The temporal knowledge graph of one story: a log of all that is told, asked through views."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from ...core.types import Horizon
from ...errors import UsageError
from ..model.predicates import PREDICATES
from ..model.types import StoryLog
from .views.log_json import dump_log, load_log
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
        """Everything told, as nodes and edges with chapter, confidence and quotes (:func:`story_network`)."""
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


def story_network(log: StoryLog) -> nx.MultiDiGraph:
    """All of the log: entities and events as nodes; relations, PARTICIPATES_IN, CAUSED_BY and IS (that two
    names are one's) as edges. Frozen.

    Nodes carry ``node`` (``"entity"`` or ``"event"``) and ``told``, the chapter that first tells of them;
    edges ``predicate``, ``told``, ``holds``, ``confidence``, ``modality``, ``origin``, ``word`` and
    ``evidence``. Edge keys are ``PREDICATE:told:ordinal``. Ids are those of the log: an IS edge leads from an
    id to the one that it is known as later.
    """
    import networkx as nx

    network = nx.MultiDiGraph()

    def meet(entity: str, told: int) -> None:
        known = network.nodes[entity] if entity in network else None
        if known is None or told < known["told"]:
            network.add_node(entity, node="entity", told=told)

    for mention in log.mentions:
        meet(mention.entity, mention.told)
    for number, merge in enumerate(log.merges):
        for entity in (merge.entity, merge.into):
            meet(entity, merge.told)
        network.add_edge(
            merge.entity, merge.into, f"IS:{merge.told}:{number}",
            predicate="IS", told=merge.told, confidence=1.0, evidence=(merge.evidence,),
        )  # fmt: skip
    for number, relation in enumerate(log.relations):
        for entity in (relation.subject, relation.object):
            meet(entity, relation.told)
        network.add_edge(
            relation.subject, relation.object, f"{relation.predicate}:{relation.told}:{number}",
            predicate=relation.predicate, told=relation.told, holds=relation.holds,
            confidence=relation.confidence, modality=relation.modality, origin=relation.origin,
            word=relation.word, evidence=relation.evidence,
        )  # fmt: skip
    for number, event in enumerate(log.events):
        if event.predicate == "DOES":
            continue
        network.add_node(
            event.id, node="event", predicate=event.predicate, told=event.told, modality=event.modality
        )
        for role, entity in event.participants:
            meet(entity, event.told)
            network.add_edge(
                entity, event.id, f"PARTICIPATES_IN:{event.told}:{number}:{role}",
                predicate="PARTICIPATES_IN", role=role, told=event.told, holds=event.holds,
                confidence=event.confidence, modality=event.modality, evidence=event.evidence,
            )  # fmt: skip
    for number, cause in enumerate(log.causes):
        if cause.effect in network and cause.cause in network:
            network.add_edge(
                cause.effect, cause.cause, f"CAUSED_BY:{cause.told}:{number}",
                predicate="CAUSED_BY", told=cause.told, confidence=cause.confidence, evidence=cause.evidence,
            )  # fmt: skip
    return nx.freeze(network)


def horizon_view(network: nx.MultiDiGraph, chapter: int | None) -> nx.MultiDiGraph:
    """A read-only subgraph view of what is told up to and including the chapter; no copy. None: all."""
    import networkx as nx

    if chapter is None:
        return network
    nodes, edges = network.nodes, network.edges
    told_node: Callable[[str], bool] = lambda node: nodes[node]["told"] <= chapter  # noqa: E731

    def told_edge(one: str, other: str, key: str) -> bool:
        return bool(edges[one, other, key]["told"] <= chapter)

    return nx.subgraph_view(network, filter_node=told_node, filter_edge=told_edge)
