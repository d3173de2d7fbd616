"""How values become what answers hold (see :mod:`.schema.shapes`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from pydantic import BaseModel
from starlette.responses import Response

from ...core.files.plain_json import plain
from .shapes import (
    AnswerShown,
    BookShown,
    ChapterShown,
    CitationShown,
    PassageShown,
    ProjectShown,
    QuoteOf,
    SearchShown,
)

if TYPE_CHECKING:
    from starlette.requests import Request

    from ...core.answering.answered import Answered
    from ...core.search import SearchResult
    from ...core.types import PagePlace, Span
    from ...engine import Project
    from ...library.library import Entry
    from ..jobs.registry import Job

_LEFT_OUT = "left out: what the project's folder asks for and nobody confirmed (fabula trust, on the server)"


def json_of(data: Any) -> Any:
    """A shape, or any value of the floors below, as plain JSON data."""
    return data.model_dump(mode="json") if isinstance(data, BaseModel) else plain(data)


def json_response(data: Any, status: int = 200) -> Response:
    """A value as compact JSON. What is shown is our own, so it is not validated once more."""
    body = json.dumps(json_of(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Response(body.encode(), status, media_type="application/json")


def paged(
    request: Request, items: Sequence[Any], *, offset: int, limit: int, show: Callable[[Any], Any] = plain
) -> dict[str, Any]:
    """One page of ``items``, each as ``show`` has it, with the way to the next."""
    after = offset + limit
    following = None
    if after < len(items):
        kept = [(k, v) for k, v in request.query_params.multi_items() if k not in ("offset", "limit")]
        following = f"{request.url.path}?{urlencode([*kept, ('offset', after), ('limit', limit)])}"
    return {"items": [show(one) for one in items[offset:after]], "total": len(items), "next": following}


def project_shown(entry: Entry, project: Project, as_of: int | None) -> ProjectShown:
    """The chapters up to the horizon, and the words (parted by white space) in their bodies. Raises
    HorizonError for a chapter that the book does not have."""
    document, admits = project.document, project.horizon(as_of).admits
    chapters = tuple(
        ChapterShown.of(one, words=len(one.body.of(document.text).split()))
        for one in document.chapters
        if admits(one.number)
    )
    books = tuple(
        BookShown.of(book, number=number)
        for number, book in enumerate(document.books, 1)
        if admits(book.first)
    )
    words = sum(one.words for one in chapters)
    return ProjectShown(
        id=entry.name, title=entry.title, as_of=as_of, words=words, chapters=chapters, books=books
    )


def search_shown(result: SearchResult, as_of: int | None, *, unconfirmed: bool) -> SearchShown:
    """``unconfirmed``: something that the project's folder asks for was left out."""
    printed = result.places or ((),) * len(result.passages)
    passages = [
        PassageShown.of(one, places=places) for one, places in zip(result.passages, printed, strict=True)
    ]
    notices = (*[_LEFT_OUT] * unconfirmed, *result.notices)
    return SearchShown.of(result, as_of=as_of, passages=passages, notices=notices)


def answer_shown(
    answer: Answered,
    as_of: int | None,
    *,
    unconfirmed: bool,
    places: Callable[[Span], Sequence[PagePlace]],
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


def job_shown(job: Job) -> dict[str, Any]:
    """A ``JobShown``. Of a problem it leaves out the errors by field."""
    names = ("id", "kind", "project", "status", "created", "started", "finished")
    outcome, status = dict(job.outcome or {}), job.status.value
    problem = {key: outcome[key] for key in ("type", "title", "status", "detail") if key in outcome}
    return {
        **{name: plain(getattr(job, name)) for name in names},
        "report": outcome if status == "done" else None,
        "problem": problem if status == "failed" and problem else None,
    }
