"""Suggestions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.files.plain_json import plain
from .answer import wrapped
from .render import quote_text

if TYPE_CHECKING:
    from ...project.suggesting.suggesting import Suggestions

__all__ = ["suggestions_shown", "suggestions_text"]


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
