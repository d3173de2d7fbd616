"""A search's result as something to show: hits with what found them, where they stand, and why so weighed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.types import Horizon, Passage, Share, Span
from ..engine import Project
from ..project.searching import Mode, SearchResult
from ..story.passages.filter import SearchFilter
from .highlight import highlights
from .surroundings import Surroundings, surroundings

__all__ = ["HitShown", "SearchAsked", "SearchShown", "ShareShown", "search_shown"]

_LABELS: Mapping[str, str] = {
    "lexical": "words",
    "semantic": "meaning",
    "coverage": "terms covered",
    "nearness": "terms close together",
    "graph": "led to",
}


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
        why=_why(result),
        answered=result.answered,
        notices=result.notices,
    )


def _why(result: SearchResult) -> tuple[str, ...]:
    read = result.analysis.reasons[1:]  # the first is about which engine answers
    return (*read, *(result.decision.reasons if result.decision else ()))


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
