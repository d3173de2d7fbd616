"""A book made into a project."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..config import Config, Source
from ..errors import ProjectError
from ..story.corrections.file import CORRECTIONS_FILE, read_corrections
from .factories import (
    bound,
    codex_file,
    config_of,
    keep_answers,
    make_embedder,
    make_generator,
    make_monitor,
    make_reader,
    read_codex,
    with_cost,
)
from .storage.opening import create_store, open_store
from .trust import trust_index

if TYPE_CHECKING:  # loaded where they are used: a search must not wait for what it does not need
    from ..core.embeddings import EmbeddingManager
    from ..core.interfaces import Generator
    from ..core.runtime.memory_monitor import MemoryMonitor
    from ..core.types import Document
    from ..story.corrections.corrections import Corrections
    from ..story.model.chapter_reading import ChapterReader
    from .indexing import Indexer, IndexReport, ModelPlan, Progress

__all__ = ["embed_again", "index_book", "link_again"]


def index_book(
    book: Path,
    folder: Path,
    *,
    config: Config | None = None,
    title: str | None = None,
    encoding: str | None = None,
    codex: Path | None = None,
    rebuild: bool = False,
    embedder: EmbeddingManager | None = None,
    reader: ChapterReader | None = None,
    monitor: MemoryMonitor | None = None,
    progress: Progress = lambda *_: None,
    confirm: Callable[[ModelPlan], None] = lambda _: None,
) -> IndexReport:
    """Indexes a text into a project, made if it is new. Text, ``codex`` (by default that of the settings)
    and the folder's ``corrections.toml`` are read before the folder is touched.

    Settings default to those of the user and of the folder (see :func:`.project.factories.config_of`); what
    they name as models counts as confirmed for this folder. ``embedder`` and ``reader`` are those of the
    settings, unless models that are loaded already stand in for them. Memory is guarded by ``monitor``,
    which runs already, or by one of the settings' budget: a chapter is begun only where memory is within it.
    ``confirm`` is told what a language model is to be asked before it is, and may raise to stop the run.
    Raises MemoryBudgetError; chapters that were done need not be done again.
    """
    from ..core.documents import read_document
    from .indexing import Indexer

    settings = config or config_of(folder)[0]
    document = read_document(book, title=title, encoding=encoding, limits=settings.documents.limits)
    canon = codex_file(folder, settings, codex)
    laid_down = read_codex(canon) if canon is not None else None
    corrections = read_corrections(folder / CORRECTIONS_FILE)
    with (
        ExitStack() as closing,
        _guarded(settings, monitor) as guard,
        create_store(folder, settings) as store,
    ):

        def generator() -> Generator:
            return closing.enter_context(contextlib.closing(keep_answers(make_generator(settings), folder)))

        indexer = Indexer(
            store,
            settings,
            embedder=embedder or make_embedder(settings),
            reader=reader or make_reader(settings, generator),
            codex=laid_down,
            corrections=corrections,
            admit=guard.admit,
            progress=progress,
            confirm=lambda plan: confirm(with_cost(plan, settings)),
        )
        report = indexer.run(document, rebuild=rebuild)
        store.remember("book", _from_folder(book, folder))
        trust_index(folder, settings)
        return report


def embed_again(
    folder: Path, settings: Sequence[Source] = (), *, progress: Progress = lambda *_: None
) -> IndexReport:
    """Makes every vector of a project anew, with the embedding model that the settings name now; the rest of
    the index stays as it was made. Raises ProjectError where there is no finished project, or it is being
    written to."""
    asked = config_of(folder, above=settings)[0]
    with _indexer(folder, asked, embed=True, progress=progress) as (indexer, document, config):
        report = indexer.run(document, embed_again=True)
        trust_index(folder, config)
        return report


def link_again(
    folder: Path,
    corrections: Corrections,
    settings: Sequence[Source] = (),
    *,
    monitor: MemoryMonitor | None = None,
    progress: Progress = lambda *_: None,
) -> IndexReport:
    """Links the chapters of a project anew under these corrections, and makes all that depends on it; what
    was read and embedded stays. Raises UsageError for a correction that speaks of a name which the book does
    not have, and ProjectError as :func:`embed_again`; then the index is as it was."""
    asked = config_of(folder, above=settings)[0]
    again = _indexer(folder, asked, corrections=corrections, monitor=monitor, progress=progress)
    with again as (indexer, document, _):
        return indexer.run(document)


@contextmanager
def _indexer(
    folder: Path,
    asked: Config,
    *,
    embed: bool = False,
    corrections: Corrections | None = None,
    monitor: MemoryMonitor | None = None,
    progress: Progress,
) -> Iterator[tuple[Indexer, Document, Config]]:
    """What indexes a project's own text again as it was indexed (but for ``corrections``, or with ``embed``
    for the embedding model), that text, and the settings for it."""
    from .indexing import CODEX_FILE, Indexer

    with ExitStack() as closing, _guarded(asked, monitor) as guard, open_store(folder, asked) as store:
        document = store.document()
        if document is None:
            raise ProjectError(f"the project in {folder} holds no book yet: index one")
        held = bound(store, asked)
        config, withheld = held.config, held.withheld_embedding
        if embed:
            config, withheld = config.model_copy(update={"embedding": asked.embedding}), ""
        made = store.index().files(CODEX_FILE, CORRECTIONS_FILE)

        def generator() -> Generator:
            return closing.enter_context(contextlib.closing(keep_answers(make_generator(config), folder)))

        indexer = Indexer(
            store,
            config,
            embedder=make_embedder(config, withheld=withheld),
            reader=make_reader(config, generator),
            codex=read_codex(made / CODEX_FILE) if (made / CODEX_FILE).is_file() else None,
            corrections=read_corrections(made / CORRECTIONS_FILE) if corrections is None else corrections,
            admit=guard.admit,
            progress=progress,
        )
        yield indexer, document, config


@contextmanager
def _guarded(config: Config, monitor: MemoryMonitor | None = None) -> Iterator[MemoryMonitor]:
    """The monitor that is given, or one of the settings for as long as the block runs. Raises
    MemoryBudgetError where there is no memory to begin with."""
    with make_monitor(config) if monitor is None else contextlib.nullcontext(monitor) as guard:
        guard.admit()
        yield guard


def _from_folder(book: Path, folder: Path) -> str:
    """The way from the project's folder to the book, so that both can move together."""
    try:
        return Path(os.path.relpath(book.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive
        return book.resolve().as_posix()
