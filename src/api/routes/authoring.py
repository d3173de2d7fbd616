"""What an author lays down and corrects, and how the story could go on: codex, corrections, suggestions, and
pipelines compared on one prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request, Response
from fastapi import Path as PathParameter

from ...project.codex_editing import CodexDesk, codex_text
from ...project.correcting import Workshop, corrections_at
from ...story.codex.codex import Codex
from ...story.comparison.engine import ComparisonEvent
from ...story.corrections import Correction, read_corrections
from ...story.writing.pipelines import PIPELINES
from ...views.corrections import CorrectedShown, CorrectionsShown, corrected_shown, correction_shown
from ..backend import Reading, ReadingNow
from ..problems import Problem, answering, documented
from ..schema.requests import AsOf, CodexText, Compare, Correct, NoQuery, Suggest
from ..schema.shapes import CodexShown, SuggestionsShown, json_response
from ..streams import EVENTS, Emit, EventStream, events_of

router = APIRouter(prefix="/v1/projects/{project_id}", tags=["authoring"])
CorrectionId = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{8}$", examples=["01234567"])]


@router.get("/codex", **answering(CodexShown))
def codex(_: NoQuery, reading: ReadingNow) -> Response:
    """The codex as its author wrote it, whole: what is laid down for later chapters too."""
    with reading.project() as project:
        return _codex_shown(codex_text(project), project.codex)


@router.put("/codex", **answering(CodexShown, 409, 429))
def write_codex(_: NoQuery, wanted: Annotated[CodexText, Body()], reading: ReadingNow) -> Response:
    """Make this text (YAML or JSON) the codex, and link the story anew with it. Refused, with the line, where
    it is no codex; with `instead_of` also where somebody else changed it meanwhile."""
    desk = CodexDesk(reading.entry.folder, **reading.how)
    with reading.backend.heavily():
        return _codex_shown(wanted.text, desk.save(wanted.text, instead_of=wanted.instead_of))


def _codex_shown(text: str, codex: Codex | None) -> Response:
    names = sorted({one.surface for one in codex.log.mentions}) if codex is not None else []
    rules = [one.text for one in codex.rules] if codex is not None else []
    return json_response({"text": text, "names": names, "rules": rules})


@router.get("/corrections", **answering(CorrectionsShown))
def corrections(asked: AsOf, reading: ReadingNow) -> Response:
    """The author's corrections, but for those that speak of what is first told after the horizon."""
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        found = corrections_at(project, as_of)
    return json_response(CorrectionsShown(as_of, tuple(map(correction_shown, found))))


@router.post(
    "/corrections",
    **answering(CorrectedShown, 409, 429, status=201, description="It is kept, and the story is linked anew"),
)
def correct(asked: AsOf, wanted: Annotated[Correct, Body()], reading: ReadingNow) -> Response:
    """Say who is who: now, and whenever the story is indexed again. Answers what that changes up to the
    horizon."""
    into = (wanted.into,) if wanted.into else ()
    one = Correction(
        wanted.kind, (wanted.who,), tuple(wanted.names), into, wanted.to or "", wanted.from_chapter
    )
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        project.horizon(as_of)
    with reading.backend.heavily():
        done = Workshop(reading.entry.folder, as_of=as_of, **reading.how).add(one)
    return json_response(corrected_shown(done), 201)


@router.delete(
    "/corrections/{correction_id}",
    **answering(None, 409, 429, status=204, description="It is taken back"),
)
def undo(_: NoQuery, correction_id: CorrectionId, reading: ReadingNow) -> Response:
    """Take a correction back."""
    workshop = Workshop(reading.entry.folder, **reading.how)
    if correction_id not in {one.id for one in read_corrections(workshop.path).entries}:
        raise Problem(404, "no-such-correction", "there is no such correction: the list shows their ids")
    with reading.backend.heavily():
        workshop.undo(correction_id)
    return Response(status_code=204)


@router.post("/suggestions", **answering(SuggestionsShown, 429, 502))
def suggestions(asked: AsOf, sent: Annotated[Suggest, Body()], reading: ReadingNow) -> Response:
    """Have the language model suggest ways in which the story could go on after the horizon, each held
    against what it has told. Nothing of it is kept."""
    from ...project.accepting import suggest

    as_of = reading.chapter(asked.as_of)
    with reading.at_work(as_of, with_model=True) as project:
        found = suggest(project, sent.wish, count=sent.count, form=sent.form, as_of=as_of)
    return json_response(SuggestionsShown.of(found))


_STAGES = (
    'Server-sent events: `started`, `stage` (`{"pipeline", "stage"}`), `text` (`{"pipeline", "stage", '
    '"text"}`), `failed` (`{"pipeline", "message"}`), and last `done` (`{"schema", "facts"}`: the report, '
    "the same on every run that model and index repeat) or `problem`"
)


@router.post(
    "/compare",
    status_code=200,
    response_class=EventStream,
    responses={200: {"description": _STAGES, "content": EVENTS}, **documented(429, 502)},
)
async def compare(
    asked: AsOf,
    body: Annotated[Compare, Body()],
    reading: ReadingNow,
    request: Request,
) -> EventStream:
    """A scene set right after the horizon, written by each pipeline, checked and scored blind; streamed while
    it is written. Drafts that are sent are scored by name in the same way. Whoever hangs up ends the work."""
    seconds = reading.backend.settings.limits.stream_s
    return await events_of(
        request, lambda emit: _compared(reading, body, reading.chapter(asked.as_of), emit), seconds=seconds
    )


def _compared(reading: Reading, body: Compare, as_of: int | None, emit: Emit) -> Mapping[str, Any]:
    """The report, without what a clock measured."""

    def on_event(one: ComparisonEvent) -> None:
        if one.stage == "error":
            emit("failed", {"pipeline": one.pipeline, "message": "the pipeline failed; see the report"})
        elif one.text:
            emit("text", {"pipeline": one.pipeline, "stage": one.stage, "text": one.text})
        else:
            emit("stage", {"pipeline": one.pipeline, "stage": one.stage})

    chosen = [one for one in PIPELINES if not body.pipelines or one.name in body.pipelines]
    with reading.at_work(as_of, emit, with_model=not body.drafts) as project:
        if body.drafts:
            report = project.score(body.drafts, prompt=body.prompt, chapter=as_of)
        else:
            report = project.compare(
                body.prompt, chapter=as_of, pipelines=chosen, seed=body.seed, on_event=on_event
            )
    data = report.to_dict()
    return {"schema": data["schema"], "facts": data["facts"]}
