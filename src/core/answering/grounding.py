"""Does an answer stand on its sources? Sentence by sentence, by the words it shares with them.

A lexical check, so that it costs nothing and gives the same verdict every time. Of a sentence's telling
terms (stems without function words, see :mod:`.text.tokenizing`) it asks which source holds most; the
sentence is *supported* where that is at least :data:`SUPPORTED_SHARE`, every name and number in it stands in
some source or in the question, and all its mark-up and web addresses in some source. It catches what a source
does not say; it cannot catch a source's own words put together wrongly ("the cat chased the dog").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..text.sentences import sentences
from ..text.tokenizing import Tokenizer
from ..types import Evidence, Span
from .sources import AnswerSource

SUPPORTED_SHARE = 0.6

_MARK = re.compile(r"\[(\d{1,3})\]")
_NAME = re.compile(r"(?<![\"“‘'])\b(?:[A-Z][a-z]\w*|\d[\d,.:]*\b)")
_MARK_UP = re.compile(r"<[a-z/!?][^\s>]*|\]\(\S*|\]:|\b[a-z][a-z0-9+.-]*:/\S*|\bwww\.\S*", re.IGNORECASE)
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
    """A sentence of the answer (``span`` into its text), the share of its terms (0 to 1) that its best source
    holds, that source's number (0: none), the numbers it cites itself, and the names, numbers and mark-up in
    it that stand nowhere. ``supported`` is None for one that says nothing to check."""

    span: Span
    share: float
    source: int
    cited: tuple[int, ...]
    unknown: tuple[str, ...]
    supported: bool | None


@dataclass(frozen=True, slots=True)
class Grounding:
    """How an answer stands on its sources: each of its sentences, in order, and the quotes that the supported
    ones are cited to, each once. Without ``sentences`` nothing was checked, as in an answer made of
    quotes."""

    sentences: tuple[SentenceSupport, ...]
    citations: tuple[Citation, ...]

    @property
    def supported(self) -> float | None:
        """Share of the sentences that can be checked, 0 to 1; None where none can."""
        judged = [one.supported for one in self.sentences if one.supported is not None]
        return sum(judged) / len(judged) if judged else None


def cited_numbers(text: str, sources: Sequence[AnswerSource]) -> tuple[int, ...]:
    """The sources that marks like ``[2]`` name, in order, each once; marks of no source are passed over."""
    known = {source.number for source in sources}
    found = (int(mark) for mark in _MARK.findall(text))
    return tuple(dict.fromkeys(number for number in found if number in known))


def ground(answer: str, sources: Sequence[AnswerSource], *, question: str = "") -> Grounding:
    """Checks every sentence of ``answer`` against ``sources``. A supported sentence is cited to its best
    source, and to each one that it names itself and that shares a term with it, by the sentence there that
    is nearest to it."""
    tokenizer = Tokenizer()
    terms = {source.number: frozenset(tokenizer.terms(source.text)) for source in sources}
    by_number = {source.number: source for source in sources}
    told = "\n".join(source.text for source in sources)
    known = _words(f"{question} {told}")
    found: list[SentenceSupport] = []
    citations: dict[tuple[int, Span], Citation] = {}
    for span in answer_sentences(answer):
        said = _MARK.sub(" ", span.of(answer))
        own = telling_terms(tokenizer, said)
        cited = cited_numbers(span.of(answer), sources)
        unknown = tuple(name for name in _names(said) if not _words(name) <= known)
        unknown += tuple(mark for mark in dict.fromkeys(_MARK_UP.findall(said)) if mark not in told)
        best, share = _best(own, terms, cited)
        supported = (share >= SUPPORTED_SHARE and not unknown) if own or unknown else None
        found.append(SentenceSupport(span, share, best, cited, unknown, supported))
        if supported:
            for number in dict.fromkeys((best, *cited)):
                if own & terms[number]:
                    citation = _nearest(by_number[number], own, tokenizer)
                    citations.setdefault((number, citation.span), citation)
    return Grounding(tuple(found), tuple(citations.values()))


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


def answer_sentences(answer: str) -> list[Span]:
    """Sentences, each with the marks that stand right behind its end ("… the tea. [2]")."""
    spans = sentences(answer)
    joined: list[Span] = []
    for span in spans:
        if joined and not _MARK.sub("", span.of(answer)).strip(" .,;"):
            joined[-1] = Span(joined[-1].start, span.end)
            continue
        mark = re.match(r"(?:\[\d{1,3}\][\s,.]*)+", span.of(answer))
        if joined and mark:
            joined[-1] = Span(joined[-1].start, span.start + len(mark[0].rstrip()))
            span = Span(span.start + mark.end(), span.end)  # noqa: PLW2901 (the marks belong before)
        joined.append(span)
    return joined


def telling_terms(tokenizer: Tokenizer, text: str) -> frozenset[str]:
    """The text's index terms but for those that any sentence may hold."""
    return frozenset(tokenizer.terms(text)) - _DULL


def _names(sentence: str) -> list[str]:
    """Capitalised words but for the first, which any word may open a sentence as, and numbers."""
    first = _WORD.search(sentence)
    at = first.start() if first and not first[0].isdigit() else -1
    return list(dict.fromkeys(found[0] for found in _NAME.finditer(sentence) if found.start() != at))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _best(
    own: frozenset[str], terms: Mapping[int, frozenset[str]], cited: Sequence[int]
) -> tuple[int, float]:
    """The source that holds most of the terms (of equals one that is cited, then the first), and its share;
    where no single one does, the sources that are cited may hold them together."""
    if not own:
        return 0, 0.0
    ranked = sorted((-len(own & held), number not in cited, number) for number, held in terms.items())
    if not ranked or not ranked[0][0]:
        return 0, 0.0
    number = ranked[0][2]
    together = frozenset().union(*(terms[one] for one in cited)) if cited else frozenset()
    return number, max(-ranked[0][0], len(own & together)) / len(own)


def _nearest(source: AnswerSource, own: frozenset[str], tokenizer: Tokenizer) -> Citation:
    best: tuple[int, int, Evidence, Span] | None = None
    for at, evidence in enumerate(source.evidence):
        for span in sentences(evidence.quote) or [Span(0, len(evidence.quote))]:
            shared = len(own & frozenset(tokenizer.terms(span.of(evidence.quote))))
            if best is None or (-shared, at) < best[:2]:
                best = (-shared, at, evidence, span)
    if best is None:
        raise ValueError(f"source {source.number} stands on no quote")
    return _citation(source, best[2], best[3])


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
