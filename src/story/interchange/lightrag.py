"""Graphs of LightRAG 1.x (HKUDS; read from 1.0 to 1.5) in its file storage.

``graph_chunk_entity_relation.graphml`` (networkx, undirected): nodes are names with ``entity_type``,
``description`` and ``source_id``; edges carry ``keywords``, ``description``, ``weight`` and ``source_id``.
A ``source_id`` holds chunk ids joined by ``<SEP>``. ``kv_store_text_chunks.json`` maps chunk ids to
``content``, ``full_doc_id`` and ``chunk_order_index``; ``kv_store_full_docs.json`` document ids to
``content``. Versions before 1.1 write names in upper case between quotation marks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ...core.files.plain_json import parse_json
from ...core.types import Document
from ...errors import ProjectError
from .chunk_graph import ChunkText, GraphEdge, GraphNode, import_chunk_graph
from .imported import Imported, plain_document, read_text

__all__ = ["GRAPH_FILE", "import_lightrag"]

GRAPH_FILE = "graph_chunk_entity_relation.graphml"
_CHUNKS_FILE = "kv_store_text_chunks.json"
_DOCS_FILE = "kv_store_full_docs.json"
_SEPARATOR = "<SEP>"
_NS = "{http://graphml.graphdrawing.org/xmlns}"


def import_lightrag(folder: Path, *, document: Document | None = None) -> Imported:
    """The graph in a LightRAG working directory (or a workspace in it), checked against ``document``, else
    against the documents in the export, joined in order of their ids.

    Raises ProjectError, naming the file, for one that is missing or no LightRAG file.
    """
    nodes, edges = _graph(folder / GRAPH_FILE)
    chunks = _chunks(folder / _CHUNKS_FILE)
    text = "given"
    if document is None:
        text, document = "in the export", _document(folder / _DOCS_FILE)
    return import_chunk_graph(document, chunks=chunks, nodes=nodes, edges=edges, source="LightRAG", text=text)


def _graph(path: Path) -> tuple[list[GraphNode], list[GraphEdge]]:
    raw = read_text(path, what="LightRAG's graph")
    if "<!DOCTYPE" in raw or "<!ENTITY" in raw:  # no exporter writes them; they can make a bomb of a file
        raise ProjectError(f"{path.name} declares XML entities: export the graph with LightRAG again")
    try:
        root = ElementTree.fromstring(raw)  # noqa: S314 (without entities nothing can be expanded)
    except ElementTree.ParseError as error:
        raise ProjectError(f"{path.name} is no GraphML ({error}): export it with LightRAG again") from error
    names = {key.get("id"): key.get("attr.name", "") for key in root.iter(f"{_NS}key")}

    def data(element: ElementTree.Element) -> dict[str, str]:
        return {str(names.get(each.get("key"))): each.text or "" for each in element.findall(f"{_NS}data")}

    nodes = [
        GraphNode(_name(node.get("id", "")), _name(row.get("entity_type", "")), _ids(row))
        for node in root.iter(f"{_NS}node")
        for row in (data(node),)
    ]
    edges = [
        GraphEdge(
            _name(edge.get("source", "")),
            _name(edge.get("target", "")),
            row.get("keywords", "").replace(_SEPARATOR, ", "),
            row.get("description", ""),
            _ids(row),
        )
        for edge in root.iter(f"{_NS}edge")
        for row in (data(edge),)
    ]
    return nodes, edges


def _name(raw: str) -> str:
    return " ".join(raw.strip().strip('"').split())


def _ids(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(part for part in row.get("source_id", "").split(_SEPARATOR) if part)


def _chunks(path: Path) -> list[ChunkText]:
    rows = _table(path, "LightRAG's chunks")
    found = [
        (str(row.get("full_doc_id", "")), row.get("chunk_order_index") or 0, key, str(row["content"]))
        for key, row in rows.items()
        if isinstance(row, dict) and "content" in row
    ]
    return [ChunkText(key, content) for _, _, key, content in sorted(found, key=lambda each: each[:3])]


def _document(path: Path) -> Document:
    rows = _table(path, "LightRAG's documents")
    texts = [str(rows[key]["content"]) for key in sorted(rows) if "content" in rows[key]]
    return plain_document("\n\n".join(texts), name="lightrag")


def _table(path: Path, what: str) -> dict[str, Any]:
    try:
        rows = parse_json(read_text(path, what=what))
    except ValueError as error:
        raise ProjectError(f"{path.name}, {what}, is no JSON ({error}): copy it again") from error
    if not isinstance(rows, dict):
        raise ProjectError(f"{path.name}, {what}, holds no table of ids: copy it again")
    return rows
