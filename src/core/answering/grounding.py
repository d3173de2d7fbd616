"""The sentences of the sources that an answer stands on, by the words that they share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..text.sentences import sentences
from ..text.tokenizing import Tokenizer
from ..types import Evidence, Span
from .sources import AnswerSource

_NAME = re.compile(r"(?<![\"“‘'])\b(?:[A-Z][a-z]\w*|\d[\d,.:]*\b)")
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
    names = (re.sub(r"['’]s?$", "", name) for name in _names(question) if not name[0].isdigit())
    return tuple(dict.fromkeys(names))


def telling_terms(tokenizer: Tokenizer, text: str) -> frozenset[str]:
    """The text's index terms but for those that any sentence may hold."""
    return frozenset(tokenizer.terms(text)) - _DULL


def _names(sentence: str) -> list[str]:
    """Capitalised words but for the first, which any word may open a sentence as, and numbers."""
    first = _WORD.search(sentence)
    at = first.start() if first and not first[0].isdigit() else -1
    return list(dict.fromkeys(found[0] for found in _NAME.finditer(sentence) if found.start() != at))


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
    start = evidence.span.start
    return Citation(
        source.number,
        evidence.chapter,
        Span(start + span.start, start + span.end),
        span.of(evidence.quote),
        source.chunk_id,
        source.label,
    )
