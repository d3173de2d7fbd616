"""Answers to questions: semantic cache → router → passages and notes → model → check → citations.

A question of fact, or about character and plot, is answered from numbered sources and nothing else, and of
what a model writes only the sentences are given on that a second request finds said by their sources; a wish
to write on goes to the story engine. Where a part is down the answer gets plainer, never empty: without
vectors it is searched for by words, without a model (or without one that is wanted) the story's own sentences
answer. Every citation is a quote that stands in the text.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import ModelError
from .answering.answer_reader import AnswerRead
from .answering.answered import Answered, AnswerSettings, Asked, KnownAnswer, Written
from .answering.checked_answer import CheckedAnswer, CheckedWriter, Fence, answer_version
from .answering.gathering import Gathered, Library, Reader, gather, search_again
from .answering.grounding import Citation, best_quotes, numbered_sources, question_names
from .interfaces import Generator, Vectors
from .queries.follow_up import leans, standalone
from .queries.router import QueryAnalysis, asks_to_write, asks_widely, route
from .signatures.semantic_cache import SemanticCache
from .text.encodings import require_said
from .text.sentences import in_marks
from .text.tokenizing import Tokenizer
from .types import Evidence, Horizon, Note

if TYPE_CHECKING:
    from pydantic import TypeAdapter

OnText = Callable[[str], None]
_SENTENCES, _SENTENCES_WIDE = 3, 8  # of a model's answer, at most
_NO_WRITER = (
    "This asks for something to be written, which a language model does, and none was asked: ask with "
    "--model, or draft it with fabula compare (docs/how-to/connect-a-model.md)."
)
_BESIDE_THE_BEST = 0.02  # of the best sentence's share that another must have to be shown beside it
_AT_ENDS = " ,;:.—–-"  # of a short answer


class Storyteller(Protocol):
    """Writes a scene as a reader at the horizon would go on."""

    def __call__(self, wish: str, *, horizon: Horizon, on_text: OnText | None) -> Written: ...


@dataclass(frozen=True, slots=True)
class KeptAnswers:
    """Where answers are kept. ``embed`` makes the vector by which a second wording is known, of answers that
    a model gave; what the story's own sentences answer would come out the same, and bears no mark. ``scope``
    is what a kept answer depends on beside the question: the index, the horizon, the models."""

    cache: SemanticCache[Any]
    embed: Callable[[str], Vectors]
    scope: str

    def get(self, asked: Asked, *, by_model: bool) -> Answered | None:
        """The answer to this question, or to another wording of it."""
        start = time.perf_counter()
        vector = (lambda: self.embed(asked.question)) if by_model else None
        try:
            kept = self.cache.get(self._scope(asked), asked.question, vector)
        except ModelError:  # the search, which comes next, says so
            return None
        if kept is None:
            return None
        made = _as_json().validate_python(kept.payload)
        seconds = (("kept", time.perf_counter() - start),)
        return replace(made, seconds=seconds, cached=by_model, answers=kept.query if by_model else "")

    def put(self, asked: Asked, made: Answered, *, by_model: bool) -> None:
        """Keeps the answer to this question."""
        try:
            vector = self.embed(asked.question) if by_model else None
        except ModelError:
            vector = None
        payload = _as_json().dump_python(made, mode="json")
        self.cache.put(self._scope(asked), asked.question, vector, payload)

    def _scope(self, asked: Asked) -> str:
        return f"{self.scope}\n{asked.k}\n{asked.horizon.chapter}"


def answer(
    asked: Asked,
    library: Library,
    *,
    generator: Callable[[], Generator] | None,
    fence: Fence,
    not_told: str,
    reader: Reader | None = None,
    storyteller: Storyteller | None = None,
    settings: AnswerSettings | None = None,
    kept: KeptAnswers | None = None,
    on_text: OnText | None = None,
) -> Answered:
    """The answer; ``on_text`` gets it once it was checked (and empty pieces while it waits for a model).

    ``generator`` is called for when it is first needed; None answers with the story's own sentences.
    ``reader`` finds them, and puts the passages that answer first; without it words alone decide.
    ``fence`` makes what stands in a prompt harmless. ``not_told`` is said where the sources do not answer.
    Raises UsageError for an empty question. A model that fails is a notice in the answer, no error."""
    require_said(asked.question, "the question", "ask something about the story")
    way, how = route(asked.question), settings or AnswerSettings()
    if asks_to_write(asked.question):
        if generator is None:  # no sentence of the story is an answer to a wish that something be written
            return _said(_answered(Gathered(asked, library, how), way, _NO_WRITER, told=False), on_text)
        if storyteller is not None:
            return _written(Gathered(asked, library, how), way, storyteller, on_text)

    def writer(model: Callable[[], Generator]) -> CheckedWriter:
        return CheckedWriter(model(), how, fence=fence, on_text=on_text)

    alone = _standalone(asked, library, how, None if generator is None else lambda: writer(generator))
    sought = replace(asked, question=alone, history=(), wide=asks_widely(alone))
    by_model = generator is not None
    if kept is not None:
        kept = replace(kept, scope=f"{kept.scope}\n{how}\n{answer_version(fence.guard) if by_model else ''}")
    made = None if kept is None else kept.get(sought, by_model=by_model)
    if made is None:
        work = Gathered(sought, library, how, reader, generator)
        gather(work)
        if generator is None or not work.sources:
            made = _in_quotes(work, way, not_told)
        else:
            made = _by_model(work, way, not_told, lambda: writer(generator))
        if kept is not None and not work.failed:
            kept.put(sought, made, by_model=by_model)
    return replace(_said(made, on_text), question=asked.question)


def _said(made: Answered, on_text: OnText | None) -> Answered:
    if on_text is not None:
        on_text(made.text)
    return made


def _standalone(
    asked: Asked, library: Library, settings: AnswerSettings, writer: Callable[[], CheckedWriter] | None
) -> str:
    """The question without what it leans on, put so by the model where there is one that answers."""
    turns = asked.history[-settings.turns :] if settings.turns else ()
    alone = standalone(asked.question, asked.history, lambda text: library.people(text, asked))
    if writer is None or not turns or (alone == asked.question and not leans(alone)):
        return alone
    try:
        return writer().standalone(asked.question, turns) or alone
    except ModelError:  # the answer, which comes next, says so
        return alone


# --- by a model --------------------------------------------------------------------------------------


def _by_model(
    work: Gathered, way: QueryAnalysis, not_told: str, writer: Callable[[], CheckedWriter]
) -> Answered:
    try:
        asked = writer()
        checked = _checked(work, asked)
    except ModelError as error:
        work.failed = True
        work.notices.append(f"answered in the story's own words, since the language model failed: {error}")
        return _in_quotes(work, way, not_told)
    if checked is None:
        return _answered(work, way, not_told, told=False, model=asked.model)
    if checked.notice:
        work.notices.append(checked.notice)
    if not checked.sentences:
        return _in_quotes(work, way, not_told)
    quotes = dict.fromkeys(quote for one in checked.sentences for quote in one.citations)
    return replace(
        _answered(work, way, checked.text, told=True, model=asked.model),
        citations=tuple(quotes),
        sentences=checked.sentences,
        grounded=True,
        supported=len(checked.sentences) / checked.written,
    )


def _checked(work: Gathered, writer: CheckedWriter) -> CheckedAnswer | None:
    """None where the model says that the sources do not answer."""
    question = work.asked.question
    most = _SENTENCES_WIDE if work.asked.wide else _SENTENCES
    with work.timed("generate"):
        while True:
            left = work.settings.searches - work.rounds
            reply = writer.reply(question, work.sources, most=most, searches=left)
            if not reply.search:
                break
            search_again(work, reply.search)
    if reply.unanswered or not reply.sentences:
        return None
    with work.timed("check"):
        return writer.check(question, reply, work.sources)


# --- in quotes ---------------------------------------------------------------------------------------


def _in_quotes(work: Gathered, way: QueryAnalysis, not_told: str) -> Answered:
    """The sentences that answer, as the reader has it. They are quotes, so there is no support to
    measure. What the story's graph knows comes before what reads nearest."""
    known = work.library.known(work.asked.question, work.asked)
    if known is not None:
        return _from_graph(work, way, known)
    read, unknown = work.read, _unknown(work)
    quotes: tuple[Citation, ...] = ()
    if read is None:
        # the sentences of the sources that share most with the question; none that shares nothing
        quotes = best_quotes(
            work.library.weights(work.asked.question, work.asked), work.sources, limit=work.settings.quotes
        )
    elif unknown:
        work.notices.append(f"nothing that was searched speaks of {', '.join(unknown)}")
    elif read.told >= work.settings.least_confidence:
        quotes = _by_reader(work, read)
    lines = [f"{in_marks(q.quote)} [{q.number}]" for q in quotes]
    short = ""
    confidence = None if read is None else round(read.told, 4)
    if read is not None and quotes and read.first >= work.settings.least_short:
        best, confidence = read.sentences[0], round(read.first, 4)
        said = best.words.of(work.found[best.passage].chunk.text)
        short = " ".join(said.split()).strip(_AT_ENDS)
        lines.insert(0, f"{short} [{quotes[0].number}]")
    made = _answered(work, way, "\n".join(lines) or not_told, told=bool(quotes))
    return replace(made, citations=quotes, extractive=bool(quotes), short=short, confidence=confidence)


