"""Lorebooks for SillyTavern and programs that read its files: World Info, and a Character Card V2.

World Info has the fields of SillyTavern's ``newWorldInfoEntryDefinition``; the card is that of
``character-card-spec-v2``, with the keys of ``extensions`` that SillyTavern's ``convertCharacterBook`` reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from ...story.evidence.untrusted import one_line
from ...story.model.types import WORLD
from ..bible import BibleShown, EntryShown, LineShown
from .documents import flat

_BRACES = re.compile(r"\{(?=\{)|\}(?=\})")
_LEGACY = re.compile(r"<(user|bot|char|charifnotgroup|group|start)>", re.IGNORECASE)
_OFF = (
    "vectorized ignoreBudget selective excludeRecursion groupOverride matchPersonaDescription matchScenario "
    "matchCharacterDescription matchCharacterPersonality matchCharacterDepthPrompt matchCreatorNotes"
)
_ZERO = "selectiveLogic position role delayUntilRecursion"
_UNSET = "scanDepth caseSensitive useGroupScoring sticky cooldown delay"
_HUNDRED = "order groupWeight probability"
_OWN = frozenset({"knowledge", "goal", "feeling"})
"""What somebody knows, wants and feels: others do not see it."""


def world_info(shown: BibleShown) -> bytes:
    """An entry is put into a prompt where one of its keys is said, the world's laws always. What would be a
    pattern as a key, or a macro as content, loses its marks."""
    entries = {str(n): _entry(n, one, one.lines) for n, one in enumerate(shown.entries)}
    return _json({"entries": entries})


def character_card(shown: BibleShown, whose: EntryShown) -> bytes:
    """The card of one person: her own lines as the description, and a book of the laws of the world and of
    all whom she has to do with, without what they keep to themselves."""
    met = {id for line in whose.lines for id in line.about}
    met |= {one.id for one in shown.entries for line in one.lines if whose.id in line.about}
    others = [one for one in shown.entries if one.id in met - {whose.id} or one.kind == WORLD]
    book = [
        _entry(n, one, [line for line in one.lines if line.kind not in _OWN or whose.id in line.about])
        for n, one in enumerate(others)
    ]
    texts = "personality scenario first_mes mes_example system_prompt post_history_instructions creator"
    data = {
        "name": inert(whose.name),
        "description": _content(whose, whose.lines),
        **dict.fromkeys(texts.split(), ""),
        "creator_notes": f"From a story bible. {shown.until} It has no first message: write one.",
        "alternate_greetings": [],
        "tags": [],
        "character_version": "",
        "extensions": {},
        "character_book": {"extensions": {}, "entries": list(map(_of_book, book))},
    }
    return _json({"spec": "chara_card_v2", "spec_version": "2.0", "data": data})


def _entry(number: int, one: EntryShown, lines: Iterable[LineShown]) -> dict[str, Any]:
    keys = [] if one.kind == WORLD else [*(() if one.state else (one.name,)), *one.also]
    keys = [key for key in dict.fromkeys(inert(key).strip("/ ") for key in keys) if len(key) > 1]
    return {
        "uid": number,
        "key": keys,
        "keysecondary": [],
        "comment": inert(one.name),
        "content": _content(one, lines),
        "constant": not keys,
        "disable": one.state == "resolved",
        "addMemo": True,
        "preventRecursion": True,
        "useProbability": True,
        "matchWholeWords": True,
        "depth": 4,
        "displayIndex": number,
        **dict.fromkeys(_OFF.split(), False),
        **dict.fromkeys(_ZERO.split(), 0),
        **dict.fromkeys(_HUNDRED.split(), 100),
        **dict.fromkeys(_UNSET.split()),
        **dict.fromkeys("group outletName automationId".split(), ""),
        "triggers": [],
    }


def _of_book(entry: dict[str, Any]) -> dict[str, Any]:
    """The same as an entry of a character book."""
    return {
        "id": entry["uid"],
        "keys": entry["key"],
        "secondary_keys": [],
        "name": entry["comment"],
        "comment": entry["comment"],
        "content": entry["content"],
        "constant": entry["constant"],
        "selective": False,
        "case_sensitive": False,
        "enabled": not entry["disable"],
        "insertion_order": entry["order"],
        "position": "before_char",
        "extensions": {
            "position": 0,
            "display_index": entry["uid"],
            "match_whole_words": True,
            "prevent_recursion": True,
        },
    }


def _content(one: EntryShown, lines: Iterable[LineShown]) -> str:
    head = f"{one.name} ({one.told})" if one.told else one.name
    told = [head, *(f"- {line.text}." for line in lines if not line.over)]
    return "\n".join(map(inert, told)).lstrip("@")  # @@ at its head would be a decorator


def inert(text: str) -> str:
    """One line without orders to a model and without macros."""
    return _BRACES.sub(r"\g<0> ", _LEGACY.sub(r"‹\1›", one_line(flat(text))))


def _json(data: dict[str, Any]) -> bytes:
    return f"{json.dumps(data, ensure_ascii=False, indent=1)}\n".encode()
