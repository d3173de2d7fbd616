"""The shapes of answers, as the description of the interface names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = [
    "AnswerShown",
    "BreakShown",
    "ChapterShown",
    "CheckedShown",
    "CitationShown",
    "EmbeddingsShown",
    "HealthShown",
    "IndexShown",
    "JobShown",
    "JobsShown",
    "LibraryHitShown",
    "LibraryHitsShown",
    "NoteShown",
    "PackReportShown",
    "PassageShown",
    "ProblemBrief",
    "ProjectLine",
    "ProjectShown",
    "ProjectsShown",
    "QuoteOf",
    "RatedShown",
    "RatingsShown",
    "ReadyShown",
    "ReportShown",
    "SearchShown",
    "ShareShown",
    "VerifiedShown",
    "WeightsShown",
]


@dataclass(frozen=True, slots=True)
class HealthShown:
    """``status`` is always ``"ok"``; ``version`` is the server's."""

    status: str
    version: str


@dataclass(frozen=True, slots=True)
class ReadyShown:
    """``checks`` says of each part whether it is ready."""

    ready: bool
    checks: dict[str, bool]


@dataclass(frozen=True, slots=True)
class ProjectLine:
    """A project in a list: the ``id`` that names it in paths, and the book's title. ``problem`` is there
    where it cannot be used now, and says why."""

    id: str
    title: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ProjectsShown:
    """``next`` leads to the next page; null on the last."""

    items: tuple[ProjectLine, ...]
    total: int
    next: str | None


@dataclass(frozen=True, slots=True)
class CheckedShown:
    """How many of ``what`` were compared."""

    what: str
    count: int


@dataclass(frozen=True, slots=True)
class BreakShown:
    """``part`` is a file or table of the project; ``advice`` is for who runs the server."""

    part: str
    problem: str
    advice: str