def _from_graph(work: Gathered, way: QueryAnalysis, known: KnownAnswer) -> Answered:
    def at(quote: Evidence) -> str:  # what a rating of the answer counts for
        held = (one.chunk for one in work.found if one.chunk.document_id == quote.document_id)
        return next((chunk.id for chunk in held if chunk.span.contains(quote.span)), "")

    notes = [Note("relation", known.text, (), (quote,)) for quote in known.evidence]
    work.sources, _ = numbered_sources((), notes, budget=sys.maxsize, note_share=1, count=len)
    quotes = tuple(
        Citation(source.number, quote.chapter, quote.span, quote.quote, at(quote), source.label)
        for source in work.sources
        for quote in source.evidence
    )
    text = "\n".join([f"{known.text} [1]", *(f"{in_marks(q.quote)} [{q.number}]" for q in quotes)])
    made = _answered(work, way, text, told=True)
    sure = round(known.confidence, 4)
    return replace(made, citations=quotes, extractive=True, short=known.text, confidence=sure)


def _unknown(work: Gathered) -> tuple[str, ...]:
    """Names in the question that stand nowhere in the story so far."""
    names = question_names(work.asked.question)
    if not names:
        return ()
    known = work.library.weights(work.asked.question, work.asked)
    terms = Tokenizer().terms
    return tuple(name for name in names if not any(term in known for term in terms(name)))


