"""Jobs: listed, followed, cancelled."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

import anyio
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.sse import KEEPALIVE_COMMENT

from ..backend import Asking, AskingNow
from ..jobs.registry import Job
from ..problems import Problem, answering
from ..schema.requests import JobsQuery, NoQuery
from ..schema.shapes import Listed, json_response, paged
from ..streams import EVENTS, QUIET_S, EventStream, event

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])
_EVERY_S = 0.15
JobId = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{16}$", examples=["0123456789abcdef"])]
LastEventId = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        pattern=r"^[0-9]{1,9}$",
        description="The last event that was seen: the stream goes on after it.",
    ),
]
_TOLD = (
    'Server-sent events: `queued`, `running`, `progress` (`{"stage", "done", "total"}`), and last `done`, '
    "`failed` or `cancelled`"
)


@router.get("", **answering(Listed[Job]))
def jobs(asked: Annotated[JobsQuery, Query()], asking: AskingNow, request: Request) -> Response:
    """Jobs of the projects that the token may use, newest first."""
    found = asking.backend.jobs.listed(status=asked.status, project=asked.project)
    mine = [job for job in found if asking.access.allows(job.project)]
    return json_response(paged(request, mine, offset=asked.offset, limit=asked.limit))


@router.get("/{job_id}", **answering(Job))
def job(_: NoQuery, job_id: JobId, asking: AskingNow) -> Response:
    """How far a job is, and what came of it."""
    return json_response(_found(asking, job_id))


@router.post("/{job_id}/cancel", **answering(Job, status=202, description="The job, which is ending or over"))
def cancel(_: NoQuery, job_id: JobId, asking: AskingNow) -> Response:
    """End a job that waits or runs. What it made so far is kept for the next time; the project stays as it
    was. A job that is over stays as it is; asking twice changes nothing."""
    found = _found(asking, job_id)
    if not found.status.is_over:
        asking.backend.runner.cancel(found)
    return json_response(_found(asking, job_id), 202)


@router.get(
    "/{job_id}/events",
    status_code=200,
    response_class=EventStream,
    responses={200: {"description": _TOLD, "content": EVENTS}},
)
async def events(
    _: NoQuery, job_id: JobId, asking: AskingNow, last_event_id: LastEventId = None
) -> EventStream:
    """Follow a job. After a break, send the id of the last event as `Last-Event-ID`."""
    await anyio.to_thread.run_sync(_found, asking, job_id)
    return EventStream(_events_of(asking, job_id, after=int(last_event_id or 0)))


async def _events_of(asking: Asking, job_id: str, *, after: int) -> AsyncIterator[bytes]:
    quiet = 0.0
    while True:
        now = await anyio.to_thread.run_sync(asking.backend.jobs.get, job_id)
        new = await anyio.to_thread.run_sync(partial(asking.backend.jobs.events, job_id, after=after))
        for one in new:
            after, quiet = one.number, 0.0
            yield event(one.kind, one.data, id=one.number)
        if now is None or now.status.is_over:  # so the last event was among these, or seen before
            return
        await anyio.sleep(_EVERY_S)
        quiet += _EVERY_S
        if quiet >= QUIET_S:
            quiet = 0.0
            yield KEEPALIVE_COMMENT


def _found(asking: Asking, job_id: str) -> Job:
    found = asking.backend.jobs.get(job_id)
    if found is None or not asking.access.allows(found.project):
        raise Problem(404, "no-such-job", "there is no such job: /v1/jobs lists those there are")
    return found
