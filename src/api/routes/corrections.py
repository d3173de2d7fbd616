"""Corrections of who is who: listed, added, taken back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Response
from fastapi import Path as PathParameter

from ...core.files.plain_json import plain
from ...project.correcting import Workshop, corrections_at
from ...story.corrections import Correction, read_corrections
from ...views.corrections import CorrectedShown, CorrectionsShown, corrected_shown, correction_shown
from ..backend import ReadingNow
from ..idempotency import Answer
from ..problems import Raised, answering, showing
from ..schema.requests import AtHorizon, Correct, Nothing
from ..schema.responses import json_response
from .projects import IdempotencyKey

router = APIRouter(prefix="/v1/projects/{project_id}/corrections", tags=["corrections"])
_WRITING = (401, 404, 409, 422, 429, 503)
CorrectionId = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{8}$", examples=["01234567"])]


@router.get("", **showing(CorrectionsShown, 401, 404, 422, 503))
def corrections(asked: Annotated[AtHorizon, Query()], reading: ReadingNow) -> Response:
    """The author's corrections, but for those that speak of what is first told after the horizon."""
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        found = corrections_at(project, as_of)
    return json_response(CorrectionsShown(as_of, tuple(map(correction_shown, found))))


@router.post(
    "", **answering(201, CorrectedShown, "It is kept, and the story is linked anew", 400, 413, *_WRITING)
)
def correct(
    asked: Annotated[AtHorizon, Query()],
    wanted: Annotated[Correct, Body()],
    reading: ReadingNow,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Say who is who: now, and whenever the story is indexed again. Answers what that changes up to the
    horizon."""
    into = (wanted.into,) if wanted.into else ()
    one = Correction(
        wanted.kind, (wanted.who,), tuple(wanted.names), into, wanted.to or "", wanted.from_chapter
    )

    def act() -> Answer:
        with reading.project() as project:
            as_of = reading.chapter(asked.as_of)
            project.horizon(as_of)
        with reading.backend.heavily():
            return Answer(
                201,
                plain(corrected_shown(Workshop(reading.entry.folder, as_of=as_of, **reading.how).add(one))),
            )

    return reading.once(
        idempotency_key, act, "correct", reading.project_id, asked.as_of, wanted.model_dump(mode="json")
    )


@router.delete("/{correction_id}", **answering(204, None, "It is taken back", *_WRITING))
def undo(_: Annotated[Nothing, Query()], correction_id: CorrectionId, reading: ReadingNow) -> Response:
    """Take a correction back."""
    workshop = Workshop(reading.entry.folder, **reading.how)
    if correction_id not in {one.id for one in read_corrections(workshop.path).entries}:
        raise Raised(404, "no-such-correction", "there is no such correction: the list shows their ids")
    with reading.backend.heavily():
        workshop.undo(correction_id)
    return Response(status_code=204)
