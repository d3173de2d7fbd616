"""Marks drafts. A text is marked from itself and the critic's report, and nothing says where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from functools import cached_property

import numpy as np

from ...core.interfaces import Embedder
from ...core.text.sentences import sentences
from ...errors import ModelError
from .. import metrics
from ..metrics import Score, Vectors
from ..model.findings import CheckReport
from ..writing.context import StoryContext
from ..writing.pipelines import SUPPLIED, Draft, Written
from .comparison_report import GenerationMetrics, PipelineResult
from .draft_measures import DraftMeasures

__all__ = ["Marker"]


class Marker:
    """Scores texts, and the results they stand in.

    ``scene`` is the preceding text that every pipeline was given (``""`` for none); ``characters`` holds the
    names of each character that the prompt named; ``measures`` adds what takes a reading, for drafts that
    the critic could read. Where the embedder fails, coherence is None and ``notices`` says so. With a
    ``worker`` of one thread, scene and texts are embedded there while the next draft is being written.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        scene: str,
        characters: Sequence[Sequence[str]],
        measures: DraftMeasures | None = None,
        worker: Executor | None = None,
    ) -> None:
        self._embedder = embedder
        self._characters = characters
        self._measures = measures or DraftMeasures()
        self._trouble: list[str] = []
        self._read: dict[str, tuple[Score, ...]] = {}
        self._worker = worker
        self._begun: dict[str, Future[Vectors]] = {}
        self._scene_text = scene
        self.ahead(scene)

    def ahead(self, text: str) -> None:
        """Begins to embed a text that is going to be marked: once, for its first marking."""
        if self._worker is not None and text not in self._begun:
            self._begun[text] = self._worker.submit(self._vectors, text)

    @cached_property
    def _scene(self) -> Vectors:
        return self._embed(self._scene_text)

    @property
    def notices(self) -> tuple[str, ...]:
        """What failed so far, each message once."""
        return tuple(dict.fromkeys(self._trouble))

    def text_scores(self, text: str, *, check: CheckReport | None) -> tuple[Score, ...]:
        """The scores that depend on the text alone (and on scene and characters, which all share)."""
        vectors = self._embed(text)
        return (
            metrics.consistency(check),
            metrics.violations_per_10k_words(check),
            metrics.coverage(check),
            metrics.scene_coherence(vectors, scene=self._scene),
            metrics.flow(vectors),
            metrics.repetition(text),
            metrics.distinct(text, n=1),
            metrics.distinct(text, n=2),
            metrics.longest_repeat(text),
            metrics.presence(text, characters=self._characters),
            *(self._measured(text) if check is not None else ()),
        )

    def result(
        self,
        pipeline: str,
        *,
        context: StoryContext | None,
        written: Written,
        seconds: tuple[tuple[str, float], ...],
    ) -> PipelineResult:
        """A pipeline's result, scored; ``pipeline`` is only written on it."""
        scores: list[Score] = []
        first: tuple[Score, ...] = ()
        if written.drafts:
            scores += self._of_draft(written.drafts[written.kept])
        if written.kept:
            first = self._of_draft(written.drafts[0])
        if context is not None and written.drafts:
            kept = written.drafts[written.kept]
            scores.append(metrics.copied(kept.generation.text, context=context))
            if kept.check is not None:
                scores += self._measures.of_context(kept.generation.text, context)
        if context is not None:
            scores += [
                metrics.source_diversity(context),
                metrics.useful_diversity(context, characters=self._characters),
                metrics.retrieved(context),
                metrics.context_tokens(context),
            ]
        calls = [draft.generation for draft in written.drafts if draft.prompt.version != SUPPLIED]
        if calls:
            scores += [metrics.prompt_tokens(calls), metrics.completion_tokens(calls)]
        return PipelineResult(
            pipeline=pipeline,
            context=context,
            drafts=written.drafts,
            kept=written.kept,
            metrics=GenerationMetrics(tuple(scores), seconds),
            first_scores=first,
            error=written.error,
            notice=written.notice,
        )

    def _of_draft(self, draft: Draft) -> tuple[Score, ...]:
        return self.text_scores(draft.generation.text, check=draft.check)

    def _measured(self, text: str) -> tuple[Score, ...]:
        """What takes a reading is read once a text, however often it is marked."""
        if text not in self._read:
            self._read[text] = self._measures.of_text(text)
        return self._read[text]

    def _embed(self, text: str) -> Vectors:
        begun = self._begun.pop(text, None)
        try:
            return self._vectors(text) if begun is None else begun.result()
        except ModelError as error:
            self._trouble.append(f"coherence was not measured: {error}")
            return self._none()

    def _vectors(self, text: str) -> Vectors:
        pieces = [span.of(text) for span in sentences(text)]
        return self._embedder.embed_documents(pieces) if pieces else self._none()

    def _none(self) -> Vectors:
        return np.zeros((0, self._embedder.dimension), dtype=np.float32)
