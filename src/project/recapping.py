"""The story so far: lines of the graph with their quotes, or a model's sentences, each checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ..core.answering.answered import AnswerSettings
from ..core.answering.grounding import ground
from ..core.answering.sources import AnswerSource
from ..core.answering.supported_sentences import SupportedSentences
from ..core.text.sentences import sentences
from ..core.types import Evidence, Span
from ..errors import ModelError
from ..story.plot.deeds import Deed
from ..story.plot.story_so_far import Length, story_so_far
from ..story.writing.prompts.answer import NOT_TOLD
from ..story.writing.prompts.recap import recap_prompt

if TYPE_CHECKING:
    from ..core.interfaces import Generator
    from .parts import OpenProject

__all__ = ["Recap", "RecapLine", "recap"]

_SENTENCES: dict[Length, int] = {"short": 6, "medium": 15, "long": 40}
_TOKENS_A_SENTENCE = 40
_AROUND = 2  # sentences before and after a quote that the model reads with it


@dataclass(frozen=True, slots=True)
class RecapLine:
    """What ``evidence`` tells; ``chapter`` is that of its first quote."""

    chapter: int
    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Recap:
    """In order of telling, up to ``chapter``. ``model`` wrote the lines; empty: they are those of the
    graph."""

    chapter: int
    length: Length
    lines: tuple[RecapLine, ...]
    model: str = ""
    notices: tuple[str, ...] = ()


def recap(
    project: OpenProject,
    *,
    length: Length,
    as_of: int | None,
    model: bool | None,
    on_text: Callable[[str], None] | None = None,
) -> Recap:
    """See ``Project.recap``."""
    found = story_so_far(project.view(as_of), length=length)
    chapter = project.horizon(as_of).chapter or len(project.document.chapters)
    lines = tuple(RecapLine(deed.chapter, f"{_upper(deed.words)}.", deed.evidence[:1]) for deed in found)
    told = Recap(chapter, length, lines)
    if not found or not (project.config.model_answers if model is None else model):
        return told
    try:
        return _written(project, found, told, on_text)
    except ModelError as error:
        said = f"told in the graph's own lines, since the language model failed: {error}"
        return Recap(chapter, length, lines, notices=(said,))


def _written(
    project: OpenProject, found: Sequence[Deed], told: Recap, on_text: Callable[[str], None] | None
) -> Recap:
    model, answering = project.generator, project.config.answering
    budget = AnswerSettings(budget=answering.budget).budget_of(model.context_tokens)
    sources = _sources(project, found, model, budget)
    checked = SupportedSentences(sources, question="", not_told=NOT_TOLD, on_text=on_text)
    most = _SENTENCES[told.length]
    made = model.generate(
        recap_prompt(sources, sentences=most),
        max_tokens=most * _TOKENS_A_SENTENCE,
        temperature=answering.temperature,
        seed=answering.seed,
        on_text=checked.take,
    )
    checked.end()
    grounded = ground(checked.text if checked.told else "", sources)
    lines = []
    for sentence in grounded.sentences:
        said = sentence.span.of(checked.text)
        quotes = tuple(
            Evidence(project.document.id, one.chapter, one.span, one.quote)
            for one in ground(said, sources).citations
        )
        if quotes:
            lines.append(RecapLine(quotes[0].chapter, said, quotes))
    left = checked.written - len(lines)
    said = f"{left} of {checked.written} sentences that the model wrote have no support in the story"
    if not lines:
        return Recap(told.chapter, told.length, told.lines, notices=(f"{said}, so the graph tells",))
    notices = (f"{said} and were left out",) if left else ()
    return Recap(told.chapter, told.length, tuple(lines), made.model, notices)


def _sources(
    project: OpenProject, found: Sequence[Deed], model: Generator, budget: int
) -> tuple[AnswerSource, ...]:
    """The places of the deeds with some sentences around them, the weightiest first as long as there is room,
    in order of telling; none reaches into another chapter."""
    document = project.document
    used = 0
    chosen: list[tuple[int, Span]] = []
    for deed in sorted(found, key=lambda deed: (-deed.weight, deed.chapter)):
        span = _around(document.text, document.chapter(deed.chapter).body, deed.evidence[0].span)
        tokens = model.count_tokens(span.of(document.text))
        if chosen and used + tokens > budget:
            break
        used += tokens
        chosen.append((deed.chapter, span))
    chosen.sort(key=lambda one: (one[1].start, one[1].end))
    apart = chosen[:1] + [later for earlier, later in pairwise(chosen) if later[1].start >= earlier[1].end]
    made = []
    for number, (chapter, span) in enumerate(apart, start=1):
        text = span.of(document.text)
        quote = Evidence(document.id, chapter, span, text)
        made.append(AnswerSource(number, "passage", f"chapter {chapter}", chapter, text, (quote,)))
    return tuple(made)


def _around(text: str, body: Span, quote: Span) -> Span:
    inside = [Span(body.start + s.start, body.start + s.end) for s in sentences(body.of(text))]
    held = [i for i, one in enumerate(inside) if one.overlaps(quote)]
    if not held:
        return quote
    first, last = max(0, held[0] - _AROUND), min(len(inside) - 1, held[-1] + _AROUND)
    return Span(inside[first].start, inside[last].end)


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]
