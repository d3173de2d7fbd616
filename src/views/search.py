"""A search's result as something to show: hits with what found them, where they stand, and why so weighed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.search import Mode, SearchResult
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
class HitShown:
    """A passage that was found. ``marks`` are the query's words in its text; ``around`` is what stands beside
    it in the document, ``printed`` its pages and lines where the book has them."""

    passage: Passage
    marks: tuple[Span, ...]
    around: Surroundings
    printed: str = ""

    @property
    def shares(self) -> list[tuple[str, Share, float]]:
        """What each retriever is called, what it gave, and which part (0 to 1) of the score that is."""
        shares = self.passage.shares
        total = sum(max(0.0, share.share) for share in shares)
        called = ((_LABELS.get(one.retriever, one.retriever), one) for one in shares if total > 0)
        return [
            (f"{label} by {one.via}" if one.via else label, one, max(0.0, one.share) / total)
            for label, one in called
        ]


@dataclass(frozen=True, slots=True)
class SearchShown:
    """What was asked and found up to chapter ``as_of``."""

    asked: SearchAsked
    as_of: int
    result: SearchResult
    hits: tuple[HitShown, ...]

    @property
    def why(self) -> tuple[str, ...]:
        """How the query's wording was read, and how the weights of the indexes came about."""
        decision = self.result.decision
        read = self.result.analysis.reasons[1:]  # the first says which engine
        return (*read, *(decision.reasons if decision else ()))


def search_shown(project: Project, asked: SearchAsked, *, as_of: int) -> SearchShown:
    """Searches and puts in order. Raises what ``Project.search`` does."""
    result = project.search(asked.query, asked.k, as_of=as_of, mode=asked.mode, wanted=asked.wanted)
    document, horizon = project.document, Horizon(as_of)
    hits = tuple(
        HitShown(
            one,
            highlights(one.chunk.text, asked.query),
            surroundings(document, one.chunk.span, chapter=one.chunk.chapter, horizon=horizon),
            project.place(one.chunk.span),
        )
        for one in result.passages
    )
    return SearchShown(asked, as_of, result, hits)


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
