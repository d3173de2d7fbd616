"""What a comparison returns, and blind marks of drafts: each from its text and the critic's report alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...core.files.plain_json import plain
from ...core.interfaces import Embedder
from ...core.text.sentences import sentences
from ...core.types import Evidence, Generation, Horizon
from ...errors import ModelError
from .. import metrics
from ..metrics import Score, Vectors
from ..model.findings import CheckReport, Violation
from ..writing.context import StoryContext
from ..writing.context_maker import ComparisonSettings
from ..writing.graph_notes import Cast
from ..writing.pipelines import SUPPLIED, Draft, Written

_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\b")  # within a sentence
_ENDS = ".!?…\"'”’»)*—-"
_RUN, _NAMED = 8, 5  # words of the instruction that are no chance; names that are listed


class Marker:
    """Scores texts, and the results they stand in: from texts and reports alone, blind to who wrote them.

    ``scene`` is the preceding text that every pipeline was given (``""`` for none), ``known`` all that was
    told up to there; ``characters`` holds the names of each character that the ``prompt`` named. Where
    the embedder fails, coherence is None and ``notices`` says so.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        scene: str,
        characters: Sequence[Sequence[str]],
        prompt: str = "",
        known: str = "",
    ) -> None:
        self._embedder = embedder
        self._characters = characters
        self._trouble: list[str] = []
        self._scene_text = scene
        self._prompt = prompt
        self._known = known

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
            metrics.repetition(text),
            metrics.distinct_2(text),
            metrics.presence(text, characters=self._characters),
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
        kept = written.drafts[written.kept] if written.drafts else None
        scores = list(self._of_draft(kept)) if kept else []
        if context is not None and kept:
            scores.append(metrics.copied(kept.generation.text, context=context))
        if context is not None:
            scores += [
                metrics.useful_diversity(context, characters=self._characters),
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
            first_scores=self._of_draft(written.drafts[0]) if written.kept else (),
            error=written.error,
            notice="; ".join(filter(None, (written.notice, *self._faults(kept)))),
        )

    def _faults(self, draft: Draft | None) -> Iterator[str]:
        """What anybody sees is wrong with a draft, or new in it."""
        text = draft.generation.text.strip() if draft is not None else ""
        if text and draft is not None and draft.prompt.version != SUPPLIED:
            said = " ".join(_WORD.findall(self._prompt.casefold()))
            words = _WORD.findall(text.casefold())
            if any(" ".join(words[at : at + _RUN]) in said for at in range(len(words) - _RUN + 1)):
                yield "it repeats the instruction"
            if text[-1] not in _ENDS:
                yield "it breaks off"
        if text and self._known:
            known = {*_WORD.findall(self._known), *_WORD.findall(self._prompt)}
            new = dict.fromkeys(name for name in _NAME.findall(text) if name not in known)
            if new:
                yield f"names that the story has not: {', '.join(list(new)[:_NAMED])}"

    def _of_draft(self, draft: Draft) -> tuple[Score, ...]:
        return self.text_scores(draft.generation.text, check=draft.check)

    def _embed(self, text: str) -> Vectors:
        pieces = [span.of(text) for span in sentences(text)]
        try:
            if pieces:
                return self._embedder.embed_documents(pieces)
        except ModelError as error:
            self._trouble.append(f"coherence was not measured: {error}")
        return np.zeros((0, self._embedder.dimension), dtype=np.float32)


SCHEMA = "fabula.comparison/1"
SMALL_MODEL_CAVEAT = (
    "written by a 135M model: they show how the comparison works, not which pipeline is better"
)


