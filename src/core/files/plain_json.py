"""Values as plain JSON data: dataclasses as objects, tuples as lists, paths and enumerations as text."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """The value that a JSON text holds. Raises JSONDecodeError, also where it nests too deep to be read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise json.JSONDecodeError("it nests too deep", "", 0) from None


def plain(value: object) -> Any:  # noqa: PLR0911 (one return a kind of value)
    """Raises TypeError for what has no plain form. Sets come out sorted."""
    match value:
        case None | bool() | int() | float():
            return value
        case Enum():
            return value.value
        case str():
            return str(value)
        case Path():
            return value.as_posix()
        case Mapping():
            return {str(plain(key)): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case set() | frozenset():
            return sorted(plain(item) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} has no plain JSON form")
