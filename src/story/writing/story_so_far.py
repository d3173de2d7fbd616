"""The story so far: of each chapter the sentences that tell most, or a model's account of them, checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...core.answering.answered import AnswerSettings
from ...core.answering.gathering import Reader
from ...core.answering.grounding import ground
from ...core.answering.sources import AnswerSource, source_of
from ...core.answering.supported_sentences import SupportedSentences
from ...core.interfaces import Generator
from ...core.types import Evidence, Passage, Span
from ...errors import ModelError
from .prompts import NOT_TOLD, Length, recap_prompt

_MOST: dict[Length, tuple[int, int]] = {"short": (8, 1), "medium": (50, 1), "long": (300, 3)}
"""Lines at most, and of a chapter."""

ASKED = "What happened to the main character?"
READ = 8  # passages of a chapter


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


def story_so_far(
    last: int,
    found: Callable[[int], Sequence[Passage]],
    *,
    reader: Reader | None,
    length: Length,
    settings: AnswerSettings,
    generator: Callable[[], Generator] | None = None,
    on_text: Callable[[str], None] | None = None,
    on_chapter: Callable[[int, int], None] | None = None,
) -> Recap:
    """Up to chapter ``last``. ``found`` gives a chapter's passages that speak most of what is :data:`ASKED`;
    ``reader`` says which of their sentences tell it (without one nothing is told). With ``generator`` a model
    tells it from these passages; what has no support in them is left out, and where nothing is left or the
    model fails the story's own sentences stand, with a notice. ``on_text`` gets the model's sentences as they
    come, ``on_chapter`` each chapter that was read and how many there are."""
    most, a_chapter = _MOST[length]
    told: list[_Told] = []
    for chapter in range(1, last + 1):
        told += _of_chapter(found(chapter), reader, a_chapter)
        if on_chapter is not None:
            on_chapter(chapter, last)
    best = sorted(told, key=lambda one: (-one.share, one.quote.span.start))[:most]
    best.sort(key=lambda one: one.quote.span.start)
    lines = tuple(RecapLine(one.quote.chapter, one.quote.quote, (one.quote,)) for one in best)
    own = Recap(last, length, lines)
    if not best or generator is None:
        return own
    try:
        return _written(generator(), best, own, settings, on_text)
    except ModelError as error:
        said = f"told in the story's own sentences, since the language model failed: {error}"
        return Recap(last, length, lines, notices=(said,))


def _of_chapter(passages: Sequence[Passage], reader: Reader | None, most: int) -> list[_Told]:
    if reader is None or not passages:
        return []
    found: list[_Told] = []
    for sentence in reader.read(ASKED, [passage.chunk.text for passage in passages]).sentences:
        chunk = passages[sentence.passage].chunk
        span = Span(chunk.span.start + sentence.span.start, chunk.span.start + sentence.span.end)
        if not any(span.overlaps(one.quote.span) for one in found):
            quote = Evidence(chunk.document_id, chunk.chapter, span, sentence.span.of(chunk.text))
            found.append(_Told(sentence.share, quote, passages[sentence.passage]))
        if len(found) == most:
            break
    return found


def _written(
    model: Generator,
    told: Sequence[_Told],
    own: Recap,
    settings: AnswerSettings,
    on_text: Callable[[str], None] | None,
) -> Recap:
    sources = _sources(told, model.count_tokens, settings.budget_of(model.context_tokens))
    checked = SupportedSentences(sources, question="", not_told=NOT_TOLD, on_text=on_text)
    prompt, most = recap_prompt(sources, length=own.length)
    made = model.generate(
        prompt,
        max_tokens=most,
        temperature=settings.temperature,
        seed=settings.seed,
        on_text=checked.take,
    )
    checked.end()
    lines, document = [], told[0].quote.document_id
    for sentence in ground(checked.text if checked.told else "", sources).sentences:
        said = sentence.span.of(checked.text)
        quotes = tuple(
            Evidence(document, one.chapter, one.span, one.quote) for one in ground(said, sources).citations
        )
        if quotes:
            lines.append(RecapLine(quotes[0].chapter, said, quotes))
    left = checked.written - len(lines)
    missing = f"{left} of {checked.written} sentences that the model wrote have no support in the story"
    if not lines:
        said = f"{missing}, so its own sentences tell it"
        return Recap(own.chapter, own.length, own.lines, notices=(said,))
    notices = (f"{missing} and were left out",) if left else ()
    return Recap(own.chapter, own.length, tuple(lines), made.model, notices)


def _sources(told: Sequence[_Told], count: Callable[[str], int], room: int) -> tuple[AnswerSource, ...]:
    """The passages of the sentences, the likeliest first as long as there is room, in order of telling."""
    used = 0
    chosen: dict[str, Passage] = {}
    for one in sorted(told, key=lambda one: (-one.share, one.quote.span.start)):
        tokens = count(one.passage.chunk.text)
        if one.passage.chunk.id not in chosen and (not chosen or used + tokens <= room):
            used += tokens
            chosen[one.passage.chunk.id] = one.passage
    ordered = sorted(chosen.values(), key=lambda passage: passage.chunk.span.start)
    return tuple(source_of(passage, number) for number, passage in enumerate(ordered, start=1))
