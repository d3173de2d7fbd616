"""The codex in an author's notes, as programs such as novelWriter and Manuskript keep them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import yaml

from ...core.formats.blocks import AuthorNote
from ...errors import DocumentError
from .codex import laid_down
from .file import GENDERS

LONGEST_CODEX = 1_000_000  # characters
_ALIASES = frozenset({"alias", "aliases", "nickname", "nicknames", "also_known_as"})


def codex_of_notes(notes: Sequence[AuthorNote], name: str) -> str:
    """The notes as a codex in YAML; of two with one name the first counts. Raises DocumentError where there
    are none, or far too many."""
    if (size := sum(len(str(one)) for one in notes)) > LONGEST_CODEX:
        raise DocumentError(f"{name} has {size:,} characters of notes, at most {LONGEST_CODEX:,} are read")
    tables: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    known: set[str] = set()
    for note in notes:
        names, entry = _entry(note)
        if note.table == "rules":
            tables["rules"].append({"text": ": ".join([*names, *entry.values()])})
        elif names := [one for one in names if one.casefold() not in known]:
            known.update(map(str.casefold, names))
            entry = {"name": names[0], "aliases": names[1:], **entry}
            tables[note.table].append({key: value for key, value in entry.items() if value})
    if not tables:
        raise DocumentError(
            f"{name} holds no notes that can be read: name a YAML file, or a project with notes"
        )
    text: str = yaml.safe_dump(dict(tables), sort_keys=False, allow_unicode=True, width=10**9)
    return text


def _entry(note: AuthorNote) -> tuple[list[str], dict[str, Any]]:
    """The names of a subject, and its entry in a codex, where what is no trait is described."""
    names, said, entry = list(note.names), [note.text], dict[str, Any](from_chapter=note.since)
    traits = entry["traits"] = dict[str, str]()
    for key, value in note.details:
        if key in _ALIASES:
            names += value.split(",")
        elif key in ("gender", "sex") and value.casefold() in GENDERS:
            entry["gender"] = value
        else:
            try:
                traits[laid_down(key, value)[0]] = value
            except ValueError:
                said.append(f"{key.replace('_', ' ').capitalize()}: {value.rstrip('.')}.")
    entry["description"] = " ".join(" ".join(said).split())
    flat = (" ".join(one.split()) for one in names)
    return list(dict.fromkeys(filter(None, flat))), {key: value for key, value in entry.items() if value}
