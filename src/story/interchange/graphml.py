"""GraphML 1.0 (Brandes et al. 2001), as Gephi, yEd, Cytoscape and networkx read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from .property_graph import Edge, Node, PropertyGraph, Value, printable

__all__ = ["graphml"]

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns'
    ' http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">\n'
)
_RETURN = {"\r": "&#13;"}  # a parser would make a line feed of a plain one
Row = Sequence[tuple[str, Value]]


def graphml(graph: PropertyGraph) -> str:
    """One directed graph; attributes flat, with types. Valid XML for any text: what XML cannot hold
    becomes U+FFFD."""
    nodes = [(node, _of_node(node)) for node in graph.nodes]
    edges = [(edge, _of_edge(edge)) for edge in graph.edges]
    node_keys = _keys((row for _, row in nodes), "n")
    edge_keys = _keys((row for _, row in edges), "e")
    parts = [_HEAD]
    parts += _declared(node_keys, "node")
    parts += _declared(edge_keys, "edge")
    parts.append(f'<graph id={_quoted(graph.name)} edgedefault="directed">\n')
    for node, row in nodes:
        parts += (f"<node id={_quoted(node.id)}>", *_data(row, node_keys), "</node>\n")
    for edge, row in edges:
        ends = f"source={_quoted(edge.source)} target={_quoted(edge.target)}"
        parts += (f"<edge id={_quoted(edge.id)} {ends}>", *_data(row, edge_keys), "</edge>\n")
    parts.append("</graph>\n</graphml>\n")
    return "".join(parts)


def _of_node(node: Node) -> Row:
    return (("label", node.label), ("kind", node.kind), *node.attributes)


def _of_edge(edge: Edge) -> Row:
    return (("label", edge.label), *edge.attributes)


def _keys(rows: Iterable[Row], prefix: str) -> dict[str, tuple[str, str]]:
    """For each attribute its key and its type: the narrowest that all its values have."""
    types: dict[str, str] = {}
    for row in rows:
        for name, value in row:
            new, old = _type(value), types.get(name)
            if old not in (None, new):
                new = "double" if {old, new} == {"int", "double"} else "string"
            types[name] = new
    return {name: (f"{prefix}{number}", kind) for number, (name, kind) in enumerate(types.items())}


def _type(value: Value) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "int" if -(2**31) <= value < 2**31 else "string"
    return "double" if isinstance(value, float) else "string"


def _declared(keys: dict[str, tuple[str, str]], owner: str) -> Iterator[str]:
    for name, (key, kind) in keys.items():
        yield f'<key id="{key}" for="{owner}" attr.name={_quoted(name)} attr.type="{kind}"/>\n'


def _data(row: Row, keys: dict[str, tuple[str, str]]) -> Iterator[str]:
    for name, value in row:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        yield f'<data key="{keys[name][0]}">{escape(printable(text), _RETURN)}</data>'


def _quoted(text: str) -> str:
    return quoteattr(printable(text))
