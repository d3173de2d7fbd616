"""A search's result as something to show: hits with what found them, where they stand, and why so weighed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.search import Mode
from ..core.text.tokenizing import Tokenizer
from ..core.types import Horizon, Passage, Share, Span
from ..engine import Project
from ..story.passages.filter import SearchFilter
from .quotes import Surroundings, surroundings

_LABELS: Mapping[str, str] = {
    "lexical": "words",
    "semantic": "meaning",
    "coverage": "terms covered",
    "nearness": "terms close together",
    "graph": "led to",
}
_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(r"\w+(?:[-_.]\w+)+")
# Question words and the like: the index knows them, but a page full of marked pronouns shows nothing.
_DULL = frozenset(
    "about am been can could did do doe does done from had has have he her him his how i me my our s she so "
    "than their them they us we were what when where which who whom whose whi why would you your".split()
)


@dataclass(frozen=True, slots=True)
class SearchAsked:
    """What to search for; see ``Project.search``."""

    query: str
    k: int
    mode: Mode = "hybrid"
    wanted: SearchFilter = field(default_factory=SearchFilter)


@dataclass(frozen=True, slots=True)
class ShareShown:
    """What one retriever gave: ``rank`` from 1 in its own list, its own ``score``, and ``part`` (0 to 1) of
    the hit's score."""

    retriever: str
    label: str
    rank: int
    score: float
    part: float


@dataclass(frozen=True, slots=True)
class HitShown:
    """A passage that was found. ``marks`` are the query's words in its ``text``; ``span`` is its place in the
    document, ``around`` what stands beside it there, ``printed`` its pages and lines where the book has them.
    """

    number: int
    chunk_id: str
    chapter: int
    title: str
    span: Span
    text: str
    score: float
    marks: tuple[Span, ...]
    shares: tuple[ShareShown, ...]
    around: Surroundings
    printed: str = ""


@dataclass(frozen=True, slots=True)
class SearchShown:
    """``semantic`` is the weight that meaning had (words had the rest), None where only one index was asked;
    ``why`` says how that came about, ``kind`` how the query's wording was read. ``answered`` is the wording
    that a kept result was made for, empty where it was made now; ``notices`` say what else to try."""

    asked: SearchAsked
    as_of: int
    hits: tuple[HitShown, ...]
    semantic: float | None
    kind: str
    why: tuple[str, ...]
    answered: str
    notices: tuple[str, ...] = ()


def search_shown(project: Project, asked: SearchAsked, *, as_of: int) -> SearchShown:
    """Searches and puts in order. Raises what ``Project.search`` does."""
    result = project.search(asked.query, asked.k, as_of=as_of, mode=asked.mode, wanted=asked.wanted)
    decision = result.decision
    return SearchShown(
        asked=asked,
        as_of=as_of,
        hits=tuple(
            _hit(project, passage, number, query=asked.query, as_of=as_of)
            for number, passage in enumerate(result.passages, start=1)
        ),
        semantic=decision.semantic if decision else None,
        kind=result.analysis.query_class,
        why=(*result.analysis.reasons[1:], *(decision.reasons if decision else ())),  # first: which engine
        answered=result.answered,
        notices=result.notices,
    )


def _hit(project: Project, passage: Passage, number: int, *, query: str, as_of: int) -> HitShown:
    chunk = passage.chunk
    around = surroundings(project.document, chunk.span, chapter=chunk.chapter, horizon=Horizon(as_of))
    return HitShown(
        number=number,
        chunk_id=chunk.id,
        chapter=chunk.chapter,
        title=around.title,
        span=chunk.span,
        text=chunk.text,
        score=passage.score,
        marks=highlights(chunk.text, query),
        shares=_shares(passage),
        around=around,
        printed=project.place(chunk.span),
    )


def _shares(passage: Passage) -> tuple[ShareShown, ...]:
    total = sum(max(0.0, share.share) for share in passage.shares)
    return tuple(
        ShareShown(share.retriever, _label(share), share.rank, share.score, max(0.0, share.share) / total)
        for share in passage.shares
        if total > 0
    )


def _label(share: Share) -> str:
    label = _LABELS.get(share.retriever, share.retriever)
    return f"{label} by {share.via}" if share.via else label


def highlights(text: str, query: str) -> tuple[Span, ...]:
    """The words of ``text`` that share a stem with a telling word of ``query``, in order, never overlapping.
    Whole words: "ran" is not marked for "run", "running" is. Costs about a microsecond a word."""
    tokenizer = Tokenizer()
    wanted = frozenset(tokenizer.terms(query)) - _DULL
    if not wanted:
        return ()
    found = [Span(*one.span()) for one in _CODE.finditer(text) if one[0].lower() in wanted]
    for match in _WORD.finditer(text):
        span = Span(*match.span())
        if any(term in wanted for term in tokenizer.terms(match[0])) and not any(map(span.overlaps, found)):
            found.append(span)
    return tuple(sorted(found))
