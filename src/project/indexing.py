"""From a document to a published project: chunks, vectors, postings, readings, story graph.

The unit of work is the chapter. What a chapter's text costs (vectors, a parse) is kept under a key made of
that text and of what reads it, so only chapters that are new or changed are worked on, an interrupted run
goes on where it stopped, and nothing computed for chapter n can depend on a later one.
"""

from __future__ import annotations

import logging
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from ..config import Config
from ..core.chunks.table import ChunkTable
from ..core.documents import PrintedBook
from ..core.formats.pdf.places import BOOK_FILE, PLACES_FILE
from ..core.interfaces import DocumentEmbedder, Vectors
from ..core.lexical.bm25 import LexicalIndex
from ..core.runtime.memory_monitor import UNGUARDED, WorkGuard
from ..core.runtime.model_requests import ModelPlan, ModelReport
from ..core.series import chapters_moved, horizons_moved
from ..core.store.generations import GraphRows, Publication
from ..core.store.records import KeptWork
from ..core.store.store import WRITER_PATIENCE_S, Store
from ..core.store.tables import digest
from ..core.types import Chunk, Document, Horizon
from ..core.vectors.index import VectorIndex
from ..errors import ProjectError
from ..story.codex.codex import Codex
from ..story.codex.file import CodexFile
from ..story.corrections import CORRECTIONS_FILE, Corrections, as_toml, read_corrections
from ..story.extraction.by_model.reader import ModelReader
from ..story.extraction.combined_reader import TOGETHER, CombinedReader, combined, rules_of
from ..story.graph_rag.passage_graph import PassageGraph
from ..story.graph_rag.story_graph import STORY_FILE, StoryKnowledgeGraph
from ..story.linking.linker import Linker
from ..story.model.chapter_reading import ChapterReader, ChapterReading, ToldBefore
from ..story.model.types import StoryLog
from ..story.passages.chunk_facts import ChunkFactsTable, chunk_facts
from .books import chunks_of, kept_printed
from .factories import BOUND, read_codex
from .searching import bm25_settings
from .storage.pictures_file import postpone_pictures
from .vectors import MEMORY_WORK, PAIR_WORK, SENTENCE_WORK, embed_chapters, vectors_key

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, how many chapters are done, and how many there are."""

_LAST_CHARACTERS = 2000  # of a chapter, that a reader of the next may be given
CODEX_FILE = "codex.yaml"  # in the folder of an index generation
_BUILT_ON = ("chunks.npy", "facts.*")  # files of the generation before
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an indexing run did. ``seconds`` are wall time by stage; ``embedded`` and ``read`` count the
    chapters that were worked on, others were there; ``model`` is what a language model made of those read."""

    title: str
    chapters: int
    words: int
    chunks: int
    embedded: int
    embedded_chunks: int
    read: int
    seconds: dict[str, float] = field(default_factory=dict)
    model: ModelReport | None = None


@dataclass(frozen=True, slots=True)
class LaidDown:
    """What is kept beside the text of an index: the author's codex and corrections, the pages of a PDF."""

    codex: Codex | None = None
    corrections: Corrections = field(default_factory=Corrections)
    printed: PrintedBook | None = None

    @classmethod
    def of_index(cls, folder: Path) -> LaidDown:
        """As it was saved. Raises DocumentError and UsageError where it cannot be read."""
        codex = read_codex(folder / CODEX_FILE) if (folder / CODEX_FILE).is_file() else None
        return cls(codex, read_corrections(folder / CORRECTIONS_FILE), kept_printed(folder))

    @property
    def codex_text(self) -> str | None:
        """The codex as it is written."""
        return None if self.codex is None else self.codex.document.text

    def save(self, folder: Path, document: Document) -> None:
        """Writes it into the folder of an index."""
        if self.printed is not None and not document.books:  # its places are those of one book
            (folder / BOOK_FILE).write_bytes(self.printed.pdf)
            (folder / PLACES_FILE).write_bytes(self.printed.places)
        if self.codex is not None:
            (folder / CODEX_FILE).write_bytes(self.codex.document.text.encode())
        if self.corrections:
            (folder / CORRECTIONS_FILE).write_bytes(as_toml(self.corrections).encode())

    def postponed(self, place: Callable[[int], int]) -> LaidDown:
        """The same counted from where books that change their order take its chapters (see
        :func:`..core.series.chapters_moved`). Raises UsageError where corrections would clash then."""
        corrections, codex = self.corrections.postponed(place), self.codex
        if codex is not None:
            codex = Codex.parse(CodexFile.parse(codex.document.text).postponed(place))
        return LaidDown(codex, corrections, self.printed)


