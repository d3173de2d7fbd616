"""The shapes of answers, as the description of the interface names them.

Where a value of the floors below is not answered as it is, its shape is read off it: a field that has another
name there, or stands deeper, gives its path.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Generic, Self, TypeVar

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field
from starlette.responses import Response

from ...core.files.plain_json import plain
from ...core.types import PagePlace, Share

if TYPE_CHECKING:
    from starlette.requests import Request

    from ...core.answering.answered import Answered
    from ...core.search import SearchResult
    from ...core.types import Span
    from ...engine import Project
    from ...library.library import Entry

T = TypeVar("T")
_LEFT_OUT = "left out: what the project's folder asks for and nobody confirmed (fabula trust, on the server)"


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


def json_response(data: Any, status: int = 200) -> Response:
    """A shape, or any value of the floors below, as compact JSON. What is shown is our own, so it is not
    validated once more."""
    shown = data.model_dump(mode="json") if isinstance(data, BaseModel) else plain(data)
    body = json.dumps(shown, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Response(body.encode(), status, media_type="application/json")


class Items(Shown, Generic[T]):
    """In order, the best first where they were searched for."""

    items: tuple[T, ...]


class Listed(Items[T]):
    """One page of a list; ``next`` leads to the next one, null on the last."""

    total: int
    next: str | None


def paged(request: Request, items: Sequence[Any], *, offset: int, limit: int) -> dict[str, Any]:
    """One page of ``items``, as :class:`Listed` has it."""
    after = offset + limit
    there = request.url.include_query_params(offset=after, limit=limit)
    following = f"{there.path}?{there.query}" if after < len(items) else None
    return {"items": items[offset:after], "total": len(items), "next": following}


class HealthShown(Shown):
    """``status`` is always ``"ok"``; ``version`` is the server's, ``checks`` are its parts, all ready."""

    status: str
    version: str
    checks: dict[str, bool]


class ProjectLine(Shown):
    """A project in a list: the ``id`` that names it in paths, and the book's title. ``problem`` is there
    where it cannot be used now, and says why."""

    id: str
    title: str
    problem: str = ""


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


class EmbeddingsShown(Shown):
    """``model`` made the ``vectors`` (one a chunk); ``current`` says whether the settings still name it."""

    model: str
    dimension: int
    vectors: int
    current: bool


class ProjectShown(Shown):
    """A project as a reader at ``as_of`` knows it."""

    id: str
    title: str
    as_of: int | None
    words: int
    chapters: tuple[ChapterShown, ...]
    books: tuple[BookShown, ...]
    embeddings: EmbeddingsShown


def project_shown(entry: Entry, project: Project, as_of: int | None, *, model: str) -> ProjectShown:
    """The chapters up to the horizon, and the words (parted by white space) in their bodies; ``model`` embeds
    by the settings of now. Raises HorizonError for a chapter that the book does not have."""
    document, horizon = project.document, project.horizon(as_of)
    told = [one for one in document.chapters if horizon.admits(one.number)]
    chapters = tuple(ChapterShown.of(one, words=len(one.body.of(document.text).split())) for one in told)
    begun = [book for book in document.books if horizon.admits(book.first)]
    books = tuple(BookShown.of(book, number=number) for number, book in enumerate(begun, 1))
    made = project.config.embedding.label
    return ProjectShown(
        id=entry.name,
        title=entry.title,
        as_of=as_of,
        words=sum(one.words for one in chapters),
        chapters=chapters,
        books=books,
        embeddings=EmbeddingsShown(
            model=made,
            dimension=project.search_index.dimension,
            vectors=project.search_index.limit(horizon),
            current=made == model,
        ),
    )


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


def search_shown(result: SearchResult, as_of: int | None, *, unconfirmed: bool) -> SearchShown:
    """``unconfirmed``: something that the project's folder asks for was left out."""
    printed = result.places or ((),) * len(result.passages)
    passages = [
        PassageShown.of(one, places=places) for one, places in zip(result.passages, printed, strict=True)
    ]
    notices = (*[_LEFT_OUT] * unconfirmed, *result.notices)
    return SearchShown.of(result, as_of=as_of, passages=passages, notices=notices)


class QuoteOf(Shown):
    """A quote of the text: it stands at the half-open character offsets ``start`` to ``end``."""

    chapter: int
    start: int = at("span", "start")
    end: int = at("span", "end")
    text: str = at("quote")


class CitationShown(Shown):
    """A quote that the answer stands on. ``number`` is its source's, as marks like ``[2]`` in the text name
    it; ``chunk_id`` is empty where the source is a note, and of a pack an item with its language
    (``ITEM:de``). ``score`` is that of its passage, where it is among those shown."""

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
    ``extractive`` answer, which is the text's own sentences. ``short`` are the words of it that say the
    answer, where that is likely; ``confidence`` (0 to 1) is how probable it is that they do, or, without
    them, that one of the quotes does; empty and null where they are not known. ``told`` is false where the
    text so far does not answer. ``cached`` marks a kept answer, made for the wording ``kept_for``."""

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


def answer_shown(
    answer: Answered,
    as_of: int | None,
    *,
    unconfirmed: bool = False,
    places: Callable[[Span], Sequence[PagePlace]] = lambda _: (),
) -> AnswerShown:
    """Without what a clock measured: the same question gives the same bytes. ``unconfirmed`` as in
    :func:`search_shown`; ``places`` says where a part of the text is printed."""
    scores = {one.chunk.id: one.score for one in answer.passages}
    citations = [
        CitationShown.of(one, score=scores.get(one.chunk_id), places=places(one.span), quote=QuoteOf.of(one))
        for one in answer.citations
    ]
    passages = [PassageShown.of(one, places=places(one.chunk.span)) for one in answer.passages]
    notices = (*[_LEFT_OUT] * unconfirmed, *answer.notices)
    return AnswerShown.of(answer, as_of=as_of, citations=citations, passages=passages, notices=notices)


class RatedShown(Shown):
    """``query_class`` is the kind of query that later searches learn for."""

    chunk_id: str = at("answer", "chunk_id")
    rating: float
    query_class: str


class MemoryQuoteShown(QuoteOf):
    """A quote and where it stands; ``document`` is `codex` where it is the codex's."""

    document: str = at("document_id")


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


class CodexShown(Shown):
    """``text`` is YAML or JSON as it was written; ``names`` and ``rules`` are what it lays down."""

    text: str
    names: tuple[str, ...]
    rules: tuple[str, ...]


class DoubtShown(Shown):
    """What the critic finds in a suggestion, with the story's own words on it."""

    rule: str
    message: str
    quotes: Annotated[tuple[str, ...], BeforeValidator(lambda found: [one.quote for one in found])] = at(
        "evidence"
    )


class SuggestionShown(Shown):
    """A way to go on, and what the critic finds in it beside the story, gravest first."""

    text: str
    findings: tuple[DoubtShown, ...]


class SuggestionsShown(Shown):
    """Ways to go on after a chapter, by a model."""

    model: str
    after: int
    items: tuple[SuggestionShown, ...]
    notices: tuple[str, ...]
