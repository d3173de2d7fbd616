"""One door for questions: semantic cache → router → passages and notes → model → check → citations.

A question of fact, or about character and plot, is answered from numbered sources and nothing else, and of
what a model writes only the sentences are given on that a second request finds said by their sources; a wish
to write on goes to the story engine. Where a part is down the answer gets plainer, never empty: without
vectors it is searched for by words, without a model (or without one that is wanted) the story's own sentences
answer. Every citation is a quote that stands in the text.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import ModelError
from .answering.answer_reader import AnswerRead
from .answering.answered import Answered, AnswerSettings, Asked, KnownAnswer, Written
from .answering.checked_answer import CheckedAnswer, CheckedWriter, answer_version
from .answering.gathering import Gathered, Gatherer, Library, Reader
from .answering.grounding import Citation, best_quotes, numbered_sources, question_names
from .interfaces import Generator, Vectors
from .queries.follow_up import leans, standalone
from .queries.router import QueryAnalysis, QueryRouter, asks_to_write, asks_widely
from .signatures.semantic_cache import SemanticCache
from .text.encodings import require_said
from .text.sentences import in_marks
from .text.tokenizing import Tokenizer
from .types import Evidence, Horizon, Note, Passage, Span

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["Library", "Storyteller", "UnifiedRAG"]

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


class UnifiedRAG:
    """``generator`` is called for when it is first needed; None answers with the story's own sentences.
    ``reader`` finds them, and puts the passages that answer first; without it words alone decide.
    ``clean`` makes what stands in a prompt harmless, and ``guard`` names how. ``not_told`` is said where the
    sources do not answer. ``embed`` makes the vector by which the cache knows a second wording; without
    ``cache`` nothing is kept. ``scope`` names the index and the models: what a kept answer depends on beside
    the question. ``place`` says where a part of the text is printed. ``known`` answers what is known without
    a search.

    Not for two threads at once.
    """

    def __init__(
        self,
        library: Library,
        *,
        generator: Callable[[], Generator] | None,
        clean: Callable[[str], str],
        guard: str,
        not_told: str,
        reader: Reader | None = None,
        storyteller: Storyteller | None = None,
        settings: AnswerSettings | None = None,
        cache: SemanticCache[Any] | None = None,
        embed: Callable[[str], Vectors] | None = None,
        scope: str = "",
        place: Callable[[Span], str] = lambda _: "",
        known: Callable[[str, Horizon], KnownAnswer | None] = lambda *_: None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._library = library
        self._generator = generator
        self._clean, self._guard = clean, guard
        self._not_told = not_told
        self._storyteller = storyteller
        self._settings = settings or AnswerSettings()
        self._cache = cache
        self._embed = embed
        self._scope = scope
        self._known = known
        self._clock = clock
        self._router = QueryRouter()
        self._gatherer = Gatherer(library, reader, generator, self._settings, clock, place)

    def ask(self, asked: Asked, *, on_text: OnText | None = None) -> Answered:
        """The answer; ``on_text`` gets it once it was checked (and empty pieces while it waits for a model).
        Raises UsageError for an empty question. A model that fails is a notice in the answer, no error."""
        require_said(asked.question, "the question", "ask something about the story")
        route = self._router.route(asked.question)
        if asks_to_write(asked.question):
            if self._generator is None:
                return self._not_written(asked, route, on_text)
            if self._storyteller is not None:
                return self._written(asked, route, self._storyteller, on_text)
        alone = self._standalone(asked, on_text)
        sought = replace(asked, question=alone, history=(), wide=asks_widely(alone))
        made = self._kept(sought)
        if made is None:
            work = self._gatherer.gather(sought)
            made = self._made(work, route, on_text)
            if not work.failed:
                self._keep(sought, made)
        if on_text is not None:
            on_text(made.text)
        return replace(made, question=asked.question)

    # --- steps -----------------------------------------------------------------------------------

    def _writer(self, generator: Generator, on_text: OnText | None) -> CheckedWriter:
        return CheckedWriter(generator, self._settings, clean=self._clean, guard=self._guard, on_text=on_text)

    def _standalone(self, asked: Asked, on_text: OnText | None) -> str:
        """The question without what it leans on, put so by the model where there is one that answers."""
        turns = asked.history[-self._settings.turns :] if self._settings.turns else ()
        alone = standalone(asked.question, asked.history, lambda text: self._library.people(text, asked))
        if self._generator is None or not turns or (alone == asked.question and not leans(alone)):
            return alone
        try:
            return self._writer(self._generator(), on_text).standalone(asked.question, turns) or alone
        except ModelError:  # the answer, which comes next, says so
            return alone

    def _made(self, work: Gathered, route: QueryAnalysis, on_text: OnText | None) -> Answered:
        if self._generator is None or not work.sources:
            return self._in_quotes(work, route)
        try:
            writer = self._writer(self._generator(), on_text)
            checked = self._checked(work, writer)
        except ModelError as error:
            work.failed = True
            work.notices.append(
                f"answered in the story's own words, since the language model failed: {error}"
            )
            return self._in_quotes(work, route)
        if checked is None:
            return self._answered(work, route, self._not_told, told=False, model=writer.model)
        if checked.notice:
            work.notices.append(checked.notice)
        if not checked.sentences:
            return self._in_quotes(work, route)
        made = self._answered(work, route, checked.text, told=True, model=writer.model)
        quotes = dict.fromkeys(quote for one in checked.sentences for quote in one.citations)
        return replace(
            made,
            citations=tuple(quotes),
            sentences=checked.sentences,
            grounded=True,
            supported=len(checked.sentences) / checked.written,
        )

    def _checked(self, work: Gathered, writer: CheckedWriter) -> CheckedAnswer | None:
        """None where the model says that the sources do not answer."""
        question, start = work.asked.question, self._clock()
        most = _SENTENCES_WIDE if work.asked.wide else _SENTENCES
        while True:
            left = self._settings.searches - work.rounds
            reply = writer.reply(question, work.sources, most=most, searches=left)
            if not reply.search:
                break
            self._gatherer.search_again(work, reply.search)
        work.seconds["generate"] = self._clock() - start
        if reply.unanswered or not reply.sentences:
            return None
        start = self._clock()
        checked = writer.check(question, reply, work.sources)
        work.seconds["check"] = self._clock() - start
        return checked

    def _in_quotes(self, work: Gathered, route: QueryAnalysis) -> Answered:
        """The sentences that answer, as the reader has it. They are quotes, so there is no support to
        measure. What the story's graph knows comes before what reads nearest."""
        known = self._known(work.asked.question, work.asked.horizon)
        if known is not None:
            return self._from_graph(work, route, known)
        read = work.read
        unknown = self._unknown(work)
        if read is None:
            quotes = self._by_words(work)
        elif unknown:
            quotes = ()
            work.notices.append(f"the story so far does not speak of {', '.join(unknown)}")
        elif read.told < self._settings.least_confidence:
            quotes = ()
        else:
            quotes = self._by_reader(work, read)
        lines = [f"{in_marks(q.quote)} [{q.number}]" for q in quotes]
        short = ""
        confidence = None if read is None else read.told
        if read is not None and quotes and read.first >= self._settings.least_short:
            short, confidence = _words_of(read, work.found), read.first
            lines.insert(0, f"{short} [{quotes[0].number}]")
        text = "\n".join(lines) or self._not_told
        made = self._answered(work, route, text, told=bool(quotes))
        confidence = None if confidence is None else round(confidence, 4)
        return replace(made, citations=quotes, extractive=bool(quotes), short=short, confidence=confidence)

    def _from_graph(self, work: Gathered, route: QueryAnalysis, known: KnownAnswer) -> Answered:
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
        made = self._answered(work, route, text, told=True)
        sure = round(known.confidence, 4)
        return replace(made, citations=quotes, extractive=True, short=known.text, confidence=sure)

    def _unknown(self, work: Gathered) -> tuple[str, ...]:
        """Names in the question that stand nowhere in the story so far."""
        names = question_names(work.asked.question)
        if not names:
            return ()
        known = self._library.weights(work.asked.question, work.asked)
        terms = Tokenizer().terms
        return tuple(name for name in names if not any(term in known for term in terms(name)))

    def _by_reader(self, work: Gathered, read: AnswerRead) -> tuple[Citation, ...]:
        """The best sentences, none in another, as quotes of the sources."""
        found: list[Citation] = []
        least = read.sentences[0].share * _BESIDE_THE_BEST if read.sentences else 0.0
        for sentence in read.sentences:
            if len(found) == self._settings.quotes or sentence.share < least:
                break
            chunk = work.found[sentence.passage].chunk
            span = Span(chunk.span.start + sentence.span.start, chunk.span.start + sentence.span.end)
            source = next((s for s in work.sources if s.holds(span)), None)
            if source is not None and not any(span.overlaps(one.span) for one in found):
                quote = sentence.span.of(chunk.text)
                found.append(Citation(source.number, chunk.chapter, span, quote, chunk.id, source.label))
        return tuple(found)

    def _by_words(self, work: Gathered) -> tuple[Citation, ...]:
        """The sentences of the sources that share most with the question; none that shares nothing."""
        weights = self._library.weights(work.asked.question, work.asked)
        return best_quotes(weights, work.sources, limit=self._settings.quotes)

    def _written(
        self, asked: Asked, route: QueryAnalysis, storyteller: Storyteller, on_text: OnText | None
    ) -> Answered:
        start = self._clock()
        made = storyteller(asked.question, horizon=asked.horizon, on_text=on_text)
        seconds = {"generate": self._clock() - start}
        work = Gathered(
            asked,
            list(made.notices),
            seconds,
            passages=made.passages,
            notes=made.notes,
            left_out=made.left_out,
        )
        return self._answered(work, route, made.text, model=made.model, told=True)

    def _not_written(self, asked: Asked, route: QueryAnalysis, on_text: OnText | None) -> Answered:
        """No sentence of the story is an answer to a wish that something be written."""
        if on_text is not None:
            on_text(_NO_WRITER)
        work = Gathered(asked)
        return self._answered(work, route, _NO_WRITER, told=False)

    def _answered(
        self, work: Gathered, route: QueryAnalysis, text: str, *, told: bool, model: str = ""
    ) -> Answered:
        return Answered(
            question=work.asked.question,
            route=route.kind,
            text=text,
            grounded=None,
            supported=None,
            citations=(),
            sources=work.sources,
            sentences=(),
            passages=work.passages,
            notes=work.notes,
            left_out=work.left_out,
            notices=tuple(work.notices),
            reasons=route.reasons,
            told=told,
            extractive=False,
            cached=False,
            answers="",
            model=model,
            seconds=tuple(work.seconds.items()),
        )

    # --- the cache -------------------------------------------------------------------------------

    def _kept(self, asked: Asked) -> Answered | None:
        """An answer that a model gave is kept for other wordings too; what the story's own sentences answer
        would come out the same, and bears no mark."""
        if self._cache is None:
            return None
        start = self._clock()
        embed = self._embed if self._generator is not None else None
        vector = None if embed is None else lambda: embed(asked.question)
        try:
            kept = self._cache.get(self._cache_scope(asked), asked.question, vector)
        except ModelError:  # the search, which comes next, says so
            return None
        if kept is None:
            return None
        made = _as_json().validate_python(kept.payload)
        seconds = (("kept", self._clock() - start),)
        by_model = self._generator is not None
        return replace(made, seconds=seconds, cached=by_model, answers=kept.query if by_model else "")

    def _keep(self, asked: Asked, made: Answered) -> None:
        if self._cache is None:
            return
        embed = self._embed if self._generator is not None else None
        try:
            vector = None if embed is None else embed(asked.question)
        except ModelError:
            vector = None
        payload = _as_json().dump_python(made, mode="json")
        self._cache.put(self._cache_scope(asked), asked.question, vector, payload)

    def _cache_scope(self, asked: Asked) -> str:
        model = "" if self._generator is None else answer_version(self._guard)
        return f"{self._scope}\n{asked.k}\n{asked.horizon.chapter}\n{self._settings}\n{model}"


@cache
def _as_json() -> TypeAdapter[Answered]:
    from pydantic import TypeAdapter

    return TypeAdapter(Answered)


def _words_of(read: AnswerRead, passages: Sequence[Passage]) -> str:
    """The words of the best sentence that answer, on one line."""
    best = read.sentences[0]
    return " ".join(best.words.of(passages[best.passage].chunk.text).split()).strip(_AT_ENDS)
