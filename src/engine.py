"""The one place where the parts are put together: a project, opened, with everything it can answer.

Command line, app and experiments go through here. Each part is made when it is first needed, so a lexical
search loads no model and a look at the graph loads no index.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .config import Source, named_settings
from .core.search import Mode, SearchResult
from .errors import ConfigError, ProjectError
from .project.creating import index_book
from .project.factories import check_named, config_of, make_embedder, make_monitor, make_reader
from .project.parts import OpenProject
from .project.searching import with_hints
from .project.storage.opening import open_store
from .story.memories.memory import COLLECTIONS

if TYPE_CHECKING:  # loaded where they are used: a search must not wait for what it does not need
    from .core.answering.answered import Answered
    from .core.queries.weight_learning import Rating
    from .core.runtime.model_requests import ModelPlan
    from .core.types import Span
    from .project.accepting import Suggestions
    from .project.impact import Impact
    from .project.page_picture import PagePicture
    from .project.recalling import Recollection
    from .project.spending import UsageReport
    from .story.bible import Bible
    from .story.calibration.power import Power
    from .story.comparison.engine import ComparisonEvent
    from .story.comparison.report import ComparisonReport
    from .story.continuity.critic import ContinuityCritic
    from .story.continuity.suspects.suspects import Suspect
    from .story.graph_rag.arc_tracker import DynamicArcTracker
    from .story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine
    from .story.interchange.exporting import ExportReport
    from .story.memories.memory import Collection
    from .story.model.findings import CheckReport
    from .story.passages.filter import SearchFilter
    from .story.writing.pipelines import Pipeline
    from .story.writing.prompts import Form, Length
    from .story.writing.story_so_far import Recap

__all__ = ["Project", "config_of", "index_book", "make_embedder", "make_monitor", "make_reader"]


_MethodT = TypeVar("_MethodT", bound=Callable[..., Any])


def _unit_of_work(method: _MethodT) -> _MethodT:
    """Begun only where memory is within its budget; raises MemoryBudgetError."""

    @wraps(method)
    def guarded(self: Project, /, *args: Any, **kwargs: Any) -> Any:
        with self.monitor.work():
            return method(self, *args, **kwargs)

    return cast(_MethodT, guarded)


class Project(OpenProject):
    """An indexed book. Every question takes ``as_of``, a chapter; None is the whole book. What searches,
    checks or writes raises MemoryBudgetError where memory stays above its budget."""

    @classmethod
    def open(
        cls, folder: Path, *, settings: Sequence[Source] = (), assignments: Sequence[str] = ()
    ) -> Project:
        """Opens what :func:`index_book` made, recomputing nothing. Settings come from the user's own file,
        from the folder's ``fabula.toml`` (but for what reaches beyond the folder and is not confirmed, see
        :mod:`.project.trust`; :attr:`notices` say so), then the files and tables given, then
        ``section.key=value`` assignments; what the index was made with (chunking, embedding, parsing) stays
        as it was made, and to name another value for it in a file given or an assignment raises
        ConfigError."""
        config, own = config_of(folder, above=settings, assignments=assignments)
        named = named_settings([one for one in settings if isinstance(one, Path)], assignments)
        store = open_store(folder, config)
        try:
            snapshot = store.snapshot()
            check_named(snapshot, config, named)
            return cls(store, snapshot, config, notices=own.notices)
        except (ProjectError, ConfigError):
            store.close()
            raise

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- questions -------------------------------------------------------------------------------

    @_unit_of_work
    def search(
        self,
        query: str,
        k: int | None = None,
        *,
        as_of: int | None = None,
        mode: Mode = "hybrid",
        semantic_weight: float | None = None,
        wanted: SearchFilter | None = None,
        least_score: float | None = None,
    ) -> SearchResult:
        """The ``k`` best passages (the setting's number by default) of those that ``wanted`` lets through,
        with the weight and why it was chosen. ``semantic_weight`` stands in for it. Those whose cosine to the
        query is below ``least_score`` (the setting's by default) are left out, unless words alone are looked
        for."""
        question = self.question(
            query,
            k,
            as_of=as_of,
            mode=mode,
            weight=semantic_weight,
            wanted=wanted,
            least_score=self.config.retrieval.least_score if least_score is None else least_score,
        )
        found = with_hints(self.searcher.search_or_words(question), question, self.lexical, self.view)
        if self.printed is None:
            return found
        return replace(found, places=tuple(self.places(one.chunk.span) for one in found.passages))

    @_unit_of_work
    def page(self, words: str | Span, *, page: int | None = None, as_of: int | None = None) -> PagePicture:
        """The page of the PDF that was indexed with these words highlighted: those of a passage's id, a quote
        or a span; of several pages the first, or ``page``. What is told after ``as_of`` is blank. Raises
        UsageError where the book has no pages, or the words are not there."""
        from .project.page_picture import show_page

        return show_page(self, words, page=page, as_of=as_of)

    @_unit_of_work
    def rate(
        self,
        query: str,
        chunk_id: str,
        rating: float,
        *,
        k: int | None = None,
        as_of: int | None = None,
        wanted: SearchFilter | None = None,
    ) -> Rating:
        """How well a passage that this search gives answers the query, 0 (useless) to 1 (just right). On
        disk when it returns; later searches weigh by it."""
        question = self.question(query, k, as_of=as_of, mode="hybrid", weight=None, wanted=wanted)
        return self.searcher.rate(question, chunk_id, rating)

    @_unit_of_work
    def suggest(
        self, wish: str = "", *, count: int = 3, form: Form = "line", as_of: int | None = None
    ) -> Suggestions:
        """``count`` ways to go on after ``as_of``, by the language model, each held against the story."""
        from .project.accepting import suggest

        return suggest(self, wish, count=count, form=form, as_of=as_of)

    def ratings(self, as_of: int | None = None) -> list[Rating]:
        """Those that were given at ``as_of`` or before it, newest first."""
        return self._store.feedback().recent(1_000_000, horizon=self.horizon(as_of))

    @_unit_of_work
    def recall(
        self,
        query: str,
        *,
        as_of: int | None = None,
        collections: Sequence[Collection] = COLLECTIONS,
        limit: int | None = None,
        wanted: SearchFilter | None = None,
    ) -> Recollection:
        """What the memories hold on the query, asked side by side: passages, profiles of the characters at
        the horizon, the codex, captions; as many as the settings or ``limit`` say."""
        from .project.recalling import recall

        return recall(self, query, as_of=as_of, collections=collections, limit=limit, wanted=wanted)

    def arcs(self, as_of: int | None = None) -> DynamicArcTracker:
        """How characters change from chapter to chapter, by what is told up to ``as_of``. Raises HorizonError
        for a chapter that the book does not have."""
        from .story.graph_rag.arc_tracker import DynamicArcTracker

        return DynamicArcTracker(self.view(as_of))

    def bible(self, as_of: int | None = None) -> Bible:
        """What the story has laid down up to ``as_of``, by person, place and thing, the world and the plot's
        threads, each line with its quotes; the author's codex stands above it. Raises HorizonError for a
        chapter that the book does not have."""
        return self.bible_of(self.view(as_of))

    def discovery(self, as_of: int | None = None) -> MultiHopDiscoveryEngine:
        """What follows from several relations that are told up to ``as_of``. Raises HorizonError for a
        chapter that the book does not have."""
        from .story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine

        return MultiHopDiscoveryEngine(self.view(as_of))

    @_unit_of_work
    def check(
        self, *, as_of: int | None = None, draft: str | None = None, critic: ContinuityCritic | None = None
    ) -> CheckReport:
        """The findings of the critic (with all rules, if None) in the book up to ``as_of``, or in a draft."""
        from .project.checking import check

        return check(self, as_of=as_of, draft=draft, critic=critic or self.critic)

    @_unit_of_work
    def compare(
        self,
        prompt: str,
        *,
        chapter: int | None = None,
        pipelines: Sequence[Pipeline] | None = None,
        seed: int | None = None,
        on_event: Callable[[ComparisonEvent], None] | None = None,
    ) -> ComparisonReport:
        """One prompt through the pipelines (all, if None): a scene set right after ``chapter``, by a writer
        who knows no more than a reader there. ``seed`` stands in for the setting's."""
        from .project.comparing import compare

        return compare(self, prompt, chapter=chapter, pipelines=pipelines, seed=seed, on_event=on_event)

    @_unit_of_work
    def score(self, texts: Mapping[str, str], *, prompt: str, chapter: int | None = None) -> ComparisonReport:
        """Texts that were written elsewhere for the prompt, scored by name as the pipelines' drafts are."""
        from .project.comparing import score

        return score(self, texts, prompt=prompt, chapter=chapter)

    @_unit_of_work
    def ask(
        self,
        question: str,
        *,
        k: int | None = None,
        as_of: int | None = None,
        wanted: SearchFilter | None = None,
        history: Sequence[tuple[str, str]] = (),
        conversation: str | None = None,
        model: bool | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Answered:
        """An answer with its sources, each claim checked against them; a wish to write on becomes a scene.
        ``history`` holds earlier questions and answers, latest last; ``conversation`` is the id of one that
        the project keeps (``conversations``): what was asked there comes before, and this is added. Without
        ``model`` (by default as ``answering.model`` says) the story's own sentences answer. ``on_text`` gets
        it once it was checked, and empty pieces while a model writes."""
        from .project.asking import ask

        return ask(
            self,
            question,
            k=k,
            as_of=as_of,
            wanted=wanted,
            history=history,
            conversation=conversation,
            model=model,
            on_text=on_text,
        )

    @_unit_of_work
    def recap(
        self,
        *,
        length: Length = "medium",
        as_of: int | None = None,
        model: bool | None = None,
        on_text: Callable[[str], None] | None = None,
        on_chapter: Callable[[int, int], None] | None = None,
    ) -> Recap:
        """The story so far, each line with its quotes, as far as it is told up to ``as_of``. With ``model``
        (by default as ``answering.model`` says) the language model tells it, and what has no support in the
        story is left out; ``on_text`` gets what it tells once that was checked. ``on_chapter`` hears of each
        chapter that was read, and of how many there are: it takes about a tenth of a second each."""
        from .project.asking import recap

        return recap(self, length=length, as_of=as_of, model=model, on_text=on_text, on_chapter=on_chapter)

    @_unit_of_work
    def suspects(
        self,
        *,
        as_of: int | None = None,
        draft: str | None = None,
        chapters: tuple[int, int | None] | None = None,
        limit: int = 20,
        on_done: Callable[[int, int], None] | None = None,
    ) -> tuple[Suspect, ...]:
        """Pairs of sentences told up to ``as_of`` that may contradict each other, the likeliest first, those
        whose later side is in ``chapters`` (a first and a last one), with a draft in it. A list to read: a
        judge that is wrong of many ranks it, and nothing of it is a finding. ``on_done`` hears how many pairs
        of how many are read: some hundred a second, and none twice, as what is found of a pair is kept."""
        from .project.checking import suspects

        return suspects(self, as_of=as_of, draft=draft, chapters=chapters, limit=limit, on_done=on_done)

    @_unit_of_work
    def impact(
        self, words: str, *, chapter: int | None = None, as_of: int | None = None, limit: int = 7
    ) -> Impact:
        """Where else, up to ``as_of``, the story speaks of what it tells in these words (where they first
        stand, or in ``chapter``): at most ``limit`` places. Raises UsageError where they do not stand."""
        from .project.impact import impact_of

        return impact_of(self, words, chapter=chapter, as_of=as_of, limit=limit)

    @_unit_of_work
    def calibrate(
        self,
        *,
        copies: int = 4,
        words: int = 20_000,
        model: bool = False,
        seed: int = 0,
        confirm: Callable[[ModelPlan], None] | None = None,
        on_copy: Callable[[int, int], None] | None = None,
    ) -> tuple[Power, ...]:
        """How much the critic finds of slips put into ``copies`` copies of the book's first chapters (about
        ``words`` words), and how easily it is misled; with ``model`` the language model as a critic too.
        What was measured is kept in the project, and every later check says it. ``confirm`` hears before
        what the model will cost, and may raise; ``on_copy`` hears of each copy."""
        from .project.checking import calibrate
        from .story.calibration.power import save_powers

        how = {"copies": copies, "words": words, "seed": seed}
        powers = calibrate(self, model=model, confirm=confirm, on_copy=on_copy, **how)
        with self._store.lock():
            save_powers(self.folder, powers, of=self.measured_of)
        return powers

    def usage(self, prices: Path | None = None) -> UsageReport:
        """What the project's models were asked, by day and model, with dollars by a price list: that file, or
        the one of the settings (``generator.prices``). Vectors that are computed here are not in it. Raises
        ConfigError where the list cannot be read."""
        from .project.spending import usage_report

        return usage_report(self._store.usage().rows(), prices or self.config.generator.prices)

    def look_at(self, name: str) -> None:
        """From now on questions about the story are asked of the imported graph of that name."""
        from .story.interchange.importing import load_graph

        self.__dict__["graph"] = load_graph(self.folder, name, self.document)

    def export(self, out: Path, *, format: str, as_of: int | None = None) -> ExportReport:
        """All that the story tells up to ``as_of``, with its evidence, as a file (``csv``: a folder)."""
        from .story.interchange.exporting import export_story

        book = self.document
        return export_story(self.view(as_of), out, format=format, document_id=book.id, title=book.title)

    def import_graph(self, path: Path, *, source: str) -> dict[str, dict[str, int]]:
        """Keeps what BookNLP or GraphRAG (``source``) made of this book, with no quote that the book does not
        hold, to :meth:`look_at`. How many records were kept by table, and how many dropped by reason."""
        from .core.files.atomic import replace_file
        from .story.graph_rag.story_graph import dump_log
        from .story.interchange.importing import GRAPHS, import_story

        known = self.view().entities()
        own = {name: one.kind for one in known for name in (one.name, *one.aliases)}
        log, dropped = import_story(path, source, self.document, own)
        with self._store.lock(patience=self.config.store.wait_s):
            replace_file(self.folder / GRAPHS / f"{source}.json", dump_log(log))
        kept = {each.name: len(rows) for each in fields(log) if (rows := getattr(log, each.name))}
        return {"kept": kept, "dropped": dropped}
