"""Exports: a story at a horizon to a file, or to a folder of tables, in a format of a closed set."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from ...core.files.atomic import replace_file
from ...core.files.plain_json import plain
from ...errors import UsageError
from ..model.types import StoryLog, gathered
from .story_graph import SCHEMA, StoryKnowledgeGraph
from .views.story_view import StoryView

if TYPE_CHECKING:
    import networkx as nx

_ACTING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def story_network(view: StoryView, *, title: str) -> nx.MultiDiGraph:
    """The network of the view's log (see ``StoryKnowledgeGraph.network``), each entity once under the id that
    it is known by, for programs that draw graphs.

    Nodes have ``label`` and ``kind``; an entity has its number of mentions and its first three quotes, a
    merged one the ids that it had. Edges have ``label``, and their evidence twice: the first quote as
    ``quote``, ``document``, ``chapter``, ``start`` and ``end`` (half-open characters of the document), all of
    it as JSON in ``evidence``. Costs one pass over the log.
    """
    import networkx as nx

    network = StoryKnowledgeGraph(view.log).network
    graph = nx.MultiDiGraph(title=title)
    merged = gathered((view.resolve(each.entity), each.entity) for each in view.log.merges)
    for entity in view.entities():
        own = {"label": entity.name, "kind": "entity", "entity_kind": entity.kind.value}
        own |= {"merged_ids": "; ".join(merged[entity.id])} if entity.id in merged else {}
        graph.add_node(entity.id, **own, **_flat(entity, skip=("id", "name", "kind")))
    for node, row in network.nodes(data=True):
        if row["node"] == "event":
            graph.add_node(node, label=row["predicate"], kind="event", **_flat(row, skip=("node",)))
        elif view.resolve(node) not in graph:  # known only from what joins it
            graph.add_node(view.resolve(node), label=view.resolve(node), kind="entity")
    for one, other, key, row in network.edges(keys=True, data=True):
        ends = view.resolve(one), view.resolve(other)
        if row["predicate"] != "IS" and ends[0] != ends[1]:
            label = row.get("role", row["predicate"]).upper()
            graph.add_edge(*ends, key, label=label, **_flat(row, skip=("role",)))
    for row in (graph.graph, *graph.nodes.values(), *graph.edges.values()):
        row.update({name: printable(value) for name, value in row.items() if isinstance(value, str)})
    return graph


def printable(text: str) -> str:
    """The text with U+FFFD for every control, lone surrogate and mark that turns the writing."""
    return _ACTING.sub("\ufffd", text)


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
        graph = story_network(view, title=title)
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
    """Nothing is lost: such characters are escaped."""
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
    return (_ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n").encode()


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
        row = get_args(kind)[0]
        head = (each.name for each in fields(get_origin(row) or row))
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
