"""All that a project's index was made from: the text, the codex and the corrections, as they were then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ...config import Source
from ...core.documents import read_document
from ...core.store.sqlite import FolderIndex, ProjectStore
from ...core.store.store import Snapshot
from ...core.store.tables import digest, digest_document
from ...core.types import Document
from ...errors import DocumentError, ProjectError, UsageError
from ...story.corrections import CORRECTIONS_FILE, Corrections, read_corrections
from ..factories import codex_file, config_of, read_codex
from ..indexing import CODEX_FILE, LaidDown

_META = ("generation", "settings", "content", "codex", "corrections", "book")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Sources:
    """``whence`` says where the text of ``state`` was found."""

    state: Snapshot
    whence: str
    laid_down: LaidDown


def sources_of(store: ProjectStore, settings: Sequence[Source] = ()) -> Sources:
    """Raises ProjectError where some is damaged, in the author's files too: then nothing mends the index."""
    meta = {key: value for key in _META if (value := store.meta(key)) is not None}
    index, folder = store.generations.root / meta.get("generation", ""), store.folder
    document, whence = _text(store, meta)
    codex = corrections = None
    if wanted := meta.get("codex"):
        own = codex_file(folder, config_of(folder, above=settings)[0], None)
        files = [index / CODEX_FILE, *([own] if own is not None else [])]
        codex = _first_alike(files, read_codex, lambda one: digest(one.document.text) == wanted)
        if codex is None:
            raise ProjectError(
                "the codex that it was made with is damaged: index the book again with --codex"
            )
    if wanted := meta.get("corrections"):
        files = [index / CORRECTIONS_FILE, folder / CORRECTIONS_FILE]
        corrections = _first_alike(files, read_corrections, lambda one: one.key == wanted)
        corrections = corrections or read_corrections(folder / CORRECTIONS_FILE)
    state = Snapshot(folder, document, meta, FolderIndex(store.generations, index.name))
    return Sources(state, whence, LaidDown(codex, corrections or Corrections()))


def _first_alike(
    files: Iterable[Path], read: Callable[[Path], _T], is_alike: Callable[[_T], bool]
) -> _T | None:
    """What the first of the files holds that can be read and is what it was."""
    for file in files:
        try:
            found = read(file)
        except (DocumentError, UsageError):
            continue
        if is_alike(found):
            return found
    return None


def _text(store: ProjectStore, meta: Mapping[str, str]) -> tuple[Document, str]:
    """The indexed text, and whence: the database, or the book's file, where that still gives the same."""
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
