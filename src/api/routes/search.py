"""Search, questions to the text, conversations, and what readers think of the answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, get_origin

from fastapi import APIRouter, Body, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from ...library.searching import search_stories
from ...views.text.kept import ConversationShown, ConversationsShown
from ..backend import AskingNow, Reading, ReadingNow, reading_of
from ..problems import Problem, answering, documented
from ..schema.requests import (
    CONVERSATION,
    Ask,
    AsOf,
    Feedback,
    LibraryQuery,
    MemoriesQuery,
    NoQuery,
    SearchQuery,
)
from ..schema.shapes import (
    AnswerShown,
    Items,
    LibraryHitShown,
    PassageShown,
    RatedShown,
    RecollectionShown,
    SearchShown,
    answer_shown,
    json_response,
    search_shown,
)
from ..streams import EVENTS, Emit, events_of

router = APIRouter(prefix="/v1", tags=["search"])
_PROJECT = "/projects/{project_id}"
_FEW = 200  # characters
_UNFILTERED = frozenset({"q", "mode", "k", "as_of"})
_LISTS = {name for name, one in SearchQuery.model_fields.items() if get_origin(one.annotation) is list}
ConversationId = Annotated[str, PathParameter(pattern=CONVERSATION, examples=["first-reading"])]


class QuickSearch(APIRoute):
    """For ``search``, which is asked most: its query is read by its model at once. The framework reads a
    query parameter by parameter and solves dependencies anew for each request, which takes longer than a
    search in the words' index. The operation stays described, and behaves, as any other."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        async def handle(request: Request) -> Response:
            asked = _read_query(request)
            reading = await reading_of(request.path_params["project_id"], request)
            if _is_instant(asked, reading):  # threads that take turns at the interpreter wait for each other
                return search(asked, reading)
            return await run_in_threadpool(search, asked, reading)

        return handle


def _read_query(request: Request) -> SearchQuery:
    """Of a name that is given twice and takes one value, the last counts. Raises RequestValidationError."""
    given = request.query_params
    try:
        return SearchQuery.model_validate({n: given.getlist(n) if n in _LISTS else given[n] for n in given})
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False, include_context=False)
        raise RequestValidationError([{**one, "loc": ("query", *one["loc"])} for one in wrong]) from None


def _is_instant(asked: SearchQuery, reading: Reading) -> bool:
    """Whether a search takes less time than handing it to a thread: a few words, looked up in an index that
    is loaded and not large."""
    if asked.mode != "lexical" or len(asked.q) > _FEW or not asked.model_fields_set <= _UNFILTERED:
        return False
    project = reading.backend.shelf.at_hand(reading.entry)
    searcher = project.__dict__.get("searcher") if project is not None else None
    return searcher is not None and searcher.is_light


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
        reading.backend.metrics.searched(reading.project_id, asked.q, asked.mode, result, seconds)
        unconfirmed = bool(reading.notices(project))
    return json_response(search_shown(result, as_of, unconfirmed=unconfirmed))


router.add_api_route(
    f"{_PROJECT}/search",
    search,
    methods=["GET"],
    route_class_override=QuickSearch,
    **answering(SearchShown, 403, 502),
)


@router.get(f"{_PROJECT}/memories", **answering(RecollectionShown, 403, 502))
def memories(asked: Annotated[MemoriesQuery, Query()], reading: ReadingNow) -> Response:
    """What the memories hold on a query: passages of the chapters, profiles of the characters at the horizon,
    what the codex lays down, and captions of pictures."""
    from ...project.recalling import recall

    with reading.project() as project:
        found = recall(
            project,
            asked.q,
            as_of=reading.chapter(asked.as_of),
            collections=asked.collections,
            limit=asked.limit,
            wanted=asked.wanted(),
        )
    chapters = [PassageShown.of(one, places=()) for one in found.chapters]
    return json_response(RecollectionShown.of(found, chapters=chapters))


@router.get("/search", **answering(Items[LibraryHitShown], 404, 429, 502, 503))
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
    return json_response(Items(items=items))


