"""Graphs of Microsoft GraphRAG, from 0.5 to 3.x, in its output folder.

From 2.0 on the tables are ``entities``, ``relationships``, ``text_units`` and ``documents``; up to 1.x
``create_final_entities`` and so on. Columns read: entities ``title`` (``name`` before 0.5), ``type``,
``text_unit_ids``; relationships ``source``, ``target`` (titles), ``description``, ``text_unit_ids``; text
units ``id``, ``text``; documents ``text`` (``raw_content`` before 0.5). Parquet needs pyarrow; the same
tables as CSV, JSON or JSON lines are read without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...core.types import Document
from ...errors import ProjectError
from .chunk_graph import ChunkText, GraphEdge, GraphNode, import_chunk_graph
from .imported import Imported, plain_document
from .tables import find_table, listed, read_table

__all__ = ["import_graphrag"]


def import_graphrag(folder: Path, *, document: Document | None = None) -> Imported:
    """The graph in an output folder, checked against ``document``, else against the documents of the export.

    Raises ProjectError, naming the table, for one that is missing or lacks a column, ModelMissing for
    Parquet without pyarrow.
    """
    units = _rows(folder, "text_units", ("id", "text"))
    entities = _rows(folder, "entities", ())
    edges = _rows(folder, "relationships", ("source", "target"))
    text = "given"
    if document is None:
        text, document = "in the export", _document(folder, units)
    return import_chunk_graph(
        document,
        chunks=[ChunkText(str(row["id"]), str(row["text"])) for row in units],
        nodes=[_node(row) for row in entities],
        edges=[
            GraphEdge(
                _name(row["source"]),
                _name(row["target"]),
                "",
                str(row.get("description") or ""),
                listed(row.get("text_unit_ids")),
            )
            for row in edges
        ],
        source="GraphRAG",
        text=text,
    )


def _rows(folder: Path, name: str, columns: tuple[str, ...]) -> list[dict[str, Any]]:
    path = find_table(folder, (name, f"create_final_{name}"))
    if path is None:
        raise ProjectError(
            f"{folder} holds no table {name} (.parquet, .csv or .json): name GraphRAG's output folder"
        )
    return read_table(path, columns=columns)


def _node(row: dict[str, Any]) -> GraphNode:
    name = row.get("title") or row.get("name")
    if not name:
        raise ProjectError("an entity has neither title nor name: export it with GraphRAG 0.5 or later")
    return GraphNode(_name(name), str(row.get("type") or ""), listed(row.get("text_unit_ids")))


def _name(raw: Any) -> str:
    return " ".join(str(raw).strip().strip('"').split())


def _document(folder: Path, units: list[dict[str, Any]]) -> Document:
    path = find_table(folder, ("documents", "create_final_documents"))
    rows = read_table(path, columns=()) if path else units
    texts = [str(row.get("text") or row.get("raw_content") or "") for row in rows]
    return plain_document("\n\n".join(texts), name="graphrag")