@dataclass(frozen=True, slots=True)
class VerifiedShown:
    """``clean`` where nothing is broken; ``notes`` are worth knowing and no break."""

    clean: bool
    checked: tuple[CheckedShown, ...]
    broken: tuple[BreakShown, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChapterShown:
    """``start`` and ``end`` are the body's half-open character offsets into the text."""

    number: int
    title: str
    start: int
    end: int
    words: int


@dataclass(frozen=True, slots=True)
class BookShown:
    """A book of a series; ``first`` is the number in the whole series of its first chapter."""

    number: int
    id: str
    title: str
    first: int


@dataclass(frozen=True, slots=True)
class ProjectShown:
    """A project as a reader at ``as_of`` knows it."""

    id: str
    title: str
    as_of: int | None
    words: int
    chapters: tuple[ChapterShown, ...]
    books: tuple[BookShown, ...]


@dataclass(frozen=True, slots=True)
class ShareShown:
    """What one retriever gave: its rank (from 1), its own score, and its part of the passage's score."""

    retriever: str
    rank: int
    score: float
    share: float
    via: str


@dataclass(frozen=True, slots=True)
class PlaceShown:
    """Where words stand on a page of a PDF: page and lines count from 1, both lines are part of it; ``box``
    is left, top, right and bottom in points from the top left of the page."""

    page: int
    first_line: int
    last_line: int
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PassageShown:
    """``text`` stands at the half-open character offsets ``start`` to ``end``; shares sum to ``score``;
    ``places`` has one for each page, none where the book was no PDF."""

    chunk_id: str
    chapter: int
    start: int
    end: int
    text: str
    score: float
    shares: tuple[ShareShown, ...]
    places: tuple[PlaceShown, ...]


@dataclass(frozen=True, slots=True)
class LibraryHitShown:
    """A passage, and the ``project`` and ``title`` of its story."""

    project: str
    title: str
    passage: PassageShown


@dataclass(frozen=True, slots=True)
class LibraryHitsShown:
    """Best first."""

    items: tuple[LibraryHitShown, ...]


@dataclass(frozen=True, slots=True)
class WeightsShown:
    """How much each index counts, 0 to 1, together 1; ``reasons`` say in words how that came about."""

    semantic: float
    lexical: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchShown:
    """Passages, best first. ``weights`` where they were chosen for the query; ``kept_for`` is the wording
    that a kept result was made for, empty where it was made now; ``notices`` say what was left out."""

    as_of: int | None
    passages: tuple[PassageShown, ...]
    kind: str
    query_class: str
    reasons: tuple[str, ...]
    weights: WeightsShown | None
    kept_for: str
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuoteOf:
    """A quote of the text: it stands at the half-open character offsets ``start`` to ``end``."""

    chapter: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class CitationShown:
    """A quote that the answer stands on. ``number`` is its source's, as marks like ``[2]`` in the text name
    it; ``chunk_id`` is empty where the source is a note. ``score`` is that of its passage, where it is among
    those shown."""

    number: int
    label: str
    chunk_id: str
    score: float | None
    places: tuple[PlaceShown, ...]
    quote: QuoteOf


@dataclass(frozen=True, slots=True)
class NoteShown:
    """What the story graph says, in words, with its quotes. ``kind`` is ``"character"``, ``"state"``,
    ``"relation"``, ``"path"`` or ``"constraint"``."""

    kind: str
    text: str
    quotes: tuple[QuoteOf, ...]


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """``grounded`` says whether every sentence that can be checked stands on the sources, ``supported`` which
    share does; null where nothing was checked, as in a scene or an ``extractive`` answer, which is the
    story's own sentences. ``short`` are the words of it that say the answer, where that is likely;
    ``confidence`` (0 to 1) is how probable it is that they do, or, without them, that one of the quotes does;
    empty and null where they are not known. ``told`` is false where
    the story so far does not answer. ``cached`` marks a kept answer, made for the wording ``kept_for``."""

    question: str
    as_of: int | None
    route: str
    text: str
    short: str
    confidence: float | None
    told: bool
    grounded: bool | None
    supported: float | None
    extractive: bool
    citations: tuple[CitationShown, ...]
    notes: tuple[NoteShown, ...]
    passages: tuple[PassageShown, ...]
    notices: tuple[str, ...]
    reasons: tuple[str, ...]
    cached: bool
    kept_for: str
    model: str


@dataclass(frozen=True, slots=True)
class ClassRatingsShown:
    """``mean`` is from 0 to 1."""

    query_class: str
    ratings: int
    mean: float | None


@dataclass(frozen=True, slots=True)
class PoorRatingShown:
    """A search whose passage did not serve."""

    query: str
    chunk_id: str
    rating: float


@dataclass(frozen=True, slots=True)
class RatingsShown:
    """How many ratings there are and their ``mean`` (0 to 1; null without any), by class of query too, and
    the newest that are below .5."""

    ratings: int
    mean: float | None
    by_class: tuple[ClassRatingsShown, ...]
    poor: tuple[PoorRatingShown, ...]


@dataclass(frozen=True, slots=True)
class RatedShown:
    """``query_class`` is the kind of query that later searches learn for."""

    chunk_id: str
    rating: float
    query_class: str


@dataclass(frozen=True, slots=True)
class EmbeddingsShown:
    """``model`` made the ``vectors`` (one a chunk); ``current`` says whether the settings still name it."""

    as_of: int | None
    model: str
    dimension: int
    vectors: int
    current: bool


@dataclass(frozen=True, slots=True)
class ProblemBrief:
    """A problem (RFC 9457) without its errors by field: ``type`` is for programs, ``detail`` for people."""

    type: str
    title: str
    status: int
    detail: str


@dataclass(frozen=True, slots=True)
class IndexShown:
    """What indexing did. ``embedded`` and ``read`` count the chapters that were worked on."""

    title: str
    chapters: int
    words: int
    chunks: int
    embedded: int
    embedded_chunks: int
    read: int
    seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class SkippedShown:
    """What was left out of a file, and why."""

    file: str
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class PackReportShown:
    """What a job made of a pack's file."""

    items: int
    texts: int
    embedded: int
    changed: bool
    skipped: tuple[SkippedShown, ...]


@dataclass(frozen=True, slots=True)
class JobShown:
    """``report`` where it is done, ``problem`` where it failed. Times are seconds since 1970."""

    id: str
    kind: str
    project: str
    status: str
    created: float
    started: float | None
    finished: float | None
    report: IndexShown | PackReportShown | None
    problem: ProblemBrief | None


@dataclass(frozen=True, slots=True)
class JobsShown:
    """Newest first; ``next`` leads to the next page, null on the last."""

    items: tuple[JobShown, ...]
    total: int
    next: str | None


@dataclass(frozen=True, slots=True)
class ReportShown:
    """A comparison: everything that is the same on every run that model and index repeat."""

    schema: str
    facts: dict[str, Any]