def _by_reader(work: Gathered, read: AnswerRead) -> tuple[Citation, ...]:
    """The best sentences, none in another, as quotes of the sources."""
    found: list[Citation] = []
    least = read.sentences[0].share * _BESIDE_THE_BEST if read.sentences else 0.0
    for sentence in read.sentences:
        if len(found) == work.settings.quotes or sentence.share < least:
            break
        chunk = work.found[sentence.passage].chunk
        span = sentence.span.moved(chunk.span.start)
        source = next((s for s in work.sources if s.holds(span)), None)
        if source is not None and not any(span.overlaps(one.span) for one in found):
            quote = sentence.span.of(chunk.text)
            found.append(Citation(source.number, chunk.chapter, span, quote, chunk.id, source.label))
    return tuple(found)


# --- the answer itself -------------------------------------------------------------------------------


def _written(
    work: Gathered, way: QueryAnalysis, storyteller: Storyteller, on_text: OnText | None
) -> Answered:
    with work.timed("generate"):
        made = storyteller(work.asked.question, horizon=work.asked.horizon, on_text=on_text)
    work.notices += made.notices
    work.passages, work.notes, work.left_out = made.passages, made.notes, made.left_out
    return _answered(work, way, made.text, model=made.model, told=True)


def _answered(work: Gathered, way: QueryAnalysis, text: str, *, told: bool, model: str = "") -> Answered:
    return Answered(
        question=work.asked.question,
        route=way.kind,
        text=text,
        sources=work.sources,
        passages=work.passages,
        notes=work.notes,
        left_out=work.left_out,
        notices=tuple(work.notices),
        reasons=way.reasons,
        told=told,
        model=model,
        seconds=tuple(work.seconds.items()),
    )


@cache
def _as_json() -> TypeAdapter[Answered]:
    from pydantic import TypeAdapter

    return TypeAdapter(Answered)
