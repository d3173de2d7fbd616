"""A story log as JSON and back: exact, deterministic, with a schema version."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from ....core.files.plain_json import parse_json
from ....core.runtime.garbage import collection_put_off
from ....errors import ProjectError
from ...model.types import StoryLog

if TYPE_CHECKING:
    from pydantic import TypeAdapter

SCHEMA = 5
_HEAD = f'{{"schema":{SCHEMA},"log":'


def dump_log(log: StoryLog) -> str:
    """``{"schema": 5, "log": {...}}``; fields in the order of the dataclasses, so that the same log
    always gives the same bytes."""
    return f"{_HEAD}{_adapter().dump_json(log).decode()}}}"


def load_log(text: str) -> StoryLog:
    """The log that ``dump_log`` wrote. Raises ProjectError where it is no story graph, is damaged, or
    was written by another version."""
    from pydantic import ValidationError

    if text.startswith(_HEAD) and text.endswith("}"):  # parsed and checked in one go, in half the time
        try:
            with collection_put_off():
                return _adapter().validate_json(text[len(_HEAD) : -1])
        except ValidationError:
            pass  # told below, by what is wrong with it
    try:
        saved = parse_json(text)
    except json.JSONDecodeError as error:
        raise ProjectError(
            f"the story graph is not JSON ({error.msg} at character {error.pos}): index the story again"
        ) from error
    if not isinstance(saved, dict) or "log" not in saved:
        raise ProjectError("this JSON holds no story graph: give a file that fabula wrote, or index again")
    if saved.get("schema") != SCHEMA:
        raise ProjectError(
            f"the story graph has schema {saved.get('schema')!r}, this version reads {SCHEMA}: "
            "index the story again, or use the version of fabula that wrote it"
        )
    try:
        return _adapter().validate_python(saved["log"])
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ProjectError(
            f"the story graph is damaged at {where or 'its top'} ({first['msg']}): index the story again"
        ) from error


@cache
def _adapter() -> TypeAdapter[StoryLog]:
    from pydantic import TypeAdapter

    return TypeAdapter(StoryLog)
