"""Portraits and maps: listed, shown, put in and taken out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Query, Response, UploadFile
from fastapi import Path as PathParameter

from ...library.library import safe_name
from ...project.pictures import Hung, add_picture, picture_data, pictures_at, remove_picture
from ..backend import ReadingNow
from ..problems import Raised, answering, documented, showing
from ..schema.authoring import Caption, FromChapter, PictureShown, PicturesShown, ShownName
from ..schema.requests import AtHorizon, Nothing
from ..schema.responses import json_response

router = APIRouter(prefix="/v1/projects/{project_id}/pictures", tags=["pictures"])
PictureId = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{16}$", examples=["0123456789abcdef"])]
_READING = (401, 404, 422, 503)
_KINDS = {".png": "image/png", ".jpg": "image/jpeg"}


@router.get("", **showing(PicturesShown, *_READING))
def listed(asked: Annotated[AtHorizon, Query()], reading: ReadingNow) -> Response:
    """Those that a reader at the horizon may see: who knows all whom they show, and has read up to their
    chapter."""
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        found = pictures_at(project, as_of)
    return json_response(PicturesShown.model_validate({"as_of": as_of, "items": found}))


@router.get(
    "/{picture_id}",
    response_class=Response,
    responses={
        200: {"content": {"image/png": {}, "image/jpeg": {}}, "description": "The picture"},
        **documented(*_READING),
    },
)
def shown(picture_id: PictureId, asked: Annotated[AtHorizon, Query()], reading: ReadingNow) -> Response:
    """The picture's file, where a reader at the horizon may see it."""
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        _known(picture_id, pictures_at(project, as_of))
        one, data = picture_data(project, picture_id, as_of)
    kind = _KINDS[one.picture.file[-4:]]
    safe = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}
    return Response(data, media_type=kind, headers=safe)


@router.post("", **answering(201, PictureShown, "It is kept", 400, 409, 413, 415, *_READING))
def put_in(
    _: Annotated[Nothing, Query()],
    reading: ReadingNow,
    file: Annotated[UploadFile, File(description="PNG, JPEG, WebP, GIF, BMP or TIFF.")],
    of: Annotated[
        list[ShownName], Form(max_length=50, description="Whom or what it shows, by names the story uses.")
    ] = [],  # noqa: B006 (never changed)
    caption: Annotated[Caption, Form(description="What it says; searched by memories.")] = "",
    from_chapter: Annotated[
        FromChapter,
        Form(description="Readers see it from there on; where 0, as soon as they know all whom it shows."),
    ] = 0,
) -> Response:
    """Keep a copy of a picture, of at most 1600 pixels a side and without metadata; again, to change what is
    said of it."""
    content = file.file.read()
    with reading.project() as project, reading.backend.heavily():
        made = add_picture(
            project,
            content,
            safe_name(file.filename or "picture"),
            of=of,
            caption=caption,
            from_chapter=from_chapter,
        )
        found = [one for one in pictures_at(project) if one.picture == made]
    return json_response(PictureShown.of(found[0] if found else Hung(made)), 201)


@router.delete("/{picture_id}", **answering(204, None, "It is taken out", *_READING))
def take_out(picture_id: PictureId, _: Annotated[Nothing, Query()], reading: ReadingNow) -> Response:
    """Take a picture out, with its file."""
    with reading.project() as project:
        _known(picture_id, pictures_at(project))
        remove_picture(project.folder, picture_id)
    return Response(status_code=204)


def _known(id: str, pictures: tuple[Hung, ...]) -> None:
    if id not in {one.picture.id for one in pictures}:
        raise Raised(404, "no-such-picture", "there is no such picture here: the list shows their ids")
