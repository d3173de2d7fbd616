"""A book made into a project."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..config import Config, Source
from ..core.documents import read_book
from ..core.files.atomic import changing, replace_file
from ..core.series import added, chapters_moved, moved, removed
from ..core.store.records import accepted_missing_in
from ..core.types import Document
from ..errors import ProjectError
from ..story.corrections import (
    CORRECTIONS_FILE,
    parse_corrections,
    read_corrections,
    read_text,
    with_chapters,
)
from .books import PRINTED_FILES, kept_printed
from .factories import (
    OWN_CODEX,
    Bound,
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
from .spending import counted, recorder
from .storage.opening import create_store, open_store
from .trust import trust_index

if TYPE_CHECKING:
    from ..core.documents import PrintedBook
    from ..core.interfaces import DocumentEmbedder, Generator
    from ..core.runtime.memory_monitor import MemoryMonitor, WorkGuard
    from ..core.store.store import Snapshot, Store
    from ..story.codex.codex import Codex
    from ..story.corrections import Corrections
    from ..story.model.chapter_reading import ChapterReader
    from .indexing import Indexer, IndexReport, ModelPlan, Progress


Authored = tuple["str | None", "Corrections"]
"""A codex, as it is written, and corrections."""

_MOMENT_S = 2.0


@contextmanager
def authored_moved(
    folder: Path, config: Config, before: Authored, after: Authored
) -> Iterator[Callable[[], None]]:
    """Writes codex and corrections into the project's own files as they are ``after`` its books changed their
    order, where they say what its index was made with; names those that count chapters as before. Gives what
    writes the files as they were.

    They are written before the index: files that count from earlier chapters than it does would tell too
    early when it is made again. While the block runs nobody else changes them. Raises UsageError where
    somebody does just now (whoever waits for the index with a file in hand goes first), and where the
    corrections cannot be read; then all is as it was.
    """
    codex, file = codex_file(folder, config, None) or folder / OWN_CODEX, folder / CORRECTIONS_FILE
    is_own = codex.resolve().is_relative_to(folder.resolve())
    with ExitStack() as held:
        for path in (codex, file) if is_own else (file,):
            held.enter_context(changing(path, patience=_MOMENT_S))
        old, new = _bytes(codex), after[0]
        written = read_text(file)
        said = parse_corrections(written)
        changes: list[tuple[Path, bytes | None, str]] = []
        if new is not None and new != before[0]:
            if is_own and old is not None and old == _encoded(before[0]):
                changes.append((codex, old, new))
            elif old != new.encode():
                _warn(codex if old is not None else "the codex, which is kept elsewhere,")
        if said == before[1] and said != after[1]:
            changes.append((file, _bytes(file), with_chapters(written, after[1])))
        elif said != after[1] and any(one.from_chapter for one in said.entries):
            _warn(file)

        def undo() -> None:
            for path, content, _ in changes:
                if content is not None:
                    replace_file(path, content)

        try:
            for path, _, text in changes:
                replace_file(path, text)
        except BaseException:
            undo()
            raise
        yield undo


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _warn(what: Path | str) -> None:
    _log.warning(
        "books changed their order, and %s still counts chapters as before: change them by hand before you "
        "index with it",
        what,
    )


_log = logging.getLogger(__name__)
_LOADING_S = 5.0  # about what loading the embedding model takes


def index_book(
    book: Path | Sequence[Path],
    folder: Path,
    *,
    config: Config | None = None,
    title: str | None = None,
    encoding: str | None = None,
    codex: Path | None = None,
    rebuild: bool = False,
    embedder: DocumentEmbedder | None = None,
    reader: ChapterReader | None = None,
    monitor: MemoryMonitor | None = None,
    progress: Progress = lambda *_: None,
    confirm: Callable[[ModelPlan], None] = lambda _: None,
) -> IndexReport:
    """Indexes a text into a project, made if it is new; several texts are the books of a series, in the order
    in which they are told (see :mod:`.books.reading`). Text, ``codex`` (by default that of the settings)
    and the folder's ``corrections.toml`` are read before the folder is touched.

    Settings default to those of the user and of the folder (see :func:`.project.factories.config_of`); what
    they name as models counts as confirmed for this folder. ``embedder`` and ``reader`` are those of the
    settings, unless models that are loaded already stand in for them. Memory is guarded by ``monitor``,
    which runs already, or by one of the settings' budget: a chapter is begun only where memory is within it,
    and waits for that up to ``memory.wait_s``.
    ``confirm`` is told what a language model is to be asked before it is, and may raise to stop the run.
    Raises MemoryBudgetError; chapters that were done need not be done again.
    """
    from ..core.documents import is_stream
    from .books import read_books
    from .connecting import require_fit
    from .indexing import Indexer

    settings = config or config_of(folder)[0]
    document, printed = read_books(
        book, folder, title=title, encoding=encoding, limits=settings.documents.limits
    )
    canon = codex_file(folder, settings, codex)
    laid_down = read_codex(canon) if canon is not None else None
    corrections = read_corrections(folder / CORRECTIONS_FILE)
    with (
        ExitStack() as closing,
        _guarded(settings, monitor) as guard,
        create_store(folder, settings) as store,
    ):

        def generator() -> Generator:
            made = counted(make_generator(settings), settings, store)
            require_fit(made.name, settings)
            return closing.enter_context(contextlib.closing(keep_answers(made, folder)))

        model = embedder or make_embedder(settings, record=recorder(store, "embedding"))
        closing.enter_context(_given_up(model, guard))
        indexer = Indexer(
            store,
            settings,
            embedder=model,
            reader=reader or make_reader(settings, generator),
            codex=laid_down,
            corrections=corrections,
            printed=printed,
            guard=_patient(guard, settings, progress),
            progress=progress,
            confirm=lambda plan: confirm(with_cost(plan, settings)),
        )
        _warn_of_accepted(store, document)
        report = indexer.run(document, rebuild=rebuild)
        file = book if isinstance(book, Path) and not is_stream(book) else None
        store.remember("book", _from_folder(file, folder) if file else "")
        store.remember("file", file.name if file else "")
        trust_index(folder, settings)
        return report


def embed_again(
    folder: Path,
    settings: Sequence[Source] = (),
    *,
    monitor: MemoryMonitor | None = None,
    progress: Progress = lambda *_: None,
) -> IndexReport:
    """Makes every vector of a project anew, with the embedding model that the settings name now; the rest of
    the index stays as it was made. Raises ProjectError where there is no finished project, or it is being
    written to."""
    asked = config_of(folder, above=settings)[0]
    with _indexer(folder, asked, embed=True, monitor=monitor, progress=progress) as (
        indexer,
        document,
        config,
    ):
        report = indexer.run(document, embed_again=True)
        trust_index(folder, config)
        return report


def link_again(
    folder: Path,
    corrections: Corrections | None,
    settings: Sequence[Source] = (),
    *,
    codex: Codex | None = None,
    monitor: MemoryMonitor | None = None,
    progress: Progress = lambda *_: None,
) -> IndexReport:
    """Links the chapters of a project anew under these corrections and this codex (None: those that it has),
    and makes all that depends on it; what was read and embedded stays. Raises UsageError for a correction
    that speaks of a name which the book does not have, and ProjectError as :func:`embed_again`; then the
    index is as it was."""
    asked = config_of(folder, above=settings)[0]
    again = _indexer(folder, asked, codex=codex, corrections=corrections, monitor=monitor, progress=progress)
    with again as (indexer, document, _):
        return indexer.run(document)


def change_text(
    folder: Path,
    change: Callable[[Document], Document],
    settings: Sequence[Source] = (),
    *,
    monitor: MemoryMonitor | None = None,
    progress: Progress = lambda *_: None,
    confirm: Callable[[ModelPlan], None] = lambda _: None,
) -> IndexReport:
    """Indexes what ``change`` makes of a project's own text, as the project was indexed; only chapters of
    another text are embedded and read. Nobody else writes from before ``change`` is asked until all is
    published. Raises what ``change`` and ``confirm`` raise, and ProjectError as :func:`embed_again`; then all
    is as it was.

    Where books change their order, what codex and corrections say from a chapter on counts from where all
    that was told up to it has been told (see :func:`.core.series.horizons_moved`), in the index and in the
    project's own files. Raises UsageError where corrections would clash then, or somebody writes them.
    """
    asked = config_of(folder, above=settings)[0]
    with _indexer(folder, asked, monitor=monitor, progress=progress, confirm=confirm) as made:
        indexer, document, config = made
        changed = change(document)
        place = chapters_moved(document, changed)
        if place is None:
            return indexer.run(changed)
        before = indexer.authored
        indexer.postpone(place)
        with authored_moved(folder, config, before, indexer.authored) as undo:
            try:
                return indexer.run(changed)
            except BaseException:
                if _holds(folder, config, document):
                    undo()
                raise


def _holds(folder: Path, config: Config, document: Document) -> bool:
    """Is that what the project holds? Not, where it does not say."""
    try:
        with open_store(folder, config) as store:
            return store.document() == document
    except ProjectError:
        return False


def index_from_work(
    store: Store,
    state: Snapshot,
    settings: Sequence[Source] = (),
    *,
    codex: Codex | None,
    corrections: Corrections,
    printed: PrintedBook | None,
    monitor: MemoryMonitor | None = None,
    progress: Progress = lambda *_: None,
) -> IndexReport:
    """Makes a project's index anew from its text and from kept work, trusting no index file; what no work was
    kept of is read and embedded. ``state`` says what it was made with. Raises ProjectError where another
    process writes."""
    asked = config_of(store.folder, above=settings)[0]
    with (
        _guarded(asked, monitor) as guard,
        _indexer_of(
            store,
            bound(state, asked),
            codex=codex,
            corrections=corrections,
            printed=printed,
            guard=guard,
            progress=progress,
        ) as indexer,
    ):
        return indexer.run(state.document, from_work=True)


@contextmanager
def _indexer(
    folder: Path,
    asked: Config,
    *,
    embed: bool = False,
    codex: Codex | None = None,
    corrections: Corrections | None = None,
    monitor: MemoryMonitor | None = None,
    progress: Progress,
    confirm: Callable[[ModelPlan], None] = lambda _: None,
) -> Iterator[tuple[Indexer, Document, Config]]:
    """What indexes a project's own text again as it was indexed (but for ``corrections`` and ``codex``, or
    with ``embed`` for the embedding model), that text, and the settings for it."""
    from .indexing import CODEX_FILE

    with (
        _guarded(asked, monitor) as guard,
        open_store(folder, asked) as store,
        store.lock(patience=asked.store.wait_s),  # what is read here must not be published over meanwhile
    ):
        state = store.snapshot()
        held = bound(state, asked)
        if embed:
            held = Bound(held.config.model_copy(update={"embedding": asked.embedding}))
        made = state.index.files(CODEX_FILE, CORRECTIONS_FILE, *PRINTED_FILES)
        if codex is None and (made / CODEX_FILE).is_file():
            codex = read_codex(made / CODEX_FILE)
        with _indexer_of(
            store,
            held,
            codex=codex,
            corrections=read_corrections(made / CORRECTIONS_FILE) if corrections is None else corrections,
            printed=kept_printed(made),
            guard=guard,
            progress=progress,
            confirm=confirm,
        ) as indexer:
            yield indexer, state.document, held.config


@contextmanager
def _indexer_of(
    store: Store,
    held: Bound,
    *,
    codex: Codex | None,
    corrections: Corrections,
    printed: PrintedBook | None,
    guard: MemoryMonitor,
    progress: Progress,
    confirm: Callable[[ModelPlan], None] = lambda _: None,
) -> Iterator[Indexer]:
    from .indexing import Indexer

    config = held.config
    with ExitStack() as closing:

        def generator() -> Generator:
            kept = keep_answers(counted(make_generator(config), config, store), store.folder)
            return closing.enter_context(contextlib.closing(kept))

        record = recorder(store, "embedding")
        model = make_embedder(config, withheld=held.withheld_embedding, record=record)
        closing.enter_context(_given_up(model, guard))
        yield Indexer(
            store,
            config,
            embedder=model,
            reader=make_reader(config, generator),
            codex=codex,
            corrections=corrections,
            printed=printed,
            guard=_patient(guard, config, progress),
            progress=progress,
            confirm=lambda plan: confirm(with_cost(plan, config)),
        )


def _given_up(model: DocumentEmbedder, guard: MemoryMonitor) -> AbstractContextManager[object]:
    """Where memory lacks, the model is dropped, if it lies in it."""
    from ..core.embeddings import EmbeddingManager

    if isinstance(model, EmbeddingManager):
        return guard.evicting("dropped the embedding model", model.drop, cost=_LOADING_S)
    return contextlib.nullcontext()


@contextmanager
def _guarded(config: Config, monitor: MemoryMonitor | None = None) -> Iterator[MemoryMonitor]:
    """The monitor that is given, or one of the settings for as long as the block runs. Raises
    MemoryBudgetError where there is no memory to begin with."""
    with make_monitor(config) if monitor is None else contextlib.nullcontext(monitor) as guard:
        guard.admit()
        yield guard


def _patient(monitor: MemoryMonitor, config: Config, progress: Progress) -> WorkGuard:
    """Waits for memory, saying so, before a chapter is refused."""
    from ..core.runtime.memory_monitor import WorkGuard

    most = config.memory.wait_s

    def admit() -> None:
        monitor.wait(most, lambda waited: progress("wait for memory", int(waited), int(most)))

    return WorkGuard(admit, lambda: monitor.halvings)


def _warn_of_accepted(store: Store, document: Document) -> None:
    if missing := accepted_missing_in(store, document):
        _log.warning(
            "%s lacks %d chapters that were accepted from drafts: they leave the project, and stay in its "
            "folder book/ until the next one is accepted",
            document.title,
            missing,
        )


def _from_folder(book: Path, folder: Path) -> str:
    """The way from the project's folder to the book, so that both can move together."""
    try:
        return Path(os.path.relpath(book.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive
        return book.resolve().as_posix()


@dataclass(frozen=True, slots=True)
class Bookshelf:
    """Changes which books the project in a folder holds; ``settings``, ``monitor``, ``progress`` and
    ``confirm`` are as for indexing. Each change raises what reading a book and indexing it raise, UsageError
    and HorizonError for a book or a place that there is not; then all is as it was.

    What is kept of a chapter's work goes by its text, so a book that only moves is not read or embedded
    again, and one publication changes text, index and graph together.
    """

    folder: Path
    settings: Sequence[Source] = ()
    monitor: MemoryMonitor | None = None
    progress: Progress = lambda *_: None
    confirm: Callable[[ModelPlan], None] = lambda _: None

    def add(self, file: Path, *, at: int | None = None, encoding: str | None = None) -> IndexReport:
        """Puts a book in, last or as number ``at``. A file of the same name as a book of the series is a new
        version of it, where no number is given."""
        limits = config_of(self.folder, above=self.settings)[0].documents.limits
        book, _ = read_book(file, encoding=encoding, limits=limits)
        return self._change(lambda series: added(series, book, at=at))

    def remove(self, number: int) -> IndexReport:
        """Takes the book of that number out."""
        return self._change(lambda series: removed(series, number))

    def move(self, number: int, to: int) -> IndexReport:
        """Lets the book of that number be read as number ``to``."""
        return self._change(lambda series: moved(series, number, to))

    def _change(self, change: Callable[[Document], Document]) -> IndexReport:
        return change_text(
            self.folder,
            change,
            self.settings,
            monitor=self.monitor,
            progress=self.progress,
            confirm=self.confirm,
        )