_STREAMED = (
    "The answer; with `stream` server-sent events: `started`, `text` (a piece, a JSON string), and last "
    "`done` (an `AnswerShown`) or `problem`"
)


@router.post(
    f"{_PROJECT}/ask",
    response_model=AnswerShown,
    responses={200: {"description": _STREAMED, "content": EVENTS}, **documented(429, 502)},
)
async def ask(
    asked: AsOf,
    question: Annotated[Ask, Body()],
    reading: ReadingNow,
    request: Request,
) -> Response:
    """An answer with the quotes it stands on. A wish to write on is answered with a scene. Whoever hangs up
    while it is streamed ends the work."""

    def answered(emit: Emit | None = None) -> dict[str, Any]:
        return _answered(reading, question, reading.chapter(asked.as_of), emit).model_dump(mode="json")

    if question.stream:
        return await events_of(request, answered, seconds=reading.backend.settings.limits.stream_s)
    return await run_in_threadpool(lambda: json_response(answered()))


def _answered(reading: Reading, question: Ask, as_of: int | None, emit: Emit | None) -> AnswerShown:
    wanted = question.filter.wanted()
    with reading.at_work(as_of, emit, with_model=bool(question.model)) as project:
        started = time.perf_counter()
        answer = project.ask(
            question.question,
            k=question.k,
            as_of=as_of,
            wanted=wanted,
            history=[(turn.question, turn.answer) for turn in question.history],
            conversation=question.conversation_id,
            model=question.model,
            on_text=(lambda piece: emit("text", piece)) if emit is not None else None,
        )
        seconds = time.perf_counter() - started
        reading.backend.metrics.answered(reading.project_id, question.question, answer, seconds)
        unconfirmed = bool(reading.notices(project))
        return answer_shown(answer, as_of, unconfirmed=unconfirmed, places=project.places)


@router.post(f"{_PROJECT}/feedback", **answering(RatedShown, 409, 502, status=201, description="It is kept"))
def rate(asked: AsOf, feedback: Annotated[Feedback, Body()], reading: ReadingNow) -> Response:
    """Rate a passage that a search gave: later searches weigh their indexes by what served."""
    with reading.project() as project:
        kept = project.rate(
            feedback.query,
            feedback.chunk_id,
            feedback.rating,
            k=feedback.k,
            as_of=reading.chapter(asked.as_of),
            wanted=feedback.filter.wanted(),
        )
    return json_response(RatedShown.of(kept), 201)


@router.get(f"{_PROJECT}/conversations", **answering(ConversationsShown))
def conversations(asked: AsOf, reading: ReadingNow) -> Response:
    """The conversations that are kept, as far as they were held at the horizon or before it."""
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        found = project.conversations.listed(horizon=project.horizon(as_of))
    return json_response(ConversationsShown(as_of, tuple(found)))


@router.get(f"{_PROJECT}/conversations/{{conversation_id}}", **answering(ConversationShown))
def conversation(asked: AsOf, conversation_id: ConversationId, reading: ReadingNow) -> Response:
    """One conversation, as far as it was held at the horizon or before it."""
    with reading.project() as project:
        horizon = project.horizon(reading.chapter(asked.as_of))
        turns = project.conversations.turns(conversation_id, horizon=horizon)
    if not turns:
        raise _unknown()
    return json_response(ConversationShown(conversation_id, turns))


@router.delete(
    f"{_PROJECT}/conversations/{{conversation_id}}",
    **answering(None, status=204, description="It is deleted, whole"),
)
def forget(_: NoQuery, conversation_id: ConversationId, reading: ReadingNow) -> Response:
    """Delete a conversation, whatever horizons it was held at; what was kept of it is overwritten."""
    with reading.project() as project:
        if not project.conversations.delete(conversation_id):
            raise _unknown()
    return Response(status_code=204)


def _unknown() -> Problem:
    return Problem(404, "no-such-conversation", "there is no such conversation: the list shows their ids")
