"""Conversations that a project keeps: listed, shown, deleted."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi import Path as PathParameter

from ...views.text.kept import (
    ConversationShown,
    ConversationsShown,
    conversation_shown,
    conversations_shown,
)
from ..backend import ReadingNow
from ..problems import Raised, answering, showing
from ..schema.requests import CONVERSATION, AtHorizon, Nothing
from ..schema.responses import json_response

router = APIRouter(prefix="/v1/projects/{project_id}/conversations", tags=["search"])
ConversationId = Annotated[str, PathParameter(pattern=CONVERSATION, examples=["first-reading"])]


@router.get("", **showing(ConversationsShown, 401, 404, 422, 503))
def conversations(asked: Annotated[AtHorizon, Query()], reading: ReadingNow) -> Response:
    """The conversations that are kept, as far as they were held at the horizon or before it."""
    with reading.project() as project:
        as_of = reading.chapter(asked.as_of)
        found = project.conversations.listed(horizon=project.horizon(as_of))
    return json_response(conversations_shown(found, as_of))


@router.get("/{conversation_id}", **showing(ConversationShown, 401, 404, 422, 503))
def conversation(
    asked: Annotated[AtHorizon, Query()], conversation_id: ConversationId, reading: ReadingNow
) -> Response:
    """One conversation, as far as it was held at the horizon or before it."""
    with reading.project() as project:
        turns = project.conversations.turns(
            conversation_id, horizon=project.horizon(reading.chapter(asked.as_of))
        )
    if not turns:
        raise _unknown()
    return json_response(conversation_shown(conversation_id, turns))


@router.delete("/{conversation_id}", **answering(204, None, "It is deleted, whole", 401, 404, 422, 503))
def delete(_: Annotated[Nothing, Query()], conversation_id: ConversationId, reading: ReadingNow) -> Response:
    """Delete a conversation, whatever horizons it was held at; what was kept of it is overwritten."""
    with reading.project() as project:
        if not project.conversations.delete(conversation_id):
            raise _unknown()
    return Response(status_code=204)


def _unknown() -> Raised:
    return Raised(404, "no-such-conversation", "there is no such conversation: the list shows their ids")
