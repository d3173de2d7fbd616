"""The story so far: of each chapter the sentences that tell most, or a model's account of them, checked."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...core.answering.answered import AnswerSettings
from ...core.answering.checked_answer import CheckedWriter, Fence
from ...core.answering.gathering import Reader
from ...core.answering.grounding import AnswerSource, numbered_sources
from ...core.interfaces import Generator
from ...core.types import Evidence, Passage
from ...errors import ModelError
from ..evidence.untrusted import GUARD, neutralise
from ..model.predicates import PREDICATES
from ..model.types import EventTold
from .prompts import Length

_MOST: dict[Length, tuple[int, int]] = {"short": (8, 1), "medium": (50, 1), "long": (300, 3)}
"""Lines at most, and of a chapter."""

ASKED = "What happened to the main character?"
READ = 8  # passages of a chapter
_WISH = "Tell the story so far, in its order: what a reader has to remember, who did what and why it matters."
_SENTENCES: dict[Length, int] = {"short": 6, "medium": 15, "long": 40}
"""Of a model, at most."""


@dataclass(frozen=True, slots=True)
class RecapLine:
    """``text`` is a sentence of the story or of the model; ``evidence`` the quotes that it stands on,
    ``chapter`` that of the first."""

    chapter: int
    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Recap:
    """In order of telling, up to ``chapter``. ``model`` wrote the lines; empty: they are the story's own, or
    what was read of a chapter. ``waiting`` are the threads that are still open."""

    chapter: int
    length: Length
    lines: tuple[RecapLine, ...]
    model: str = ""
    notices: tuple[str, ...] = ()
    waiting: tuple[RecapLine, ...] = ()


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
    known: Sequence[EventTold] = (),
    waiting: Sequence[RecapLine] = (),
    generator: Callable[[], Generator] | None = None,
    on_text: Callable[[str], None] | None = None,
    on_chapter: Callable[[int, int], None] | None = None,
) -> Recap:
    """Up to chapter ``last``. ``found`` gives a chapter's passages that speak most of what is :data:`ASKED`;
    ``reader`` says which of their sentences tell it (without one nothing is told). A chapter whose key events
    are ``known`` is told by these. With ``generator`` a model
    tells it from these passages; what they do not say is left out, and where nothing is left or the
    model fails the story's own sentences stand, with a notice. ``on_text`` gets what the model tells once
    it was checked, ``on_chapter`` each chapter that was read and how many there are."""
    most, a_chapter = _MOST[length]
    told: list[_Told] = []
    events = [] if generator is not None else _gravest(known, a_chapter)[:most]
    for chapter in range(1, last + 1):
        if all(one.chapter != chapter for one in events):
            told += _of_chapter(found(chapter), reader, a_chapter)
        if on_chapter is not None:
            on_chapter(chapter, last)
    best = sorted(told, key=lambda one: (-one.share, one.quote.span.start))[: most - len(events)]
    best.sort(key=lambda one: one.quote.span.start)
    events += [RecapLine(one.quote.chapter, one.quote.quote, (one.quote,)) for one in best]
    lines = tuple(sorted(events, key=lambda one: (one.chapter, one.evidence[0].span.start)))
    own = Recap(last, length, lines, waiting=tuple(waiting))
    if not best or generator is None:
        return own
    try:
        return replace(_written(generator(), best, own, settings, on_text), waiting=own.waiting)
    except ModelError as error:
        said = f"told in the story's own sentences, since the language model failed: {error}"
        return replace(own, notices=(said,))


def _gravest(known: Sequence[EventTold], a_chapter: int) -> list[RecapLine]:
    """The gravest events of each chapter, of all of them the gravest first."""
    ranked = sorted(known, key=lambda one: (-PREDICATES[one.predicate].gravity, -one.confidence, one.id))
    counts = Counter[int]()
    found = []
    for event in ranked:
        counts[event.told] += 1
        if counts[event.told] <= a_chapter:
            found.append(RecapLine(event.told, event.what, event.evidence))
    return found


def _of_chapter(passages: Sequence[Passage], reader: Reader | None, most: int) -> list[_Told]:
    if reader is None or not passages:
        return []
    found: list[_Told] = []
    for sentence in reader.read(ASKED, [passage.chunk.text for passage in passages]).sentences:
        chunk = passages[sentence.passage].chunk
        span = sentence.span.moved(chunk.span.start)
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
    writer = CheckedWriter(model, settings, fence=Fence(neutralise, GUARD), on_text=on_text)
    reply = writer.reply(_WISH, sources, most=_SENTENCES[own.length])
    checked = writer.check(_WISH, reply, sources)
    if on_text is not None and checked.text:
        on_text(checked.text)
    document = told[0].quote.document_id
    lines = []
    for sentence in checked.sentences:
        quotes = tuple(Evidence(document, one.chapter, one.span, one.quote) for one in sentence.citations)
        lines.append(RecapLine(quotes[0].chapter, sentence.span.of(checked.text), quotes))
    notices = (checked.notice,) if checked.notice else ()
    if not lines:
        return Recap(own.chapter, own.length, own.lines, notices=notices)
    return Recap(own.chapter, own.length, tuple(lines), writer.model, notices)


def _sources(told: Sequence[_Told], count: Callable[[str], int], room: int) -> tuple[AnswerSource, ...]:
    """The passages of the sentences, the likeliest first as long as there is room, in order of telling."""
    ranked = sorted(told, key=lambda one: (-one.share, one.quote.span.start))
    passages = list(dict.fromkeys(one.passage for one in ranked))
    kept, _ = numbered_sources(passages, (), budget=room, note_share=0, count=count)
    chosen = {one.chunk_id for one in kept}
    ordered = sorted(
        (one for one in passages if one.chunk.id in chosen), key=lambda one: one.chunk.span.start
    )
    return numbered_sources(ordered, (), budget=sys.maxsize, note_share=0, count=len)[0]
