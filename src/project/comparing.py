"""Comparison of pipelines with the parts of an opened project: drafts of one prompt, or texts of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.text.sentences import sentences
from ..errors import UsageError
from ..story.bible import Nearness, canon_notes
from ..story.calibration.power import power_notice
from ..story.comparison.engine import StoryComparisonEngine
from ..story.extraction.combined_reader import rules_of
from ..story.extraction.reader import StoryReader
from ..story.writing.context_maker import ComparisonSettings, ContextMaker
from ..story.writing.pipelines import PIPELINES, ReadAhead, Sampling, unheard

if TYPE_CHECKING:
    from ..core.interfaces import Generator
    from ..story.comparison.engine import ComparisonEvent
    from ..story.comparison.report import ComparisonReport
    from ..story.graph_rag.views.story_view import StoryView
    from ..story.writing.context import PlacedNote
    from ..story.writing.pipelines import Feeds, Pipeline
    from .parts import OpenProject


_LEAST, _MOST = 700, 3000  # tokens of a context, where the settings leave it open
_A_PASSAGE = 60  # tokens at the least
_PASSAGES = 12  # that are looked for, or more where the budget has room


def compare(
    project: OpenProject,
    prompt: str,
    *,
    chapter: int | None,
    pipelines: Sequence[Pipeline] | None,
    seed: int | None,
    generator: Generator | None = None,
    on_event: Callable[[ComparisonEvent], None] | None,
) -> ComparisonReport:
    """One prompt through the pipelines: see :meth:`..engine.Project.compare`."""
    horizon = project.horizon(chapter)
    if prompt.strip():  # an empty one is refused below, and needs no model for that
        project.warm_up()
    rules = rules_of(project.reader)
    with ReadAhead(rules.parse_ahead) if isinstance(rules, StoryReader) else nullcontext() as ahead:
        made, feeds = generator or project.generator, ahead.feed if ahead else unheard
        report = _engine(project, made, feeds).compare(
            prompt,
            horizon=horizon,
            settings=settings_of(project, seed=seed),
            pipelines=PIPELINES if pipelines is None else pipelines,
            on_event=on_event,
        )
    return _with_power(project, report)


def score(
    project: OpenProject, texts: Mapping[str, str], *, prompt: str, chapter: int | None
) -> ComparisonReport:
    """Texts of others, scored as drafts are: see :meth:`..engine.Project.score`."""
    horizon = project.horizon(chapter)
    engine, settings = _engine(project, project.generator), settings_of(project)
    report = engine.score(texts, prompt=prompt, horizon=horizon, settings=settings)
    return _with_power(project, report)


def _with_power(project: OpenProject, report: ComparisonReport) -> ComparisonReport:
    """With a notice of how much the critic can find in drafts of that length."""
    drafts = [one.generation.text for one in report.results if one.generation is not None]
    words = max((len(text.split()) for text in drafts), default=0)
    critic = project.critic.model.name if project.critic.model is not None else "rules"
    power = next((one for one in project.powers if one.critic == critic), None)
    return replace(report, notices=(*report.notices, power_notice(power, words=words)))


def read_drafts(folder: Path) -> dict[str, str]:
    """A folder's plain texts, by name without ending. Raises UsageError for none, or two of one name."""
    from ..core.documents import PLAIN, read_document

    found: dict[str, str] = {}
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder: put the drafts in a folder, each as a .txt or .md file")
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in PLAIN and path.is_file():
            if path.stem in found:
                raise UsageError(f"{folder} holds two drafts named {path.stem}: rename one")
            found[path.stem] = read_document(path).text
    if not found:
        raise UsageError(f"{folder} holds no drafts: put them there, each as a .txt or .md file")
    return found


def _engine(project: OpenProject, made: Generator, feeds: Feeds = unheard) -> StoryComparisonEngine:
    return StoryComparisonEngine(
        context_maker(project),
        checker=lambda horizon: project.draft_checker(horizon.chapter),
        generator=made,
        embedder=project.sentence_embedder,
        feeds=feeds,
    )


def settings_of(project: OpenProject, *, seed: int | None = None) -> ComparisonSettings:
    """What every pipeline is given alike; ``seed`` stands in for the setting's."""
    config, c = project.config, project.config.comparison
    budget = c.budget or min(_MOST, max(_LEAST, project.generator.context_tokens // 10))
    return ComparisonSettings(
        budget=budget,
        passages=max(_PASSAGES, budget // _A_PASSAGE),
        sampling=Sampling(c.max_tokens, c.temperature, c.seed if seed is None else seed, config.wishes.words),
    )


def context_maker(project: OpenProject) -> ContextMaker:
    """Contexts as ``compare`` makes them, without a draft."""
    codex = project.codex
    return ContextMaker(
        project.document,
        retriever=project.search_index,
        graph=project.graph,
        count=project.generator.count_tokens,
        canon=codex.constraints if codex is not None else lambda _: (),
        lines=partial(_canon_lines, project, Nearness(project.sentence_embedder.embed_documents)),
        place=project.place,
    )


def _canon_lines(
    project: OpenProject, nearness: Nearness, view: StoryView, who: Sequence[str], prompt: str
) -> Sequence[PlacedNote]:
    told = [span.of(prompt) for span in sentences(prompt)]
    return canon_notes(project.canon_of(view), who, told, likeness=lambda texts: nearness(texts, told))
