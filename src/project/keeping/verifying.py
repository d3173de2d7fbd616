"""Integrity checks of a project: every part against its checksum, and each part against the others.

What is derived from the text (postings, names) is made anew and compared; so a verification costs about what
an index without its models does, some seconds for a novel. It writes nothing and may run beside a writer:
what it compares are the parts of one publication.
"""

from __future__ import annotations

from pathlib import Path

from ...core.store.sqlite import ProjectStore
from ...core.types import Document
from ...errors import DocumentError, FabulaError, ProjectError
from ...story.graph_rag.story_graph import STORY_FILE, StoryKnowledgeGraph
from ...story.model.types import StoryLog
from ..factories import read_codex
from ..indexing import CODEX_FILE
from ..storage.opening import open_here
from .broken import Findings, Verified
from .index_checks import check_chunks, check_facts, check_files, check_postings, check_vectors
from .log_checks import check_log
from .own_checks import check_corrections, check_own_files, check_ratings, check_turns
from .sources import sources_of

__all__ = ["verify"]

_TEXT = "fabula.db, text"
_UNFINISHED = "fabula index BOOK -o PROJECT goes on where it stopped"


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
        for problem in store.upkeep().problems():
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
    if not store.is_sealed:
        found.notes.append(
            "an earlier version kept no checksums of its work; where it may be written, it gets them"
        )
        return
    for producer, key in store.upkeep().broken_work():
        kind = producer.partition(":")[0]
        found.add("fabula.db, work", f"the {kind} kept under {key[:12]} are not what was kept", cure="work")
    found.count("pieces of kept work", len(store.upkeep().work_keys()))


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
