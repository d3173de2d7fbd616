"""Three pipelines on one prompt, and drafts from elsewhere scored as theirs are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request, Response

from ...story.comparison.engine import ComparisonEvent
from ...story.writing.pipelines import PIPELINES
from ..backend import Reading, ReadingNow
from ..problems import showing
from ..schema.requests import AtHorizon, Compare, Score
from ..schema.responses import json_response
from ..schema.shapes import ReportShown
from ..streams import EventStream, Tell, events_of, streaming

router = APIRouter(prefix="/v1/projects/{project_id}", tags=["comparing"])
_ASKING = (400, 401, 404, 413, 422, 429, 502, 503)


@router.post(
    "/compare",
    **streaming(
        'Server-sent events: `started`, `stage` (`{"pipeline", "stage"}`), `text` '
        '(`{"pipeline", "stage", "text"}`), `failed` (`{"pipeline", "message"}`), and last `done` (a '
        "`ReportShown`) or `problem`",
        *_ASKING,
    ),
)
async def compare(
    asked: Annotated[AtHorizon, Query()],
    body: Annotated[Compare, Body()],
    reading: ReadingNow,
    request: Request,
) -> EventStream:
    """A scene set right after the horizon, written by each pipeline, checked and scored blind; told while it
    is written. Whoever hangs up ends the work."""
    seconds = reading.backend.settings.limits.stream_s
    return await events_of(
        request, lambda tell: _compared(reading, body, reading.chapter(asked.as_of), tell), seconds=seconds
    )


def _compared(reading: Reading, body: Compare, as_of: int | None, tell: Tell) -> Mapping[str, Any]:
    def told(one: ComparisonEvent) -> None:
        if one.stage == "error":
            tell("failed", {"pipeline": one.pipeline, "message": "the pipeline failed; see the report"})
        elif one.text:
            tell("text", {"pipeline": one.pipeline, "stage": one.stage, "text": one.text})
        else:
            tell("stage", {"pipeline": one.pipeline, "stage": one.stage})

    chosen = [one for one in PIPELINES if not body.pipelines or one.name in body.pipelines]
    with reading.at_work(as_of, tell, with_model=True) as project:
        report = project.compare(body.prompt, chapter=as_of, pipelines=chosen, seed=body.seed, on_event=told)
    return _shown(report.to_dict())


@router.post("/score", **showing(ReportShown, *_ASKING))
def score(
    asked: Annotated[AtHorizon, Query()], body: Annotated[Score, Body()], reading: ReadingNow
) -> Response:
    """Drafts that were written elsewhere for the prompt, scored by name as the pipelines' are."""
    as_of = reading.chapter(asked.as_of)
    with reading.at_work(as_of) as project:
        report = project.score(body.drafts, prompt=body.prompt, chapter=as_of)
    return json_response(_shown(report.to_dict()))


def _shown(report: Mapping[str, Any]) -> dict[str, Any]:
    """Without what a clock measured."""
    return {"schema": report["schema"], "facts": report["facts"]}
