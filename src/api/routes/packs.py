"""Chunk packs: put in as jobs, searched and asked."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, File, Query, Response, UploadFile
from fastapi import Path as PathParameter

from ...library.library import safe_name
from ...packs.asking import PackSuggestions
from ...packs.asking import ask as ask_pack
from ...packs.asking import suggest as suggest_next
from ...packs.items import Found
from ...packs.pack import Pack
from ...packs.shelf import ENDINGS, PackSummary
from ...sections import Wishes
from ..backend import Asking, AskingNow
from ..jobs.registry import Job, JobKind
from ..problems import Problem, answering
from ..schema.requests import PROJECT, NoQuery, PackAsk, PackAtHorizon, PackQuery, PackSuggest
from ..schema.shapes import AnswerShown, Items, answer_shown, json_response
from .projects import IdempotencyKey, queued

router = APIRouter(prefix="/v1/packs", tags=["packs"])
PackId = Annotated[
    str,
    PathParameter(
        description="A pack's id. Tokens open packs by id as they open projects.",
        pattern=PROJECT,
        examples=["warranty"],
    ),
]


@router.get("", **answering(Items[str], 503))
def packs(_: NoQuery, asking: AskingNow) -> Response:
    """The ids of the packs there are."""
    names = asking.backend.packs.names()
    return json_response({"items": [one for one in names if asking.access.allows(one)]})


@router.get("/{pack_id}", **answering(PackSummary, 502, 503))
def pack(pack_id: PackId, asked: Annotated[PackAtHorizon, Query()], asking: AskingNow) -> Response:
    """What a pack holds: languages, sections and tags to filter by."""
    _opened(pack_id, asking)
    return json_response(asking.backend.packs.summary(pack_id, as_of=asked.as_of))


@router.get("/{pack_id}/search", **answering(Items[Found], 502, 503))
def search(pack_id: PackId, asked: Annotated[PackQuery, Query()], asking: AskingNow) -> Response:
    """The best items for a query, each in the language that fits best."""
    opened = _opened(pack_id, asking)
    found = opened.search(asked.q, asked.k or 5, wanted=asked.wanted, as_of=asked.as_of)
    return json_response({"items": found})


@router.post("/{pack_id}/ask", **answering(AnswerShown, 429, 502, 503))
def ask(pack_id: PackId, _: NoQuery, asked: Annotated[PackAsk, Body()], asking: AskingNow) -> Response:
    """An answer with the items it stands on, written by the language model where there is one. The same
    question after the same history is asked once."""
    opened, packs = _opened(pack_id, asking), asking.backend.packs
    writes = packs.model_answers if asked.model is None else asked.model
    with asking.backend.heavily():
        found = ask_pack(
            opened,
            asked.question,
            k=asked.k or 12,
            wanted=asked.wanted,
            as_of=asked.as_of,
            history=[(turn.question, turn.answer) for turn in asked.history],
            generator=packs.writer(pack_id) if writes else None,
        )
    return json_response(answer_shown(found, asked.as_of))


@router.post("/{pack_id}/suggest", **answering(PackSuggestions, 429, 502, 503))
def suggest(
    pack_id: PackId,
    _: NoQuery,
    asked: Annotated[PackSuggest, Body()],
    asking: AskingNow,
) -> Response:
    """What to say next in a conversation, by the language model and the items that fit the whole of it."""
    opened = _opened(pack_id, asking)
    with asking.backend.heavily():
        found = suggest_next(
            opened,
            asked.said,
            asking.backend.packs.writer(pack_id, suggests=True),
            count=asked.count,
            wishes=Wishes(style=asked.style, twist=asked.twist, language=asked.spoken),
            wanted=asked.wanted,
            as_of=asked.as_of,
            history=[(turn.question, turn.answer) for turn in asked.history],
        )
    return json_response(found)


@router.post("/{pack_id}", **answering(Job, 409, 429, 503, status=202, description="The job that makes it"))
def put_in(
    pack_id: PackId,
    _: NoQuery,
    asking: AskingNow,
    file: Annotated[
        UploadFile, File(description="A .json or .jsonl file; see docs/reference/pack-schema.json.")
    ],
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Make the pack hold the items of a file and no others, as a job: only what is new is embedded. What is
    no item is left out and listed in the job's report."""
    if not asking.access.allows(pack_id):
        raise _no_pack()
    name, content = safe_name(file.filename or ""), file.file.read()
    if not name.lower().endswith(ENDINGS):
        raise Problem(422, "not-a-pack", f"a pack is a {' or '.join(ENDINGS)} file")
    return queued(asking, JobKind.PACK, pack_id, idempotency_key, name=name, content=content)


@router.delete("/{pack_id}", **answering(None, 502, 503, status=204, description="It is deleted"))
def remove(pack_id: PackId, _: NoQuery, asking: AskingNow) -> Response:
    """Delete a pack."""
    _opened(pack_id, asking)
    asking.backend.packs.remove(pack_id)
    return Response(status_code=204)


def _opened(id: str, asking: Asking) -> Pack:
    """Raises 404, the same for what is not there and for what another's token guards."""
    if not asking.access.allows(id) or id not in asking.backend.packs.names():
        raise _no_pack()
    return asking.backend.packs.open(id)


def _no_pack() -> Problem:
    return Problem(404, "no-such-pack", "there is no such pack: /v1/packs lists those there are")
