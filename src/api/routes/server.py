"""Health of the server, and what it counts."""

from __future__ import annotations

from fastapi import APIRouter, Response

from ... import __version__
from ..backend import AskingNow
from ..problems import Problem, answering, documented
from ..schema.requests import NoQuery
from ..schema.shapes import HealthShown, json_response

router = APIRouter(tags=["server"])


@router.get("/v1/health", **answering(HealthShown, 503))
def health(_: NoQuery, asking: AskingNow) -> Response:
    """Would requests be answered now: models installed, database open, memory below the guard's budget?
    Needs no token."""
    checks = asking.backend.ready()
    if not all(checks.values()):
        missing = ", ".join(sorted(name for name, good in checks.items() if not good))
        raise Problem(503, "not-ready", f"not ready: {missing}", headers={"Retry-After": "10"})
    return json_response({"status": "ok", "version": __version__, "checks": checks})


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {
            "description": "Prometheus' text format",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        },
        **documented(403),
    },
)
def metrics(_: NoQuery, asking: AskingNow) -> Response:
    """Requests by route and status, jobs, open projects, memory. A token of some projects alone may not see
    them, since they are of all."""
    if asking.access.projects is not None:
        raise Problem(403, "not-yours", "this token opens some projects, and the counts are of all")
    return Response(asking.backend.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
