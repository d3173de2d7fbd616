"""How values become what answers hold (see :mod:`.schema.shapes`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.responses import Response

from ...core.files.plain_json import plain

if TYPE_CHECKING:
    from starlette.requests import Request

    from ...core.answering.answered import Answered
    from ...core.types import Evidence, PagePlace, Passage, Span
    from ...engine import Project
    from ...library.library import Entry
    from ...project.keeping.broken import Verified
    from ...project.searching import SearchResult
    from ..jobs.registry import Job

__all__ = [
    "answer_shown",
    "embeddings_shown",
    "job_shown",
    "json_response",
    "paged",
    "passage_shown",
    "project_shown",
    "search_shown",
    "verified_shown",
]


def json_response(data: Any, status: int = 200) -> Response:
    """Plain data as compact JSON. What is shown is our own, so it is not validated once more."""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Response(body.encode(), status, media_type="application/json")


def paged(
    request: Request, items: Sequence[Any], *, offset: int, limit: int, total: int | None = None
) -> dict[str, Any]:
    """One page of ``items`` with the way to the next."""
    count = len(items) if total is None else total
    after = offset + limit
    following = None
    if after < count:
        kept = [(k, v) for k, v in request.query_params.multi_items() if k not in ("offset", "limit")]
        following = f"{request.url.path}?{urlencode([*kept, ('offset', after), ('limit', limit)])}"
    return {"items": list(items[offset:after]), "total": count, "next": following}


def project_shown(entry: Entry, project: Project, as_of: int | None) -> dict[str, Any]:
    """A ``ProjectShown``: the chapters up to the horizon, and the words (parted by white space) in their
    bodies. Raises HorizonError for a chapter that the book does not have."""
    text = project.document.text
    told = [one for one in project.document.chapters if project.horizon(as_of).admits(one.number)]
    chapters = [
        {
            "number": one.number,
            "title": one.title,
            "start": one.body.start,
            "end": one.body.end,
            "words": len(one.body.of(text).split()),
        }
        for one in told
    ]
    books = [
        {"number": number, "id": book.id, "title": book.title, "first": book.first}
        for number, book in enumerate(project.document.books, 1)
        if project.horizon(as_of).admits(book.first)
    ]
    return {
        "id": entry.name,
        "title": entry.title,
        "as_of": as_of,
        "words": sum(int(str(one["words"])) for one in chapters),
        "chapters": chapters,
        "books": books,
    }


def passage_shown(passage: Passage, places: Sequence[PagePlace] = ()) -> dict[str, Any]:
    """A ``PassageShown``, with where it is printed."""
    chunk = passage.chunk
    return {
        "chunk_id": chunk.id,
        "chapter": chunk.chapter,
        "start": chunk.span.start,
        "end": chunk.span.end,
        "text": chunk.text,
        "score": passage.score,
        "shares": [
            {"retriever": s.retriever, "rank": s.rank, "score": s.score, "share": s.share, "via": s.via}
            for s in passage.shares
        ],
        "places": [_place(one) for one in places],
    }


def _place(place: PagePlace) -> dict[str, Any]:
    return {
        "page": place.page,
        "first_line": place.first_line,
        "last_line": place.last_line,
        "box": list(place.box),
    }


def search_shown(result: SearchResult, as_of: int | None, *, unconfirmed: bool) -> dict[str, Any]:
    """``unconfirmed``: something that the project's folder asks for was left out."""
    decision = result.decision
    printed = result.places or ((),) * len(result.passages)
    weights = None
    if decision is not None:
        weights = {
            "semantic": decision.semantic,
            "lexical": decision.lexical,
            "reasons": list(decision.reasons),
        }
    return {
        "as_of": as_of,
        "passages": [
            passage_shown(one, places) for one, places in zip(result.passages, printed, strict=True)
        ],
        "kind": result.analysis.kind,
        "query_class": result.analysis.query_class,
        "reasons": list(result.analysis.reasons),
        "weights": weights,
        "kept_for": result.answered,
        "notices": [*([_LEFT_OUT] * unconfirmed), *result.notices],
    }


_LEFT_OUT = "left out: what the project's folder asks for and nobody confirmed (fabula trust, on the server)"


def _quote(evidence: Evidence) -> dict[str, Any]:
    return {
        "chapter": evidence.chapter,
        "start": evidence.span.start,
        "end": evidence.span.end,
        "text": evidence.quote,
    }


def answer_shown(
    answer: Answered,
    as_of: int | None,
    *,
    unconfirmed: bool,
    places: Callable[[Span], Sequence[PagePlace]] = lambda _: (),
) -> dict[str, Any]:
    """Without what a clock measured: the same question gives the same bytes. ``unconfirmed`` as in
    :func:`search_shown`; ``places`` says where a part of the text is printed."""
    scores = {one.chunk.id: one.score for one in answer.passages}
    return {
        "question": answer.question,
        "as_of": as_of,
        "route": answer.route,
        "text": answer.text,
        "short": answer.short,
        "confidence": answer.confidence,
        "told": answer.told,
        "grounded": answer.grounded,
        "supported": answer.supported,
        "extractive": answer.extractive,
        "citations": [
            {
                "number": one.number,
                "label": one.label,
                "chunk_id": one.chunk_id,
                "score": scores.get(one.chunk_id),
                "places": [_place(place) for place in places(one.span)],
                "quote": {
                    "chapter": one.chapter,
                    "start": one.span.start,
                    "end": one.span.end,
                    "text": one.quote,
                },
            }
            for one in answer.citations
        ],
        "notes": [
            {"kind": one.kind, "text": one.text, "quotes": [_quote(e) for e in one.evidence]}
            for one in answer.notes
        ],
        "passages": [passage_shown(one, places(one.chunk.span)) for one in answer.passages],
        "notices": [*[_LEFT_OUT] * unconfirmed, *answer.notices],
        "reasons": list(answer.reasons),
        "cached": answer.cached,
        "kept_for": answer.answers,
        "model": answer.model,
    }


def embeddings_shown(project: Project, *, wanted: str, as_of: int | None) -> dict[str, Any]:
    """``wanted`` is the model that the settings name now."""
    made = project.config.embedding.label
    return {
        "as_of": as_of,
        "model": made,
        "dimension": project.hybrid.dimension,
        "vectors": project.hybrid.limit(project.horizon(as_of)),
        "current": made == wanted,
    }


def verified_shown(verified: Verified) -> dict[str, Any]:
    """A ``VerifiedShown``: without the details, which may quote what stands in a file."""
    return {
        "clean": verified.is_clean,
        "checked": [{"what": one.what, "count": one.count} for one in verified.checked],
        "broken": [
            {"part": one.part, "problem": one.problem, "advice": one.advice} for one in verified.broken
        ],
        "notes": list(verified.notes),
    }


def job_shown(job: Job) -> dict[str, Any]:
    """A ``JobShown``. Of a problem it leaves out the errors by field."""
    outcome = dict(job.outcome) if job.outcome else None
    problem = outcome if job.status.value == "failed" and outcome else None
    if problem is not None:
        problem = {key: problem[key] for key in ("type", "title", "status", "detail")}
    return {
        "id": job.id,
        "kind": job.kind.value,
        "project": job.project,
        "status": job.status.value,
        "created": job.created,
        "started": job.started,
        "finished": job.finished,
        "report": plain(outcome) if job.status.value == "done" else None,
        "problem": problem,
    }
