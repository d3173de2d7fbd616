"""Lorebooks for SillyTavern and programs that read its files: World Info, and a Character Card V2.

The fields and their defaults are in ``lorebook.json``: those of SillyTavern's ``newWorldInfoEntryDefinition``
and of ``character-card-spec-v2``, with the ``extensions`` that SillyTavern reads in a character book.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any

from ...story.evidence.untrusted import one_line
from ...story.model.types import WORLD
from ..bible import BibleShown, EntryShown, LineShown
from .documents import flat

_BRACES = re.compile(r"\{(?=\{)|\}(?=\})")
_LEGACY = re.compile(r"<(user|bot|char|charifnotgroup|group|start)>", re.IGNORECASE)
_OWN = frozenset({"knowledge", "goal", "feeling"})
"""What somebody knows, wants and feels: others do not see it."""


def world_info(shown: BibleShown) -> bytes:
    """An entry is put into a prompt where one of its keys is said, the world's laws always; what has no name
    to be said by is left out. What would be a pattern as a key, or a macro as content, loses its marks."""
    entries = {
        str(number): _defaults()["world_info"]
        | {"uid": number, "displayIndex": number, "key": _keys(one), "comment": inert(one.name)}
        | {"content": _content(one, one.lines), "constant": one.kind == WORLD}
        | {"disable": one.state == "resolved"}
        for number, one in enumerate(filter(_reachable, shown.entries))
    }
    return _json({"entries": entries})


def character_card(shown: BibleShown, whose: EntryShown) -> bytes:
    """The card of one person: their own lines as the description, and a book of the laws of the world and of
    all whom they have to do with, without what those keep to themselves."""
    met = {id for line in whose.lines for id in line.about}
    met |= {one.id for one in shown.entries for line in one.lines if whose.id in line.about}
    others = [one for one in shown.entries if one.id in met - {whose.id} or one.kind == WORLD]
    book = []
    for number, one in enumerate(filter(_reachable, others)):
        lines = tuple(line for line in one.lines if line.kind not in _OWN or whose.id in line.about)
        name = inert(one.name)
        entry = {"id": number, "name": name, "comment": name, "keys": _keys(one)}
        entry |= {"content": _content(one, lines), "constant": one.kind == WORLD}
        book.append(_defaults()["character_book"] | entry)
    notes = f"From a story bible. {shown.until} It has no first message: write one."
    data = _defaults()["card"] | {"name": inert(whose.name), "description": _content(whose, whose.lines)}
    data |= {"creator_notes": notes, "character_book": {"extensions": {}, "entries": book}}
    return _json({"spec": "chara_card_v2", "spec_version": "2.0", "data": data})


def _reachable(one: EntryShown) -> bool:
    return one.kind == WORLD or bool(_keys(one))


def _keys(one: EntryShown) -> list[str]:
    keys = [] if one.kind == WORLD else [*(() if one.state else (one.name,)), *one.also]
    return [key for key in dict.fromkeys(inert(key).strip("/ ") for key in keys) if len(key) > 1]


def _content(one: EntryShown, lines: tuple[LineShown, ...]) -> str:
    head = f"{one.name} ({one.told})" if one.told else one.name
    told = [head, *(f"- {line.text}." for line in lines if not line.over)]
    return "\n".join(map(inert, told)).lstrip("@")  # @@ at its head would be a decorator


def inert(text: str) -> str:
    """One line without orders to a model and without macros."""
    return _BRACES.sub(r"\g<0> ", _LEGACY.sub(r"‹\1›", one_line(flat(text))))


@cache
def _defaults() -> dict[str, dict[str, Any]]:
    text = resources.files(__package__).joinpath("lorebook.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def _json(data: dict[str, Any]) -> bytes:
    return f"{json.dumps(data, ensure_ascii=False, indent=1)}\n".encode()
