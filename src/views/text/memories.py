"""What was recalled, for a terminal and for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.files.plain_json import plain
from .answer import wrapped
from .render import passages_text

if TYPE_CHECKING:
    from ...project.recalling import Recalled, Recollection

__all__ = ["memory_shown", "recollection_facts", "recollection_text"]

_LONGEST = 700  # characters
_HEADS = (
    ("chapters", "Chapters"),
    ("characters", "Characters"),
    ("codex", "Codex"),
    ("pictures", "Pictures"),
)


def memory_shown(one: Recalled) -> dict[str, Any]:
    """A profile or a thing of the codex as plain data."""
    memory = one.memory
    return {
        "kind": memory.kind,
        "key": memory.key,
        "name": memory.name,
        "text": memory.text,
        "now": memory.now,
        "score": one.score,
        "named": one.is_named,
        "quotes": [
            {
                "document": quote.document_id,
                "chapter": quote.chapter,
                "start": quote.span.start,
                "end": quote.span.end,
                "text": quote.quote,
            }
            for quote in memory.evidence
        ],
    }


def recollection_facts(found: Recollection) -> dict[str, Any]:
    """The whole as plain data; a collection that was not asked is left out."""
    facts: dict[str, Any] = {"query": found.query, "as_of": found.as_of}
    if "chapters" in found.collections:
        facts["chapters"] = plain(found.chapters)
    if "characters" in found.collections:
        facts["characters"] = [memory_shown(one) for one in found.characters]
    for name in ("codex", "pictures"):
        if name in found.collections:
            facts[name] = [memory_shown(one) for one in getattr(found, name)]
    return facts


def recollection_text(found: Recollection) -> str:
    """Each collection that was asked under its head."""
    lines: list[str] = []
    for name, head in _HEADS:
        if name in found.collections and (name != "pictures" or found.pictures):
            lines += [head, *_collection(found, name), ""]
    return "\n".join(lines).rstrip()


def _collection(found: Recollection, name: str) -> Sequence[str]:
    if name == "chapters":
        return [textwrap.indent(passages_text(found.chapters), "  ")]
    recalled = getattr(found, name)
    if not recalled:
        return ["  nothing found"]
    lines = []
    for number, one in enumerate(recalled, 1):
        why = "named" if one.is_named else f"score {one.score:.2f}"
        lines.append(wrapped(f"{number}. {one.memory.name} ({why})", indent="  "))
        said = textwrap.shorten(one.memory.words, _LONGEST, placeholder=" …")
        lines.append(wrapped(said, indent="     "))
    return lines
