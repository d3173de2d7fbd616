"""What an answer may stand on: passages and notes, numbered, within a budget of tokens; and the sentences of
these that it stands on, by the words that they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..text.sentences import sentences
from ..text.tokenizing import Tokenizer
from ..types import Evidence, LeftOut, Note, Passage, Span

_DUPLICATE_SHARE = 0.5
_NOTE_QUOTES, _QUOTE_LETTERS = 2, 240  # of a note, shown to a model


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """One numbered source (from 1). ``kind`` is ``"passage"`` or ``"note"``; ``text`` is the original; its
    ``evidence`` stands in the document: a passage's own text, or the quotes of a note. ``chunk_id`` is
    empty for a note. ``place`` says where a passage is printed ("Page 12, Lines 3-9"), where it is known."""

    number: int
    kind: str
    label: str
    chapter: int
    text: str
    evidence: tuple[Evidence, ...]
    chunk_id: str = ""
    place: str = ""

    def holds(self, span: Span) -> bool:
        """Does this part of the document stand in the source's evidence?"""
        return any(evidence.span.contains(span) for evidence in self.evidence)


def numbered_sources(
    passages: Sequence[Passage],
    notes: Sequence[Note],
    *,
    budget: int,
    note_share: float,
    count: Callable[[str], int],
    place: Callable[[Span], str] = lambda _: "",
) -> tuple[tuple[AnswerSource, ...], tuple[LeftOut, ...]]:
    """The sources that fit, best passages first, then notes, and what was left out and why.

    Notes may take ``note_share`` (0 to 1) of the ``budget``, and what passages leave of the rest. A passage
    of which half or more was already taken is left out as ``"duplicate"``. The first passage is always
    taken, however long: an answer needs something to stand on. ``place`` says where a passage is printed.
    """
    taken: list[AnswerSource] = []
    left_out: list[LeftOut] = []
    spans: list[Evidence] = []
    used = 0
    reserved = min(int(note_share * budget), sum(count(source_block(_of_note(n, 0))) for n in notes))
    for passage in passages:
        source = source_of(passage, len(taken) + 1, place(passage.chunk.span))
        tokens = count(source_block(source))
        if covered(source.evidence[0], spans) >= _DUPLICATE_SHARE:
            left_out.append(LeftOut(source.label, "duplicate", tokens))
        elif taken and used + tokens > budget - reserved:
            left_out.append(LeftOut(source.label, "budget", tokens))
        else:
            taken.append(source)
            spans.append(source.evidence[0])
            used += tokens
    for note in notes:
        source = _of_note(note, len(taken) + 1)
        tokens = count(source_block(source))
        if used + tokens > budget:
            left_out.append(LeftOut(source.label, "budget", tokens))
        else:
            taken.append(source)
            used += tokens
    return tuple(taken), tuple(left_out)


def source_block(source: AnswerSource, text: Callable[[str], str] = str) -> str:
    """The source as a model reads it, a note with the last of the quotes that it stands on; what it says
    passes ``text``."""
    said = f"[Source: {source.place}]" if source.place else f"({source.label})"
    quotes = source.evidence[-_NOTE_QUOTES:] if source.kind == "note" else ()
    body = " ".join((source.text, *(f"“{quote.quote[:_QUOTE_LETTERS]}”" for quote in quotes)))
    return f"[{source.number}] {said} {' '.join(text(body).split())}"


def source_of(passage: Passage, number: int, place: str = "") -> AnswerSource:
    """The passage as a source of that number; ``place`` is where it is printed."""
    chunk = passage.chunk
    quote = Evidence(chunk.document_id, chunk.chapter, chunk.span, chunk.text)
    label = place or f"chapter {chunk.chapter}"
    return AnswerSource(number, "passage", label, chunk.chapter, chunk.text, (quote,), chunk.id, place)


def _of_note(note: Note, number: int) -> AnswerSource:
    chapter = max((quote.chapter for quote in note.evidence), default=0)
    return AnswerSource(number, "note", note.kind, chapter, note.text, note.evidence)


