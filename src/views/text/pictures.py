"""Portraits and maps as plain data and in words, for every door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .answer import wrapped

if TYPE_CHECKING:
    from ...project.pictures.shelf import Hung

__all__ = ["picture_shown", "pictures_text"]


def picture_shown(one: Hung, score: float | None = None) -> dict[str, Any]:
    """A picture as plain data, without the file."""
    data = {
        "id": one.picture.id,
        "file": one.picture.file,
        "entities": list(one.entities),
        "names": list(one.names),
        "caption": one.picture.caption,
        "from_chapter": one.picture.from_chapter,
    }
    return data if score is None else data | {"score": score}


def pictures_text(shown: Sequence[Hung], scores: Mapping[str, float]) -> str:
    """A line or more for each."""
    lines = []
    for one in shown:
        since = f" (from ch. {one.picture.from_chapter})" if one.picture.from_chapter else ""
        looks = f" score {scores[one.picture.id]:.2f}" if one.picture.id in scores else ""
        lines.append(wrapped(f"{one.picture.id}{looks}  {one.words}{since}"))
    return "\n".join(lines) or "no pictures to be seen here"
