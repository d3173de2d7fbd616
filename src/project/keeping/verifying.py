"""Integrity checks of a project: every part against its checksum, and each part against the others.

What is derived from the text (postings, names) is made anew and compared; so a verification costs about what
an index without its models does, some seconds for a novel. It writes nothing and may run beside a writer:
what it compares are the parts of one publication.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...config import Source
from ...core.documents import read_document
from ...core.store.folder import DATABASE
from ...core.store.sqlite import ProjectStore, digest
from ...core.store.sqlite_files import problems_in
from ...core.store.tables import digest_document
from ...core.types import Document
from ...errors import DocumentError, FabulaError, ProjectError, UsageError
from ...story.codex.codex import Codex
from ...story.corrections import CORRECTIONS_FILE, Corrections, read_corrections
from ...story.graph_rag.story_graph import STORY_FILE, StoryKnowledgeGraph
from ...story.model.types import StoryLog
from ..factories import codex_file, config_of, read_codex
from ..indexing import CODEX_FILE
from ..storage.opening import open_here
from .broken import Findings, Verified
from .checks import (
    check_chunks,
    check_corrections,
    check_facts,
    check_files,
    check_log,
    check_own_files,
    check_postings,
    check_ratings,
    check_turns,
    check_vectors,
)

_TEXT = "fabula.db, text"
_UNFINISHED = "fabula index BOOK -o PROJECT goes on where it stopped"
_META = ("generation", "settings", "content", "codex", "corrections", "book")


def verify(folder: Path) -> Verified:
    """Looks at every part of the project in a folder. Raises ProjectError where there is none, or none that
    this version can look at."""
    found = Findings()
    try:
        with open_here(folder) as store:
            title = _examine(store, found)
    except ProjectError as error:
        if error.__cause__ is None:  # no project, or one of another version
            raise
        title = ""
        found.add("fabula.db", "it cannot be used", why=error)
    return Verified.of(title or folder.name, found)


def _examine(store: ProjectStore, found: Findings) -> str:
    """The book's title."""
    try:
        for problem in problems_in(store.folder / DATABASE):
            found.add("fabula.db", "the database is damaged", why=ProjectError(problem))
        _check_work(store, found)
    except ProjectError as error:
        found.add("fabula.db", "the database is damaged", why=error)
        return ""
    document, folder, meta = _held(store, found)
    chunks = log = None
    if folder is not None:
        check_files(store, folder.name, found)
    if document is not None:
        _check_chapters(document, found)
    if document is not None and folder is not None:
        chunks = check_chunks(folder, document, found)
        if chunks is not None:
            check_postings(folder, chunks, found)
            check_vectors(store, folder, document, chunks, found)
            check_facts(folder, chunks, found)
        log = _check_story(folder, document, found)
    check_ratings(store, chunks, found)
    check_turns(store, found)
    if document is not None:
        check_corrections(store.folder, document, log, meta.get("corrections"), found)
    check_own_files(store.folder, document, found)
    left = store.generations.leftovers(folder.name if folder is not None else None)
    if any(one.cure == "index" for one in found.broken):
        try:
            sources_of(store)
        except FabulaError as error:
            found.give_up_index(error)
    drafts = [each.name for each in left if not each.name.isdigit()]
    if drafts:
        found.notes.append(f"{len(drafts)} unfinished index folders: a writer is at work, or was killed")
    return document.title if document is not None else ""


def _held(store: ProjectStore, found: Findings) -> tuple[Document | None, Path | None, dict[str, str]]:
    """What one publication left, each part of it that can be read."""
    try:
        whole = store.snapshot()
        return whole.document, store.generations.root / whole.index.name, dict(whole.meta)
    except (ProjectError, TypeError, ValueError):
        pass  # told below, part by part
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
        return document, None, {}
    corrections = store.meta("corrections")
    meta = {} if corrections is None else {"corrections": corrections}
    return document, store.generations.root / name, meta


def _check_work(store: ProjectStore, found: Findings) -> None:
    for producer, key in store.broken_work():
        kind = producer.partition(":")[0]
        found.add("fabula.db, work", f"the {kind} kept under {key[:12]} are not what was kept", cure="work")
    found.count("pieces of kept work", len(store.work_keys()))


def _check_chapters(document: Document, found: Findings) -> None:
    """Numbered from 1, in order, within the text."""
    end, wrong = 0, []
    for expected, chapter in enumerate(document.chapters, start=1):
        ends = (end, chapter.heading.start, chapter.heading.end, chapter.body.start, chapter.body.end)
        if chapter.number != expected or list(ends) != sorted(ends) or chapter.body.end > len(document.text):
            wrong.append(expected)
        end = chapter.body.end
    if wrong:
        found.add(_TEXT, f"{len(wrong)} chapters are out of place, first number {wrong[0]}")
    found.count("chapters", len(document.chapters))


def _check_story(folder: Path, document: Document, found: Findings) -> StoryLog | None:
    part = f"index/{folder.name}/{STORY_FILE}"
    try:
        log = StoryKnowledgeGraph.from_json((folder / STORY_FILE).read_text(encoding="utf-8")).log
    except (OSError, ValueError, ProjectError) as error:
        found.add(part, "it cannot be used", cure="index", why=error)
        return None
    authored = None
    try:
        if (folder / CODEX_FILE).is_file():
            authored = read_codex(folder / CODEX_FILE).document.text
    except DocumentError as error:
        found.add(f"index/{folder.name}/{CODEX_FILE}", "it cannot be used", cure="index", why=error)
    check_log(log, document, authored=authored, part=part, found=found)
    return log


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
