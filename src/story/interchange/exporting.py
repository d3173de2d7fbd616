"""Exports: a story at a horizon to a file, or to a folder of tables, in a format of a closed set."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from ...core.files.atomic import replace_file
from ...core.files.plain_json import plain
from ...errors import UsageError
from ..graph_rag.story_graph import SCHEMA
from ..graph_rag.views.story_view import StoryView
from ..model.types import StateTold, StoryLog

if TYPE_CHECKING:
    import networkx as nx

_EDGES = {
    "relations": ("subject", "object", "entity", ""),
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


FORMATS = ("json", "graphml", "cytoscape", "csv")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written where: files, and the records of each table of the story at the horizon."""

    format: str
    files: tuple[str, ...]
    as_of: int | None
    entities: int
    records: tuple[tuple[str, int], ...]


def export_story(view: StoryView, out: Path, *, format: str, document_id: str, title: str) -> ExportReport:
    """Writes all that the view's story tells, with its evidence; nothing told after its horizon.

    ``out`` is a file, for ``csv`` a folder. Files are replaced whole; folders that are not there are made.
    The same view gives the same bytes. Raises UsageError for a format that is none, or a place that cannot be
    written.
    """
    if format not in FORMATS:
        raise UsageError(f"there is no export format {format!r}: choose one of {', '.join(FORMATS)}")
    if format == "json":
        head = {"format": "fabula-story", "schema": SCHEMA, "document": {"id": document_id, "title": title}}
        told = {"entities": plain(view.entities()), "log": plain(view.log)}
        files = {out: _json({**head, "as_of": view.horizon.chapter, **told})}
    else:
        graph = property_graph(view, title=title)
        tables = _tables(view, graph) if format == "csv" else {}
        files = {out / name: text for name, text in tables.items()} or {out: _graph(graph, format)}
    for path, content in files.items():
        replace_file(path, content)
    records = tuple((each.name, len(getattr(view.log, each.name))) for each in fields(view.log))
    written = tuple(path.as_posix() for path in files)
    return ExportReport(format, written, view.horizon.chapter, len(view.entities()), records)


def _graph(graph: nx.MultiDiGraph, format: str) -> bytes:
    """As Gephi, yEd, Cytoscape and networkx read it."""
    import networkx as nx

    if format == "graphml":
        out = io.BytesIO()
        nx.write_graphml(graph, out, infer_numeric_types=True)
        return out.getvalue()
    for _, _, edge in graph.edges(data=True):
        edge["interaction"] = edge["label"]  # Cytoscape's own name for it
    return _json({**nx.cytoscape_data(graph, name="label"), "data": {"name": graph.graph["title"]}})


def _json(content: Any) -> bytes:
    """Lone surrogates are escaped."""
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _tables(view: StoryView, graph: nx.MultiDiGraph) -> dict[str, bytes]:
    """File names and contents (RFC 4180, UTF-8, always with a head): nodes and edges with the columns that
    Gephi reads, and the tables of the log as they were told, nested values as JSON."""
    nodes = [{"Id": node, **_titled(row)} for node, row in graph.nodes(data=True)]
    edges = [
        {"Id": key, "Source": source, "Target": target, "Type": "Directed", **_titled(row)}
        for source, target, key, row in graph.edges(keys=True, data=True)
    ]
    tables = {
        "nodes.csv": _table(("Id", "Label", "Kind"), nodes),
        "edges.csv": _table(("Id", "Source", "Target", "Type", "Label"), edges),
    }
    for table, kind in get_type_hints(StoryLog).items():
        head = (each.name for each in fields(get_args(kind)[0]))
        tables[f"{table}.csv"] = _table(head, map(plain, getattr(view.log, table)))
    return tables


def _titled(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name.title() if name in ("label", "kind") else name: value for name, value in row.items()}


def _table(head: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    kept = list(rows)
    columns = list(dict.fromkeys((*head, *(name for row in kept for name in row))))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([guarded(row.get(name)) for name in columns] for row in kept)
    return out.getvalue().encode()


def guarded(value: Any) -> str:
    """The cell's text, JSON where the value is nested; what a spreadsheet would run as a formula gets an
    apostrophe before it (OWASP, "CSV injection"). Numbers stay numbers."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return printable(json.dumps(value, ensure_ascii=False))
    text = printable(value)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
