"""The books of a series: put in, moved and taken out as jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, File, Path, Query, Response, UploadFile

from ...core.series import MAX_BOOKS
from ...library.library import checked, safe_name
from ..backend import ReadingNow
from ..jobs.registry import JobKind
from ..problems import answering
from ..schema.authoring import MoveBook
from ..schema.requests import Nothing
from ..schema.shapes import JobShown
from .projects import IdempotencyKey, queued

router = APIRouter(prefix="/v1/projects/{project_id}/books", tags=["projects"])
BookNumber = Annotated[int, Path(ge=1, le=MAX_BOOKS, description="Which book of the series, from 1.")]
_WRITING = (400, 401, 404, 409, 413, 422, 429, 503)


@router.post("", **answering(202, JobShown, "The job that puts it in", *_WRITING, 415))
def add(
    _: Annotated[Nothing, Query()],
    reading: ReadingNow,
    file: Annotated[UploadFile, File(description="A book. Its name names it.")],
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Put a book behind the last one of the project, which is a series then, as a job. A file of the same
    name as one of its books is a new version of that. Only chapters that are new or changed are worked
    on."""
    file_name, content = safe_name(file.filename or ""), file.file.read()
    checked(file_name, content)
    name = reading.entry.name
    work = {"name": file_name}
    return queued(reading, JobKind.BOOK, name, key=idempotency_key, work=work, content=content)


@router.patch("/{number}", **answering(202, JobShown, "The job that moves it", *_WRITING))
def move(
    _: Annotated[Nothing, Query()],
    reading: ReadingNow,
    number: BookNumber,
    wanted: Annotated[MoveBook, Body()],
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Let a book of a series be read at another place, as a job: the horizon follows the order of its books.
    No chapter is read or embedded again but where what is told before it changed."""
    name = reading.entry.name
    work = {"move": number, "to": wanted.to}
    return queued(reading, JobKind.BOOK, name, key=idempotency_key, work=work)


@router.delete("/{number}", **answering(202, JobShown, "The job that takes it out", *_WRITING))
def remove(
    _: Annotated[Nothing, Query()],
    reading: ReadingNow,
    number: BookNumber,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Take a book of a series out as a job: its text, and all that was made of it. Later books move up."""
    name = reading.entry.name
    work = {"remove": number}
    return queued(reading, JobKind.BOOK, name, key=idempotency_key, work=work)
