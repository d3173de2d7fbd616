"""What an author put beside a story, and what a model suggests: as plain data and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.files.plain_json import plain
from .answer import wrapped
from .render import quote_text

if TYPE_CHECKING:
    from ...project.pictures import Hung
    from ...project.suggesting import Suggestions

__all__ = ["picture_shown", "pictures_text", "suggestions_shown", "suggestions_text"]


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


def suggestions_shown(found: Suggestions) -> dict[str, Any]:
    """As plain data; a finding is its rule, its message and its quotes."""
    return {
        "model": found.model,
        "after": found.after,
        "items": [
            {
                "text": one.text,
                "findings": [
                    {"rule": each.rule, "message": each.message, "quotes": [q.quote for q in each.evidence]}
                    for each in one.findings
                ],
            }
            for one in found.items
        ],
        "notices": plain(found.notices),
    }


def suggestions_text(found: Suggestions) -> str:
    """Numbered, each with what the critic finds in it."""
    lines = [wrapped(f"after chapter {found.after}, by {found.model}:")]
    for number, one in enumerate(found.items, 1):
        lines.append(wrapped(f"{number}. {one.text}"))
        for each in one.findings:
            lines.append(wrapped(f"against the story: {each.message}", indent="   "))
            lines += [quote_text(quote, indent="     ") for quote in each.evidence]
    return "\n".join([*lines, *map(wrapped, found.notices)])
