"""Integrity checks of a project: every part against its checksum, chunks and quotes against the text.

It writes nothing and may run beside a writer: what it compares are the parts of one publication.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from ...config import Source
from ...core.documents import read_document
from ...core.store.folder import DATABASE
from ...core.store.sqlite import FolderIndex, ProjectStore, problems_in
from ...core.store.store import Snapshot
from ...core.store.tables import digest, digest_document
from ...core.types import Document
from ...errors import DocumentError, FabulaError, ProjectError, UsageError
from ...story.corrections import CORRECTIONS_FILE, Corrections, read_corrections
from ...story.graph_rag.story_graph import STORY_FILE, StoryKnowledgeGraph
from ...story.model.types import StoryLog
from ..factories import codex_file, config_of, read_codex
from ..indexing import CODEX_FILE, LaidDown
from ..storage.opening import open_here
from .checks import Verified, check_chunks, check_corrections, check_log, check_own_files, check_records

_TEXT = "fabula.db, text"
_UNFINISHED = "fabula index BOOK -o PROJECT continues where it stopped"
_DAMAGED = "the database is damaged"
_META = ("generation", "settings", "content", "codex", "corrections", "book")
_T = TypeVar("_T")


def verify(folder: Path) -> Verified:
    """Looks at every part of a project. Raises ProjectError where there is none, or of another version."""
    found = Verified(folder.name)
    try:
        with open_here(folder) as store:
            _examine(store, found)
    except ProjectError as error:
        if error.__cause__ is None:  # no project, or one of another version
            raise
        found.add(DATABASE, "it cannot be used", why=error)
    return found


def _examine(store: ProjectStore, found: Verified) -> None:
    for problem in problems_in(store.folder / DATABASE):
        found.add(DATABASE, _DAMAGED, why=problem)
    try:
        for producer, key in store.broken_work():
            what = f"the {producer.partition(':')[0]} kept under {key[:12]} are not what was kept"
            found.add("fabula.db, work", what, cure="work")
        found.count("pieces of kept work", len(store.work_keys()))
    except ProjectError as error:
        found.add(DATABASE, _DAMAGED, why=error)
        return
    document, folder, made_with = _held(store, found)
    chunks = log = None
    if document is not None:
        found.title = document.title
        found.count("chapters", len(document.chapters))
    if folder is not None:
        _check_files(store, folder, found)
        if document is not None:
            chunks = check_chunks(folder, document, found)
            log = _check_story(folder, document, found)
    check_records(store, chunks, found)
    if document is not None:
        check_corrections(store.folder, document, log, made_with, found)
    check_own_files(store.folder, found)
    if any(one.cure == "index" for one in found.broken):
        try:
            sources_of(store)
        except FabulaError as error:
            found.give_up_index(error)
    left = store.generations.leftovers(folder.name if folder is not None else None)
    drafts = [each.name for each in left if not each.name.isdigit()]
    if drafts:
        found.notes.append(f"{len(drafts)} unfinished index folders: indexing is active or was killed")


def _held(store: ProjectStore, found: Verified) -> tuple[Document | None, Path | None, str | None]:
    """Text, index and key of the corrections that one publication left, each where it can be read."""
    try:
        whole = store.snapshot()
        return whole.document, store.generations.root / whole.index.name, whole.meta.get("corrections")
    except (ProjectError, TypeError, ValueError):
        pass  # named below, part by part
    name = store.meta("generation")
    document = None
    try:
        document = store.document()
    except ProjectError as error:
        found.add(_TEXT, "it is not the text that was indexed", cure="index", why=error)
    except (TypeError, ValueError) as error:
        found.add(_TEXT, "its chapters cannot be read", cure="index", why=error)
    if name is None or (document is None and store.book() is None):
        found.add("index", "there is no finished index", advice=_UNFINISHED)
        return document, None, None
    return document, store.generations.root / name, store.meta("corrections")


def _check_files(store: ProjectStore, folder: Path, found: Verified) -> None:
    try:
        for file, problem in store.generations.differing(folder.name):
            found.add(f"index/{folder.name}/{file}", problem, cure="index")
        found.count("files", sum(1 for _ in folder.iterdir()))
    except ProjectError as error:
        found.add(f"index/{folder.name}", "its manifest cannot be used", cure="index", why=error)


def _check_story(folder: Path, document: Document, found: Verified) -> StoryLog | None:
    part, codex = f"index/{folder.name}", folder / CODEX_FILE
    log = authored = None
    with found.using(f"{part}/{STORY_FILE}", OSError, ValueError, cure="index"):
        log = StoryKnowledgeGraph.from_json((folder / STORY_FILE).read_text(encoding="utf-8")).log
    if log is None:
        return None
    with found.using(f"{part}/{CODEX_FILE}", cure="index"):
        authored = read_codex(codex).document.text if codex.is_file() else None
    check_log(log, document, authored=authored, part=f"{part}/{STORY_FILE}", found=found)
    return log


def sources_of(store: ProjectStore, settings: Sequence[Source] = ()) -> tuple[Snapshot, str, LaidDown]:
    """All that an index was made from, as it was then; the words say where its text was found. Raises
    ProjectError where some is damaged in the author's files too."""
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
    return state, whence, LaidDown(codex, corrections or Corrections())


def _first_alike(
    files: Iterable[Path], read: Callable[[Path], _T], is_alike: Callable[[_T], bool]
) -> _T | None:
    for file in files:
        with suppress(DocumentError, UsageError):
            found = read(file)
            if is_alike(found):
                return found
    return None


def _text(store: ProjectStore, meta: Mapping[str, str]) -> tuple[Document, str]:
    """The indexed text, and whence: the database, or the book's file, where that still gives the same."""
    with suppress(ProjectError, TypeError, ValueError):
        document = store.document()
        if document is not None:
            return document, "the project's own text"
    file, held = store.folder / meta.get("book", ""), store.book()
    limits = config_of(store.folder)[0].documents.limits
    for title in (held[1] if held is not None else None, None):
        with suppress(DocumentError):
            found = read_document(file, title=title, limits=limits)
            if digest_document(found) == meta.get("content"):
                return found, "the book's file"
    raise ProjectError(
        "the text is damaged and the book's file does not give it any more: index the book again with "
        "fabula index --rebuild, or restore the project from a backup"
    )
