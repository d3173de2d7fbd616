"""What stands beside a story, as data and in words: memories, pictures, a model's suggestions."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.files.plain_json import plain
from .render import passages_text, quote_text, wrapped

if TYPE_CHECKING:
    from ...project.accepting import Suggestions
    from ...project.pictures import Hung
    from ...project.recalling import Recalled, Recollection

_LONGEST = 700  # characters
_COLLECTIONS = ("chapters", "characters", "codex", "pictures")


def memory_shown(one: Recalled) -> dict[str, Any]:
    """A profile or a thing of the codex as plain data."""
    told = {name: getattr(one.memory, name) for name in ("kind", "key", "name", "text", "now")}
    quotes = [
        {"document": quote.document_id, "chapter": quote.chapter, **plain(quote.span), "text": quote.quote}
        for quote in one.memory.evidence
    ]
    return {**told, "score": one.score, "named": one.is_named, "quotes": quotes}


def recollection_facts(found: Recollection) -> dict[str, Any]:
    """The whole as plain data; a collection that was not asked is left out."""
    facts: dict[str, Any] = {"query": found.query, "as_of": found.as_of}
    if "chapters" in found.collections:
        facts["chapters"] = plain(found.chapters)
    for name in _COLLECTIONS[1:]:
        if name in found.collections:
            facts[name] = [memory_shown(one) for one in getattr(found, name)]
    return facts


def recollection_text(found: Recollection) -> str:
    """Each collection that was asked under its head."""
    lines: list[str] = []
    for name in _COLLECTIONS:
        if name in found.collections and (name != "pictures" or found.pictures):
            lines += [name.capitalize(), *_collection(found, name), ""]
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


def picture_shown(one: Hung) -> dict[str, Any]:
    """A picture as plain data, without the file."""
    return {
        "id": one.picture.id,
        "file": one.picture.file,
        "entities": list(one.entities),
        "names": list(one.names),
        "caption": one.picture.caption,
        "from_chapter": one.picture.from_chapter,
    }


def pictures_text(shown: Sequence[Hung]) -> str:
    """A line or more for each."""
    lines = []
    for one in shown:
        since = f" (from ch. {one.picture.from_chapter})" if one.picture.from_chapter else ""
        lines.append(wrapped(f"{one.picture.id}  {one.words}{since}"))
    return "\n".join(lines) or "no pictures"


def suggestions_text(found: Suggestions) -> str:
    """Numbered, each with what the critic finds in it."""
    lines = [wrapped(f"after chapter {found.after}, by {found.model}:")]
    for number, one in enumerate(found.items, 1):
        lines.append(wrapped(f"{number}. {one.text}"))
        for each in one.findings:
            lines.append(wrapped(f"against the story: {each.message}", indent="   "))
            lines += [quote_text(quote, indent="     ") for quote in each.evidence]
    return "\n".join([*lines, *map(wrapped, found.notices)])
