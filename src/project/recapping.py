"""The story so far: of each chapter the sentences that tell most, or a model's account of them, checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.answering.answered import AnswerSettings
from ..core.answering.gathering import Reader
from ..core.answering.grounding import ground
from ..core.answering.sources import AnswerSource
from ..core.answering.supported_sentences import SupportedSentences
from ..core.types import Evidence, Passage, Span
from ..errors import ModelError
from ..story.passages.filter import SearchFilter
from ..story.writing.prompts.answer import NOT_TOLD
from ..story.writing.prompts.recap import recap_prompt
from .lengths import Length

if TYPE_CHECKING:
    from .parts import OpenProject

__all__ = ["Recap", "RecapLine", "recap"]

_MOST: dict[Length, tuple[int, int]] = {"short": (8, 1), "medium": (50, 1), "long": (300, 3)}
"""Lines at most, and of a chapter."""

_SENTENCES: dict[Length, int] = {"short": 6, "medium": 15, "long": 40}  # that a model is asked for
_TOKENS_A_SENTENCE = 40
_ASKED = "What happened to the main character?"
_READ = 8  # passages of a chapter


@dataclass(frozen=True, slots=True)
class RecapLine:
    """``text`` is a sentence of the story or of the model; ``evidence`` the quotes that it stands on,
    ``chapter`` that of the first."""

    chapter: int
    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Recap:
    """In order of telling, up to ``chapter``. ``model`` wrote the lines; empty: they are the story's own."""

    chapter: int
    length: Length
    lines: tuple[RecapLine, ...]
    model: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence that tells what happened: how probable that is, 0 to 1, among those of its chapter."""

    share: float
    quote: Evidence
    passage: Passage


def recap(
    project: OpenProject,
    *,
    length: Length,
    as_of: int | None,
    model: bool | None,
    on_text: Callable[[str], None] | None = None,
    on_chapter: Callable[[int, int], None] | None = None,
) -> Recap:
    """See ``Project.recap``."""
    last = project.horizon(as_of).chapter or len(project.document.chapters)
    most, a_chapter = _MOST[length]
    told: list[_Told] = []
    for chapter in range(1, last + 1):
        told += _of_chapter(project, chapter, a_chapter)
        if on_chapter is not None:
            on_chapter(chapter, last)
    best = sorted(told, key=lambda one: (-one.share, one.quote.span.start))[:most]
    best.sort(key=lambda one: one.quote.span.start)
    lines = tuple(RecapLine(one.quote.chapter, one.quote.quote, (one.quote,)) for one in best)
    found = Recap(last, length, lines)
    if not best or not (project.config.model_answers if model is None else model):
        return found
    try:
        return _written(project, best, found, on_text)
    except ModelError as error:
        said = f"told in the story's own sentences, since the language model failed: {error}"
        return Recap(last, length, lines, notices=(said,))


def _of_chapter(project: OpenProject, chapter: int, most: int) -> list[_Told]:
    """Without the reader, or where the embedding model fails, the first sentence of what is found."""
    wanted = SearchFilter(chapters=(chapter, chapter))
    question = project.question(_ASKED, _READ, as_of=chapter, mode="semantic", wanted=wanted)
    try:
        passages = project.question_searcher.search(question).passages
    except ModelError:
        question = project.question(_ASKED, _READ, as_of=chapter, mode="lexical", wanted=wanted)
        passages = project.question_searcher.search(question).passages
    reader: Reader | None = project.answer_reader
    if reader is None or not passages:
        return []
    found: list[_Told] = []
    for sentence in reader.read(_ASKED, [passage.chunk.text for passage in passages]).sentences:
        chunk = passages[sentence.passage].chunk
        span = Span(chunk.span.start + sentence.span.start, chunk.span.start + sentence.span.end)
        if not any(span.overlaps(one.quote.span) for one in found):
            quote = Evidence(chunk.document_id, chunk.chapter, span, sentence.span.of(chunk.text))
            found.append(_Told(sentence.share, quote, passages[sentence.passage]))
        if len(found) == most:
            break
    return found


def _written(
    project: OpenProject, told: Sequence[_Told], found: Recap, on_text: Callable[[str], None] | None
) -> Recap:
    model, answering = project.generator, project.config.answering
    room = AnswerSettings(budget=answering.budget).budget_of(model.context_tokens)
    sources = _sources(told, model.count_tokens, room)
    checked = SupportedSentences(sources, question="", not_told=NOT_TOLD, on_text=on_text)
    most = _SENTENCES[found.length]
    made = model.generate(
        recap_prompt(sources, sentences=most),
        max_tokens=most * _TOKENS_A_SENTENCE,
        temperature=answering.temperature,
        seed=answering.seed,
        on_text=checked.take,
    )
    checked.end()
    lines = []
    for sentence in ground(checked.text if checked.told else "", sources).sentences:
        said = sentence.span.of(checked.text)
        quotes = tuple(
            Evidence(project.document.id, one.chapter, one.span, one.quote)
            for one in ground(said, sources).citations
        )
        if quotes:
            lines.append(RecapLine(quotes[0].chapter, said, quotes))
    left = checked.written - len(lines)
    missing = f"{left} of {checked.written} sentences that the model wrote have no support in the story"
    if not lines:
        said = f"{missing}, so its own sentences tell it"
        return Recap(found.chapter, found.length, found.lines, notices=(said,))
    notices = (f"{missing} and were left out",) if left else ()
    return Recap(found.chapter, found.length, tuple(lines), made.model, notices)


def _sources(told: Sequence[_Told], count: Callable[[str], int], room: int) -> tuple[AnswerSource, ...]:
    """The passages of the sentences, the likeliest first as long as there is room, in order of telling."""
    used = 0
    chosen: dict[str, Passage] = {}
    for one in sorted(told, key=lambda one: (-one.share, one.quote.span.start)):
        tokens = count(one.passage.chunk.text)
        if one.passage.chunk.id not in chosen and (not chosen or used + tokens <= room):
            used += tokens
            chosen[one.passage.chunk.id] = one.passage
    ordered = sorted((one.chunk for one in chosen.values()), key=lambda chunk: chunk.span.start)
    return tuple(
        AnswerSource(
            number,
            "passage",
            f"chapter {chunk.chapter}",
            chunk.chapter,
            chunk.text,
            (Evidence(chunk.document_id, chunk.chapter, chunk.span, chunk.text),),
            chunk.id,
        )
        for number, chunk in enumerate(ordered, start=1)
    )
