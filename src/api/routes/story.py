"""The story as a reader at a chapter knows it: its graph, arcs, times, and what contradicts what."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Annotated

from fastapi import APIRouter, Body, Query, Response
from starlette.responses import StreamingResponse

from ...errors import UsageError
from ...project.checking import CheckAsked, checked
from ...story.model.predicates import SURE_ENOUGH
from ...views.arc_lines import ArcsShown, arc_lines
from ...views.bible import BibleShown, bible_at
from ...views.bible_files.formats import MEDIA, Wanted
from ...views.findings_shown import FindingsShown, findings_shown
from ...views.text.so_far import RecapShown, recap_shown
from ...views.times import TimesShown, times_at
from ...views.world import WorldShown, world_at
from ..backend import Reading, ReadingNow
from ..problems import FieldProblem, Problem, answering
from ..schema.requests import ArcsQuery, BibleQuery, Check, CheckQuery, GraphQuery, RecapQuery, TimelineQuery
from ..schema.shapes import json_response

router = APIRouter(prefix="/v1/projects/{project_id}", tags=["story"])


@router.get("/graph", **answering(WorldShown))
def graph(asked: Annotated[GraphQuery, Query()], reading: ReadingNow) -> Response:
    """Who and what the story tells of and how they stand to each other, each relation with its quotes."""
    sure = SURE_ENOUGH if asked.min_confidence is None else asked.min_confidence
    with reading.project() as project:
        shown = world_at(
            project.view(reading.chapter(asked.as_of)),
            kinds=asked.kinds or None,
            least_confidence=sure,
            around=asked.around,
            limit=asked.limit,
        )
    return json_response(shown)


@router.get("/arcs", **answering(ArcsShown))
def arcs(asked: Annotated[ArcsQuery, Query()], reading: ReadingNow) -> Response:
    """How characters fare from chapter to chapter: feelings, goals, bonds, places, turning points."""
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        tracker, view = project.arcs(as_of), project.view(as_of)
        shown = arc_lines(tracker, view, asked.names, turns=asked.turns)
    return json_response(shown)


@router.get(
    "/bible",
    response_model=BibleShown,
    responses={
        200: {"content": {kind: {} for _, kind in MEDIA.values()}, "description": "In the format asked for"}
    },
)
def bible(asked: Annotated[BibleQuery, Query()], reading: ReadingNow) -> Response:
    """What the story has laid down, by person, place and thing, then the world and the plot's threads, each
    line with its quotes; the author's codex stands above the text. A file is sent while it is made."""
    as_of = reading.chapter(asked.as_of)
    if asked.format == "json":
        with reading.project() as project:
            return json_response(bible_at(project, as_of, asked.about))
    try:
        pieces = _packed(reading, Wanted(asked.format, as_of, asked.about))
    except UsageError as error:
        raise Problem(422, "not-valid", str(error), (FieldProblem("query.about", str(error)),)) from None
    begun = chain([next(pieces)], pieces)  # what is wrong with the story is answered as a problem
    name, kind = MEDIA[asked.format]
    safe = {"X-Content-Type-Options": "nosniff", "Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(begun, media_type=kind, headers=safe)


def _packed(reading: Reading, wanted: Wanted) -> Iterator[bytes]:
    with reading.project() as project:
        project.horizon(wanted.as_of)  # is it there? A wiki has pages before its last
        yield from wanted.packed(partial(bible_at, project))


@router.get("/timeline", **answering(TimesShown))
def timeline(asked: Annotated[TimelineQuery, Query()], reading: ReadingNow) -> Response:
    """Events in the order of telling with their place in the order of happening, and where the two part."""
    with reading.project() as project:
        shown = times_at(project.view(reading.chapter(asked.as_of)), entity=asked.entity, limit=asked.limit)
    return json_response(shown)


@router.get("/recap", **answering(RecapShown, 403, 429, 502))
def recap(asked: Annotated[RecapQuery, Query()], reading: ReadingNow) -> Response:
    """The story so far: of each chapter what happened, with its quotes."""
    from ...project.asking import recap

    as_of = reading.chapter(asked.as_of)
    with reading.at_work(as_of, with_model=asked.model) as project:
        found = recap(project, length=asked.length, as_of=as_of, model=asked.model)
    return json_response(recap_shown(found))


@router.post("/check", **answering(FindingsShown, 429))
def check(
    asked: Annotated[CheckQuery, Query()], wanted: Annotated[Check, Body()], reading: ReadingNow
) -> Response:
    """The critic's findings in the story, or in a draft beside it, each with the quotes of both sides."""
    as_of, draft = reading.chapter(asked.as_of), wanted.draft
    only, without = tuple(asked.only), tuple(asked.without)
    with reading.at_work(as_of) as project:
        question = CheckAsked(as_of, only=only, without=without, text=draft, model=False)
        report, view = checked(project, question).report, project.view(as_of)
        shown = findings_shown(report, project.document, view=view, draft=draft, context=asked.context)
    return json_response(shown)
