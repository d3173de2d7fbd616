"""One prompt through the pipelines, with the parts of an opened project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .story.comparison_engine import ComparisonSettings, StoryComparisonEngine
from .story.graph_rag.arc_tracker import DynamicArcTracker
from .story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine
from .story.pipelines import PIPELINES, Sampling

if TYPE_CHECKING:
    from .engine import Project
    from .story.comparison_engine import ComparisonEvent, ComparisonReport
    from .story.pipelines import Pipeline

__all__ = ["compare"]


def compare(
    project: Project,
    prompt: str,
    *,
    chapter: int | None,
    pipelines: Sequence[Pipeline] | None,
    seed: int | None,
    on_event: Callable[[ComparisonEvent], None] | None,
) -> ComparisonReport:
    """See ``Project.compare``."""
    c = project.config.comparison
    settings = ComparisonSettings(
        budget=c.budget,
        scene_tokens=c.scene_tokens,
        passages=c.passages,
        characters=c.characters,
        sampling=Sampling(c.max_tokens, c.temperature, c.seed if seed is None else seed),
    )
    horizon = project.horizon(chapter)
    if prompt.strip():  # an empty one is refused below, and needs no model for that
        project.warm_up()
    engine = StoryComparisonEngine(
        project.document,
        retriever=project.hybrid,
        graph=project.graph,
        tracker=DynamicArcTracker,
        discovery=MultiHopDiscoveryEngine,
        checker=lambda horizon: project.draft_checker(horizon.chapter),
        generator=project.generator,
        embedder=project.embedder,
        canon=project.codex.constraints if project.codex is not None else lambda _: (),
    )
    return engine.compare(
        prompt,
        horizon=horizon,
        settings=settings,
        pipelines=PIPELINES if pipelines is None else pipelines,
        on_event=on_event,
    )
