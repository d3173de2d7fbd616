"""The codex of a project: read, written, added to."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Response

from ...project.codex_editing import CodexDesk, codex_text, with_entry
from ...story.codex.codex import Codex
from ..backend import ReadingNow
from ..idempotency import Answer
from ..problems import answering, showing
from ..schema.authoring import CodexEntry, CodexShown, CodexTable, CodexText
from ..schema.requests import Nothing
from ..schema.responses import json_response
from .projects import IdempotencyKey

router = APIRouter(prefix="/v1/projects/{project_id}/codex", tags=["codex"])
_WRITING = (400, 401, 404, 409, 413, 422, 429, 503)


@router.get("", **showing(CodexShown, 401, 404, 422, 503))
def read(_: Annotated[Nothing, Query()], reading: ReadingNow) -> Response:
    """The codex as its author wrote it, whole: what is laid down for later chapters too."""
    with reading.project() as project:
        return json_response(_shown(codex_text(project), project.codex))


@router.put("", **showing(CodexShown, *_WRITING))
def write(
    _: Annotated[Nothing, Query()],
    wanted: Annotated[CodexText, Body()],
    reading: ReadingNow,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Make this text (YAML or JSON) the codex, and link the story anew with it. Refused, with the line, where
    it is no codex; with `instead_of` also where somebody else changed it meanwhile."""

    def act() -> Answer:
        with reading.backend.heavily():
            made = CodexDesk(reading.entry.folder, **reading.how).save(
                wanted.text, instead_of=wanted.instead_of
            )
        return Answer(200, _shown(wanted.text, made))

    return reading.once(idempotency_key, act, "codex", reading.project_id, wanted.text)


@router.post(
    "/{table}", **answering(201, CodexShown, "It is laid down, and the story is linked anew", *_WRITING)
)
def add(
    table: CodexTable,
    _: Annotated[Nothing, Query()],
    wanted: Annotated[CodexEntry, Body()],
    reading: ReadingNow,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Lay down one more character, place, group or thing."""

    def act() -> Answer:
        with reading.project() as project:
            before = codex_text(project)
        text = with_entry(before, table, wanted.name, wanted.description)
        with reading.backend.heavily():
            made = CodexDesk(reading.entry.folder, **reading.how).save(text, instead_of=before)
        return Answer(201, _shown(text, made))

    return reading.once(
        idempotency_key, act, "codex", reading.project_id, table, wanted.model_dump(mode="json")
    )


def _shown(text: str, codex: Codex | None) -> dict[str, object]:
    names = sorted({one.surface for one in codex.log.mentions}) if codex is not None else []
    rules = [one.text for one in codex.rules] if codex is not None else []
    return {"text": text, "names": names, "rules": rules}
