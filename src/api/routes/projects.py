"""Projects: listed, looked at, made from a text as a job, removed; books of a series; their embeddings."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from typing import Annotated

from fastapi import APIRouter, File, Header, Query, Request, Response, UploadFile

from ...engine import config_of
from ...library.library import checked, safe_name
from ..backend import Asking, AskingNow, ReadingNow
from ..jobs.registry import Job, JobKind, Sent
from ..problems import Problem, answering
from ..schema.requests import AsOf, NoQuery, Page
from ..schema.shapes import Listed, ProjectLine, ProjectShown, json_response, paged, project_shown

router = APIRouter(prefix="/v1/projects", tags=["projects"])
IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=200,
        pattern=r"^[\x21-\x7e]+$",
        description="The same request sent again under this key is not done again: it gets the job of the "
        "first time, also after a restart. Kept for a week.",
        examples=["4f1c2d7e-upload"],
    ),
]


@router.get("", **answering(Listed[ProjectLine]))
def projects(page: Annotated[Page, Query()], asking: AskingNow, request: Request) -> Response:
    """The projects that the token may use, by title; last those that cannot be used now, and why."""
    entries, unusable = asking.backend.library.looked_at()
    found = [{"id": entry.name, "title": entry.title} for entry in entries]
    found += [{"id": name, "title": name, "problem": why} for name, why in unusable.items()]
    lines = [line for line in found if asking.access.allows(line["id"])]
    return json_response(paged(request, lines, offset=page.offset, limit=page.limit))


@router.post("", **answering(Job, 409, 429, status=202, description="The job that indexes it"))
def ingest(
    _: NoQuery,
    asking: AskingNow,
    file: Annotated[UploadFile, File(description="A story. Its name names the project.")],
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Index a text as a job. A file of the same name again brings its project up to date: only chapters that
    are new or changed are worked on. The project's id comes from the file's name; where another file's
    project has it, nothing is done (409)."""
    name, content = safe_name(file.filename or ""), file.file.read()
    library = asking.backend.library
    project = library.id_of(name, content)
    if not asking.access.allows(project):  # whether it is there or not: this says nothing of it
        raise Problem(403, "not-yours", f"this token may not write to a project named {project}")
    library.require_free(project, name, waiting=asking.backend.jobs.unfinished_files(project))
    return queued(asking, JobKind.INGEST, project, idempotency_key, name=name, content=content)


@router.get("/{project_id}", **answering(ProjectShown))
def project(asked: AsOf, reading: ReadingNow) -> Response:
    """A project and its chapters up to the horizon, and what its vectors are."""
    entry = reading.entry
    model = config_of(entry.folder, above=reading.backend.library.settings)[0].embedding.label
    with reading.project() as found:
        return json_response(project_shown(entry, found, reading.chapter(asked.as_of), model=model))


@router.delete("/{project_id}", **answering(None, 409, status=204, description="It is gone"))
def remove(_: NoQuery, reading: ReadingNow) -> Response:
    """Remove a project with its index, graph and ratings. Refused while a job works on it."""
    name = reading.entry.name
    if reading.backend.jobs.unfinished_files(name):
        raise Problem(409, "busy-project", "a job works on this project: wait for it, or cancel it")
    reading.backend.library.remove(name)
    reading.backend.shelf.close_idle()
    return Response(status_code=204)


@router.post(
    "/{project_id}/books", **answering(Job, 409, 429, status=202, description="The job that puts it in")
)
def add_book(
    _: NoQuery,
    reading: ReadingNow,
    file: Annotated[UploadFile, File(description="A book. Its name names it.")],
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Put a book behind the last one of the project, which is a series then, as a job. A file of the same
    name as one of its books is a new version of that. Only chapters that are new or changed are worked
    on."""
    name, content = safe_name(file.filename or ""), file.file.read()
    checked(name, content)
    return queued(reading, JobKind.BOOK, reading.entry.name, idempotency_key, name=name, content=content)


@router.post(
    "/{project_id}/embeddings/rebuild",
    **answering(Job, 409, 429, status=202, description="The job that makes them"),
)
def rebuild(_: NoQuery, reading: ReadingNow, idempotency_key: IdempotencyKey = None) -> Response:
    """Make all of the project's vectors anew as a job, with the model that the settings name now."""
    return queued(reading, JobKind.EMBEDDINGS, reading.entry.name, idempotency_key)


def queued(
    asking: Asking, kind: JobKind, project: str, key: str | None, *, name: str = "", content: bytes = b""
) -> Response:
    """The answer to a request for a job; ``name`` and ``content`` are of the file that was sent."""
    backend = asking.backend
    request = json.dumps([kind, project, name, hashlib.sha256(content).hexdigest()])
    digest = hashlib.sha256(request.encode()).hexdigest()
    sent = Sent(asking.access.name, key, digest) if key is not None else None
    id, job = secrets.token_hex(8), None
    file = backend.runner.uploads / id
    if content:  # on disk before it is acknowledged
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    try:
        job = backend.jobs.add(kind, project, {"name": name}, id=id, sent=sent)
    finally:
        if job is None or job.id != id:
            file.unlink(missing_ok=True)
    backend.runner.wake()
    answer = json_response(job, 202)
    answer.headers["Location"] = f"/v1/jobs/{job.id}"
    if job.id != id:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer
