"""A book made into a project."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from ..config import Config, Source, masked
from ..core.documents import read_book
from ..core.files.atomic import changing, replace_file
from ..core.series import added, chapters_moved, moved, removed
from ..core.store.records import accepted_missing_in
from ..core.store.store import WRITER_PATIENCE_S
from ..core.types import Document
from ..errors import ProjectError
from ..story.corrections import (
    CORRECTIONS_FILE,
    parse_corrections,
    read_corrections,
    read_text,
    with_chapters,
)
from .books import PRINTED_FILES
from .factories import (
    OWN_CODEX,
    Bound,
    bound,
    codex_file,
    config_of,
    keep_answers,
    made_with,
    make_embedder,
    make_generator,
    make_monitor,
    make_reader,
    read_codex,
)
from .spending import recorder, with_cost
from .storage.opening import create_store, holds_project, open_store
from .trust import index_models, trust, trust_index

if TYPE_CHECKING:
    from ..core.interfaces import DocumentEmbedder, Generator
    from ..core.runtime.memory_monitor import MemoryMonitor, WorkGuard
    from ..core.runtime.model_requests import ModelPlan
    from ..core.store.store import Snapshot, Store
    from ..story.codex.codex import Codex
    from ..story.corrections import Corrections
    from ..story.model.chapter_reading import ChapterReader
    from .indexing import Indexer, IndexReport, LaidDown, Progress


class Work(TypedDict, total=False):
    """What guards memory in place of one of the settings, and what hears how far indexing is."""

    monitor: MemoryMonitor | None
    progress: Progress


_MOMENT_S = 2.0
MEMORY_PATIENCE_S = 60.0
"""How long indexing waits for memory before a chapter is refused."""


@contextmanager
def authored_moved(
    folder: Path, config: Config, before: LaidDown, after: LaidDown
) -> Iterator[Callable[[], None]]:
    """Writes codex and corrections into the project's own files as they are ``after`` its books changed their
    order, where they say what its index was made with; names the others. Gives the undoing.

    They are written before the index: files that count from earlier chapters than it does would tell too
    early when it is made again. While the block runs nobody else changes them. Raises UsageError where
    somebody does just now (whoever waits for the index with a file in hand goes first), and where the
    corrections cannot be read; then all is as it was."""
    codex, file = codex_file(folder, config, None) or folder / OWN_CODEX, folder / CORRECTIONS_FILE
    is_own = codex.resolve().is_relative_to(folder.resolve())
    with ExitStack() as held:
        for path in (codex, file) if is_own else (file,):
            held.enter_context(changing(path, patience=_MOMENT_S))
        old: dict[Path, bytes] = {}
        for path in (codex, file):
            with contextlib.suppress(OSError):
                old[path] = path.read_bytes()
        changes: dict[Path, str] = {}
        written, new = read_text(file), after.codex_text
        said = parse_corrections(written)
        if new is not None and new != before.codex_text:
            if is_own and codex in old and before.codex_text == old[codex].decode(errors="replace"):
                changes[codex] = new
            elif old.get(codex) != new.encode():
                _warn(codex if codex in old else "the codex, which is kept elsewhere,")
        if said == before.corrections != after.corrections:
            changes[file] = with_chapters(written, after.corrections)
        elif said != after.corrections and any(one.from_chapter for one in said.entries):
            _warn(file)

        def undo() -> None:
            for path in changes:
                replace_file(path, old[path])

        with ExitStack() as failing:
            failing.callback(undo)
            for path, text in changes.items():
                replace_file(path, text)
            failing.pop_all()
        yield undo


def _warn(what: Path | str) -> None:
    _log.warning(
        "the order of the books changed, but %s still uses the old chapter numbers: change them "
        "by hand before you index with it",
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
    force: bool = False,
) -> IndexReport:
    """Indexes a text into a project, made if it is new; several texts are the books of a series, in the order
    in which they are told (see :mod:`.books.reading`). Text, ``codex`` (by default that of the settings)
    and the folder's ``corrections.toml`` are read before the folder is touched.

    Settings default to those of the user and of the folder (see :func:`.project.factories.config_of`); what
    they name as models counts as confirmed for this folder. ``embedder`` and ``reader`` are those of the
    settings, unless models that are loaded already stand in for them. Memory is guarded by ``monitor``,
    which runs already, or by one of the settings' budget: a chapter is begun only where memory is within it,
    and waits for that up to a minute. ``force``: read even with a model that failed its test.
    ``confirm`` is told what a language model is to be asked before it is, and may raise to stop the run.
    Raises MemoryBudgetError; chapters that were done need not be done again."""
    from ..core.documents import is_stream
    from .books import read_books, told_before
    from .indexing import LaidDown

    settings = config or config_of(folder)[0]
    document, printed = read_books(
        book, folder, title=title, encoding=encoding, limits=settings.documents.limits
    )
    canon = codex_file(folder, settings, codex)
    authored = read_codex(canon, told_before=told_before(canon, book, document)) if canon else None
    laid_down = LaidDown(authored, read_corrections(folder / CORRECTIONS_FILE), printed)
    run, models = Reindexing(folder, (), monitor, progress, confirm), (embedder, reader)
    with (
        run.guarded(settings) as guard,
        create_store(folder, settings) as store,
        run.indexer(store, Bound(settings), guard, laid_down, models=models, fit_only=not force) as indexer,
    ):
        if missing := accepted_missing_in(store, document):
            _log.warning(
                "%s lacks %d chapters that were accepted from drafts: they are removed from the "
                "project, but stay in its folder book/ until the next one is accepted",
                document.title,
                missing,
            )
        report = indexer.run(document, rebuild=rebuild)
        file = book if isinstance(book, Path) and not is_stream(book) else None
        store.remember("book", _from_folder(file, folder) if file else "")
        store.remember("file", file.name if file else "")
        trust_index(folder, settings)
        return report


class _Priced(Exception):  # noqa: N818 (nothing went wrong)
    """Stops an indexing at its price."""


@dataclass(frozen=True, slots=True)
class Reindexing:
    """Indexes the text of the project in ``folder`` again, as it was indexed; what was read and embedded is
    not read and embedded again. ``settings`` are those of whoever asks; ``monitor``, ``progress`` and
    ``confirm`` are as for :func:`index_book`. Raises ProjectError where there is no finished project, or it
    is being written to; then the index is as it was."""

    folder: Path
    settings: Sequence[Source] = ()
    monitor: MemoryMonitor | None = None
    progress: Progress = lambda *_: None
    confirm: Callable[[ModelPlan], None] = lambda _: None

    def embed_again(self) -> IndexReport:
        """Makes every vector anew, with the embedding model that the settings name now."""
        with self._opened(embed=True) as (indexer, document, config):
            report = indexer.run(document, embed_again=True)
            trust_index(self.folder, config)
            return report

    def link_again(self, corrections: Corrections | None = None, codex: Codex | None = None) -> IndexReport:
        """Links the chapters anew under these corrections and this codex (None: those that it has), and makes
        all that depends on it. Raises UsageError for a correction of a name that the book lacks."""
        with self._opened(codex=codex, corrections=corrections) as (indexer, document, _):
            return indexer.run(document)

    def price(self) -> ModelPlan | None:
        """What linking again would ask of the language model, which then is not asked. None where it has
        nothing to be asked: then all is linked again with what it has read."""
        found: list[ModelPlan] = []

        def stop(plan: ModelPlan) -> None:
            found.append(plan)
            raise _Priced

        with contextlib.suppress(_Priced):
            replace(self, confirm=stop).link_again()
        return found[0] if found else None

    def change_text(self, change: Callable[[Document], Document]) -> IndexReport:
        """Indexes what ``change`` makes of the text; only chapters of another text are embedded and read.
        Nobody else writes from before ``change`` is asked until all is published. Raises what ``change`` and
        ``confirm`` raise; then all is as it was.

        Where books change their order, what codex and corrections say from a chapter on counts from where all
        that was narrated up to it has been narrated (see :func:`.core.series.horizons_moved`), in the index
        and in the project's own files. Raises UsageError where corrections clash or are being written."""
        with self._opened() as (indexer, document, config):
            changed = change(document)
            place = chapters_moved(document, changed)
            if place is None:
                return indexer.run(changed)
            before = indexer.laid_down
            indexer.laid_down = before.postponed(place)
            with authored_moved(self.folder, config, before, indexer.laid_down) as undo:
                try:
                    return indexer.run(changed)
                except BaseException:
                    if _holds(self.folder, config, document):
                        undo()
                    raise

    def from_work(self, store: Store, state: Snapshot, laid_down: LaidDown) -> IndexReport:
        """Makes the index of the project in this ``store`` anew from its text and from kept work, trusting no
        index file; what no work was kept of is read and embedded. ``state`` says what it was made with."""
        asked = config_of(self.folder, above=self.settings)[0]
        with (
            self.guarded(asked) as guard,
            self.indexer(store, bound(state, asked), guard, laid_down) as indexer,
        ):
            return indexer.run(state.document, from_work=True)

    @contextmanager
    def _opened(self, *, embed: bool = False, **other: Any) -> Iterator[tuple[Indexer, Document, Config]]:
        """What indexes the project's own text again as it was indexed (but for what ``other`` gives, or with
        ``embed`` for the embedding model), that text, and the settings for it."""
        from .indexing import CODEX_FILE, LaidDown

        asked = config_of(self.folder, above=self.settings)[0]
        with (
            self.guarded(asked) as guard,
            open_store(self.folder, asked) as store,
            store.lock(patience=WRITER_PATIENCE_S),  # what is read here must not be published over meanwhile
        ):
            state = store.snapshot()
            held = bound(state, asked)
            if embed:
                held = Bound(held.config.model_copy(update={"embedding": asked.embedding}))
            laid_down = LaidDown.of_index(state.index.files(CODEX_FILE, CORRECTIONS_FILE, *PRINTED_FILES))
            laid_down = replace(laid_down, **{name: one for name, one in other.items() if one is not None})
            with self.indexer(store, held, guard, laid_down) as indexer:
                yield indexer, state.document, held.config

    @contextmanager
    def guarded(self, config: Config) -> Iterator[MemoryMonitor]:
        """The monitor that is given, or one of the settings for as long as the block runs. Raises
        MemoryBudgetError where there is no memory to begin with."""
        given = self.monitor
        with make_monitor(config) if given is None else contextlib.nullcontext(given) as guard:
            guard.admit()
            yield guard

    @contextmanager
    def indexer(
        self,
        store: Store,
        held: Bound,
        guard: MemoryMonitor,
        laid_down: LaidDown,
        *,
        models: tuple[DocumentEmbedder | None, ChapterReader | None] = (None, None),
        fit_only: bool = False,
    ) -> Iterator[Indexer]:
        """What indexes into the store; the models that it makes, as they are not given, are closed with the
        block. ``fit_only`` refuses a language model that failed its test."""
        from .connecting import require_fit
        from .indexing import Indexer

        config, (embedder, reader) = held.config, models
        with ExitStack() as closing:

            def generator() -> Generator:
                made = make_generator(config, store)
                if fit_only:
                    require_fit(made.name)
                return closing.enter_context(contextlib.closing(keep_answers(made, store.folder, config)))

            record = recorder(store, "embedding")
            embedder = embedder or make_embedder(config, withheld=held.withheld_embedding, record=record)
            closing.enter_context(_given_up(embedder, guard))
            yield Indexer(
                store,
                config,
                embedder=embedder,
                reader=reader or make_reader(config, generator),
                laid_down=laid_down,
                guard=_patient(guard, self.progress),
                progress=self.progress,
                confirm=lambda plan: self.confirm(with_cost(plan, config)),
            )


