"""Is the server there, is it ready, what does it count."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from ... import __version__
from ..backend import AskingNow
from ..problems import Raised, documented, showing
from ..schema.requests import Nothing
from ..schema.responses import json_response
from ..schema.shapes import HealthShown, ReadyShown

router = APIRouter(prefix="/v1", tags=["server"])
metrics_router = APIRouter(tags=["server"])


@router.get("/health", **showing(HealthShown, 422))
async def health(_: Annotated[Nothing, Query()]) -> Response:
    """Is the server alive? Needs no token."""
    return json_response({"status": "ok", "version": __version__})


@router.get("/ready", **showing(ReadyShown, 422, 503))
def ready(_: Annotated[Nothing, Query()], asking: AskingNow) -> Response:
    """Would requests be answered now: models installed, database open, memory below the guard's budget?
    Needs no token."""
    checks = asking.backend.ready()
    if not all(checks.values()):
        missing = ", ".join(sorted(name for name, good in checks.items() if not good))
        raise Raised(503, "not-ready", f"not ready: {missing}", headers={"Retry-After": "10"})
    return json_response({"ready": True, "checks": checks})


@metrics_router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {
            "description": "Prometheus' text format",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        },
        **documented(401, 422),
    },
)
def metrics(_: Annotated[Nothing, Query()], request: Request) -> Response:
    """Requests by route and status, jobs, open projects, memory, kept searches; a token of some projects is
    told of its own requests and jobs."""
    return Response(
        request.app.state.measured.text(request.state.access),
        media_type="text/plain; version=0.0.4; charset=utf-8",
    )
