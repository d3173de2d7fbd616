"""A project's story out to other programs, and other programs' graphs in, each under a name of its own."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json, plain
from ..errors import EvidenceError, ProjectError, UsageError
from ..story.graph_rag.story_graph import StoryKnowledgeGraph
from ..story.graph_rag.views.log_json import dump_log, load_log
from ..story.interchange.importing import Imported, quotes_of

if TYPE_CHECKING:
    from ..core.types import Document
    from ..story.model.types import StoryLog

GRAPHS = "graphs"  # in a project's folder
_SCHEMA = 1
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def save_graph(folder: Path, name: str, imported: Imported) -> Path:
    """Keeps a foreign graph in the project's folder under a name of its own, never mixed into the story's.
    An older one of that name is replaced. Raises UsageError for a name that cannot be one of a file."""
    path = _path(folder, name)
    content = {
        "schema": _SCHEMA,
        "document": imported.document.id,
        "report": plain(imported.report),
        "graph": json.loads(dump_log(imported.log)),
    }
    replace_file(path, json.dumps(content, ensure_ascii=False))
    return path


def graph_names(folder: Path) -> tuple[str, ...]:
    """The names under which foreign graphs are kept, sorted."""
    return tuple(sorted(path.stem for path in (folder / GRAPHS).glob("*.json")))


def load_graph(folder: Path, name: str, document: Document) -> StoryKnowledgeGraph:
    """The graph of that name, each of its quotes checked against the book again.

    Raises ProjectError where there is none, it is damaged, or the book has since become another.
    """
    path = _path(folder, name)
    if not path.is_file():
        known = ", ".join(graph_names(folder)) or "none"
        raise ProjectError(f"the project holds no graph {name!r} (it has {known}): fabula import makes one")
    try:
        content: Any = parse_json(path.read_text(encoding="utf-8"))
        if content["schema"] != _SCHEMA:
            raise ValueError(f"schema {content['schema']!r}")
        log = load_log(json.dumps(content["graph"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProjectError(f"the graph {name!r} cannot be read ({error}): import it again") from error
    _verify(log, document, name)
    return StoryKnowledgeGraph.from_log(log)


def _verify(log: StoryLog, document: Document, name: str) -> None:
    try:
        for each in fields(log):
            for record in getattr(log, each.name):
                for quote in quotes_of(record):
                    quote.verify(document.text)
    except EvidenceError as error:
        raise ProjectError(f"the graph {name!r} is of another text ({error}): import it again") from error


def _path(folder: Path, name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a graph: use small letters, digits and dashes, at most 40")
    return folder / GRAPHS / f"{name}.json"
