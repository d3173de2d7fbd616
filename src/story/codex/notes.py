"""The codex in an author's notes, as programs such as novelWriter and Manuskript keep them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import yaml

from ...core.formats.blocks import ALIASES, AuthorNote
from ...errors import DocumentError
from .codex import laid_down
from .file import GENDERS

LONGEST_CODEX = 1_000_000  # characters


def codex_of_notes(notes: Sequence[AuthorNote], name: str, *, told_before: int | None = 0) -> str:
    """The notes as a codex in YAML; of two with one name the first counts. ``told_before``: how many chapters
    come before their book; None where they are of another book, and known from the start. Raises
    DocumentError where there are none, or far too many."""
    if (size := sum(len(str(one)) for one in notes)) > LONGEST_CODEX:
        raise DocumentError(f"{name} has {size:,} characters of notes, at most {LONGEST_CODEX:,} are read")
    tables: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    known: set[str] = set()
    for note in notes:
        aliases = (one for key, said in note.details if key in ALIASES for one in said.split(","))
        names = [" ".join(one.split()) for one in (*note.names, *aliases)]
        entry = _described(note)
        since = note.since + told_before if note.since and told_before is not None else None
        if note.table == "rules":
            if said := ": ".join(filter(None, (*names, entry["description"]))):
                tables["rules"].append({"text": said})
        elif names := [one for one in dict.fromkeys(names) if one and one.casefold() not in known]:
            known.update(map(str.casefold, names))
            entry = {"name": names[0], "aliases": names[1:], "from_chapter": since, **entry}
            tables[note.table].append({key: value for key, value in entry.items() if value})
    if not tables:
        raise DocumentError(f"{name} holds no notes on people, places or things: name a YAML file instead")
    text: str = yaml.safe_dump(dict(tables), sort_keys=False, allow_unicode=True, width=10**9)
    return text


def _described(note: AuthorNote) -> dict[str, Any]:
    """What is said of a subject, by the keys of a codex; what is no trait is in the description."""
    said, traits, gender = [note.text], dict[str, str](), ""
    for key, value in note.details:
        if key in ("gender", "sex") and value.casefold() in GENDERS:
            gender = value
        elif key not in ALIASES:
            try:
                traits[laid_down(key, value)[0]] = value
            except ValueError:
                said.append(f"{key.replace('_', ' ').capitalize()}: {value.rstrip('.')}.")
    return {"gender": gender, "traits": traits, "description": " ".join(" ".join(said).split())}
