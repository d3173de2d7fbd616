"""Search, questions to the text, and what readers think of the answers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request, Response

from ...library.searching import search_stories
from ...views.text.kept import ratings_shown
from ..backend import AskingNow, Reading, ReadingNow
from ..idempotency import Answer
from ..light_search import QuickSearch
from ..problems import answering, documented, showing
from ..schema.requests import Ask, AtHorizon, Feedback, LibraryQuery, Nothing, SearchQuery
from ..schema.responses import answer_shown, json_of, json_response, search_shown
from ..schema.shapes import (
    AnswerShown,
    LibraryHitShown,
    LibraryHitsShown,
    MemoriesQuery,
    PassageShown,
    RatedShown,
    RatingsShown,
    RecollectionShown,
    SearchShown,
)
from ..streams import EventStream, Tell, events_of, streaming
from .projects import IdempotencyKey

router = APIRouter(prefix="/v1", tags=["search"])
_READING = (401, 403, 404, 422, 502, 503)
_ASKING = (400, 401, 404, 413, 422, 429, 502, 503)


def search(asked: Annotated[SearchQuery, Query()], reading: ReadingNow) -> Response:
    """The best passages for a query, with what each retriever gave to them."""
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        started = time.perf_counter()
        result = project.search(
            asked.q,
            asked.k,
            as_of=as_of,
            mode=asked.mode,
            semantic_weight=asked.semantic_weight,
            wanted=asked.wanted(),
            least_score=asked.least_score,
        )
        seconds = time.perf_counter() - started
        reading.backend.retrievals.searched(reading.project_id, asked.q, asked.mode, result, seconds)
        unconfirmed = bool(reading.notices(project))
    return json_response(search_shown(result, as_of, unconfirmed=unconfirmed))


router.add_api_route(
    "/projects/{project_id}/search",
    search,
    methods=["GET"],
    response_model=SearchShown,
    responses=documented(*_READING),
    route_class_override=QuickSearch,
)


@router.get("/projects/{project_id}/memories", **showing(RecollectionShown, 401, 403, 404, 422, 502, 503))
def memories(asked: Annotated[MemoriesQuery, Query()], reading: ReadingNow) -> Response:
    """What three memories hold on a query: passages of the chapters, profiles of the characters at the
    horizon, and what the codex lays down."""
    from ...project.recalling import recall

    with reading.project() as project:
        found = recall(
            project,
            asked.q,
            as_of=reading.chapter(asked.as_of),
            collections=asked.asked,
            limit=asked.limit,
            wanted=asked.wanted(),
        )
    chapters = [PassageShown.of(one, places=()) for one in found.chapters]
    return json_response(RecollectionShown.of(found, chapters=chapters))


@router.get("/search", **showing(LibraryHitsShown, 401, 404, 422, 429, 502, 503))
def search_all(asked: Annotated[LibraryQuery, Query()], asking: AskingNow) -> Response:
    """The best passages of several stories for one query. Each is searched whole, unless ``read_to`` says how
    far it is read."""
    backend, access = asking.backend, asking.access
    names = asked.projects or [one.name for one in backend.library.searchable(access.allows)]
    entries = [backend.entry(name, access) for name in dict.fromkeys(names)]
    with backend.heavily():
        found = search_stories(
            entries, backend.shelf.read, asked.q, asked.k or 5, read_to=asked.chapters, mode=asked.mode
        )
    items = [
        LibraryHitShown.of(hit, passage=PassageShown.of(hit.passage, places=hit.places)) for hit in found
    ]
    return json_response(LibraryHitsShown(items=items))


@router.post("/projects/{project_id}/ask", **showing(AnswerShown, *_ASKING))
def ask(
    asked: Annotated[AtHorizon, Query()], question: Annotated[Ask, Body()], reading: ReadingNow
) -> Response:
    """An answer with the quotes it stands on. A wish to write on is answered with a scene."""
    return json_response(_answered(reading, question, reading.chapter(asked.as_of)))


@router.post(
    "/projects/{project_id}/ask/stream",
    **streaming(
        "Server-sent events: `started`, `text` (a piece, a JSON string), and last `done` "
        "(an `AnswerShown`) or `problem`",
        *_ASKING,
    ),
)
async def ask_stream(
    asked: Annotated[AtHorizon, Query()],
    question: Annotated[Ask, Body()],
    reading: ReadingNow,
    request: Request,
) -> EventStream:
    """As `ask`, told while it is written. Whoever hangs up ends the work."""
    seconds = reading.backend.settings.limits.stream_s
    return await events_of(
        request,
        lambda tell: _answered(reading, question, reading.chapter(asked.as_of), tell),
        seconds=seconds,
    )


def _answered(
    reading: Reading, question: Ask, as_of: int | None, tell: Tell | None = None
) -> Mapping[str, Any]:
    with reading.at_work(as_of, tell, with_model=bool(question.model)) as project:
        started = time.perf_counter()
        answer = project.ask(
            question.question,
            k=question.k,
            as_of=as_of,
            wanted=question.filter.wanted(),
            history=[(turn.question, turn.answer) for turn in question.history],
            conversation=question.conversation_id,
            model=question.model,
            on_text=(lambda piece: tell("text", piece)) if tell is not None else None,
        )
        seconds = time.perf_counter() - started
        reading.backend.retrievals.answered(reading.project_id, question.question, answer, seconds)
        unconfirmed = bool(reading.notices(project))
        shown = answer_shown(answer, as_of, unconfirmed=unconfirmed, places=project.places)
        return dict(json_of(shown))


@router.post(
    "/projects/{project_id}/feedback",
    **answering(201, RatedShown, "It is kept", 400, 401, 404, 409, 413, 422, 502, 503),
)
def rate(
    asked: Annotated[AtHorizon, Query()],
    feedback: Annotated[Feedback, Body()],
    reading: ReadingNow,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Rate a passage that a search gave: later searches weigh their indexes by what served."""

    def act() -> Answer:
        with reading.project() as project:
            kept = project.rate(
                feedback.query,
                feedback.chunk_id,
                feedback.rating,
                k=feedback.k,
                as_of=reading.chapter(asked.as_of),
                wanted=feedback.filter.wanted(),
            )
        data = {"chunk_id": feedback.chunk_id, "rating": kept.rating, "query_class": kept.query_class}
        return Answer(201, data)

    return reading.once(
        idempotency_key, act, "rate", reading.project_id, asked.as_of, feedback.model_dump(mode="json")
    )


@router.get("/projects/{project_id}/feedback", **showing(RatingsShown, 401, 404, 422, 503))
def ratings(asked: Annotated[AtHorizon, Query()], reading: ReadingNow) -> Response:
    """What readers thought of the passages they were given, at the horizon or before it."""
    with reading.project() as project:
        return json_response(ratings_shown(project.ratings(reading.chapter(asked.as_of))))


@router.delete(
    "/projects/{project_id}/feedback", **answering(204, None, "All ratings are forgotten", 401, 404, 422, 503)
)
def forget(_: Annotated[Nothing, Query()], reading: ReadingNow) -> Response:
    """Forget all ratings; doing it twice changes nothing."""
    with reading.project() as project:
        project.searcher.manager.reset()
    return Response(status_code=204)
