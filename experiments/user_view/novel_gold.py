"""What careful readers know of well-known novels: cast, bonds, fates, key events, turning points, questions.

``data/known_novels/SLUG.json`` holds facts and half-open offsets into the novel's text, and no text of it;
``data/known_novels/README.md`` describes every field. The texts are in the evaluation data (``novels/`` and
``novels_more/``); ``problems`` says what does not fit.
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
    "problems",
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
FATES = frozenset({"alive", "dead", "gone"})
EVENTS = frozenset(
    """kills dies marries engaged proposes refuses leaves arrives meets betrays saves steals confesses reveals
    learns born fights captured escapes inherits loses quarrels reconciles ill decides finds punished
    other""".split()
)
ROLES = ("opportunity", "change_of_plans", "point_of_no_return", "major_setback", "climax")


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
    with book.open(encoding="utf-8", newline="") as file:
        wrong = problems(gold, file.read())
    if wrong:
        raise SystemExit("\n".join(wrong))
    return book


def problems(gold: NovelGold, text: str | None = None) -> list[str]:
    """What is wrong with the gold, a line each; with ``text`` also where an offset lies outside it, or the
    text is another one."""
    said = []
    ids = [one["id"] for one in gold.characters]
    if len(set(ids)) != len(ids) or not ids:
        said.append("character ids repeat, or there are none")
    said += [f"fate of {one['id']}" for one in gold.characters if one["fate"] not in FATES]
    for one in gold.relations:
        if one["type"] not in RELATION_TYPES or not {one["a"], one["b"]} <= set(ids) or one["a"] == one["b"]:
            said.append(f"relation {one['a']} {one['type']} {one['b']}")
    said += [
        f"event {e['what']}" for e in gold.events if e["type"] not in EVENTS or not set(e["who"]) <= set(ids)
    ]
    if [point["role"] for point in gold.turning_points] != list(ROLES):
        said.append("turning points are not the five, in order")
    asked = [question["answerable"] for question in gold.questions]
    if (asked.count(True), asked.count(False)) != (20, 5):
        said.append(f"{asked.count(True)} questions with an answer and {asked.count(False)} without")
    if text is not None:
        if hashlib.sha256(text.encode()).hexdigest() != gold.about["sha256"]:
            said.append("the text is not the one that the offsets are of")
        said += [f"offsets {at}" for at in _offsets(gold) if not 0 <= at[0] < at[1] <= len(text)]
    return [f"{gold.slug}: {what}" for what in said]


def _offsets(gold: NovelGold) -> list[list[int]]:
    found = [one["fate_at"] for one in gold.characters if one["fate_at"]]
    found += [one[key] for one in gold.relations for key in ("at", "ends_at") if one.get(key)]
    found += [one["at"] for one in (*gold.events, *gold.turning_points)]
    return found + [at for question in gold.questions for at in question["at"]]
