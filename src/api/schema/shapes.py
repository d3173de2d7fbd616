"""The shapes of answers, as the description of the interface names them.

Each is read off the value that it shows: where a field has another name there, or stands deeper, its path is
given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import AliasPath, BaseModel, ConfigDict, Field

from ...core.types import PagePlace, Share
from ...packs.pack import PackReport
from ...project.indexing import IndexReport
from ...project.keeping.verified import Checked
from ...story.memories.memory import COLLECTIONS, Collection
from ..problems import ProblemShown
from ..settings import MOST_PASSAGES
from .requests import AtHorizon, PassageFilter, Query


class Shown(BaseModel):
    """Made of a value by :meth:`of`."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, value: object, **more: Any) -> Self:
        """``more`` are what the value does not have, or has other than it is shown."""
        return cls.model_validate(_With(value, more) if more else value)


class _With:
    """A value with something else in the place of some of its attributes."""

    def __init__(self, value: object, more: dict[str, Any]) -> None:
        self._value = value
        self.__dict__.update(more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._value, name)


def at(*path: str) -> Any:
    """A field that stands elsewhere in the value."""
    return Field(validation_alias=AliasPath(*path))


class HealthShown(Shown):
    """``status`` is always ``"ok"``; ``version`` is the server's."""

    status: str
    version: str


class ReadyShown(Shown):
    """``checks`` says of each part whether it is ready."""

    ready: bool
    checks: dict[str, bool]


class ProjectLine(Shown):
    """A project in a list: the ``id`` that names it in paths, and the book's title. ``problem`` is there
    where it cannot be used now, and says why."""

    id: str
    title: str
    problem: str = ""


class ProjectsShown(Shown):
    """``next`` leads to the next page; null on the last."""

    items: tuple[ProjectLine, ...]
    total: int
    next: str | None


class BreakShown(Shown):
    """``part`` is a file or table of the project; ``advice`` is for who runs the server."""

    part: str
    problem: str
    advice: str


class VerifiedShown(Shown):
    """``clean`` where nothing is broken; ``notes`` are worth knowing and no break."""

    clean: bool = at("is_clean")
    checked: tuple[Checked, ...]
    broken: tuple[BreakShown, ...]
    notes: tuple[str, ...]


class ChapterShown(Shown):
    """``start`` and ``end`` are the body's half-open character offsets into the text."""

    number: int
    title: str
    start: int = at("body", "start")
    end: int = at("body", "end")
    words: int


class BookShown(Shown):
    """A book of a series; ``first`` is the number in the whole series of its first chapter."""

    number: int
    id: str
    title: str
    first: int


class ProjectShown(Shown):
    """A project as a reader at ``as_of`` knows it."""

    id: str
    title: str
    as_of: int | None
    words: int
    chapters: tuple[ChapterShown, ...]
    books: tuple[BookShown, ...]


class PassageShown(Shown):
    """``text`` stands at the half-open character offsets ``start`` to ``end``; ``shares`` sum to ``score``;
    ``places`` has one for each page, none where the book was no PDF."""

    chunk_id: str = at("chunk", "id")
    chapter: int = at("chunk", "chapter")
    start: int = at("chunk", "span", "start")
    end: int = at("chunk", "span", "end")
    text: str = at("chunk", "text")
    score: float
    shares: tuple[Share, ...]
    places: tuple[PagePlace, ...]


class LibraryHitShown(Shown):
    """A passage, and the ``project`` and ``title`` of its story."""

    project: str = at("story")
    title: str
    passage: PassageShown


class LibraryHitsShown(Shown):
    """Best first."""

    items: tuple[LibraryHitShown, ...]


class WeightsShown(Shown):
    """How much each index counts, 0 to 1, together 1; ``reasons`` say in words how that came about."""

    semantic: float
    lexical: float
    reasons: tuple[str, ...]


class SearchShown(Shown):
    """Passages, best first. ``weights`` where they were chosen for the query; ``kept_for`` is the wording
    that a kept result was made for, empty where it was made now; ``notices`` say what was left out."""

    as_of: int | None
    passages: tuple[PassageShown, ...]
    kind: str = at("analysis", "kind")
    query_class: str = at("analysis", "query_class")
    reasons: tuple[str, ...] = at("analysis", "reasons")
    weights: WeightsShown | None = at("decision")
    kept_for: str = at("answered")
    notices: tuple[str, ...]


class QuoteOf(Shown):
    """A quote of the text: it stands at the half-open character offsets ``start`` to ``end``."""

    chapter: int
    start: int = at("span", "start")
    end: int = at("span", "end")
    text: str = at("quote")


