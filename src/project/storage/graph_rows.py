"""The story graph as rows, for a store that keeps tables of it."""

from __future__ import annotations

from ...core.store.index.parts import GraphRows
from ...core.types import Horizon
from ...story.graph_rag.story_graph import StoryKnowledgeGraph
from ...story.model.types import StoryLog


def graph_rows(log: StoryLog) -> GraphRows:
    """What a reader of the whole story knows: each entity, and each relation with the chapter that tells it
    and its first quote."""
    view = StoryKnowledgeGraph.from_log(log).as_of(Horizon())
    return GraphRows(
        tuple((one.id, one.kind.value, one.name, one.first_appearance) for one in view.entities()),
        tuple(
            (
                one.subject,
                one.predicate,
                one.object,
                one.modality.value,
                one.told,
                round(one.confidence, 4),
                one.evidence[0].span.start if one.evidence else None,
                one.evidence[0].span.end if one.evidence else None,
            )
            for one in view.relations()
        ),
    )
