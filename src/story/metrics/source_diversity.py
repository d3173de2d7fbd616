"""From how many places a context was drawn, and whether that was any use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..writing.context import Source, StoryContext
from .score import Score
from .words import stands

__all__ = ["source_diversity", "useful_diversity"]


def source_diversity(context: StoryContext) -> Score:
    """Simpson's diversity of the context: ``1 - sum(p_g ** 2)``, 0 (one group) to below 1.

    ``p_g`` is the share of the context's tokens that come from group g; a group is one kind of source
    (scene, passage, note) told in one chapter (a note: its latest quote). None for an empty context;
    ``n`` is the number of sources. Simpson, "Measurement of diversity", Nature 163 (1949). Many scraps of
    no use raise it: read it beside ``useful_diversity``.
    """
    return Score("source_diversity", _simpson(context.sources), True, len(context.sources))


def useful_diversity(context: StoryContext, *, characters: Sequence[Sequence[str]]) -> Score:
    """Recall x Simpson's diversity of what was recalled, 0 to below 1.

    Recall is the share of ``characters`` (each one's names) whom a source names; the diversity is that of
    ``source_diversity`` over the sources that name one of them, and no others. So scraps about nobody who
    was asked for add nothing, and neither does breadth that misses the people: the thought behind subtopic
    recall (Zhai, Cohen and Lafferty, SIGIR 2003), with the prompt's people for subtopics. None where the
    prompt named nobody or the context is empty; ``n`` is the number of sources that name somebody.
    """
    if not characters or not sum(source.tokens for source in context.sources):
        return Score("useful_diversity", None, True, 0)
    named = [
        {place for place, names in enumerate(characters) if any(stands(name, source.text) for name in names)}
        for source in context.sources
    ]
    useful = [source for source, people in zip(context.sources, named, strict=True) if people]
    recall = len(set[int]().union(*named)) / len(characters)
    return Score("useful_diversity", recall * (_simpson(useful) or 0.0), True, len(useful))


def _simpson(sources: Iterable[Source]) -> float | None:
    groups: Counter[tuple[str, int]] = Counter()
    for source in sources:
        groups[source.kind, source.chapter] += source.tokens
    total = groups.total()
    if total == 0:
        return None
    return 1.0 - sum((tokens / total) ** 2 for _, tokens in sorted(groups.items()))
