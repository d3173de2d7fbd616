"""Exports: a story at a horizon to a file, or to a folder of tables, in a format of a closed set."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from ...core.files.atomic import replace_file
from ...core.files.plain_json import plain
from ...errors import UsageError
from ..graph_rag.views.log_json import SCHEMA
from ..graph_rag.views.story_view import StoryView
from ..model.types import StoryLog
from .story_network import printable, property_graph

if TYPE_CHECKING:
    import networkx as nx

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
        files = {out: _log(view, document_id=document_id, title=title)}
    else:
        graph = property_graph(view, title=title)
        tables = _tables(view, graph) if format == "csv" else {}
        files = {out / name: text for name, text in tables.items()} or {out: _graph(graph, format)}
    for path, content in files.items():
        replace_file(path, content)
    records = tuple((each.name, len(getattr(view.log, each.name))) for each in fields(view.log))
    written = tuple(path.as_posix() for path in files)
    return ExportReport(format, written, view.horizon.chapter, len(view.entities()), records)


def _log(view: StoryView, *, document_id: str, title: str) -> bytes:
    """The log as one object with the entities beside it."""
    return _json(
        {
            "format": "fabula-story",
            "schema": SCHEMA,
            "document": {"id": document_id, "title": title},
            "as_of": view.horizon.chapter,
            "entities": plain(view.entities()),
            "log": plain(view.log),
        }
    )


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