def covered(quote: Evidence, taken: Sequence[Evidence]) -> float:
    """The share (0 to 1) of its characters that lie in at least one of the others."""
    inside, reached = 0, quote.span.start
    for other in sorted(one.span for one in taken if one.document_id == quote.document_id):
        piece = Span(max(other.start, reached), max(min(other.end, quote.span.end), other.start, reached))
        inside += len(piece)
        reached = max(reached, piece.end)
    return inside / len(quote.span) if len(quote.span) else 1.0


_NAME = re.compile(r"(?<![\"“‘'])\b[A-Z][a-z]\w*")
_WORD = re.compile(r"[^\W_]+")
_DULL = frozenset(
    "he him his her she hers they them their it its i me my we our us you your who what which that this "
    "these those there here when where why how do doe did done have has had been be am were was would could "
    "should may might must can will shall also then than so very just onli even from about into over after "
    "befor".split()
)


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote that an answer stands on: ``span.of(document.text) == quote``. ``number`` is its source's.
    ``chunk_id`` is empty where the source is a note."""

    number: int
    chapter: int
    span: Span
    quote: str
    chunk_id: str
    label: str


@dataclass(frozen=True, slots=True)
class SentenceSupport:
    """A sentence of the answer (``span`` into its text) and the quotes that it stands on, one a source that
    it names."""

    span: Span
    citations: tuple[Citation, ...]


def best_quotes(
    weights: Mapping[str, float], sources: Sequence[AnswerSource], *, limit: int = 3
) -> tuple[Citation, ...]:
    """The sentences of the sources that say most about a question, in order of their worth: the ``weights``
    (idf, say) of the question's terms that a sentence holds, over the square root of how many telling terms
    it has, a little less with every rank of its source. A sentence that shares nothing is never given."""
    tokenizer = Tokenizer()
    ranked: list[tuple[float, int, int, Citation]] = []
    for rank, source in enumerate(sources):
        for evidence in source.evidence if source.kind == "note" else source.evidence[:1]:
            for span in sentences(evidence.quote):
                own = telling_terms(tokenizer, span.of(evidence.quote))
                worth = sum(weights.get(term, 0.0) for term in own)
                if worth > 0:
                    score = worth / max(len(own), 6) ** 0.5 / (1 + 0.1 * rank)
                    ranked.append((-score, rank, span.start, _citation(source, evidence, span)))
    ranked.sort(key=lambda one: one[:3])
    kept: dict[tuple[int, Span], Citation] = {}
    for *_, citation in ranked:
        kept.setdefault((citation.chapter, citation.span), citation)
    return tuple(kept.values())[:limit]


def question_names(question: str) -> tuple[str, ...]:
    """Its capitalised words but for the first, each once; an owner's mark is left out."""
    first = _WORD.search(question)
    names = (name for name in _NAME.finditer(question) if first and name.start() != first.start())
    return tuple(dict.fromkeys(re.sub(r"['’]s?$", "", name[0]) for name in names))


def telling_terms(tokenizer: Tokenizer, text: str) -> frozenset[str]:
    """The text's index terms but for those that any sentence may hold."""
    return frozenset(tokenizer.terms(text)) - _DULL


def nearest(source: AnswerSource, *said: str) -> Citation:
    """The sentence of the source that shares most telling words with the first of the texts; of equals, with
    the next. Raises ValueError for a source without a quote."""
    tokenizer = Tokenizer()
    wanted = [telling_terms(tokenizer, text) for text in said]
    found: list[tuple[list[int], Evidence, Span]] = []
    for evidence in source.evidence:
        for span in sentences(evidence.quote) or [Span(0, len(evidence.quote))]:
            held = frozenset(tokenizer.terms(span.of(evidence.quote)))
            found.append(([len(terms & held) for terms in wanted], evidence, span))
    if not found:
        raise ValueError(f"source {source.number} stands on no quote")
    _, evidence, span = max(found, key=lambda one: one[0])
    return _citation(source, evidence, span)


def _citation(source: AnswerSource, evidence: Evidence, span: Span) -> Citation:
    place, quote = span.moved(evidence.span.start), span.of(evidence.quote)
    return Citation(source.number, evidence.chapter, place, quote, source.chunk_id, source.label)
