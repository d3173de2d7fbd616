"""The story as a networkx graph: a MultiDiGraph of all that is told, and subgraph views at a horizon."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

    from ...model.types import StoryLog


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
