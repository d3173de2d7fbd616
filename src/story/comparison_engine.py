"""One prompt, several pipelines, one blind critic.

Retrieval, notes and contexts come first, for all; then the drafts, side by side where the generator allows
it; then the scores, from the texts and contexts alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from ..core.interfaces import Embedder, Generator, Retriever
from ..core.types import Document, Evidence, Horizon, Note
from ..errors import ConfigError, ModelError, UsageError
from .cast import Cast, cast_of
from .comparison_report import ComparisonReport, ComparisonSettings, GenerationMetrics, PipelineResult
from .context import PlacedNote, StoryContext, assemble, previous_scene
from .graph_notes import Discovery, Tracker, View, graph_notes
from .marking import Marker
from .pipelines import PIPELINES, TEMPLATE_TOKENS, DraftChecker, Pipeline, Stopwatch, Written, write
from .prompts import continuation

__all__ = [
    "ComparisonEvent",
    "ComparisonReport",
    "ComparisonSettings",
    "GenerationMetrics",
    "Graph",
    "PipelineResult",
    "StoryComparisonEngine",
]


class Graph(Protocol):
    """The story graph, at any horizon."""

    def as_of(self, horizon: Horizon, /) -> View: ...


@dataclass(frozen=True, slots=True)
class ComparisonEvent:
    """Progress. ``stage`` is one of ``pipelines.STAGES``, ``"done"`` or ``"error"``.

    ``text`` is empty when a stage starts; in ``"generate"`` and ``"revise"`` it is the next piece of streamed
    text, in ``"error"`` the message.
    """

    pipeline: str
    stage: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Task:
    """One comparison, and what its pipelines have in common."""

    prompt: str
    horizon: Horizon
    chapter: int
    settings: ComparisonSettings
    pipelines: tuple[Pipeline, ...]
    view: View
    cast: Cast
    names: tuple[tuple[str, ...], ...]
    scene: Evidence | None


@dataclass(frozen=True, slots=True)
class _Found:
    """What one source answered, or the error it failed with, and its seconds."""

    items: tuple[Any, ...] = ()
    seconds: float = 0.0
    error: str = ""


class StoryComparisonEngine:
    """Runs pipelines on one prompt and scores them with one critic that sees only their texts.

    ``tracker`` and ``discovery`` are made from a view, ``checker`` from a horizon; ``canon`` gives the rules
    of the world that an author laid down and that hold there. Retriever, embedder and
    checker are never called from two threads at once; the generator never from more than its
    ``concurrency``.
    """

    def __init__(
        self,
        document: Document,
        *,
        retriever: Retriever,
        graph: Graph,
        tracker: Callable[[Any], Tracker],
        discovery: Callable[[Any], Discovery],
        checker: Callable[[Horizon], DraftChecker],
        generator: Generator,
        embedder: Embedder,
        canon: Callable[[Horizon], Sequence[Note]] = lambda _: (),
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._document = document
        self._retriever = retriever
        self._graph = graph
        self._tracker = tracker
        self._canon = canon
        self._discovery = discovery
        self._checker = checker
        self._generator = generator
        self._embedder = embedder
        self._clock = clock

    def compare(
        self,
        prompt: str,
        *,
        horizon: Horizon,
        settings: ComparisonSettings | None = None,
        pipelines: Sequence[Pipeline] = PIPELINES,
        on_event: Callable[[ComparisonEvent], None] | None = None,
    ) -> ComparisonReport:
        """Runs every pipeline on ``prompt`` as a reader at ``horizon`` and scores the drafts.

        Results stand in the order of ``pipelines``. A ModelError in one is recorded in its result and costs
        the others nothing. Passages and notes are found once; each pipeline that uses them is charged the
        whole time. ``on_event`` may be called from several threads, never from two at once. Raises
        UsageError for an empty prompt, HorizonError for a chapter that the story does not have, ConfigError
        where budget and completion do not fit the model's context or two pipelines share a name.
        """
        settings = settings or ComparisonSettings()
        self._admit(prompt, settings, pipelines)
        task = self._task(prompt, horizon, settings, tuple(pipelines))
        announce = _Announcer(on_event)
        watches = {pipeline.name: Stopwatch(self._clock) for pipeline in pipelines}
        contexts = self._contexts(task, watches, announce)
        written = self._write(task, contexts, watches, announce)
        scene = task.scene.quote if task.scene else ""
        marker = Marker(self._embedder, scene=scene, characters=task.names if task.cast.named else ())
        results = tuple(
            marker.result(
                name,
                context=context if isinstance(context, StoryContext) else None,
                written=written[name],
                seconds=watches[name].seconds,
            )
            for name, context in contexts.items()
        )
        return self._report(task, results, marker.notices)

    def _admit(self, prompt: str, settings: ComparisonSettings, pipelines: Sequence[Pipeline]) -> None:
        if not prompt.strip():
            raise UsageError("the prompt is empty: say in a sentence or two what should happen next")
        names = [pipeline.name for pipeline in pipelines]
        if not names or len(set(names)) < len(names):
            raise ConfigError(f"pipelines {names}: give at least one, each with a name of its own")
        bare = continuation(prompt, context="")
        fixed = self._generator.count_tokens(f"{bare.system}\n{bare.user}") + TEMPLATE_TOKENS
        need = fixed + settings.budget + settings.sampling.max_tokens
        if need > self._generator.context_tokens:
            raise ConfigError(
                f"{fixed} tokens of prompt + budget {settings.budget} + max_tokens "
                f"{settings.sampling.max_tokens} = {need} do not fit the {self._generator.context_tokens} of "
                f"{self._generator.name}: lower the budget"
            )

    def _task(
        self, prompt: str, horizon: Horizon, settings: ComparisonSettings, pipelines: tuple[Pipeline, ...]
    ) -> _Task:
        chapter = len(self._document.chapters) if horizon.chapter is None else horizon.chapter
        scene = previous_scene(
            self._document,
            horizon=horizon,
            max_tokens=min(settings.scene_tokens, settings.budget),
            count=self._generator.count_tokens,
        )
        view = self._graph.as_of(horizon)
        cast = cast_of(prompt, view=view, chapter=chapter, limit=settings.characters)
        known = {entity.id: entity for entity in view.entities()}
        people = [known[who] for who in cast.characters if who in known]
        names = tuple((one.name, *(alias for alias in one.aliases if alias != one.name)) for one in people)
        return _Task(prompt, horizon, chapter, settings, pipelines, view, cast, names, scene)

    def _contexts(
        self, task: _Task, watches: dict[str, Stopwatch], announce: _Announcer
    ) -> dict[str, StoryContext | str]:
        """A context by pipeline, or the message of what failed."""
        passages, notes = _Found(), _Found()
        for pipeline in task.pipelines:
            announce(pipeline.name, "retrieve" if pipeline.passages else "context")
        if any(pipeline.passages for pipeline in task.pipelines):
            count = task.settings.passages
            passages = self._find(lambda: self._retriever.search(task.prompt, count, horizon=task.horizon))
        if any(pipeline.notes for pipeline in task.pipelines):
            notes = self._find(lambda: self._notes(task))
        contexts: dict[str, StoryContext | str] = {}
        for pipeline in task.pipelines:
            watch = watches[pipeline.name]
            own_passages = passages if pipeline.passages else _Found()
            own_notes = notes if pipeline.notes else _Found()
            if pipeline.passages:
                watch.add("retrieve", passages.seconds)
                announce(pipeline.name, "context")
            watch.add("context", own_notes.seconds)
            error = own_passages.error or own_notes.error
            if error:
                contexts[pipeline.name] = error
                continue
            with watch.stage("context"):
                contexts[pipeline.name] = assemble(
                    document=self._document,
                    horizon=task.horizon,
                    scene=task.scene,
                    passages=own_passages.items,
                    notes=own_notes.items,
                    budget=task.settings.budget,
                    note_share=pipeline.note_share,
                    count=self._generator.count_tokens,
                )
        return contexts

    def _find(self, search: Callable[[], Sequence[Any]]) -> _Found:
        start = self._clock()
        try:
            items = tuple(search())
        except ModelError as error:
            return _Found(error=str(error), seconds=self._clock() - start)
        return _Found(items, self._clock() - start)

    def _notes(self, task: _Task) -> Sequence[PlacedNote]:
        return graph_notes(
            task.cast,
            view=task.view,
            tracker=self._tracker(task.view),
            discovery=self._discovery(task.view),
            chapter=task.chapter,
            canon=self._canon(Horizon(task.chapter)),
        )

    def _write(
        self,
        task: _Task,
        contexts: dict[str, StoryContext | str],
        watches: dict[str, Stopwatch],
        announce: _Announcer,
    ) -> dict[str, Written]:
        checker = self._checker(task.horizon)
        gate = threading.Lock()

        def run(pipeline: Pipeline) -> Written:
            context = contexts[pipeline.name]
            if isinstance(context, str):
                written = Written(error=context)
            else:
                written = write(
                    task.prompt,
                    context=context,
                    revises=pipeline.revises,
                    generator=self._generator,
                    checker=checker,
                    sampling=task.settings.sampling,
                    watch=watches[pipeline.name],
                    gate=gate,
                    tell=lambda stage, text: announce(pipeline.name, stage, text),
                )
            announce(pipeline.name, "error" if written.error else "done", written.error)
            return written

        workers = min(len(task.pipelines), self._generator.concurrency)
        if workers < 2:
            return {pipeline.name: run(pipeline) for pipeline in task.pipelines}
        with ThreadPoolExecutor(workers, thread_name_prefix="pipeline") as pool:
            done = pool.map(run, task.pipelines)
            return {pipeline.name: one for pipeline, one in zip(task.pipelines, done, strict=True)}

    def _report(
        self, task: _Task, results: tuple[PipelineResult, ...], notices: tuple[str, ...]
    ) -> ComparisonReport:
        return ComparisonReport(
            prompt=task.prompt,
            horizon=task.horizon,
            document_id=self._document.id,
            title=self._document.title,
            model=self._generator.name,
            embedder=self._embedder.name,
            settings=task.settings,
            cast=task.cast,
            cast_names=tuple(names[0] for names in task.names),
            scene=task.scene,
            results=results,
            notices=notices,
        )


class _Announcer:
    """Passes events on, one at a time."""

    def __init__(self, listener: Callable[[ComparisonEvent], None] | None) -> None:
        self._listener = listener
        self._lock = threading.Lock()

    def __call__(self, pipeline: str, stage: str, text: str = "") -> None:
        if self._listener is not None:
            with self._lock:
                self._listener(ComparisonEvent(pipeline, stage, text))