@dataclass(slots=True)
class Indexer:
    """Runs over one project. ``reader`` and ``embedder`` are loaded only when a chapter needs them;
    ``guard`` may refuse each chapter, ``confirm`` is called before a language model is asked."""

    store: Store
    config: Config
    embedder: DocumentEmbedder
    reader: ChapterReader
    laid_down: LaidDown = field(default_factory=LaidDown)
    guard: WorkGuard = UNGUARDED
    progress: Progress = lambda *_: None
    confirm: Callable[[ModelPlan], None] = lambda _: None
    _seconds: dict[str, float] = field(default_factory=dict, init=False)
    _producers: list[KeptWork] = field(default_factory=list, init=False)

    @property
    def _rules(self) -> ChapterReader:
        return rules_of(self.reader)

    @property
    def _model(self) -> ModelReader | None:
        second = self.reader.second if isinstance(self.reader, CombinedReader) else None
        return second if isinstance(second, ModelReader) else None

    def run(
        self, document: Document, *, rebuild: bool = False, embed_again: bool = False, from_work: bool = False
    ) -> IndexReport:
        """Makes the project hold this document. ``rebuild`` trusts nothing that is there but the folder,
        ``embed_again`` all but the vectors, ``from_work`` only kept work and no index that is there.

        Raises ProjectError where the project holds another book or is being written to, UsageError for a
        correction that speaks of a name which the book does not have."""
        laid_down = self.laid_down
        with self.store.lock(patience=WRITER_PATIENCE_S):
            before = None if rebuild or from_work else self._before(document)
            with self._timed("chunk"):
                chunks = chunks_of(document, self.config, self.embedder)
            earlier = None if rebuild else self._model_before()
            kept = self._kept(earlier or read_key(self._rules), document, rebuild=rebuild)
            model = self._model
            if model is not None:  # first of all: somebody may have to say yes to what it costs
                read, readings = self._by_model(model, document, *self._read(document, kept))
            embedded, vectors = self._embed(document, chunks, rebuild=rebuild or embed_again)
            if model is None:
                read, readings = self._read(document, kept)
            with self._timed("link"):
                linker = link(document, readings, canon=laid_down.codex, corrections=laid_down.corrections)
                linker.check_corrections()
                log = linker.log
                story = StoryKnowledgeGraph.from_log(log).to_json()
            with self._timed("describe"):
                facts = self._facts(document, chunks, readings, log, before)
                names = PassageGraph.from_passages(("", chunk.text) for chunk in chunks)
            with self._timed("lexical"):
                lexical = LexicalIndex.from_texts(
                    (c.text for c in chunks), settings=bm25_settings(self.config)
                )

            def fill(folder: Path) -> None:
                facts.save(folder)
                names.save(folder)
                (folder / STORY_FILE).write_text(story, encoding="utf-8", newline="\n")
                laid_down.save(folder, document)

            with self._timed("publish"):
                used = {pair for kept in self._producers for pair in kept.used}
                memories = (MEMORY_WORK, vectors_key(self.embedder, self.config))
                used |= {memories, SENTENCE_WORK, PAIR_WORK}
                meta = {
                    "settings": self.config.model_dump_json(include=set(BOUND)),
                    "embedder": self.embedder.name,
                    **self._keys(),
                    **({"reader": earlier} if earlier else {}),
                }
                made = document, ChunkTable.of(document, chunks), lexical, VectorIndex(vectors)
                with self._postponed(document):
                    self.store.publish(Publication(*made, fill, lambda: graph_rows(log), meta, used))
        return IndexReport(
            title=document.title,
            chapters=len(document.chapters),
            words=sum(len(c.body.of(document.text).split()) for c in document.chapters),
            chunks=len(chunks),
            embedded=len(embedded),
            embedded_chunks=sum(c.chapter in embedded for c in chunks),
            read=read,
            seconds=dict(self._seconds),
            model=model.report if model is not None and read else None,
        )

    @contextmanager
    def _postponed(self, document: Document) -> Iterator[None]:
        """What was asked, answered and rated up to a chapter tells of all before it, as a picture may: where
        books change their order it goes on only to who has read them. Done before the block publishes, so
        that no reader ever meets it too early; pictures go back where that fails."""
        try:
            old = self.store.document()
        except ProjectError:  # damaged: it is made again as it was
            old = None
        place = None if old is None else chapters_moved(old, document)
        if old is None or place is None:
            yield
            return
        undo = postpone_pictures(self.store.folder, place)  # first: its file may be one that cannot be read
        try:
            later = horizons_moved(old, document)
            self.store.conversations().postpone(later)
            self.store.feedback().postpone(later)
            yield
        except BaseException:
            if self.store.document() == old:
                undo()
            raise

    def _model_before(self) -> str | None:
        """Under which producer the readings are kept that a language model took part in, where none is
        connected now: they go on to hold for every chapter whose text they are of. None where a model is
        connected, or the settings turn it off for reading."""
        producer = self.store.meta("reader") or ""
        of_model = TOGETHER in producer and self.config.parsing.model_extractor != "off"
        return producer if of_model and self._model is None else None

    def _before(self, document: Document) -> Document | None:
        """The book as it was indexed, where its index is whole and can be built on."""
        held = self.store.book()
        if held is None:
            return None
        name, title = held
        if name != document.id:
            raise ProjectError(
                f"the project in {self.store.folder} holds {title!r}, made from a file named {name!r}, and "
                f"this one is named {document.id!r}: give a new version of that book its old name; index "
                f"another book into its own folder"
            )
        try:
            self.store.index().verify(*_BUILT_ON)
            return self.store.document()
        except ProjectError as error:
            _log.warning("the existing index is made again (%s)", error)
            return None

    def _embed(
        self, document: Document, chunks: Sequence[Chunk], *, rebuild: bool
    ) -> tuple[set[int], Vectors]:
        kept = self._kept(vectors_key(self.embedder, self.config), document, rebuild=rebuild)
        missing = {c.number for c in kept.missing()} & {c.chapter for c in chunks}
        if missing:
            plan = self.embedder.plan([[c.text for c in chunks if c.chapter in missing]])
            if plan is not None:
                self.confirm(plan)
            with self._timed("load embedder"):
                self.embedder.load()
        with self._timed("embed"):
            vectors = embed_chapters(chunks, kept, self.embedder, guard=self.guard, progress=self.progress)
        return missing, vectors

    def _by_model(
        self, model: ModelReader, document: Document, read: int, readings: Sequence[ChapterReading]
    ) -> tuple[int, list[ChapterReading]]:
        """The readings with those of the language model, which is asked for what it has not answered yet."""
        kept = self._kept(read_key(self.reader), document, rebuild=False)
        asked = asked_of(document, readings, self.laid_down.codex, self.laid_down.corrections)
        plan = model.plan(asked)
        if plan.requests:
            self.confirm(plan)
        with self._timed("ask model"):
            model.ask(asked, lambda done, of: self.progress("ask model", done, of))
            both = [combined(one, model.read(*each)) for one, each in zip(readings, asked, strict=True)]
        changed = 0
        for chapter, reading in zip(document.chapters, both, strict=True):
            output = reading.to_json().encode()
            if not kept.holds(chapter, output):
                kept.put(chapter, output)
                changed += 1
        return max(read, changed), both

    def _read(self, document: Document, kept: KeptWork) -> tuple[int, list[ChapterReading]]:
        missing = kept.missing()
        if missing:
            with self._timed("load parser"):
                self._rules.load()
        with self._timed("read"):
            for done, chapter in enumerate(missing):
                self.guard.admit()
                self.progress("read", done, len(missing))
                reading = self._rules.read(chapter.body.of(document.text))
                kept.put(chapter, reading.to_json().encode())
            self.progress("read", len(missing), len(missing))
            readings = [ChapterReading.from_json(kept[c.number].decode()) for c in document.chapters]
        return len(missing), readings

    def _facts(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        readings: Sequence[ChapterReading],
        log: StoryLog,
        before: Document | None,
    ) -> ChunkFactsTable:
        """Facts of a chunk rest on what is told up to its chapter: those of a common beginning are kept."""
        kept, first = ChunkFactsTable.from_facts([]), 0
        linked = all((self.store.meta(part) or "") == key for part, key in self._keys().items())
        if before is not None and linked:
            same = _common(*((c.body.of(one.text) for c in one.chapters) for one in (before, document)))
            first = next((i for i, c in enumerate(chunks) if c.chapter > same), len(chunks))
            try:
                index = self.store.index()
                old = index.chunks(before)
                cut = bisect_right(old.chapters, same)
                if [c.span for c in old[:cut]] == [c.span for c in chunks[:first]]:
                    kept = ChunkFactsTable.load(index.files("facts.*")).first(cut)
            except ProjectError:  # damaged or of another version: all is described anew
                pass
            first = len(kept)
        return kept.appended(chunk_facts(document, chunks[first:], readings, log))

    def _keys(self) -> dict[str, str]:
        text, corrections = self.laid_down.codex_text, self.laid_down.corrections
        codex = "" if text is None else digest(text)
        return {"reader": read_key(self.reader), "codex": codex, "corrections": corrections.key}

    def _kept(self, producer: str, document: Document, *, rebuild: bool) -> KeptWork:
        kept = KeptWork(self.store, producer, document, fresh=rebuild)
        self._producers.append(kept)
        return kept

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[stage] = self._seconds.get(stage, 0.0) + time.perf_counter() - started


