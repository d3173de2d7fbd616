"""What an index is made anew from: the text that was indexed, its codex, its corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...config import Source
from ...core.documents import read_document
from ...core.store.sqlite import ProjectStore, digest
from ...core.store.tables import digest_document
from ...core.types import Document
from ...errors import DocumentError, ProjectError, UsageError
from ...story.codex.codex import Codex
from ...story.corrections.corrections import Corrections
from ...story.corrections.file import CORRECTIONS_FILE, read_corrections
from ..factories import codex_file, config_of, read_codex
from ..indexing import CODEX_FILE

__all__ = ["Sources", "sources_of"]

_META = ("generation", "settings", "content", "codex", "corrections", "book")


@dataclass(frozen=True, slots=True)
class Sources:
    """``whence`` says where the text was found, ``index`` is the folder of the index that there is."""

    meta: Mapping[str, str]
    index: Path
    document: Document
    whence: str
    codex: Codex | None
    corrections: Corrections


def sources_of(store: ProjectStore, settings: Sequence[Source] = ()) -> Sources:
    """All that the project's index was made from. Raises ProjectError where some of it is damaged, and cannot
    be had from the author's files either; then nothing mends the index."""
    meta = {key: value for key in _META if (value := store.meta(key)) is not None}
    index = store.generations.root / meta.get("generation", "")
    document, whence = _text(store, meta)
    codex = _codex(store.folder, index, meta, settings)
    return Sources(meta, index, document, whence, codex, _corrections(store.folder, index, meta))


def _text(store: ProjectStore, meta: dict[str, str]) -> tuple[Document, str]:
    """The text that was indexed, and whence: the database, or else the book's file, where it still gives the
    same."""
    try:
        document = store.document()
        if document is not None:
            return document, "the project's own text"
    except (ProjectError, TypeError, ValueError):
        pass
    file, held = store.folder / meta.get("book", ""), store.book()
    limits = config_of(store.folder)[0].documents.limits
    for title in (held[1] if held is not None else None, None):
        try:
            found = read_document(file, title=title, limits=limits)
        except DocumentError:
            continue
        if digest_document(found) == meta.get("content"):
            return found, "the book's file"
    raise ProjectError(
        "the text is damaged and the book's file does not give it any more: index the book again with "
        "fabula index --rebuild, or restore the project from a backup"
    )


def _codex(project: Path, index: Path, meta: dict[str, str], settings: Sequence[Source]) -> Codex | None:
    """The codex that the index was made with: as the index keeps it, else the author's file, where it still
    is that."""
    wanted = meta.get("codex", "")
    if not wanted:
        return None
    own = codex_file(project, config_of(project, above=settings)[0], None)
    for path in (index / CODEX_FILE, own):
        try:
            codex = read_codex(path) if path is not None else None
        except DocumentError:
            continue
        if codex is not None and digest(codex.document.text) == wanted:
            return codex
    raise ProjectError("the codex that it was made with is damaged: index the book again with --codex")


def _corrections(project: Path, index: Path, meta: dict[str, str]) -> Corrections:
    """Those that the index was made with, else those of the author's file."""
    wanted = meta.get("corrections", "")
    if not wanted:
        return Corrections()
    try:
        kept = read_corrections(index / CORRECTIONS_FILE)
        if kept.key == wanted:
            return kept
    except UsageError:
        pass
    return read_corrections(project / CORRECTIONS_FILE)
