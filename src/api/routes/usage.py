"""What a project's models were asked, and what it cost."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from ...project.spending.report import UsageReport
from ..backend import ReadingNow
from ..problems import documented
from ..schema.requests import Nothing
from ..schema.responses import json_response

__all__ = ["router"]

router = APIRouter(prefix="/v1/projects/{project_id}", tags=["projects"])


@router.get("/usage", response_model=UsageReport, responses=documented(401, 404, 422, 503))
def usage(_: Annotated[Nothing, Query()], reading: ReadingNow) -> Response:
    """Calls, tokens and dollars by day (UTC) and model, of language models and of embedding endpoints.
    Dollars are by the server's price list (`generator.prices`)."""
    with reading.project() as project:
        return json_response(project.usage())
