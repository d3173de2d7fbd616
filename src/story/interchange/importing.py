"""Foreign graphs by the name of the program that made them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from ...core.types import Document
from ...errors import UsageError
from ..model.types import StoryLog
from .booknlp import import_booknlp
from .graphrag import import_graphrag
from .imported import Imported, quotes_of, read_text
from .lightrag import import_lightrag
from .story_json import read_story

__all__ = ["SOURCES", "import_story"]


def import_story(path: Path, *, source: str, document: Document | None = None) -> Imported:
    """The graph at ``path``, every quote of it checked against ``document`` (or against the export's own
    text). ``source`` is one of SOURCES. Raises UsageError for another, ProjectError for what is no such
    export.
    """
    if source not in SOURCES:
        raise UsageError(f"there is no importer for {source!r}: choose one of {', '.join(SOURCES)}")
    return SOURCES[source](path, document)


def _fabula(path: Path, document: Document | None) -> Imported:
    """A story that fabula exported; records with a quote that the text does not hold are left out."""
    story = read_story(read_text(path, what="an exported story"))
    if document is None:
        raise UsageError(
            f"{path.name} holds quotes and no text: give the text they are to be checked against"
        )
    dropped: Counter[str] = Counter()
    tables: dict[str, tuple[Any, ...]] = {}
    for each in fields(story.log):
        records = getattr(story.log, each.name)
        tables[each.name] = tuple(record for record in records if _stands(record, document))
        dropped[f"{each.name} with a quote that is not in the text"] += len(records) - len(tables[each.name])
    return Imported.of(StoryLog(**tables), document, source="fabula", text="given", dropped=dropped)


def _stands(record: Any, document: Document) -> bool:
    return all(
        quote.document_id == document.id and quote.span.of(document.text) == quote.quote
        for quote in quotes_of(record)
    )


SOURCES: dict[str, Callable[[Path, Document | None], Imported]] = {
    "booknlp": lambda path, document: import_booknlp(path, document=document),
    "fabula": _fabula,
    "graphrag": lambda path, document: import_graphrag(path, document=document),
    "lightrag": lambda path, document: import_lightrag(path, document=document),
}
