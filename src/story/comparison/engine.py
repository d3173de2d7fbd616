"""One prompt, several pipelines, one blind critic.

Retrieval, notes and contexts come first, for all; then the drafts, side by side where the generator allows
it; then the scores, from the texts and contexts alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass
from functools import partial

from ...core.interfaces import Embedder, Generator
from ...core.types import Generation, Horizon, Prompt
from ...errors import ConfigError, UsageError
from ..writing.context_maker import ComparisonSettings, ContextMaker, ContextTask, MadeContext
from ..writing.pipelines import (
    PIPELINES,
    SUPPLIED,
    TEMPLATE_TOKENS,
    Desk,
    Draft,
    DraftChecker,
    Feeds,
    Pipeline,
    Stopwatch,
    Written,
    unheard,
    write,
)
from ..writing.prompts import continuation
from .report import ComparisonReport, Marker, PipelineResult

Announce = Callable[..., None]
"""Takes what a ``ComparisonEvent`` holds."""


@dataclass(frozen=True, slots=True)
class ComparisonEvent:
    """Progress. ``stage`` is one of ``pipelines.STAGES``, ``"done"`` or ``"error"``.

    ``text`` is empty when a stage starts; in ``"generate"`` and ``"revise"`` it is the next piece of streamed
    text, in ``"error"`` the message.
    """

    pipeline: str
    stage: str
    text: str = ""


@dataclass(frozen=True)
class StoryComparisonEngine:
    """Runs pipelines on one prompt and scores them with one critic that sees only their texts.

    ``contexts`` says what each is given, ``checker`` is made from a horizon; ``feeds`` opens a feed for
    each draft that streams in. Retriever, embedder, reader and checker are never called from two threads at
    once; the generator never from more than its ``concurrency``.
    """

    contexts: ContextMaker
    _: KW_ONLY
    checker: Callable[[Horizon], DraftChecker]
    generator: Generator
    embedder: Embedder
    feeds: Feeds = unheard
    clock: Callable[[], float] = time.perf_counter

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
        task = self.contexts.task(prompt, horizon=horizon, room=settings)
        announce = _announcer(on_event)
        watches = {pipeline.name: Stopwatch(self.clock) for pipeline in pipelines}
        contexts = self._gather(task, pipelines, watches, announce)
        checker = self.checker(task.horizon)
        written = self._write(task, contexts, checker, watches=watches, announce=announce)
        marker = self._marker(task)
        results = []
        for pipeline, made in contexts:
            texts, seconds = written[pipeline.name], watches[pipeline.name].seconds
            result = marker.result(pipeline.name, context=made.context, written=texts, seconds=seconds)
            results.append(result)
        return self._report(task, results, marker, model=self.generator.name)

    def score(
        self,
        texts: Mapping[str, str],
        *,
        prompt: str,
        horizon: Horizon,
        settings: ComparisonSettings | None = None,
    ) -> ComparisonReport:
        """Scores texts that were written elsewhere for ``prompt``, by the names they are given, in order of
        name: the same critic, scene and measures as for the pipelines, and nothing is generated. What they
        were written from is not known, so nothing is said of contexts and costs. Raises UsageError for an
        empty prompt or text, or where there is no text."""
        if not prompt.strip():
            raise UsageError("the prompt is empty: say what the drafts were written for")
        if not texts:
            raise UsageError("there is no draft to score: give one at least")
        for name, text in texts.items():
            if not text.strip():
                raise UsageError(f"the draft {name!r} is empty: write it, or leave it out")
        task = self.contexts.task(prompt, horizon=horizon, room=settings or ComparisonSettings())
        checker = self.checker(horizon)
        marker = self._marker(task)
        asked = Prompt("", prompt, SUPPLIED)
        results = []
        for name in sorted(texts):
            made = Generation(texts[name], SUPPLIED, 0, 0, 0.0)
            written = Written((Draft(asked, made, checker.check(texts[name])),))
            results.append(marker.result(name, context=None, written=written, seconds=()))
        return self._report(task, results, marker, model=SUPPLIED)

    def _marker(self, task: ContextTask) -> Marker:
        document, chapter = self.contexts.document, task.chapter
        return Marker(
            self.embedder,
            scene=task.scene.quote if task.scene else "",
            characters=task.names if task.cast.named else (),
            prompt=task.prompt,
            known=document.text[: document.chapter(chapter).body.end] if chapter else "",
        )

    def _admit(self, prompt: str, settings: ComparisonSettings, pipelines: Sequence[Pipeline]) -> None:
        if not prompt.strip():
            raise UsageError("the prompt is empty: say in a sentence or two what should happen next")
        names = [pipeline.name for pipeline in pipelines]
        if not names or len(set(names)) < len(names):
            raise ConfigError(f"pipelines {names}: give at least one, each with a name of its own")
        bare = continuation(prompt, context="", wishes=settings.sampling.wishes)
        fixed = self.generator.count_tokens(f"{bare.system}\n{bare.user}") + TEMPLATE_TOKENS
        need = fixed + settings.budget + settings.sampling.max_tokens
        if need > self.generator.context_tokens:
            raise ConfigError(
                f"{fixed} tokens of prompt + budget {settings.budget} + max_tokens "
                f"{settings.sampling.max_tokens} = {need} do not fit the {self.generator.context_tokens} of "
                f"{self.generator.name}: lower the budget"
            )

    def _gather(
        self,
        task: ContextTask,
        pipelines: Sequence[Pipeline],
        watches: Mapping[str, Stopwatch],
        announce: Announce,
    ) -> list[tuple[Pipeline, MadeContext]]:
        for pipeline in pipelines:
            announce(pipeline.name, "retrieve" if pipeline.passages else "context")
        gathered = []
        for pipeline in pipelines:
            made = self.contexts.make(task, pipeline)
            if pipeline.passages:
                watches[pipeline.name].add("retrieve", made.retrieve_seconds)
                announce(pipeline.name, "context")
            watches[pipeline.name].add("context", made.context_seconds)
            gathered.append((pipeline, made))
        return gathered

    def _write(
        self,
        task: ContextTask,
        contexts: Sequence[tuple[Pipeline, MadeContext]],
        checker: DraftChecker,
        *,
        watches: Mapping[str, Stopwatch],
        announce: Announce,
    ) -> dict[str, Written]:
        gate = threading.Lock()

        def run(one: tuple[Pipeline, MadeContext]) -> Written:
            pipeline, made = one
            if made.context is None:
                written = Written(error=made.error)
            else:
                tell, watch = partial(announce, pipeline.name), watches[pipeline.name]
                models = self.generator, checker, task.room.sampling
                desk = Desk(*models, watch, gate, tell, self.feeds)
                written = write(task.prompt, context=made.context, revises=pipeline.revises, desk=desk)
            announce(pipeline.name, "error" if written.error else "done", written.error)
            return written

        names = [pipeline.name for pipeline, _ in contexts]
        workers = min(len(contexts), self.generator.concurrency)
        if workers < 2:
            return dict(zip(names, map(run, contexts), strict=True))
        with ThreadPoolExecutor(workers, thread_name_prefix="pipeline") as pool:
            return dict(zip(names, pool.map(run, contexts), strict=True))

    def _report(
        self, task: ContextTask, results: Sequence[PipelineResult], marker: Marker, *, model: str
    ) -> ComparisonReport:
        return ComparisonReport(
            prompt=task.prompt,
            horizon=task.horizon,
            document_id=self.contexts.document.id,
            title=self.contexts.document.title,
            model=model,
            embedder=self.embedder.name,
            settings=task.room,
            cast=task.cast,
            cast_names=tuple(names[0] for names in task.names),
            scene=task.scene,
            results=tuple(results),
            notices=marker.notices,
        )


def _announcer(listener: Callable[[ComparisonEvent], None] | None) -> Announce:
    """Passes events on, one at a time."""
    lock = threading.Lock()

    def announce(*event: str) -> None:
        if listener is not None:
            with lock:
                listener(ComparisonEvent(*event))

    return announce