def link(
    document: Document,
    readings: Sequence[ChapterReading],
    *,
    canon: Codex | None = None,
    corrections: Corrections | None = None,
) -> Linker:
    """Folds the first chapters' readings, in order, over what the author laid down and corrected."""
    linker = Linker(canon=canon.log if canon is not None else None, corrections=corrections)
    for chapter, reading in zip(document.chapters, readings, strict=False):
        linker.add(document, chapter, reading)
    return linker


def asked_of(
    document: Document,
    readings: Sequence[ChapterReading],
    canon: Codex | None = None,
    corrections: Corrections | None = None,
) -> list[tuple[str, ToldBefore]]:
    """What a language model is asked of each chapter: its text, the names met before, the last words."""
    linker = Linker(canon=canon.log if canon is not None else None, corrections=corrections)
    found, body = list[tuple[str, ToldBefore]](), ""
    for chapter, reading in zip(document.chapters, readings, strict=True):
        before, body = linker.told_before(body[-_LAST_CHARACTERS:]), chapter.body.of(document.text)
        found.append((body, before))
        linker.add(document, chapter, reading)
    return found


def kept_readings(
    store: Store, document: Document, *, reader: ChapterReader, last: int
) -> list[ChapterReading]:
    """The readings of chapters 1 to ``last`` as the index was made with them, whoever read; one that is not
    kept is made again by ``reader``."""
    producer, out = store.meta("reader") or read_key(reader), []
    for chapter in document.chapters[:last]:
        body = chapter.body.of(document.text)
        raw = store.work(producer, digest(body))
        out.append(reader.read(body) if raw is None else ChapterReading.from_json(raw.decode()))
    return out


def read_key(reader: ChapterReader) -> str:
    """Under which producer a reader's work is kept."""
    return f"reading:{reader.version}"


def _common(texts: Iterable[str], others: Iterable[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(texts, others, strict=False)))


def graph_rows(log: StoryLog) -> GraphRows:
    """As the whole story tells: each entity, and each relation with its chapter and its first quote."""
    view = StoryKnowledgeGraph.from_log(log).as_of(Horizon())
    relations = []
    for one in view.relations():
        span = one.evidence[0].span if one.evidence else None
        place = (span.start, span.end) if span is not None else (None, None)
        told = one.modality.value, one.told, round(one.confidence, 4)
        relations.append((one.subject, one.predicate, one.object, *told, *place))
    entities = ((one.id, one.kind.value, one.name, one.first_appearance) for one in view.entities())
    return GraphRows(tuple(entities), tuple(relations))
