"""The story as a reader at a chapter knows it: its graph, arcs, times, and what contradicts what."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Response

from ...project.checking import CheckAsked, checked
from ...story.continuity.critic import ContinuityCritic, chosen_rules
from ...story.model.predicates import SURE_ENOUGH
from ...views.arc_lines import ArcsShown, arc_lines
from ...views.bible import MEDIA, BibleShown, bible_shown, packed
from ...views.findings_shown import FindingsShown, findings_shown
from ...views.text.places import ImpactShown, SuspectsShown, impact_shown, suspects_shown
from ...views.text.so_far import LedgerShown, RecapShown, ledger_shown, recap_shown
from ...views.times import TimesShown, times_at
from ...views.world import WorldShown, world_at
from ..backend import ReadingNow, entity_or_404
from ..problems import documented, showing
from ..schema.requests import (
    ArcsQuery,
    AtHorizon,
    BibleQuery,
    Check,
    CheckQuery,
    GraphQuery,
    ImpactQuery,
    RecapQuery,
    SuspectsQuery,
    TimelineQuery,
)
from ..schema.responses import json_response

router = APIRouter(prefix="/v1/projects/{project_id}", tags=["story"])
_READING = (401, 404, 422, 503)


@router.get("/graph", **showing(WorldShown, *_READING))
def graph(asked: Annotated[GraphQuery, Query()], reading: ReadingNow) -> Response:
    """Who and what the story tells of and how they stand to each other, each relation with its quotes."""
    sure = SURE_ENOUGH if asked.min_confidence is None else asked.min_confidence
    with reading.project() as project, entity_or_404():
        shown = world_at(
            project.view(reading.chapter(asked.as_of)),
            kinds=asked.kinds or None,
            least_confidence=sure,
            around=asked.around,
            limit=asked.limit,
        )
    return json_response(shown)


@router.get("/arcs", **showing(ArcsShown, *_READING))
def arcs(asked: Annotated[ArcsQuery, Query()], reading: ReadingNow) -> Response:
    """How characters fare from chapter to chapter: feelings, goals, bonds, places, turning points."""
    with reading.project() as project, entity_or_404():
        as_of = reading.chapter(asked.as_of)
        tracker, view = project.arcs(as_of), project.view(as_of)
        shown = arc_lines(tracker, view, asked.names, turns=asked.turns)
    return json_response(shown)


@router.get(
    "/bible",
    response_model=BibleShown,
    responses={
        200: {"content": {kind: {} for _, kind in MEDIA.values()}, "description": "In the format asked for"},
        **documented(*_READING),
    },
)
def bible(asked: Annotated[BibleQuery, Query()], reading: ReadingNow) -> Response:
    """What the story has laid down, by person, place and thing, then the world and the plot's threads, each
    line with its quotes; the author's codex stands above the text."""
    with reading.project() as project, entity_or_404():
        held, title = project.bible(reading.chapter(asked.as_of)), project.document.title
        shown = bible_shown(held, title=title, about=asked.about)
    if asked.format == "json":
        return json_response(shown)
    name, kind = MEDIA[asked.format]
    safe = {"X-Content-Type-Options": "nosniff", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(packed(shown, asked.format), media_type=kind, headers=safe)


@router.get("/timeline", **showing(TimesShown, *_READING))
def timeline(asked: Annotated[TimelineQuery, Query()], reading: ReadingNow) -> Response:
    """Events in the order of telling with their place in the order of happening, and where the two part."""
    with reading.project() as project, entity_or_404():
        shown = times_at(project.view(reading.chapter(asked.as_of)), entity=asked.entity, limit=asked.limit)
    return json_response(shown)


@router.get("/recap", **showing(RecapShown, *_READING, 403, 429, 502))
def recap(asked: Annotated[RecapQuery, Query()], reading: ReadingNow) -> Response:
    """The story so far: of each chapter what happened, with its quotes."""
    from ...project.asking import recap

    as_of = reading.chapter(asked.as_of)
    with reading.at_work(as_of, with_model=asked.model) as project:
        found = recap(project, length=asked.length, as_of=as_of, model=asked.model)
    return json_response(recap_shown(found))


@router.get("/ledger", **showing(LedgerShown, *_READING))
def ledger(asked: Annotated[AtHorizon, Query()], reading: ReadingNow) -> Response:
    """What the story has planted and what has come of it, each turn with its quote, as a language model
    read it with the chapters."""
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        shown = ledger_shown(project.threads(as_of), as_of or len(project.document.chapters))
    return json_response(shown)


@router.get("/suspects", **showing(SuspectsShown, *_READING, 429, 502))
def suspects(asked: Annotated[SuspectsQuery, Query()], reading: ReadingNow) -> Response:
    """Pairs of sentences that may contradict each other, for somebody to read: no findings. Some hundred
    pairs a second, ten for each sentence, where they were not compared before."""
    from ...project.checking import suspects

    as_of = reading.chapter(asked.as_of)
    with reading.at_work(as_of) as project:
        chapters = (asked.chapter, asked.chapter) if asked.chapter else None
        found = suspects(project, as_of=as_of, chapters=chapters, limit=asked.limit)
    return json_response(suspects_shown(found, as_of))


@router.get("/impact", **showing(ImpactShown, *_READING, 429, 502))
def impact(asked: Annotated[ImpactQuery, Query()], reading: ReadingNow) -> Response:
    """Where else the story speaks of what it tells in these words: what to look at before a change."""
    from ...project.impact import impact_of

    as_of = reading.chapter(asked.as_of)
    with reading.at_work(as_of) as project:
        found = impact_of(project, asked.q, chapter=asked.chapter, as_of=as_of, limit=asked.limit)
    return json_response(impact_shown(found, as_of))


@router.get("/check", **showing(FindingsShown, *_READING, 429))
def check(asked: Annotated[CheckQuery, Query()], reading: ReadingNow) -> Response:
    """The critic's findings in the story, each with the quotes of both sides."""
    with reading.backend.heavily(), reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        question = CheckAsked(as_of, only=tuple(asked.only), without=tuple(asked.without))
        report = checked(project, question).report
        view = project.view(as_of)
        shown = findings_shown(report, project.document, view=view, context=asked.context)
    return json_response(shown)


@router.post("/check", **showing(FindingsShown, *_READING, 400, 413, 429))
def check_draft(
    asked: Annotated[CheckQuery, Query()], draft: Annotated[Check, Body()], reading: ReadingNow
) -> Response:
    """The critic's findings in a draft that is set right after the horizon."""
    as_of = reading.chapter(asked.as_of)
    critic = ContinuityCritic(chosen_rules(tuple(asked.only), without=tuple(asked.without)))
    with reading.at_work(as_of) as project:
        report = project.check(as_of=as_of, draft=draft.draft, critic=critic)
        shown = findings_shown(
            report,
            project.document,
            view=project.view(as_of),
            draft=draft.draft,
            context=asked.context,
        )
    return json_response(shown)
