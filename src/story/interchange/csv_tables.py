"""Tables for spreadsheets and for Gephi's import: ``nodes.csv``, ``edges.csv``, and a table for each kind of
record, all of it quoted so that no cell is taken for a formula."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, get_args, get_type_hints

from ...core.files.plain_json import plain
from ..graph_rag.views.story_view import StoryView
from ..model.types import StoryLog
from .property_graph import PropertyGraph, Value, printable

__all__ = ["csv_tables", "guarded"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def csv_tables(view: StoryView, graph: PropertyGraph) -> dict[str, str]:
    """File names and contents (RFC 4180, UTF-8, with a head): nodes and edges with the columns that Gephi
    reads (``Id``, ``Label``, ``Source``, ``Target``, ``Type``), and the tables of the log as they were told,
    nested values as JSON."""
    nodes = [
        (("Id", node.id), ("Label", node.label), ("Kind", node.kind), *node.attributes)
        for node in graph.nodes
    ]
    edges = [
        (
            ("Id", edge.id),
            ("Source", edge.source),
            ("Target", edge.target),
            ("Type", "Directed"),
            ("Label", edge.label),
            *edge.attributes,
        )
        for edge in graph.edges
    ]
    tables = {
        "nodes.csv": _table(nodes, ("Id", "Label", "Kind")),
        "edges.csv": _table(edges, ("Id", "Source", "Target", "Type", "Label")),
    }
    for each in fields(view.log):
        rows = [_row(record) for record in getattr(view.log, each.name)]
        tables[f"{each.name}.csv"] = _table(rows, _head(each.name))
    return tables


def guarded(value: Value) -> str:
    """The cell's text; what a spreadsheet would run as a formula gets an apostrophe before it (OWASP, "CSV
    injection"). Numbers stay numbers."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    text = printable(value)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def _row(record: Any) -> tuple[tuple[str, Value], ...]:
    return tuple((name, _cell(value)) for name, value in plain(record).items() if value is not None)


def _head(table: str) -> tuple[str, ...]:
    """Every field of the table's records, so that a table without rows, or values, has its columns too."""
    [record, _] = get_args(get_type_hints(StoryLog)[table])
    return tuple(each.name for each in fields(record))


def _cell(value: Any) -> Value:
    if isinstance(value, str | int | float):
        return value
    return json.dumps(value, ensure_ascii=False)


def _table(rows: Sequence[Sequence[tuple[str, Value]]], head: Sequence[str]) -> str:
    columns = list(dict.fromkeys((*head, *(name for row in rows for name, _ in row))))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        cells = dict(row)
        writer.writerow([guarded(cells[name]) if name in cells else "" for name in columns])
    return out.getvalue()
