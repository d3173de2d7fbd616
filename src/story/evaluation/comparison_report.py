"""What a comparison returns: results by pipeline, and everything that is needed to read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...core.files.plain_json import plain
from ...core.types import Evidence, Generation, Horizon
from ..metrics import Score, response_time
from ..model.findings import CheckReport, Violation
from ..writing.context import StoryContext
from ..writing.context_maker import ComparisonSettings
from ..writing.graph_notes import Cast
from ..writing.pipelines import SUPPLIED, Draft

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
        """Seconds over all stages."""
        return response_time(self.seconds)

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
    """One prompt through several pipelines at one horizon, in the order in which they were asked for.

    ``moved_by_labels`` names the pipelines whose scores changed when the drafts were marked once more under
    one another's names: none, while the marks are blind.
    """

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
    moved_by_labels: tuple[str, ...] = ()

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
        for result in self.results:
            if result.pipeline == pipeline:
                return result
        raise KeyError(pipeline)

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
            "moved_by_labels": self.moved_by_labels,
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
    found = [(one, one.chunk) for one in context.context.passages]
    passages = [
        {"chunk": of.id, "chapter": of.chapter, "span": of.span, "score": one.score, "shares": one.shares}
        for one, of in found
    ]
    facts = {name: getattr(context, name) for name in ("budget", "unused", "text", "sources")}
    packed = context.context
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