def _holds(folder: Path, config: Config, document: Document) -> bool:
    """Is that what the project holds? Not, where it does not say."""
    with contextlib.suppress(ProjectError), open_store(folder, config) as store:
        return store.document() == document
    return False


def _given_up(model: DocumentEmbedder, guard: MemoryMonitor) -> AbstractContextManager[object]:
    """Where memory lacks, the model is dropped, if it lies in it."""
    from ..core.embeddings import EmbeddingManager

    if isinstance(model, EmbeddingManager):
        return guard.evicting("dropped the embedding model", model.drop, cost=_LOADING_S)
    return contextlib.nullcontext()


def _patient(monitor: MemoryMonitor, progress: Progress) -> WorkGuard:
    from ..core.runtime.memory_monitor import WorkGuard

    def say(waited: float) -> None:
        progress("wait for memory", int(waited), int(MEMORY_PATIENCE_S))

    return WorkGuard(lambda: monitor.wait(MEMORY_PATIENCE_S, say), lambda: monitor.halvings)


def _from_folder(book: Path, folder: Path) -> str:
    """The way from the project's folder to the book, so that both can move together."""
    try:
        return Path(os.path.relpath(book.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive
        return book.resolve().as_posix()


class Bookshelf(Reindexing):
    """Changes which books the project in a folder holds. Each change raises what reading a book and indexing
    it raise, UsageError and HorizonError for a book or a place that there is not; then all is as it was.

    What is kept of a chapter's work goes by its text, so a book that only moves is not read or embedded
    again, and one publication changes text, index and graph together."""

    __slots__ = ()

    def add(self, file: Path, *, at: int | None = None, encoding: str | None = None) -> IndexReport:
        """Puts a book in, last or as number ``at``. A file of the same name as a book of the series is a new
        version of it, where no number is given."""
        limits = config_of(self.folder, above=self.settings)[0].documents.limits
        book, _ = read_book(file, encoding=encoding, limits=limits)
        return self.change_text(lambda series: added(series, book, at=at))

    def remove(self, number: int) -> IndexReport:
        """Takes the book of that number out."""
        return self.change_text(lambda series: removed(series, number))

    def move(self, number: int, to: int) -> IndexReport:
        """Lets the book of that number be read as number ``to``."""
        return self.change_text(lambda series: moved(series, number, to))


def confirm_all(folder: Path) -> dict[str, object]:
    """Confirms what ``fabula.toml`` in the folder asks for, and the models that its index names if any;
    returns all of it by name. Raises ConfigError, ProjectError, UsageError."""
    found = {
        name: masked(value) if isinstance(value, str) else value for name, value in trust(folder).items()
    }
    if holds_project(folder):
        with open_store(folder) as store:
            made = made_with(store.snapshot().settings)
        found |= {f"the index: {name}": model for name, model in index_models(made).items()}
        trust_index(folder, made)
    return found
