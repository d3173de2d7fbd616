"""A story at a horizon to a file, or to a folder of tables, in a format of a closed set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from ...errors import UsageError
from ..graph_rag.views.story_view import StoryView
from .csv_tables import csv_tables
from .cytoscape import cytoscape_json
from .graphml import graphml
from .property_graph import property_graph
from .story_json import story_json, story_json_lines

__all__ = ["FORMATS", "ExportReport", "export_story"]

FORMATS = ("json", "jsonl", "graphml", "csv", "cytoscape")


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

    ``out`` is a file, for ``csv`` a folder (made if it is not there). Files are replaced whole. The same
    view gives the same bytes. Raises UsageError for a format that is none, or a place that cannot be written.
    """
    if format not in FORMATS:
        raise UsageError(f"there is no export format {format!r}: choose one of {', '.join(FORMATS)}")
    if format == "csv":
        written = _folder(out, csv_tables(view, property_graph(view, name=title)))
    else:
        text = _text(view, format=format, document_id=document_id, title=title)
        written = (_write(out, text),)
    records = tuple((each.name, len(getattr(view.log, each.name))) for each in fields(view.log))
    return ExportReport(format, written, view.horizon.chapter, len(view.entities()), records)


def _text(view: StoryView, *, format: str, document_id: str, title: str) -> str:
    if format == "json":
        return story_json(view, document_id=document_id, title=title)
    if format == "jsonl":
        return story_json_lines(view, document_id=document_id, title=title)
    graph = property_graph(view, name=title)
    return graphml(graph) if format == "graphml" else cytoscape_json(graph)


def _folder(folder: Path, files: Mapping[str, str]) -> tuple[str, ...]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be a folder ({error.strerror}): name another one") from error
    return tuple(_write(folder / name, text) for name, text in files.items())


def _write(path: Path, text: str) -> str:
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_bytes(text.encode("utf-8"))
        partial.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}): name another file") from error
    return path.as_posix()
