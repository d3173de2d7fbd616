"""Three memories of a story: its chapters, its characters, its codex."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from ..backend import ReadingNow
from ..problems import documented
from ..schema.memories import MemoriesQuery, RecollectionShown, recollection_shown
from ..schema.responses import json_response

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["search"])


@router.get(
    "/projects/{project_id}/memories",
    response_model=RecollectionShown,
    responses=documented(401, 403, 404, 422, 502, 503),
)
def memories(asked: Annotated[MemoriesQuery, Query()], reading: ReadingNow) -> Response:
    """What three memories hold on a query: passages of the chapters, profiles of the characters at the
    horizon, and what the codex lays down."""
    with reading.project() as project:
        found = project.recall(
            asked.q,
            as_of=asked.as_of,
            collections=asked.asked,
            limit=asked.limit,
            wanted=asked.wanted(),
        )
    return json_response(recollection_shown(found))
