"""What careful readers know of well-known novels: cast, bonds, fates, key events, turning points, questions.

``data/known_novels/SLUG.json`` holds facts and half-open offsets into the novel's text, and no text of it;
``data/known_novels/README.md`` describes every field. The texts are in the evaluation data (``novels/`` and
``novels_more/``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA

__all__ = [
    "LINEAR",
    "NOVELS",
    "RELATION_TYPES",
    "SPLITS",
    "NovelGold",
    "book_of",
    "load_gold",
    "sign_of",
]

NOVELS = DATA / "known_novels"
SPLITS: Mapping[str, tuple[str, ...]] = {
    "dev": (
        "anne-of-green-gables",
        "emma",
        "far-from-the-madding-crowd",
        "huckleberry-finn",
        "oliver-twist",
        "pride-and-prejudice",
        "the-age-of-innocence",
        "the-great-gatsby",
        "the-mysterious-affair-at-styles",
        "the-secret-garden",
        "treasure-island",
    ),
    "test": (
        "frankenstein",
        "jane-eyre",
        "sons-and-lovers",
        "tarzan-of-the-apes",
        "tess-of-the-d-urbervilles",
        "the-call-of-the-wild",
        "the-hound-of-the-baskervilles",
        "the-scarlet-pimpernel",
        "the-secret-agent",
        "wuthering-heights",
    ),
}
LINEAR = frozenset(
    """anne-of-green-gables emma far-from-the-madding-crowd jane-eyre oliver-twist pride-and-prejudice
    sons-and-lovers tess-of-the-d-urbervilles the-age-of-innocence the-call-of-the-wild the-scarlet-pimpernel
    the-secret-garden treasure-island""".split()
)
"""Told from beginning to end: an event of these that is called out of order is so by mistake, but for the few
stretches in which somebody looks back."""
RELATION_TYPES: Mapping[str, int] = {
    "spouse": 1,
    "lover": 1,
    "friend": 1,
    "benefactor": 1,
    "enemy": -1,
    "killer": -1,
    "parent": 0,
    "sibling": 0,
    "kin": 0,
    "employer": 0,
    "teacher": 0,
}


@dataclass(frozen=True, slots=True)
class NovelGold:
    """The gold of one novel; rows are as in the file. ``sha256`` is of the text's UTF-8 bytes."""

    slug: str
    split: str
    about: Mapping[str, Any]
    characters: Sequence[Mapping[str, Any]]
    relations: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]
    turning_points: Sequence[Mapping[str, Any]]
    questions: Sequence[Mapping[str, Any]]

    @property
    def surfaces(self) -> dict[str, str]:
        """Every name that is one character's alone, in lower case, and whose it is."""
        owners: dict[str, set[str]] = {}
        for one in self.characters:
            for name in (one["name"], *one["also"]):
                owners.setdefault(name.casefold(), set()).add(one["id"])
        return {name: next(iter(ids)) for name, ids in owners.items() if len(ids) == 1}


def sign_of(type_: str) -> int:
    """-1, 0 or 1. Raises KeyError for a type that is none."""
    return RELATION_TYPES[type_]


def load_gold(split: str | None = None, *, folder: Path = NOVELS) -> tuple[NovelGold, ...]:
    """The novels of a split (all, if None) that have gold, by name."""
    found = []
    for name, slugs in SPLITS.items():
        for slug in slugs if split in (None, name) else ():
            path = folder / f"{slug}.json"
            if path.is_file():
                row = json.loads(path.read_text(encoding="utf-8"))
                parts = ("characters", "relations", "events", "turning_points", "questions")
                about = {key: value for key, value in row.items() if key not in parts}
                found.append(NovelGold(slug, name, about, *(row[part] for part in parts)))
    return tuple(sorted(found, key=lambda gold: gold.slug))


def book_of(data: Path, gold: NovelGold) -> Path:
    """The novel in the evaluation data. Raises SystemExit where it is not there, or not the one that the
    gold is of."""
    books = (data / part / f"{gold.slug}.txt" for part in ("novels", "novels_more"))
    book = next((path for path in books if path.is_file()), None)
    if book is None:
        raise SystemExit(f"no {gold.slug}.txt in {data}/novels or {data}/novels_more")
    if hashlib.sha256(book.read_bytes()).hexdigest() != gold.about["sha256"]:
        raise SystemExit(f"{book} is not the text that the offsets of the gold are of")
    return book
