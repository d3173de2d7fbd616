"""Prompts kept as files of text, and answers read by the models (pydantic) that made their schema.

A prompt file has two parts, ``# System`` and ``# User``, with ``{{name}}`` where a value is filled in. Its
version is a digest of the file, so that an answer kept for another wording is not taken for one of this.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .types import Prompt

if TYPE_CHECKING:
    from pydantic import BaseModel

_BLANK = re.compile(r"\{\{(\w+)\}\}")
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_NOT_STRICT = ("title", "description", "default", "maxLength", "minLength", "maxItems")


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt with blanks. ``version`` is the file's name and digest."""

    system: str
    user: str
    version: str

    def fill(self, model: type[BaseModel] | None = None, **values: str) -> Prompt:
        """The prompt, its answer held to ``model`` where one is given. The values go into the user part as
        they are: what comes from outside must be made harmless first. Raises KeyError for a blank left."""
        user = _BLANK.sub(lambda blank: values[blank[1]], self.user)
        return Prompt(self.system, user, self.version, schema_of(model) if model is not None else "")


@cache
def load_template(file: Path, *, mark: str = "") -> Template:
    """Reads a prompt file of the package. ``mark`` becomes part of the version: what else changes what is
    sent. Raises ValueError where a part is missing."""
    text = file.read_text(encoding="utf-8")
    head, found, user = text.partition("\n# User\n")
    before, system_found, system = head.partition("# System\n")
    if not found or not system_found or before.strip():
        raise ValueError(f"{file.name} needs the parts # System and # User")
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    version = f"{file.stem}/{digest} {mark}".strip()
    return Template(system.strip(), user.strip(), version)


@cache
def schema_of(model: type[BaseModel]) -> str:
    """The JSON schema that an answer is held to: every field required and none besides, as strict endpoints
    want it, with all definitions in their places."""
    whole = model.model_json_schema()
    return json.dumps(_strict(whole, whole.get("$defs", {})))


def _strict(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_strict(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _strict(definitions[node["$ref"].rpartition("/")[2]], definitions)
    kept = {
        name: {field: _strict(value, definitions) for field, value in part.items()}
        if name == "properties"
        else _strict(part, definitions)
        for name, part in node.items()
        if name != "$defs" and (name not in _NOT_STRICT or not isinstance(part, str | int | list))
    }
    if kept.get("type") == "object":
        kept |= {"additionalProperties": False, "required": list(kept.get("properties", {}))}
    return kept


ModelT = TypeVar("ModelT", bound="BaseModel")


@dataclass(frozen=True, slots=True)
class Answered(Generic[ModelT]):
    """What was read of an answer; ``odd`` counts the items of its lists that have another form, and stands
    at 1 where there was nothing to read."""

    value: ModelT
    odd: int


def read_answer(text: str, model: type[ModelT]) -> Answered[ModelT]:
    """Reads an answer that was asked for by ``model``'s schema, whatever a language model put around it:
    thoughts, a fence, words before and after, trailing commas, single quotes, an end that is missing. An item
    of a list that does not fit is left out by itself; ``model`` needs a default for every field."""
    from pydantic import ValidationError

    found = _object_with(model.model_fields, _THOUGHTS.sub("", text))
    values: dict[str, Any] = {}
    odd = int(found is None)
    for name in model.model_fields:
        told = (found or {}).get(name)
        items = told if isinstance(told, list) else None
        if told is None:
            continue
        kept = []
        for item in items if items is not None else [told]:
            try:
                one = model.model_validate({name: [item] if items is not None else item})
            except (ValidationError, RecursionError):
                odd += 1
            else:
                kept.append(getattr(one, name))
        if items is not None:
            values[name] = [one for each in kept for one in each]
        elif kept:
            values[name] = kept[0]
    return Answered(model.model_construct(**values), odd)


def _object_with(names: Collection[str], text: str) -> dict[str, Any] | None:
    """The JSON object in a text that has most of these fields, mended where it has to be."""
    decoder, found = json.JSONDecoder(), list[Any]()
    keys = re.compile(rf"[\"']({'|'.join(map(re.escape, names))})[\"']\s*:")
    starts = sorted({text.rfind("{", 0, key.start()) for key in keys.finditer(text)} - {-1})
    end = 0
    for start in starts:
        if start >= end:
            try:
                value, end = decoder.raw_decode(text, start)
            except (ValueError, RecursionError):
                continue
            found += [value] if set(value).intersection(names) else []
    if not found and starts:
        from json_repair import loads

        with suppress(ValueError, RecursionError):
            mended = loads(text[starts[0] :])
            held = mended if isinstance(mended, list) else [mended]
            found = [one for one in held if isinstance(one, dict)]
    return max(found, key=lambda one: len(set(one).intersection(names)), default=None)
