"""Jobs: listed, followed, cancelled."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

import anyio
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi import Path as PathParameter

from ..backend import Asking, AskingNow
from ..jobs.registry import Job
from ..problems import Raised, answering, showing
from ..schema.requests import JobsQuery, Nothing
from ..schema.responses import job_shown, json_response, paged
from ..schema.shapes import JobShown, JobsShown
from ..streams import EventStream, event, streaming

router = APIRouter(prefix="/v1", tags=["jobs"])
_EVERY_S = 0.15
_QUIET = int(15 / _EVERY_S)
JobId = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{16}$", examples=["0123456789abcdef"])]
LastEventId = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        pattern=r"^[0-9]{1,9}$",
        description="The last event that was seen: the stream goes on after it.",
    ),
]


@router.get("/jobs", **showing(JobsShown, 401, 422))
def jobs(asked: Annotated[JobsQuery, Query()], asking: AskingNow, request: Request) -> Response:
    """Jobs of the projects that the token may use, newest first."""
    found = asking.backend.jobs.listed(status=asked.status, project=asked.project)
    mine = [job for job in found if asking.access.allows(job.project)]
    return json_response(paged(request, mine, offset=asked.offset, limit=asked.limit, show=job_shown))


@router.get("/jobs/{job_id}", **showing(JobShown, 401, 404, 422))
def job(_: Annotated[Nothing, Query()], job_id: JobId, asking: AskingNow) -> Response:
    """How far a job is, and what came of it."""
    return json_response(job_shown(_found(asking, job_id)))


@router.post(
    "/jobs/{job_id}/cancel",
    **answering(202, JobShown, "The job, which is ending or over", 400, 401, 404, 422),
)
def cancel(_: Annotated[Nothing, Query()], job_id: JobId, asking: AskingNow) -> Response:
    """End a job that waits or runs. What it made so far is kept for the next time; the project stays as it
    was. A job that is over stays as it is; asking twice changes nothing."""
    found = _found(asking, job_id)
    if not found.status.is_over:
        asking.backend.runner.cancel(found)
    return json_response(job_shown(_found(asking, job_id)), 202)


@router.get(
    "/jobs/{job_id}/events",
    **streaming(
        "Server-sent events: `queued`, `running`, `progress` "
        '(`{"stage", "done", "total"}`), and last `done`, `failed` or `cancelled`',
        401,
        404,
        422,
    ),
)
async def events(
    _: Annotated[Nothing, Query()],
    job_id: JobId,
    asking: AskingNow,
    last_event_id: LastEventId = None,
) -> EventStream:
    """Follow a job. After a break, send the id of the last event as `Last-Event-ID`."""
    await anyio.to_thread.run_sync(_found, asking, job_id)
    return EventStream(_told(asking, job_id, after=int(last_event_id or 0)))


async def _told(asking: Asking, job_id: str, *, after: int) -> AsyncIterator[bytes]:
    quiet = 0
    while True:
        now = await anyio.to_thread.run_sync(asking.backend.jobs.get, job_id)
        new = await anyio.to_thread.run_sync(partial(asking.backend.jobs.events, job_id, after=after))
        for one in new:
            after, quiet = one.number, 0
            yield event(one.kind, one.data, id=one.number)
            if one.is_last:
                return
        if not new:
            if now is None or now.status.is_over:  # the last event was seen before
                return
            quiet += 1
            if quiet % _QUIET == 0:
                yield b": still at work\n\n"
            await anyio.sleep(_EVERY_S)


def _found(asking: Asking, job_id: str) -> Job:
    found = asking.backend.jobs.get(job_id)
    if found is None or not asking.access.allows(found.project):
        raise Raised(404, "no-such-job", "there is no such job: /v1/jobs lists those there are")
    return found
