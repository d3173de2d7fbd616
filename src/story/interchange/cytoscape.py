"""Cytoscape JSON (``.cyjs``), as Cytoscape 3, Cytoscape.js and networkx read it."""

from __future__ import annotations

import json
from typing import Any

from .property_graph import PropertyGraph, Value, printable

__all__ = ["cytoscape_json"]


def cytoscape_json(graph: PropertyGraph) -> str:
    """One object with ``elements.nodes`` and ``elements.edges``, attributes flat under ``data``."""
    nodes = [
        _element(node.attributes, id=node.id, value=node.id, name=node.label, kind=node.kind)
        for node in graph.nodes
    ]
    edges = [
        _element(
            edge.attributes,
            id=edge.id,
            key=edge.id,
            source=edge.source,
            target=edge.target,
            interaction=edge.label,
        )
        for edge in graph.edges
    ]
    content = {
        "format_version": "1.0",
        "generated_by": "fabula",
        "target_cytoscapejs_version": "~3.0",
        "directed": True,  # this and a node's value and an edge's key are for networkx
        "multigraph": True,
        "data": {"name": printable(graph.name), "shared_name": printable(graph.name)},
        "elements": {"nodes": nodes, "edges": edges},
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _element(attributes: tuple[tuple[str, Value], ...], **own: str) -> dict[str, Any]:
    """``own`` names win, since Cytoscape reads them; an attribute of the same name gets an underscore."""
    data: dict[str, Value] = {name: printable(value) for name, value in own.items()}
    for name, value in attributes:
        data[f"{name}_" if name in own else name] = printable(value) if isinstance(value, str) else value
    return {"data": data}
