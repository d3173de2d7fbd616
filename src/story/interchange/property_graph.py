"""A story at a horizon as nodes and edges with flat attributes, for programs that know no stories.

Who and what is told of are nodes, and so is everything told that joins more than two or carries words of its
own (events, quotations, states, presences, times, knowledge); relations, causes and orders are edges. The
records are walked by their dataclass fields, so a field or a table added to the log is exported too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from ...core.types import Evidence
from ..graph_rag.views.story_view import StoryView
from ..model.types import Interval, Relation, StateTold

__all__ = ["Edge", "Node", "PropertyGraph", "Value", "printable", "property_graph"]

Value = str | int | float | bool

_MENTIONED = ("mentions", "merges")  # told by the entities themselves
_ENDS = {"relations": ("subject", "object"), "causes": ("effect", "cause"), "orders": ("earlier", "later")}
_LABELS = {"causes": "CAUSED_BY", "orders": "BEFORE"}
_SINGULAR = {"causes": "cause", "quotations": "quotation", "presences": "presence", "knowledge": "knowledge"}
_ENTITIES = frozenset({"entity", "speaker", "hearers", "place", "source"})
_EVENTS = frozenset({"event"})
_NO_CHARACTER = "\ufffd"
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Node:
    """``id`` is ``kind:`` and a key, e.g. ``entity:ana`` or ``event:event-3``; ``kind`` the first part."""

    id: str
    label: str
    kind: str
    attributes: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge between two nodes of the same graph."""

    id: str
    source: str
    target: str
    label: str
    attributes: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class PropertyGraph:
    """Nodes and edges in a fixed order: entities by presence, then records in order of telling."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def property_graph(view: StoryView, *, name: str) -> PropertyGraph:
    """The view as a property graph. Costs one pass over its log.

    Single mentions are not nodes: an entity carries their number and its first three. Every other record
    carries its evidence twice: the first quote as ``quote``, ``document``, ``chapter``, ``start`` and ``end``
    (half-open characters of the document), all of it as JSON in ``evidence``.
    """
    log, nodes, edges = view.log, list(_entity_nodes(view)), list[Edge]()
    events = {event.id for event in log.events}
    for table in (each.name for each in fields(log)):
        if table in _MENTIONED:
            continue
        for number, record in enumerate(getattr(log, table), 1):
            if table in _ENDS:
                edges += _edge(view, table, number, record, events)
            else:
                node = _record_node(table, number, record)
                nodes.append(node)
                edges += _links(view, node, record, events)
    known = {node.id for node in nodes}
    missing = dict.fromkeys(end for edge in edges for end in (edge.source, edge.target) if end not in known)
    nodes += [Node(end, end.partition(":")[2], "entity") for end in missing]
    return PropertyGraph(name, tuple(nodes), tuple(edges))


def printable(text: str) -> str:
    """The text with every character that XML 1.0 forbids (controls, lone surrogates) as U+FFFD."""
    return _NOT_XML.sub(_NO_CHARACTER, text)


def _entity_nodes(view: StoryView) -> Iterator[Node]:
    merged: dict[str, list[str]] = {}
    for merge in view.log.merges:
        merged.setdefault(view.resolve(merge.entity), []).append(merge.entity)
    for entity in view.entities():
        attributes = dict(_attributes(entity, skip=("id", "name", "kind")))
        attributes["entity_kind"] = entity.kind.value
        if entity.id in merged:
            attributes["merged_ids"] = "; ".join(merged[entity.id])
        yield Node(f"entity:{entity.id}", entity.name, "entity", tuple(attributes.items()))


def _edge(view: StoryView, table: str, number: int, record: Any, events: set[str]) -> Iterator[Edge]:
    """None where the two ends are one, or one is an event that is not told up to the horizon."""
    first, second = (getattr(record, end) for end in _ENDS[table])
    if isinstance(record, Relation):
        kind, first, second = "entity", view.resolve(first), view.resolve(second)
    else:
        kind = "event"
        if first not in events or second not in events:
            return
    if first == second:
        return
    label = _LABELS.get(table) or record.predicate
    attributes = tuple(_attributes(record, skip=_ENDS[table]))
    yield Edge(f"{_singular(table)}:{number}", f"{kind}:{first}", f"{kind}:{second}", label, attributes)


def _record_node(table: str, number: int, record: Any) -> Node:
    kind = _singular(table)
    key = getattr(record, "id", None) or str(number)
    links = {each.name for each in fields(record) if each.name in _ENTITIES | _EVENTS}
    attributes = tuple(_attributes(record, skip=("id", "participants", *links)))
    return Node(f"{kind}:{key}", _label(record), kind, attributes)


def _label(record: Any) -> str:
    """The record's own word for what it is, else its first quote."""
    for name in ("predicate", "value", "content"):
        word = getattr(record, name, "")
        if word:
            verb = getattr(record, "verb", "")
            return f"{word} ({verb})" if verb else str(word)
    quotes = _quotes(record)
    return " ".join(quotes[0].quote.split())[:80] if quotes else type(record).__name__


def _links(view: StoryView, node: Node, record: Any, events: set[str]) -> Iterator[Edge]:
    found: list[tuple[str, str]] = []
    for each in fields(record):
        value = getattr(record, each.name)
        if each.name == "participants":
            found += [(role, f"entity:{view.resolve(who)}") for role, who in value]
        elif each.name in _ENTITIES:
            ids = value if isinstance(value, tuple) else (value,)
            found += [(each.name, f"entity:{view.resolve(who)}") for who in ids if who]
        elif each.name in _EVENTS and value in events:
            found.append((each.name, f"event:{value}"))
    if isinstance(record, StateTold) and record.aspect == "location":
        found.append(("place", f"entity:{view.resolve(record.value)}"))
    for number, (label, target) in enumerate(found, 1):
        yield Edge(f"{node.id}/{number}", node.id, target, label.upper(), (("told", record.told),))


def _attributes(record: Any, *, skip: tuple[str, ...]) -> Iterator[tuple[str, Value]]:
    for each in fields(record):
        value = getattr(record, each.name)
        if each.name == "evidence":
            yield from _evidence(_quotes(record))
        elif each.name not in skip:
            yield from _flat(each.name, value)


def _flat(name: str, value: Any) -> Iterator[tuple[str, Value]]:
    match value:
        case None:
            return
        case Enum():
            yield name, str(value.value)
        case Interval():
            yield f"{name}_start", _bound(value.start)
            yield f"{name}_end", _bound(value.end)
        case bool() | int() | float() | str():
            yield name, value
        case tuple():
            yield name, "; ".join(str(item) for item in value)
        case _:
            yield name, str(value)


def _bound(bound: object) -> str:
    return str(bound.value) if isinstance(bound, Enum) else str(bound)


def _evidence(quotes: tuple[Evidence, ...]) -> Iterator[tuple[str, Value]]:
    if not quotes:
        return
    first = quotes[0]
    yield from (
        ("quote", first.quote),
        ("document", first.document_id),
        ("chapter", first.chapter),
        ("start", first.span.start),
        ("end", first.span.end),
    )
    rows = [
        {
            "document": each.document_id,
            "chapter": each.chapter,
            "start": each.span.start,
            "end": each.span.end,
            "quote": each.quote,
        }
        for each in quotes
    ]
    yield "evidence", json.dumps(rows, ensure_ascii=False)


def _quotes(record: Any) -> tuple[Evidence, ...]:
    found = getattr(record, "evidence", ())
    return found if isinstance(found, tuple) else (found,)


def _singular(table: str) -> str:
    return _SINGULAR.get(table, table.removesuffix("s"))
