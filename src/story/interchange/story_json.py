"""The story model as JSON and back, exact: one object, or a line a record for programs that stream.

``{"format": "fabula-story", "schema": …, "document": {…}, "as_of": …, "entities": […], "log": {…}}``. The
entities are made from the log for readers that want names; reading passes over them. As JSON lines the
first line is the head without entities and log, and every further line ``{"table": …, "record": {…}}``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from ...core.files.plain_json import parse_json, plain
from ...errors import ProjectError
from ..graph_rag.views.log_json import SCHEMA, load_log
from ..graph_rag.views.story_view import StoryView
from ..model.types import StoryLog

__all__ = ["FORMAT", "ReadStory", "read_story", "story_json", "story_json_lines"]

FORMAT = "fabula-story"


@dataclass(frozen=True, slots=True)
class ReadStory:
    """What an export holds: the log, the document it is of, and the horizon it was cut at."""

    document_id: str
    title: str
    as_of: int | None
    log: StoryLog


def story_json(view: StoryView, *, document_id: str, title: str) -> str:
    """One JSON object; the same view gives the same characters. Lone surrogates are escaped."""
    content = {
        **_head(view, document_id=document_id, title=title),
        "entities": plain(view.entities()),
        "log": plain(view.log),
    }
    return _dumped(content, indent=1) + "\n"


def story_json_lines(view: StoryView, *, document_id: str, title: str) -> str:
    """A head and then a line a record, table after table, each in order of telling."""
    return "".join(line + "\n" for line in _lines(view, document_id=document_id, title=title))


def read_story(text: str) -> ReadStory:
    """The story that either function wrote; its log equals the view's. Raises ProjectError where the text
    is something else, is damaged, or is of another version."""
    try:
        content = _object(text)
        document = content["document"]
        log = load_log(json.dumps({"schema": content["schema"], "log": content["log"]}))
        return ReadStory(str(document["id"]), str(document["title"]), content["as_of"], log)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProjectError(
            f"this is no story that fabula exported ({type(error).__name__}: {error}): "
            "export it again with --format json"
        ) from error


def _object(text: str) -> Any:
    first, _, rest = text.partition("\n")
    try:
        head = parse_json(first)
    except ValueError:  # an indented object
        head, rest = parse_json(text), ""
    if head["format"] != FORMAT:
        raise ValueError(f"its format is {head['format']!r}")
    if "log" not in head:
        tables: dict[str, list[Any]] = {each.name: [] for each in fields(StoryLog)}
        for line in filter(str.strip, rest.split("\n")):
            row = parse_json(line)
            tables[row["table"]].append(row["record"])
        head["log"] = tables
    return head


def _lines(view: StoryView, *, document_id: str, title: str) -> Iterator[str]:
    yield _dumped(_head(view, document_id=document_id, title=title))
    for each in fields(view.log):
        for record in getattr(view.log, each.name):
            yield _dumped({"table": each.name, "record": plain(record)})


def _head(view: StoryView, *, document_id: str, title: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "document": {"id": document_id, "title": title},
        "as_of": view.horizon.chapter,
    }


def _dumped(content: Any, *, indent: int | None = None) -> str:
    text = json.dumps(content, ensure_ascii=False, indent=indent, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(content, indent=indent, allow_nan=False)
    return text
