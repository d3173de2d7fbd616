"""A view as a networkx graph, for walks and for drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

    from .story_view import StoryView

__all__ = ["story_network"]


def story_network(view: StoryView) -> nx.MultiDiGraph:
    """Entities and events as nodes; relations, PARTICIPATES_IN and CAUSED_BY as edges. Frozen.

    Nodes carry ``node`` (``"entity"`` or ``"event"``), entities ``kind``, ``name`` and ``mentions``,
    events ``predicate``, ``told`` and ``modality``. Edge keys are ``PREDICATE:told:ordinal``; edges
    carry ``predicate``, ``told``, ``holds``, ``confidence``, ``modality`` and ``evidence``, and
    PARTICIPATES_IN (from entity to event) also ``role``. All modalities are there: read the attribute.
    An entity known only from a relation has no ``kind``.
    """
    import networkx as nx

    network = nx.MultiDiGraph()
    for entity in view.entities():
        network.add_node(
            entity.id, node="entity", kind=entity.kind, name=entity.name, mentions=entity.mentions
        )
    _add_relations(view, network)
    _add_events(view, network)
    for ordinal, cause in enumerate(view.causes()):
        network.add_edge(
            cause.effect,
            cause.cause,
            key=f"CAUSED_BY:{cause.told}:{ordinal}",
            predicate="CAUSED_BY",
            told=cause.told,
            confidence=cause.confidence,
            evidence=cause.evidence,
        )
    return nx.freeze(network)


def _add_relations(view: StoryView, network: nx.MultiDiGraph) -> None:
    for ordinal, relation in enumerate(view.relations(happened=False)):
        for end in (relation.subject, relation.object):
            if end not in network:
                network.add_node(end, node="entity")
        network.add_edge(
            relation.subject,
            relation.object,
            key=f"{relation.predicate}:{relation.told}:{ordinal}",
            predicate=relation.predicate,
            told=relation.told,
            holds=relation.holds,
            confidence=relation.confidence,
            modality=relation.modality,
            evidence=relation.evidence,
        )


def _add_events(view: StoryView, network: nx.MultiDiGraph) -> None:
    for ordinal, event in enumerate(view.events(happened=False)):
        network.add_node(
            event.id, node="event", predicate=event.predicate, told=event.told, modality=event.modality
        )
        for role, entity in event.participants:
            if entity not in network:
                network.add_node(entity, node="entity")
            network.add_edge(
                entity,
                event.id,
                key=f"PARTICIPATES_IN:{event.told}:{ordinal}:{role}",
                predicate="PARTICIPATES_IN",
                role=role,
                told=event.told,
                holds=event.holds,
                confidence=event.confidence,
                modality=event.modality,
                evidence=event.evidence,
            )
