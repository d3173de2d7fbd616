"""How a book goes on: suggestions, and drafts that become chapters of it."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import APIRouter, Body, Query, Response
from fastapi import Path as PathParameter

from ...project.accepting import Desk
from ...views.text.memories import suggestions_shown
from ..backend import ReadingNow
from ..idempotency import Answer
from ..problems import Raised, answering, showing
from ..schema.authoring import (
    AcceptDraft,
    AcceptedShown,
    Suggest,
    SuggestionsShown,
)
from ..schema.requests import AtHorizon, Nothing
from ..schema.responses import json_of, json_response
from .projects import IdempotencyKey

router = APIRouter(prefix="/v1/projects/{project_id}", tags=["chapters"])
_WRITING = (401, 403, 404, 409, 422, 429, 502, 503)
ChapterNumber = Annotated[int, PathParameter(ge=1, le=100_000, examples=[14])]


@router.post("/suggestions", **showing(SuggestionsShown, 400, 401, 403, 404, 413, 422, 429, 502, 503))
def suggestions(
    asked: Annotated[AtHorizon, Query()], sent: Annotated[Suggest, Body()], reading: ReadingNow
) -> Response:
    """Have the language model suggest ways in which the story could go on after the horizon, each held
    against what it has told. Nothing of it is kept."""
    from ...project.accepting import suggest

    as_of = reading.chapter(asked.as_of)
    with reading.at_work(as_of, with_model=True) as project:
        found = suggest(project, sent.wish, count=sent.count, form=sent.form, as_of=as_of)
    return json_response(suggestions_shown(found))


@router.post(
    "/chapters",
    **answering(
        201, AcceptedShown, "It is a chapter of the book, its index and its graph", 400, 413, *_WRITING
    ),
)
def accept(
    asked: Annotated[AtHorizon, Query()],
    sent: Annotated[AcceptDraft, Body()],
    reading: ReadingNow,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Accept a draft: it becomes the next chapter, and only that is read and embedded. `as_of` is the
    chapter that it was written to follow. What the critic finds in it is said, and keeps nothing out. Send
    a key: the same draft sent twice without one is two chapters."""

    def act() -> Answer:
        desk = Desk(reading.entry.folder, **reading.how)
        with reading.backend.heavily():
            with reading.project() as project:
                found = project.check(draft=sent.draft).counted
            done = desk.accept(sent.draft, title=sent.title, after=reading.chapter(asked.as_of))
            return Answer(201, json_of(AcceptedShown.of(done, findings=[one.message for one in found])))

    draft = hashlib.sha256(sent.draft.encode("utf-8", "surrogatepass")).hexdigest()
    return reading.once(idempotency_key, act, "accept", reading.project_id, asked.as_of, sent.title, draft)


@router.delete("/chapters/{number}", **answering(204, None, "The book is as it was before", *_WRITING))
def take_back(_: Annotated[Nothing, Query()], number: ChapterNumber, reading: ReadingNow) -> Response:
    """Take the last chapter back, where it was accepted from a draft."""
    with reading.project() as project:
        last = len(project.document.chapters)
    if number != last:
        raise Raised(404, "no-such-chapter", "that is not the last chapter: only that can be taken back")
    with reading.backend.heavily():
        Desk(reading.entry.folder, **reading.how).take_back()
    return Response(status_code=204)
