"""Projects: listed, looked at, made from a text as a job, removed; their embeddings."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, File, Header, Query, Request, Response, UploadFile

from ...library.library import DEMO, safe_name
from ...project.keeping.verifying import verify
from ...project.spending import UsageReport
from ..backend import Asking, AskingNow, ReadingNow
from ..idempotency import Answer, fingerprint
from ..jobs.registry import Job, JobKind
from ..problems import Raised, answering, showing
from ..schema.requests import AtHorizon, Nothing, Page
from ..schema.responses import (
    job_shown,
    json_response,
    paged,
    project_shown,
)
from ..schema.shapes import EmbeddingsShown, JobShown, ProjectShown, ProjectsShown, VerifiedShown

router = APIRouter(prefix="/v1", tags=["projects"])
IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=200,
        pattern=r"^[\x21-\x7e]+$",
        description="The same request sent again under this key is not done again: it gets the first answer, "
        "also after a restart. Kept for a week.",
        examples=["4f1c2d7e-upload"],
    ),
]
_WRITING = (400, 401, 403, 409, 413, 422, 429)


@router.get("/projects", **showing(ProjectsShown, 401, 422))
def projects(page: Annotated[Page, Query()], asking: AskingNow, request: Request) -> Response:
    """The projects that the token may use, by title; last those that cannot be used now, and why."""
    entries, unusable = asking.backend.library.looked_at()
    found = [{"id": entry.name, "title": entry.title} for entry in entries]
    found += [{"id": name, "title": name, "problem": why} for name, why in unusable.items()]
    lines = [line for line in found if asking.access.allows(line["id"])]
    return json_response(paged(request, lines, offset=page.offset, limit=page.limit))


@router.post("/projects", **answering(202, JobShown, "The job that indexes it", *_WRITING, 415))
def ingest(
    _: Annotated[Nothing, Query()],
    asking: AskingNow,
    file: Annotated[UploadFile, File(description="A story. Its name names the project.")],
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Index a text as a job. A file of the same name again brings its project up to date: only chapters that
    are new or changed are worked on. The project's id comes from the file's name; where another file's
    project has it, nothing is done (409)."""
    name = safe_name(file.filename or "")
    content = file.file.read()
    project = asking.backend.library.id_of(name, content)
    _may_write(asking, project)
    waiting = [one for one in asking.backend.jobs.listed(project=project) if not one.status.is_over]
    asking.backend.library.require_free(project, name, waiting=[one.work.get("name", "") for one in waiting])
    return queued(asking, JobKind.INGEST, project, key=idempotency_key, work={"name": name}, content=content)


@router.post("/demo", **answering(202, JobShown, "The job that indexes it", *_WRITING))
def demo(
    _: Annotated[Nothing, Query()], asking: AskingNow, idempotency_key: IdempotencyKey = None
) -> Response:
    """Index the demo story as a job."""
    _may_write(asking, DEMO)
    return queued(asking, JobKind.DEMO, DEMO, key=idempotency_key)


@router.get("/projects/{project_id}", **showing(ProjectShown, 401, 404, 422, 503))
def project(asked: Annotated[AtHorizon, Query()], reading: ReadingNow) -> Response:
    """A project and its chapters up to the horizon."""
    entry = reading.entry
    with reading.project() as found:
        return json_response(project_shown(entry, found, reading.chapter(asked.as_of)))


@router.delete("/projects/{project_id}", **answering(204, None, "It is gone", 400, 401, 404, 409, 422, 503))
def remove(
    _: Annotated[Nothing, Query()], reading: ReadingNow, idempotency_key: IdempotencyKey = None
) -> Response:
    """Remove a project with its index, graph and ratings. Refused while a job works on it."""

    def act() -> Answer:
        name = reading.entry.name
        if any(not job.status.is_over for job in reading.backend.jobs.listed(project=name)):
            raise Raised(409, "busy-project", "a job works on this project: wait for it, or cancel it")
        reading.backend.library.remove(name)
        reading.backend.shelf.close_idle()
        return Answer(204)

    return reading.once(idempotency_key, act, "remove", reading.project_id)


@router.get("/projects/{project_id}/embeddings", **showing(EmbeddingsShown, 401, 404, 422, 503))
def embeddings(asked: Annotated[AtHorizon, Query()], reading: ReadingNow) -> Response:
    """Which model made the project's vectors, how many there are, and whether the settings still name it."""
    with reading.project() as found:
        as_of, made = reading.chapter(asked.as_of), found.config.embedding.label
        shown = EmbeddingsShown(
            as_of=as_of,
            model=made,
            dimension=found.search_index.dimension,
            vectors=found.search_index.limit(found.horizon(as_of)),
            current=made == reading.backend.embedding_model(reading.entry),
        )
    return json_response(shown)


@router.post(
    "/projects/{project_id}/embeddings/rebuild",
    **answering(202, JobShown, "The job that makes them", *_WRITING, 404, 503),
)
def rebuild(
    _: Annotated[Nothing, Query()], reading: ReadingNow, idempotency_key: IdempotencyKey = None
) -> Response:
    """Make all of the project's vectors anew as a job, with the model that the settings name now."""
    return queued(reading, JobKind.EMBEDDINGS, reading.entry.name, key=idempotency_key)


@router.get("/projects/{project_id}/usage", **showing(UsageReport, 401, 404, 422, 503))
def usage(_: Annotated[Nothing, Query()], reading: ReadingNow) -> Response:
    """Calls, tokens and dollars by day (UTC) and model, of language models and of embedding endpoints.
    Dollars are by the server's price list (`generator.prices`)."""
    with reading.project() as project:
        return json_response(project.usage())


@router.get("/projects/{project_id}/verify", **showing(VerifiedShown, 401, 404, 422, 429, 503))
def verified(_: Annotated[Nothing, Query()], reading: ReadingNow) -> Response:
    """Check every part of the project against its checksum and against the others: seconds for a novel. It
    says where something is broken and what mends it on the server; nothing of the story."""
    entry = reading.entry
    with reading.backend.heavily():
        return json_response(VerifiedShown.of(verify(entry.folder)))


def _may_write(asking: Asking, project: str) -> None:
    if not asking.access.allows(project):  # whether it is there or not: this says nothing of it
        raise Raised(403, "not-yours", f"this token may not write to a project named {project}")


def queued(
    asking: Asking,
    kind: JobKind,
    project: str,
    *,
    key: str | None,
    work: Mapping[str, Any] | None = None,
    content: bytes = b"",
) -> Response:
    """The answer to a request for a job; ``work`` and ``content`` are what the worker is told and sent."""
    backend = asking.backend
    sent = fingerprint(kind, project, work, hashlib.sha256(content).hexdigest())
    id = backend.jobs.new_id()
    file = None

    def act() -> Answer:
        if backend.jobs.waiting() >= backend.settings.limits.queued:
            raise Raised(
                429, "queue-full", "as many jobs wait as this server takes", headers={"Retry-After": "60"}
            )
        job: Job = backend.jobs.add(kind, project, {"name": "", **(work or {})}, id=id)
        return Answer(202, job_shown(job), {"Location": f"/v1/jobs/{job.id}"})

    if content:  # on disk before it is acknowledged
        backend.runner.uploads.mkdir(parents=True, exist_ok=True)
        file = backend.runner.uploads / id
        with file.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    answer = None
    try:
        answer = backend.repeats.once(key, act, owner=asking.access.name, request=sent, atomic=True)
    finally:
        if file is not None and (answer is None or answer.data["id"] != id):
            file.unlink(missing_ok=True)
    backend.runner.wake()
    return answer.response()