@dataclass(frozen=True, slots=True)
class GenerationMetrics:
    """Scores of one result, and the wall-clock seconds of its stages, in the order of ``STAGES``."""

    scores: tuple[Score, ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()

    @property
    def response_time(self) -> Score:
        """Seconds of wall time over all stages; None where none was reached."""
        total = sum(value for _, value in self.seconds) if self.seconds else None
        return Score("response_time", total, False, len(self.seconds))

    def score(self, name: str) -> Score | None:
        """The score of that name; None where this result has none such."""
        return next((score for score in self.scores if score.name == name), None)


@dataclass(frozen=True, slots=True)
class PipelineResult:
    """What one pipeline was given, wrote, and scored.

    ``drafts`` holds the first draft and, where there was one, the revision; ``kept`` is the index of the one
    that ``metrics`` scores. ``first_scores`` are the text scores of the first draft where a revision was
    kept. ``error`` is empty where nothing failed; a result with an error may still hold drafts.
    """

    pipeline: str
    context: StoryContext | None
    drafts: tuple[Draft, ...]
    kept: int
    metrics: GenerationMetrics
    first_scores: tuple[Score, ...] = ()
    error: str = ""
    notice: str = ""

    @property
    def draft(self) -> Draft | None:
        """The draft that counts; None where nothing was written."""
        return self.drafts[self.kept] if self.drafts else None

    @property
    def generation(self) -> Generation | None:
        """The text that counts, as the model returned it; None where nothing was written."""
        return self.draft.generation if self.draft else None

    @property
    def check(self) -> CheckReport | None:
        """What the critic said of the draft that counts; None where there is no draft, or its check
        failed."""
        return self.draft.check if self.draft else None

    @property
    def violations(self) -> tuple[Violation, ...]:
        """All findings in the draft that counts, hints (INFO) as well."""
        return self.check.violations if self.check else ()


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """One prompt through several pipelines at one horizon, in the order in which they were asked for."""

    prompt: str
    horizon: Horizon
    document_id: str
    title: str
    model: str
    embedder: str
    settings: ComparisonSettings
    cast: Cast
    cast_names: tuple[str, ...]
    scene: Evidence | None
    results: tuple[PipelineResult, ...]
    notices: tuple[str, ...] = ()

    @property
    def supplied(self) -> bool:
        """Were the drafts written elsewhere?"""
        return self.model == SUPPLIED

    @property
    def caveat(self) -> str:
        """What must be said of the model that wrote the drafts; empty where nothing must."""
        return SMALL_MODEL_CAVEAT if re.search(r"(?<!\d)135M(?![a-z])", self.model, re.IGNORECASE) else ""

    def result(self, pipeline: str) -> PipelineResult:
        """The result of that pipeline. Raises KeyError where it did not take part."""
        return {result.pipeline: result for result in self.results}[pipeline]

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON. ``facts`` is the same on every run that the model and the index repeat;
        what a clock measured stands apart, under ``machine``."""
        facts = {
            "prompt": self.prompt,
            "horizon": self.horizon.chapter,
            "document": {"id": self.document_id, "title": self.title},
            "model": self.model,
            "embedder": self.embedder,
            "caveat": self.caveat,
            "settings": self.settings,
            "cast": {**plain(self.cast), "names": self.cast_names},
            "scene": self.scene,
            "notices": self.notices,
            "pipelines": [_result_facts(result) for result in self.results],
        }
        machine = {"seconds": {result.pipeline: _seconds(result) for result in self.results}}
        found: dict[str, Any] = plain({"schema": SCHEMA, "facts": facts, "machine": machine})
        return found


def _result_facts(result: PipelineResult) -> dict[str, Any]:
    return {
        **{name: getattr(result, name) for name in ("pipeline", "error", "notice", "first_scores")},
        "context": _context_facts(result.context) if result.context else None,
        "drafts": [_draft_facts(draft) for draft in result.drafts],
        "kept": result.kept if result.drafts else None,
        "scores": result.metrics.scores,
    }


def _context_facts(context: StoryContext) -> dict[str, Any]:
    packed = context.context
    passages = [
        {"chunk": of.id, "chapter": of.chapter, "span": of.span, "score": one.score, "shares": one.shares}
        for one, of in ((one, one.chunk) for one in packed.passages)
    ]
    facts = {name: getattr(context, name) for name in ("budget", "unused", "text", "sources")}
    return {**facts, "tokens": packed.tokens, "passages": passages, "left_out": packed.left_out}


def _draft_facts(draft: Draft) -> dict[str, Any]:
    generation, check = plain(draft.generation), draft.check
    del generation["seconds"]
    generation["settings"] = dict(draft.generation.settings)
    said = plain(check)
    if check is not None:
        said |= {
            "consistency": check.consistency,
            "coverage": check.coverage,
            "violations_per_10k_words": check.per_10k_words,
            "violations_per_10k_words_interval": check.rate_interval,
        }
    return {"prompt": draft.prompt, "generation": generation, "check": said}


def _seconds(result: PipelineResult) -> dict[str, Any]:
    return {
        "stages": dict(result.metrics.seconds),
        "response_time": result.metrics.response_time.value,
        "generations": [draft.generation.seconds for draft in result.drafts],
    }
