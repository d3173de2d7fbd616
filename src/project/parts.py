"""An opened project: its parts, each made when it is first needed, its search, and its story.

A lexical search loads no model, and a look at the graph loads no index. The use cases beside this module
(:mod:`.asking`, :mod:`.checking`, :mod:`.comparing`, :mod:`.recalling` …) are functions of it.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack
from weakref import WeakKeyDictionary

from ..config import Config
from ..core.chunks.table import ChunkTable, Selection
from ..core.encoders.adapters import QuestionEmbedder
from ..core.encoders.prefixes import DEFAULT_MODEL, packaged_shape
from ..core.search import Mode, Query, Search, SearchResult
from ..core.signatures.semantic_cache import SemanticCache
from ..core.store.store import Snapshot, Store
from ..core.text.encodings import require_said
from ..core.types import Document, Horizon, PagePlace, Span
from ..core.weight_manager import AdaptiveWeightManager
from ..errors import HorizonError, ModelMissing, ProjectError, UntrustedSettings
from .factories import (
    bound,
    keep_answers,
    make_embedder,
    make_generator,
    make_monitor,
    make_reader,
    read_codex,
)
from .searching import bm25_settings, make_lexical, make_reranker, preset_of, with_hints
from .spending import UsageReport, recorder, usage_report
from .vectors import MEMORY_WORK, SENTENCE_WORK, KeptVectors, vectors_key

if TYPE_CHECKING:  # loaded where they are used: a search must not wait for what it does not need
    from ..core.answering.answer_reader import AnswerReader
    from ..core.formats.pdf.places import WordPlaces
    from ..core.interfaces import DocumentEmbedder, Generator, Hopper
    from ..core.lexical.bm25 import LexicalIndex
    from ..core.queries.weight_learning import Rating
    from ..core.runtime.memory_monitor import MemoryMonitor
    from ..core.store.conversations import ConversationStore
    from ..llm.recorded import RecordedGenerator
    from ..story.bible import Bible
    from ..story.calibration.power import Power
    from ..story.codex.codex import Codex
    from ..story.continuity.by_model.critic import ModelCritic
    from ..story.continuity.critic import ContinuityCritic, SourceChecker
    from ..story.corrections import Corrections
    from ..story.graph_rag.arc_tracker import DynamicArcTracker
    from ..story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine
    from ..story.graph_rag.story_graph import StoryKnowledgeGraph, StoryView
    from ..story.linking.linker import Linker
    from ..story.model.chapter_reading import ChapterReader
    from ..story.passages.chunk_facts import ChunkFactsTable
    from ..story.passages.filter import SearchFilter
    from ..story.plot.ledger import Thread


class SearchHow(TypedDict, total=False):
    """How a search is done beside its query; see :meth:`OpenProject.search`."""

    as_of: int | None
    mode: Mode
    semantic_weight: float | None
    wanted: SearchFilter | None


_ANSWERS_BYTES = 8 * 1024**2  # of answers kept in memory


def give_up_caches(monitor: MemoryMonitor, projects: Callable[[], Iterable[OpenProject]]) -> None:
    """Has the monitor drop what the projects open then can make again, the cheapest first."""

    def drop_all(name: str) -> None:
        for project in projects():
            getattr(project, name)()

    results = partial(drop_all, "drop_results")
    monitor.add_evictor("dropped kept search results and answers", results, cost=0.1)
    monitor.add_evictor("dropped the linked chapters", partial(drop_all, "drop_linked"), cost=0.5)
    monitor.add_evictor("dropped the indexes", partial(drop_all, "drop_indexes"), cost=2.0)


class OpenProject:
    """An indexed book. Every question takes ``as_of``, a chapter; None is the whole book. What searches,
    checks or writes raises MemoryBudgetError where memory stays above its budget.

    ``config`` is the settings', but for what the index was made with; ``notices`` say what its folder asks
    for that nobody confirmed, a line each.
    """

    def __init__(
        self, store: Store, snapshot: Snapshot, config: Config, *, notices: Sequence[str] = ()
    ) -> None:
        self._store = store
        self.folder = store.folder
        held = bound(snapshot, config)
        self.config = held.config
        self._withheld = held.withheld_embedding
        self.notices = (*notices, *held.notices)
        self.document = snapshot.document
        self._index = snapshot.index
        self._making = threading.RLock()
        self._linkers: dict[int, Linker] = {}
        self._bibles: WeakKeyDictionary[StoryView, Bible] = WeakKeyDictionary()

    def close(self) -> None:
        """Closes the models that were made, and the database."""
        for name in ("kept_generator", "generator", "embedder"):
            if name in self.__dict__:
                self.__dict__[name].close()
        self._store.close()

    # --- models ----------------------------------------------------------------------------------

    @cached_property
    def monitor(self) -> MemoryMonitor:
        """Asked before each unit of work; whoever guards several projects puts one for all in its place."""
        monitor = make_monitor(self.config)
        give_up_caches(monitor, lambda: (self,))
        return monitor

    @cached_property
    def embedder(self) -> DocumentEmbedder:
        """The model that the index was made with; it is loaded at first use. Raises ModelMissing where it is
        not installed; a model that nobody confirmed raises ModelRefused at its use."""
        return make_embedder(self.config, withheld=self._withheld, record=recorder(self._store, "embedding"))

    @cached_property
    def sentence_embedder(self) -> DocumentEmbedder:
        """What compares sentences of a story with each other: that of the index, or the packaged one where
        the index's is an endpoint, to which no whole story is sent for that."""
        return self.embedder if self.config.embedding.is_local else make_embedder(Config())

    @cached_property
    def memory_vectors(self) -> KeptVectors:
        """Vectors of memories by their texts; made when memories are first searched."""
        work = (MEMORY_WORK, vectors_key(self.embedder, self.config))
        return KeptVectors(self._store, self.embedder, work)

    @cached_property
    def sentence_vectors(self) -> KeptVectors:
        """Vectors of sentences by their texts; made when sentences are first compared."""
        embedder = self.sentence_embedder
        return KeptVectors(self._store, embedder, SENTENCE_WORK, version=embedder.version)

    @cached_property
    def reader(self) -> ChapterReader:
        """What reads chapters; its models are loaded at first use."""
        return make_reader(self.config, lambda: self.kept_generator)

    @cached_property
    def generator(self) -> Generator:
        """The language model of the settings. Raises ConfigError for settings that do not hold, ModelMissing
        where the model is not there."""
        return make_generator(self.config, self._store)

    @cached_property
    def kept_generator(self) -> RecordedGenerator:
        """The same with every answer kept in the project, so that nothing is asked twice."""
        return keep_answers(self.generator, self.folder, self.config)

    @cached_property
    def answer_reader(self) -> AnswerReader | None:
        """Finds the sentence that answers; loaded at first use. None where its encoder is not installed."""
        from ..core.answering.answer_reader import packaged_reader

        with suppress(ModelMissing):
            return packaged_reader()
        return None

    @cached_property
    def critic(self) -> ContinuityCritic:
        """The critic with all rules, and with the language model where one is connected."""
        from ..story.continuity.critic import ContinuityCritic

        if not self.config.model_reads:
            return ContinuityCritic()
        return ContinuityCritic(model=self.model_critic(), measured=[power.critic for power in self.powers])

    def model_critic(self, progress: Callable[[int, int], None] = lambda *_: None) -> ModelCritic:
        """The critic of the connected language model; what it answered is kept in the project. ``progress``
        hears how many requests of how many are answered."""
        from ..story.continuity.by_model.critic import ModelCritic

        asked, embed = self.kept_generator, self.sentence_embedder.embed_documents
        return ModelCritic(
            asked,
            self.document,
            canon=self.canon_of,
            embed=embed,
            is_answered=asked.holds,
            progress=progress,
        )

    @property
    def powers(self) -> tuple[Power, ...]:
        """What was measured of critics on this book as it stands."""
        from ..story.calibration.power import kept_powers

        return kept_powers(self.folder, of=self.measured_of)

    @property
    def measured_of(self) -> str:
        """Of which text and reader what is measured now is: a digest."""
        text = f"{self.reader.version}\n{self.document.text}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def warm_up(self) -> None:
        """Loads every model now, so that no stage that is timed pays for it."""
        self.embedder.embed_query("ready")
        self.reader.load()
        self.generator.count_tokens("ready")

    # --- indexes ---------------------------------------------------------------------------------

    @cached_property
    def chunks(self) -> ChunkTable:
        """All chunks in order of telling. Raises ProjectError where the index is damaged."""
        return self._index.chunks(self.document)

    @cached_property
    def lexical(self) -> LexicalIndex:
        """The index of words. Raises ProjectError where it is damaged, or is not of the project's chunks."""
        index = self._index.lexical(bm25_settings(self.config))
        self._require_whole("postings", len(index))
        return make_lexical(self.config, index, lambda: [chunk.text for chunk in self.chunks])

    @cached_property
    def search_index(self) -> Search:
        """Search by words and by meaning, at the settings' weight. Raises ProjectError where an index is
        damaged, or is not of the project's chunks."""
        vectors = self._index.vectors()
        self._require_whole("vectors", len(vectors))
        return Search(
            self.chunks,
            self.lexical,
            vectors,
            self.embedder,
            preset=preset_of(self.config),
            hopper=(lambda: self._hopper) if self.config.retrieval.graph else None,
        )

    @cached_property
    def searcher(self) -> Search:
        """The same, weighed by class of query and by the ratings kept in the project, reranked and with a
        cache of results where the settings say so."""
        index = self.search_index
        return replace(
            index,
            manager=AdaptiveWeightManager(self._store.feedback(), prior=index.preset.semantic_weight),
            reranker=make_reranker(self.config),
            cache=self._search_cache(),
            name=f"{self._index.name} {self.config.retrieval.model_dump_json()}",
        )

    @cached_property
    def question_searcher(self) -> Search:
        """As :attr:`searcher`, for questions: their vectors are those of the encoder of questions, where the
        index's model is the one that it was fitted to and the text is a story by its way of chunking: in
        texts that explain, the encoder of search finds more."""
        e, is_story = self.config.embedding, self.config.chunking.preset == "story"
        if is_story and (e.provider, e.model) == ("local", DEFAULT_MODEL):
            with suppress(ModelMissing):
                embedder = QuestionEmbedder(self.embedder, packaged_shape())
                return replace(self.searcher, embedder=embedder, cache=self._search_cache())
        return self.searcher

    def _search_cache(self) -> SemanticCache[Any] | None:
        return SemanticCache() if self.config.retrieval.cache else None

    @cached_property
    def facts(self) -> ChunkFactsTable:
        """What filters look at: a row of facts for each chunk. Raises ProjectError where it is damaged."""
        from ..story.passages.chunk_facts import ChunkFactsTable

        return ChunkFactsTable.load(self._index.files("facts.*"))

    @cached_property
    def _hopper(self) -> Hopper:
        from ..story.graph_rag.passage_graph import PassageGraph

        return PassageGraph.load(self._index.files("passage_*"))

    def _require_whole(self, part: str, count: int) -> None:
        if count != len(self.chunks):
            raise ProjectError(
                f"the index in {self._index.name} holds {part} of {count} chunks, the text has "
                f"{len(self.chunks)}: index the book again with --rebuild"
            )

    def drop_results(self) -> None:
        """Forgets kept search results and answers."""
        made = [self.__dict__.get(part) for part in ("searcher", "question_searcher")]
        for cache in (*(one.cache for one in made if one is not None), self.__dict__.get("answers")):
            if cache is not None:
                cache.drop()

    def drop_linked(self) -> None:
        """Forgets the chapters that were linked for checks of drafts: about a second to make again."""
        self._linkers = {}

    def drop_indexes(self) -> None:
        """Closes the search indexes; the next search opens them again."""
        for part in ("searcher", "question_searcher", "search_index", "lexical", "_hopper"):
            self.__dict__.pop(part, None)

    # --- what is kept of the book ----------------------------------------------------------------

    @property
    def book_source(self) -> Path | None:
        """The file or folder that was indexed, where it is known and still there."""
        name = self._store.meta("book")
        path = self.folder / name if name else None
        return path if path and path.exists() else None

    @property
    def book_file(self) -> Path | None:
        """The same where it is a file."""
        path = self.book_source
        return path if path and path.is_file() else None

    @cached_property
    def printed(self) -> WordPlaces | None:
        """Where the words of a PDF are printed; None for other books. Raises ProjectError where the table is
        damaged."""
        from ..core.formats.pdf.places import PLACES_FILE, WordPlaces

        return WordPlaces.load(self._index.files(PLACES_FILE))

    def places(self, span: Span) -> tuple[PagePlace, ...]:
        """Where a part of the text is printed; nothing for a book without pages."""
        return self.printed.at(span) if self.printed is not None else ()

    def place(self, span: Span) -> str:
        """The same in words: ``Page 12, Lines 3-9``; empty for a book without pages."""
        from ..core.formats.pdf.places import in_words

        return in_words(self.places(span))

    @property
    def pdf(self) -> bytes | None:
        """The PDF that was indexed, as it was read; None for other books."""
        from ..core.formats.pdf.places import BOOK_FILE

        file = self._index.files(BOOK_FILE) / BOOK_FILE
        return file.read_bytes() if file.is_file() else None

    @cached_property
    def codex(self) -> Codex | None:
        """The codex that the index was made with."""
        from .indexing import CODEX_FILE

        path = self._index.files(CODEX_FILE) / CODEX_FILE
        return read_codex(path) if path.is_file() else None

    @cached_property
    def corrections(self) -> Corrections:
        """The corrections that the index was made with."""
        from ..story.corrections import CORRECTIONS_FILE, read_corrections

        return read_corrections(self._index.files(CORRECTIONS_FILE) / CORRECTIONS_FILE)

    @cached_property
    def conversations(self) -> ConversationStore:
        """What was asked and answered, by conversation."""
        return self._store.conversations()

    def usage(self, prices: Path | None = None) -> UsageReport:
        """What the project's models were asked, by day and model, with dollars by a price list: that file, or
        the one of the settings (``generator.prices``). Vectors that are computed here are not in it. Raises
        ConfigError where the list cannot be read."""
        return usage_report(self._store.usage().rows(), prices or self.config.generator.prices)

    @cached_property
    def answers(self) -> SemanticCache[list[str]]:
        """Answers that the language model gave, by what was asked."""
        return SemanticCache(capacity_bytes=_ANSWERS_BYTES)

    # --- the story -------------------------------------------------------------------------------

    def horizon(self, as_of: int | None) -> Horizon:
        """Raises HorizonError for a chapter that the book does not have."""
        last = len(self.document.chapters)
        if as_of is not None and not 1 <= as_of <= last:
            raise HorizonError(
                f"{self.document.title} has chapters 1 to {last}, not {as_of}: choose one of them"
            )
        return Horizon(as_of)

    @cached_property
    def graph(self) -> StoryKnowledgeGraph:
        """The whole story's graph; :meth:`view` cuts it at a horizon. Raises ProjectError where it cannot be
        read."""
        from ..story.graph_rag.story_graph import STORY_FILE, StoryKnowledgeGraph

        try:
            text = (self._index.files(STORY_FILE) / STORY_FILE).read_text(encoding="utf-8")
        except OSError as error:
            raise ProjectError(
                f"the story graph cannot be read ({error}): index the book with --rebuild"
            ) from error
        return StoryKnowledgeGraph.from_json(text)

    def view(self, as_of: int | None = None) -> StoryView:
        """The story graph as a reader at that chapter has it."""
        return self.graph.as_of(self.horizon(as_of))

    def arcs(self, as_of: int | None = None) -> DynamicArcTracker:
        """How characters change from chapter to chapter, up to ``as_of``. Raises HorizonError for a chapter
        that the book does not have, as all that follow."""
        from ..story.graph_rag.arc_tracker import DynamicArcTracker

        return DynamicArcTracker(self.view(as_of))

    def discovery(self, as_of: int | None = None) -> MultiHopDiscoveryEngine:
        """What follows from several relations that are narrated up to ``as_of``."""
        from ..story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine

        return MultiHopDiscoveryEngine(self.view(as_of))

    def threads(self, as_of: int | None = None) -> tuple[Thread, ...]:
        """What the story plants up to ``as_of`` and what has come of it, each turn with its quote, as it was
        read with the chapters."""
        from ..story.plot.ledger import threads_of

        return threads_of(self.view(as_of), as_of or len(self.document.chapters))

    def bible(self, as_of: int | None = None) -> Bible:
        """What the story has laid down up to ``as_of``, by person, place and thing, the world and the plot's
        threads, each line with its quotes; the author's codex stands above it."""
        return self.bible_of(self.view(as_of))

    def bible_of(self, view: StoryView) -> Bible:
        """The same at the view's horizon; kept as long as the view is."""
        if view not in self._bibles:
            self._bibles[view] = self.canon_of(view, whole=False)
        return self._bibles[view]

    def canon_of(self, view: StoryView, *, whole: bool = True) -> Bible:
        """The same with every event that a language model read."""
        from ..story.bible import bible

        last, codex = view.horizon.chapter or len(self.document.chapters), self.codex
        rules = codex.constraints(Horizon(last)) if codex is not None else ()
        described = codex.descriptions if codex is not None else ()
        return bible(view, told=last, descriptions=described, rules=rules, whole=whole)

    def linked(self, document: Document, last: int | None = None) -> Linker:
        """The story of an edited copy of the book up to chapter ``last``; chapters that stand in the book too
        are not read again."""
        return self._linked(document, self.reader, last or len(document.chapters))

    def _linked(self, document: Document, reader: ChapterReader, last: int) -> Linker:
        from .indexing import kept_readings, link

        readings = kept_readings(self._store, document, reader=reader, last=last)
        return link(document, readings, canon=self.codex, corrections=self.corrections)

    def draft_checker(
        self, as_of: int | None = None, *, critic: ContinuityCritic | None = None, by_rules: bool = False
    ) -> SourceChecker:
        """The critic bound to the story at the horizon; it reads the kept readings, no text. What was linked
        for the horizon asked for last is kept, so that asking again costs nothing. ``by_rules``: no language
        model reads or checks the drafts."""
        from ..story.continuity.critic import ContinuityCritic, SourceChecker
        from ..story.extraction.combined_reader import rules_of

        last = self.horizon(as_of).chapter or len(self.document.chapters)
        rules = rules_of(self.reader)
        with self._making:
            if last not in self._linkers:
                self._linkers = {last: self._linked(self.document, rules, last)}
            linker = self._linkers[last]
        if by_rules:
            return SourceChecker(linker, rules, critic or ContinuityCritic(), horizon=last)
        return SourceChecker(linker, self.reader, critic or self.critic, horizon=last)

    # --- questions -------------------------------------------------------------------------------

    def question(
        self,
        query: str,
        k: int | None = None,
        *,
        as_of: int | None = None,
        mode: Mode = "hybrid",
        semantic_weight: float | None = None,
        wanted: SearchFilter | None = None,
        least_score: float = 0.0,
    ) -> Query:
        """What a search asks the searcher: the query with its horizon and the chunks it may find. Raises
        UsageError for a query that is empty or no text."""
        require_said(query, "the question", "write what to look for")
        if self._withheld and mode == "semantic":
            raise UntrustedSettings(self._withheld)
        horizon = self.horizon(as_of)
        limit = self.search_index.limit(horizon)
        chosen = Selection(limit)
        if wanted is not None and not wanted.is_empty:
            from ..story.passages.filter import select

            books = self.document.books
            chosen = select(wanted, self.facts, view=self.view(as_of), limit=limit, books=books)
        return Query(
            query,
            k or self.config.retrieval.k,
            horizon,
            chosen,
            filters=wanted.key() if wanted is not None else "",
            mode="lexical" if self._withheld else mode,
            semantic_weight=semantic_weight,
            least_score=least_score,
        )

    def search(
        self,
        query: str,
        k: int | None = None,
        *,
        least_score: float | None = None,
        **how: Unpack[SearchHow],
    ) -> SearchResult:
        """The ``k`` best passages (the setting's number by default) of those that ``wanted`` lets through,
        with the weight and why it was chosen. ``semantic_weight`` replaces it. Those whose cosine to the
        query is below ``least_score`` (the setting's by default) are left out, unless words alone are looked
        for."""
        least = self.config.retrieval.least_score if least_score is None else least_score
        with self.monitor.work():
            question = self.question(query, k, least_score=least, **how)
            found = with_hints(self.searcher.search_or_words(question), question, self.lexical, self.view)
            if self.printed is None:
                return found
            return replace(found, places=tuple(self.places(one.chunk.span) for one in found.passages))

    def rate(
        self, query: str, chunk_id: str, rating: float, *, k: int | None = None, **how: Unpack[SearchHow]
    ) -> Rating:
        """How well a passage that this search gives answers the query, 0 (useless) to 1 (just right). On
        disk when it returns; later searches weigh by it."""
        with self.monitor.work():
            return self.searcher.rate(self.question(query, k, **how), chunk_id, rating)

    def ratings(self, as_of: int | None = None) -> list[Rating]:
        """Those that were given at ``as_of`` or before it, newest first."""
        return self._store.feedback().recent(1_000_000, horizon=self.horizon(as_of))
