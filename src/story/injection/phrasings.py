"""The wordings of slips and controls, and their split into a half to develop on and a half to measure on.

They stand in ``phrasings/*.toml``, a table a variant: ``family``, ``aspect``, the ``cast`` it needs and, side
by side, the wordings (``both`` serves either side). In a wording ``{X}`` is a name, ``{X's}`` its possessive,
``{X.he}``, ``{X.him}``, ``{X.his}``, ``{X.hers}``, ``{X.himself}``, ``{X.man}`` pronouns and nouns of that
person (``He`` and ``His`` with a capital); ``{v}``, ``{a}`` … values, ``{v.C}`` with a capital;
``[past|present]`` is chosen by the narrator's tense; ``1|`` in front marks what a narrator could say of
himself with "I" for X. Persons: X and Y of the novel, W a bystander on stage, N made up, D dead.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from ...core.files.toml import parse_toml
from ...errors import UsageError

__all__ = ["Half", "Phrasing", "Variant", "families", "half_of", "variants"]

_FILES = ("bonds.toml", "events.toml", "persons.toml", "controls.toml")
_SIDES = ("early", "turn", "late")
_SALT = "split 7336"
_FEWEST = 8  # shorter lists (of controls) are not split: a half of them would say one thing only


class Half(StrEnum):
    """Which wordings: those that rules may be developed on, those kept to measure on, or all."""

    DEVELOPMENT = "development"
    HELD_OUT = "held-out"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A wording; ``first`` says that a first-person narrator may stand for X. ``half`` is ``ALL`` in lists
    too short to split."""

    id: str
    text: str
    half: Half
    first: bool = False

    @property
    def persons(self) -> frozenset[str]:
        """The persons that it speaks of, by slot."""
        return frozenset(re.findall(r"\{([XYWND])\b", self.text))

    @property
    def spoken(self) -> bool:
        """Does it hold direct speech?"""
        return "“" in self.text


@dataclass(frozen=True, slots=True)
class Variant:
    """One kind of slip or, where ``control`` says which, of legitimate change.

    ``gap`` is ``"far"`` (chapters apart), ``"near"`` (in one chapter) or ``"stage"`` (in a scene that has X
    on stage). ``values`` are groups of values: two sides take theirs from different groups (``falling``: the
    later group of the list first), a variant with ``parts`` takes one group, its parts called a, b, c.
    """

    family: str
    aspect: str
    cast: tuple[str, ...]
    sides: tuple[tuple[str, tuple[Phrasing, ...]], ...]
    gap: str = "far"
    values: tuple[tuple[str, ...], ...] = ()
    parts: bool = False
    falling: bool = False
    swap: str = ""
    control: str = ""
    gender: str = ""
    names: str = ""
    bare: bool = False
    by_gender: bool = False
    titled: str = ""
    places: int = 0
    times: tuple[str, ...] = ()
    codex: str = ""

    @property
    def id(self) -> str:
        """``family/aspect``, or ``family/control`` for a legitimate change."""
        return f"{self.family}/{self.control or self.aspect}"

    def phrasings(self, side: str, half: Half) -> tuple[Phrasing, ...]:
        """Those of one side in one half."""
        held = dict(self.sides).get(side, ())
        return tuple(one for one in held if Half.ALL in (half, one.half) or one.half is half)


def half_of(text: str) -> Half:
    """By a digest of the wording itself, so that adding one moves no other. The salt was drawn so that either
    half has at least four wordings a side, before anything was measured."""
    odd = hashlib.sha256(f"{_SALT}: {text}".encode()).digest()[0] % 2
    return Half.HELD_OUT if odd else Half.DEVELOPMENT


def families() -> tuple[str, ...]:
    """The families, which are names of rules, in order of name."""
    return tuple(sorted({variant.family for variant in variants()}))


@cache
def variants() -> tuple[Variant, ...]:
    """Every variant, controls included, in the order of the files."""
    rows: list[Mapping[str, Any]] = []
    for name in _FILES:
        text = resources.files(__package__).joinpath("phrasings", name).read_text(encoding="utf-8")
        rows.extend(parse_toml(text)["variant"])
    plain = {
        f"{row['family']}/{row['aspect']}": row for row in rows if "like" not in row and "control" not in row
    }
    return tuple(_variant(row, plain) for row in rows)


def _variant(row: Mapping[str, Any], plain: Mapping[str, Mapping[str, Any]]) -> Variant:
    base = plain[row["like"]] if "like" in row else {}
    merged = {**base, **row}
    wordings = {side: row.get(side) or row.get("both") or _inherited(base, side) for side in _SIDES}
    if "codex" in row:
        wordings["early"] = ()
    if "turn" not in row:
        wordings["turn"] = ()
    return Variant(
        family=merged["family"],
        aspect=merged["aspect"],
        cast=tuple(merged["cast"].split()),
        sides=tuple((side, _phrasings(merged, side, wordings[side])) for side in _SIDES if wordings[side]),
        gap=merged.get("gap", "far"),
        values=tuple(tuple(group) for group in merged.get("values", ())),
        parts=merged.get("parts", False),
        falling=merged.get("order") == "falling",
        swap=str(merged.get("swap", "")),
        control=merged.get("control", ""),
        gender=merged.get("gender", ""),
        names=merged.get("names", ""),
        bare=merged.get("bare", False),
        by_gender=merged.get("by_gender", False),
        titled=merged.get("titled", ""),
        places=merged.get("places", 0),
        times=tuple(merged.get("times", ())),
        codex=merged.get("codex", ""),
    )


def _inherited(base: Mapping[str, Any], side: str) -> tuple[str, ...]:
    return tuple(base.get(side) or (() if side == "turn" else base.get("both", ())))


def _phrasings(row: Mapping[str, Any], side: str, texts: tuple[str, ...]) -> tuple[Phrasing, ...]:
    split = len(texts) >= _FEWEST
    made = []
    for written in texts:
        text = written.removeprefix("1|").strip()
        digest = hashlib.sha256(text.encode()).hexdigest()[:6]
        half = half_of(text) if split else Half.ALL
        made.append(Phrasing(f"{row['aspect']}/{side}/{digest}", text, half, written.startswith("1|")))
    if len({one.id for one in made}) < len(made):
        raise UsageError(f"the wordings of {row['family']}/{row['aspect']} hold one twice: take it out")
    return tuple(made)
