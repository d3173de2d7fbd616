"""The temporal knowledge graph of one story: a log of all that is told, asked through views."""

from __future__ import annotations

import json
import threading
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from ...core.files.plain_json import parse_json
from ...core.runtime.memory_limits import collection_put_off
from ...core.types import Horizon
from ...errors import ProjectError, UsageError
from ..model.predicates import PREDICATES
from ..model.types import StoryLog, Told
from .views.story_view import StoryView

if TYPE_CHECKING:
    import networkx as nx
    from pydantic import TypeAdapter


SCHEMA = 7
_HEAD = f'{{"schema":{SCHEMA},"log":'


def dump_log(log: StoryLog) -> str:
    """``{"schema": 7, "log": {...}}`` in one line; fields in the order of the dataclasses, so that the same
    log always gives the same bytes."""
    return f"{_HEAD}{_adapter().dump_json(log).decode()}}}"


def load_log(text: str) -> StoryLog:
    """The log that ``dump_log`` wrote. Raises ProjectError where it is no story graph, is damaged, or
    was written by another version."""
    from pydantic import ValidationError

    if text.startswith(_HEAD) and text.endswith("}"):  # parsed and checked in one go, in half the time
        try:
            with collection_put_off():
                return _adapter().validate_json(text[len(_HEAD) : -1])
        except ValidationError:
            pass  # told below, by what is wrong with it
    try:
        saved = parse_json(text)
    except json.JSONDecodeError as error:
        raise ProjectError(
            f"the story graph is not JSON ({error.msg} at character {error.pos}): index the story again"
        ) from error
    if not isinstance(saved, dict) or "log" not in saved:
        raise ProjectError("this JSON holds no story graph: give a file that fabula wrote, or index again")
    if saved.get("schema") != SCHEMA:
        raise ProjectError(
            f"the story graph has schema {saved.get('schema')!r}, this version reads {SCHEMA}: "
            "index the story again, or use the version of fabula that wrote it"
        )
    try:
        return _adapter().validate_python(saved["log"])
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ProjectError(
            f"the story graph is damaged at {where or 'its top'} ({first['msg']}): index the story again"
        ) from error


@cache
def _adapter() -> TypeAdapter[StoryLog]:
    from pydantic import TypeAdapter

    return TypeAdapter(StoryLog)


__all__ = ["STORY_FILE", "StoryKnowledgeGraph", "StoryView"]

STORY_FILE = "story.json"  # in the folder of an index generation

_VIEWS_KEPT = 8
_CARRIED = ("told", "holds", "confidence", "modality", "origin", "word")


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
        self._view = lru_cache(_VIEWS_KEPT)(lambda last: StoryView(log.told(last), Horizon(last)))
        self._lock = threading.Lock()

    @classmethod
    def from_log(cls, log: StoryLog) -> StoryKnowledgeGraph:
        """Raises UsageError where a relation's predicate is not in the table of predicates."""
        for relation in log.relations:
            if relation.predicate not in PREDICATES:
                raise UsageError(
                    f"{relation.predicate!r} ({relation.subject} to {relation.object}, chapter "
                    f"{relation.told}) is not a predicate: use one of {', '.join(sorted(PREDICATES))}"
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
        """Entities and events of the log as nodes; relations, PARTICIPATES_IN, BEFORE and IS (that
        two names are one's) as edges. Frozen.

        Nodes carry ``node`` (``"entity"`` or ``"event"``) and ``told``, the chapter that first tells of them;
        edges ``predicate``, ``told``, ``holds``, ``confidence``, ``modality``, ``origin``, ``word`` and
        ``evidence``. Edge keys are ``PREDICATE:told:ordinal``. Ids are those of the log: an IS edge leads
        from an id to the one that it is known as later.
        """
        import networkx as nx

        network = nx.MultiDiGraph()

        def meet(told: int, *entities: str) -> None:
            for entity in entities:
                known = network.nodes[entity] if entity in network else None
                if known is None or told < known["told"]:
                    network.add_node(entity, node="entity", told=told)

        def join(one: str, predicate: str, other: str, ordinal: object, record: Told, **more: object) -> None:
            carried = {name: getattr(record, name) for name in _CARRIED if hasattr(record, name)}
            key = f"{predicate}:{record.told}:{ordinal}"
            network.add_edge(one, other, key, predicate=predicate, **carried, **more)

        for mention in self.log.mentions:
            meet(mention.told, mention.entity)
        for number, merge in enumerate(self.log.merges):
            meet(merge.told, merge.entity, merge.into)
            join(merge.entity, "IS", merge.into, number, merge, confidence=1.0, evidence=(merge.evidence,))
        for number, relation in enumerate(self.log.relations):
            one, other = relation.subject, relation.object
            meet(relation.told, one, other)
            join(one, relation.predicate, other, number, relation, evidence=relation.evidence)
        for number, event in enumerate(self.log.events):
            if event.predicate == "DOES":
                continue
            kind, vouched = event.predicate, event.modality
            network.add_node(event.id, node="event", predicate=kind, told=event.told, modality=vouched)
            for role, one in event.participants:
                meet(event.told, one)
                ordinal, quotes = f"{number}:{role}", event.evidence
                join(one, "PARTICIPATES_IN", event.id, ordinal, event, role=role, evidence=quotes)
        for number, order in enumerate(self.log.orders):
            if order.earlier in network and order.later in network:
                join(order.earlier, "BEFORE", order.later, number, order, evidence=order.evidence)
        return nx.freeze(network)

    def network_at(self, horizon: Horizon) -> nx.MultiDiGraph:
        """What is told up to the horizon: a read-only subgraph view, without a copy."""
        import networkx as nx

        last, nodes, edges = horizon.chapter, self.network.nodes, self.network.edges
        if last is None:
            return self.network
        return nx.subgraph_view(
            self.network,
            filter_node=lambda node: nodes[node]["told"] <= last,
            filter_edge=lambda *edge: edges[edge]["told"] <= last,
        )

    def as_of(self, horizon: Horizon) -> StoryView:
        """What a reader knows there. Costs one pass over the log; a view from an earlier answer, nothing."""
        with self._lock:
            return self._view(horizon.chapter)