class CitationShown(Shown):
    """A quote that the answer stands on. ``number`` is its source's, as marks like ``[2]`` in the text name
    it; ``chunk_id`` is empty where the source is a note. ``score`` is that of its passage, where it is among
    those shown."""

    number: int
    label: str
    chunk_id: str
    score: float | None
    places: tuple[PagePlace, ...]
    quote: QuoteOf


class NoteShown(Shown):
    """What the story graph says, in words, with its quotes. ``kind`` is ``"character"``, ``"state"``,
    ``"relation"``, ``"path"`` or ``"constraint"``."""

    kind: str
    text: str
    quotes: tuple[QuoteOf, ...] = at("evidence")


class AnswerShown(Shown):
    """``grounded`` says that every sentence was checked against the sources that it names, ``supported``
    which share of those that a model wrote is left; null where nothing was checked, as in a scene or an
    ``extractive`` answer, which is the story's own sentences. ``short`` are the words of it that say the
    answer, where that is likely; ``confidence`` (0 to 1) is how probable it is that they do, or, without
    them, that one of the quotes does; empty and null where they are not known. ``told`` is false where the
    story so far does not answer. ``cached`` marks a kept answer, made for the wording ``kept_for``."""

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
    kept_for: str = at("answers")
    model: str


class ClassRatingsShown(Shown):
    """``mean`` is from 0 to 1."""

    query_class: str
    ratings: int
    mean: float | None


class PoorRatingShown(Shown):
    """A search whose passage did not serve."""

    query: str
    chunk_id: str
    rating: float


class RatingsShown(Shown):
    """How many ratings there are and their ``mean`` (0 to 1; null without any), by class of query too, and
    the newest that are below .5."""

    ratings: int
    mean: float | None
    by_class: tuple[ClassRatingsShown, ...]
    poor: tuple[PoorRatingShown, ...]


class RatedShown(Shown):
    """``query_class`` is the kind of query that later searches learn for."""

    chunk_id: str
    rating: float
    query_class: str


class EmbeddingsShown(Shown):
    """``model`` made the ``vectors`` (one a chunk); ``current`` says whether the settings still name it."""

    as_of: int | None
    model: str
    dimension: int
    vectors: int
    current: bool


class JobShown(Shown):
    """``report`` where it is done, ``problem`` where it failed. Times are seconds since 1970."""

    id: str
    kind: str
    project: str
    status: str
    created: float
    started: float | None
    finished: float | None
    report: IndexReport | PackReport | None
    problem: ProblemShown | None


class JobsShown(Shown):
    """Newest first; ``next`` leads to the next page, null on the last."""

    items: tuple[JobShown, ...]
    total: int
    next: str | None


@dataclass(frozen=True, slots=True)
class ReportShown:
    """A comparison: everything that is the same on every run that model and index repeat."""

    schema: str
    facts: dict[str, Any]


class MemoriesQuery(PassageFilter, AtHorizon):
    """What to look for, in which collections; the filter is about passages."""

    q: Query = Field(description="What to look for.", examples=["Who may cross the river?"])
    collections: Annotated[list[Collection], Field(max_length=4)] = Field(
        [], description="Which to ask; all where none is named."
    )
    limit: Annotated[int, Field(ge=1, le=MOST_PASSAGES)] | None = Field(
        None, description="How many of each; by default as the project's settings say."
    )

    @property
    def asked(self) -> tuple[Collection, ...]:
        """The collections to ask."""
        return tuple(self.collections) or COLLECTIONS


class MemoryQuoteShown(Shown):
    """A quote and where it stands; ``document`` is `codex` where it is the codex's."""

    document: str = at("document_id")
    chapter: int
    start: int = at("span", "start")
    end: int = at("span", "end")
    text: str = at("quote")


class MemoryShown(Shown):
    """``kind`` is `profile`, `rule`, `description`, `fact` or `picture`; ``now`` how a character is at the
    horizon. ``score`` is the cosine to the query; a character that it names comes first (``named``)."""

    kind: str = at("memory", "kind")
    key: str = at("memory", "key")
    name: str = at("memory", "name")
    text: str = at("memory", "text")
    now: str = at("memory", "now")
    score: float
    named: bool = at("is_named")
    quotes: tuple[MemoryQuoteShown, ...] = at("memory", "evidence")


class RecollectionShown(Shown):
    """Best first in each; a collection that was not asked is empty."""

    as_of: int | None
    chapters: tuple[PassageShown, ...]
    characters: tuple[MemoryShown, ...]
    codex: tuple[MemoryShown, ...]
    pictures: tuple[MemoryShown, ...]
