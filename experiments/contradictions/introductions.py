"""Who is never introduced: the rule against first-mention baselines on SNaC, and on novels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from experiments.common.story_data import document_of
from fabula.core.types import Chapter, Document, Horizon
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.continuity.draft_checker import SourceChecker
from fabula.story.continuity.rules.never_introduced import NeverIntroduced
from fabula.story.continuity.state_conflict import StateConflict
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from fabula.story.linking.linker import Linker
from fabula.story.model.types import EntityKind

from .data import Summary
from .measures import spans
from .systems import document_of_text

__all__ = ["on_novels", "on_summaries"]

NOVELS = ("pride-and-prejudice", "the-great-gatsby", "anne-of-green-gables")
_EVERY = 5  # chapters


def on_summaries(texts: Sequence[Summary], reader: StoryReader) -> dict[str, Any]:
    views = {text.id: _view(text, reader) for text in texts}
    rule = NeverIntroduced(own_story=True)
    return {
        "never_introduced": spans(
            texts, lambda text: (_pair(found.evidence[-1].span) for found in rule.find(views[text.id]))
        ),
        "first mention (parser's person names)": spans(texts, lambda text: _named(text, reader)),
        "first mention (story model)": spans(texts, lambda text: _firsts(views[text.id], plain=False)),
        "first mention, roles and repeated surnames left out": spans(
            texts, lambda text: _firsts(views[text.id], plain=True)
        ),
    }


def _pair(span: Any) -> tuple[int, int]:
    return span.start, span.end


def _view(text: Summary, reader: StoryReader) -> StoryView:
    document, linker = document_of_text(text.id, text.text), Linker()
    linker.add(document, document.chapters[0], reader.read(text.text))
    return StoryKnowledgeGraph.from_log(linker.log).as_of(Horizon(None))


def _named(text: Summary, reader: StoryReader) -> Iterator[tuple[int, int]]:
    """The first place of each string that the parser calls a person."""
    seen: set[str] = set()
    chapter = reader.parse(text.text)
    for paragraph in chapter.paragraphs:
        for entity, label in paragraph.doc.ents:
            if label == "PERSON" and entity.text.casefold() not in seen:
                seen.add(entity.text.casefold())
                yield _pair(paragraph.span(entity[0], entity[-1]))


def _firsts(view: StoryView, *, plain: bool) -> Iterator[tuple[int, int]]:
    seen: set[str] = set()
    words: set[str] = set()
    for mention in view.log.mentions:
        entity = view.resolve(mention.entity)
        if mention.kind is not EntityKind.CHARACTER or entity in seen:
            continue
        seen.add(entity)
        own = {word.casefold() for word in mention.surface.split() if not word.endswith(".")}
        new = not own & words and not mention.surface.casefold().startswith("the ")
        words |= own
        if new or not plain:
            yield _pair(mention.evidence.span)


def on_novels(folder: Path, reader: StoryReader) -> dict[str, Any]:
    """Every fifth chapter of three novels told as a draft on top of those before it, and its states held
    against themselves: findings for 10,000 words, which are false alarms or, of people brought in by name
    alone, a novelist's right."""
    return {name: _quiet(document_of(folder / f"{name}.txt"), reader) for name in NOVELS}


def _quiet(document: Document, reader: StoryReader) -> dict[str, Any]:
    linker, found, gone, words = Linker(), 0, 0, 0
    critic, states = ContinuityCritic([NeverIntroduced()]), StateConflict(reader)
    for chapter in document.chapters:
        text = chapter.body.of(document.text)
        if chapter.number > 1 and chapter.number % _EVERY == 0:
            found += _findings(linker, reader, critic, chapter, text)
            gone += len(states.check(text))
            words += len(text.split())
        linker.add(document, chapter, reader.read(text))
    return {
        "words": words,
        "never_introduced": found,
        "never_introduced_per_10k_words": round(10_000 * found / max(1, words), 2),
        "state_conflict": gone,
        "state_conflict_per_10k_words": round(10_000 * gone / max(1, words), 2),
    }


def _findings(
    linker: Linker, reader: StoryReader, critic: ContinuityCritic, chapter: Chapter, text: str
) -> int:
    report = SourceChecker(linker, reader, critic, horizon=chapter.number - 1).check(text)
    return len(report.violations)
