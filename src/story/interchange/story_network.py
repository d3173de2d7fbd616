"""A story at a horizon as a networkx graph with flat attributes, for programs that know no stories.

Who and what is told of are nodes, and so is everything told that joins more than two or carries words of its
own (events, quotations, states, presences, times); relations, causes and orders are edges. The
records are walked by their fields, so a field or a table added to the log is exported too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ...core.files.plain_json import plain
from ..graph_rag.views.story_view import StoryView
from ..model.types import StateTold

if TYPE_CHECKING:
    import networkx as nx

_EDGES = {
    "relations": ("subject", "object", "entity", ""),
    "causes": ("effect", "cause", "event", "CAUSED_BY"),
    "orders": ("earlier", "later", "event", "BEFORE"),
}
_LINKS = frozenset({"participants", "entity", "speaker", "hearers", "place", "source", "event"})
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def property_graph(view: StoryView, *, title: str) -> nx.MultiDiGraph:
    """Nodes are ``kind:`` and a key (``entity:ana``, ``event:event-3``), with ``label`` and ``kind``; the key
    of an edge names its record. Entities come first, by presence, then records in order of telling.

    Single mentions are not nodes: an entity carries their number and its first three. Every other record
    carries its evidence twice: the first quote as ``quote``, ``document``, ``chapter``, ``start`` and ``end``
    (half-open characters of the document), all of it as JSON in ``evidence``. Costs one pass over the log.
    """
    import networkx as nx

    graph = nx.MultiDiGraph(title=title)
    for entity in view.entities():
        flat = _flat(entity, skip=("id", "name", "kind"))
        merged = [each.entity for each in view.log.merges if view.resolve(each.entity) == entity.id]
        flat |= {"entity_kind": entity.kind.value} | ({"merged_ids": "; ".join(merged)} if merged else {})
        graph.add_node(f"entity:{entity.id}", label=entity.name, kind="entity", **flat)
    for table in (each.name for each in fields(view.log) if each.name not in ("mentions", "merges")):
        kind = table.removesuffix("s")
        for number, record in enumerate(getattr(view.log, table), 1):
            if table not in _EDGES:
                _add(graph, view, kind, f"{kind}:{getattr(record, 'id', number)}", record)
                continue
            *ends, end, label = _EDGES[table]
            one, other = (getattr(record, name) for name in ends)
            if end == "entity":
                one, other = view.resolve(one), view.resolve(other)
            if one != other:
                flat = {"label": label or record.predicate, **_flat(record, skip=ends)}
                graph.add_edge(f"{end}:{one}", f"{end}:{other}", f"{kind}:{number}", **flat)
    bare = [node for node, row in graph.nodes(data=True) if not row]  # known only from what joins them
    graph.remove_nodes_from(node for node in bare if node.startswith("event:"))  # not told yet
    for node in bare:
        if node in graph:
            graph.nodes[node].update(label=node.partition(":")[2], kind="entity")
    for row in (graph.graph, *graph.nodes.values(), *graph.edges.values()):
        row.update({name: printable(value) for name, value in row.items() if isinstance(value, str)})
    return graph


def printable(text: str) -> str:
    """The text with every character that XML 1.0 forbids (controls, lone surrogates) as U+FFFD."""
    return _NOT_XML.sub("\ufffd", text)


def _add(graph: nx.MultiDiGraph, view: StoryView, kind: str, node: str, record: Any) -> None:
    """A record as a node, with an edge to each whom it names. Its label is its own word for what it is, else
    its first quote."""
    flat = _flat(record, skip=("id", *_LINKS))
    words = (flat.get(name) for name in ("predicate", "value", "content", "name", "quote"))
    label = str(next(filter(None, words), kind)) + (f" ({flat['verb']})" if flat.get("verb") else "")
    graph.add_node(node, **{**flat, "label": " ".join(label.split())[:80], "kind": kind})
    links: list[tuple[str, str]] = list(getattr(record, "participants", ()))
    for name in ("entity", "speaker", "hearers", "place", "source"):
        found = getattr(record, name, None) or ()
        links += [(name, who) for who in (found if isinstance(found, tuple) else (found,))]
    if isinstance(record, StateTold) and record.aspect == "location":
        links.append(("place", record.value))
    targets = [(label, f"entity:{view.resolve(who)}") for label, who in links]
    if getattr(record, "event", None):
        targets.append(("event", f"event:{record.event}"))
    for number, (label, target) in enumerate(targets, 1):
        graph.add_edge(node, target, f"{node}/{number}", label=label.upper(), told=record.told)


def _flat(record: Any, *, skip: Collection[str]) -> dict[str, Any]:
    """The record's fields as attributes that every format holds: text and numbers."""
    found: dict[str, Any] = {}
    for name, value in plain(record).items():
        if name == "evidence":
            quotes = [
                {"quote": each["quote"], "document": each["document_id"], "chapter": each["chapter"]}
                | each["span"]
                for each in (value if isinstance(value, list) else [value])
            ]
            found |= (quotes[0] if quotes else {}) | {"evidence": json.dumps(quotes, ensure_ascii=False)}
        elif isinstance(value, dict):  # an interval
            found |= {f"{name}_{part}": str(bound) for part, bound in value.items()}
        elif isinstance(value, list):
            simple = all(isinstance(each, str) for each in value)
            found[name] = "; ".join(value) if simple else json.dumps(value, ensure_ascii=False)
        elif value is not None and name not in skip:
            found[name] = value
    return {name: value for name, value in found.items() if name not in skip}
