"""One door for questions: semantic cache → router → passages and notes → model → checked citations.

A question of fact, or about character and plot, is answered from numbered sources and nothing else, and what
a model writes is given on sentence by sentence, once it was checked; a wish to write on goes to the story
engine. Where a part is down the answer gets plainer, never empty: without vectors it is searched for by
words, without a model (or without one that is wanted) the story's own sentences answer. Every citation is a
quote that stands in the text.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from ..errors import ModelError
from .answering.answer_reader import AnswerRead
from .answering.answered import Answered, AnswerSettings, Asked, KnownAnswer, Written
from .answering.gathering import Gathered, Gatherer, Library, Reader
from .answering.grounding import Citation, Grounding, best_quotes, ground, question_names
from .answering.sources import AnswerSource, numbered_sources
from .answering.supported_sentences import SupportedSentences
from .interfaces import Generator, Vectors
from .queries.router import QueryAnalysis, QueryRouter, asks_to_write
from .signatures.semantic_cache import CacheHit, SemanticCache
from .text.encodings import require_said
from .text.sentences import in_marks
from .text.tokenizing import Tokenizer
from .types import Evidence, Generation, Horizon, Note, Passage, Prompt, Span

__all__ = ["AnswerPrompt", "Library", "Storyteller", "UnifiedRAG"]

OnText = Callable[[str], None]
_LEANED_ON = 0.5  # what a term of the question before is worth beside one of this
_NO_WRITER = (
    "This asks for something to be written, which a language model does, and none was asked: ask with "
    "--model, or draft it with fabula compare (docs/how-to/connect-a-model.md)."
)
_BESIDE_THE_BEST = 0.02  # of the best sentence's share that another must have to be shown beside it
_AT_ENDS = " ,;:.—–-"  # of a short answer


class Storyteller(Protocol):
    """Writes a scene as a reader at the horizon would go on."""

    def __call__(self, wish: str, *, horizon: Horizon, on_text: OnText | None) -> Written: ...


class AnswerPrompt(Protocol):
    """Puts a question and its numbered sources into words for a model. ``history`` are the last (question,
    answer) pairs before it, latest last; where it ``may_search`` the model may ask for other passages (see
    :class:`.answering.supported_sentences.SupportedSentences`)."""

    def __call__(
        self,
        question: str,
        sources: Sequence[AnswerSource],
        history: Sequence[tuple[str, str]],
        /,
        *,
        may_search: bool,
    ) -> Prompt: ...


class UnifiedRAG:
    """``generator`` is called for when it is first needed; None answers with the story's own sentences.
    ``reader`` finds them, and puts the passages that answer first; without it words alone decide.
    ``not_told`` is what the prompt tells the model to say where the sources do not answer. ``embed`` makes
    the vector by which the cache knows a second wording; without ``cache`` nothing is kept. ``scope`` names
    the index, the models and the prompt: what a kept answer depends on beside the question. ``place`` says
    where a part of the text is printed. ``known`` answers what is known without a search.

    Not for two threads at once.
    """

    def __init__(
        self,
        library: Library,
        *,
        generator: Callable[[], Generator] | None,
        prompt: AnswerPrompt,
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
        self._prompt = prompt
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
        """The answer; ``on_text`` gets its sentences as they come, none that has no support in the sources
        (and empty pieces while it waits for one). Raises UsageError for an empty question. A model that fails
        is a notice in the answer, no error."""
        require_said(asked.question, "the question", "ask something about the story")
        route = self._router.route(asked.question)
        if asks_to_write(asked.question):
            if self._generator is None:
                return self._not_written(asked, route, on_text)
            if self._storyteller is not None:
                return self._written(asked, route, self._storyteller, on_text)
        kept = self._kept(asked)
        if kept is not None:
            work = self._gatherer.gather(replace(asked, question=kept.query))
            text, model, searches = kept.payload
            if searches:
                self._gatherer.search_again(work, searches)
            checked = self._checking(work, on_text)
            checked.take(text)
            answered = self._checked(work, route, checked, model=model, on_text=on_text)
            return replace(answered, question=asked.question, cached=True, answers=kept.query)
        work = self._gatherer.gather(asked)
        checked = self._checking(work, on_text)
        made = self._generated(work, checked) if work.sources else None
        while made is not None and checked.searches and work.rounds < self._settings.searches:
            self._gatherer.search_again(work, checked.searches)
            checked = self._checking(work, on_text)
            made = self._generated(work, checked)
        if made is None:
            return self._in_quotes(work, route, on_text=on_text)
        self._keep(work, made)
        return self._checked(work, route, checked, model=made.model, on_text=on_text)

    # --- steps -----------------------------------------------------------------------------------

    def _checking(self, work: Gathered, on_text: OnText | None) -> SupportedSentences:
        return SupportedSentences(
            work.sources, question=work.asked.question, not_told=self._not_told, on_text=on_text
        )

    def _generated(self, work: Gathered, checked: SupportedSentences) -> Generation | None:
        """None where there is no model, or it failed before anything of it was given on; a notice says that
        it failed."""
        if self._generator is None:
            return None
        s, asked = self._settings, work.asked
        start = self._clock()
        may_search = work.rounds < s.searches
        history = asked.history[-s.turns :] if s.turns else ()
        try:
            made = self._generator().generate(
                self._prompt(asked.question, work.sources, history, may_search=may_search),
                max_tokens=s.max_tokens,
                temperature=s.temperature,
                seed=s.seed,
                on_text=checked.take,
            )
        except ModelError as error:
            checked.cut()
            if checked.text:
                work.notices.append(f"the language model failed before its answer was whole: {error}")
                return Generation(checked.text, self._generator().name, 0, 0, 0.0, "cancelled")
            work.notices.append(
                f"answered in the story's own words, since the language model failed: {error}"
            )
            return None
        else:
            return made
        finally:
            work.seconds["generate"] = self._clock() - start

    def _checked(
        self,
        work: Gathered,
        route: QueryAnalysis,
        checked: SupportedSentences,
        *,
        model: str,
        on_text: OnText | None,
    ) -> Answered:
        start = self._clock()
        checked.end()
        grounding = ground(checked.text if checked.told else "", work.sources, question=work.asked.question)
        work.seconds["check"] = self._clock() - start
        left = checked.written - checked.supported
        missing = f"{left} of {checked.written} sentences that the model wrote have no support in the sources"
        if checked.told and not checked.text:
            work.notices.append(f"{missing}, so the story's own sentences answer")
            return self._in_quotes(work, route, on_text=on_text)
        if checked.told and left:
            work.notices.append(f"{missing} and were left out")
        return self._answered(work, route, checked.text, model=model, told=checked.told, grounding=grounding)

    def _in_quotes(self, work: Gathered, route: QueryAnalysis, *, on_text: OnText | None = None) -> Answered:
        """The sentences that answer, as the reader has it. They are quotes, so there is no support to
        measure. What the story's graph knows comes before what reads nearest."""
        known = self._known(self._gatherer.standalone(work.asked), work.asked.horizon)
        if known is not None:
            return self._from_graph(work, route, known, on_text=on_text)
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
        if on_text is not None:
            on_text(text)
        made = self._answered(work, route, text, told=bool(quotes), grounding=Grounding((), quotes))
        confidence = None if confidence is None else round(confidence, 4)
        return replace(made, extractive=bool(quotes), short=short, confidence=confidence)

    def _from_graph(
        self, work: Gathered, route: QueryAnalysis, known: KnownAnswer, *, on_text: OnText | None
    ) -> Answered:
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
        if on_text is not None:
            on_text(text)
        made = self._answered(work, route, text, told=True, grounding=Grounding((), quotes))
        return replace(made, extractive=True, short=known.text, confidence=round(known.confidence, 4))

    def _unknown(self, work: Gathered) -> tuple[str, ...]:
        """Names in the question that stand nowhere in the story so far."""
        question = self._gatherer.standalone(work.asked)
        names = question_names(question)
        if not names:
            return ()
        known = self._library.weights(question, work.asked)
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
        around = self._library.weights(self._gatherer.standalone(work.asked), work.asked)
        own = self._library.weights(work.asked.question, work.asked)
        weights = {term: worth * (1 if term in own else _LEANED_ON) for term, worth in around.items()}
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
        return self._answered(
            work, route, made.text, model=made.model, told=True, grounding=Grounding((), ())
        )

    def _not_written(self, asked: Asked, route: QueryAnalysis, on_text: OnText | None) -> Answered:
        """No sentence of the story is an answer to a wish that something be written."""
        if on_text is not None:
            on_text(_NO_WRITER)
        work = Gathered(asked)
        return self._answered(work, route, _NO_WRITER, told=False, grounding=Grounding((), ()))

    def _answered(
        self,
        work: Gathered,
        route: QueryAnalysis,
        text: str,
        *,
        told: bool,
        grounding: Grounding,
        model: str = "",
    ) -> Answered:
        return Answered(
            question=work.asked.question,
            route=route.kind,
            text=text,
            grounded=None if grounding.supported is None else grounding.supported == 1,
            supported=grounding.supported,
            citations=grounding.citations,
            sources=work.sources,
            sentences=grounding.sentences,
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

    def _kept(self, asked: Asked) -> CacheHit[Any] | None:
        if self._cache is None or self._generator is None or asked.history:
            return None
        embed = self._embed
        vector = None if embed is None else lambda: embed(asked.question)
        try:
            return self._cache.get(self._cache_scope(asked), asked.question, vector)
        except ModelError:  # the search, which comes next, says so
            return None

    def _keep(self, work: Gathered, made: Generation) -> None:
        asked = work.asked
        if self._cache is None or asked.history or made.finish_reason == "cancelled":
            return
        try:
            vector = None if self._embed is None else self._embed(asked.question)
        except ModelError:
            vector = None
        self._cache.put(
            self._cache_scope(asked), asked.question, vector, [made.text, made.model, work.searches]
        )

    def _cache_scope(self, asked: Asked) -> str:
        return f"{self._scope}\n{asked.k}\n{asked.horizon.chapter}\n{self._settings}"


def _words_of(read: AnswerRead, passages: Sequence[Passage]) -> str:
    """The words of the best sentence that answer, on one line."""
    best = read.sentences[0]
    return " ".join(best.words.of(passages[best.passage].chunk.text).split()).strip(_AT_ENDS)
