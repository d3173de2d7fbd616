"""The words of a codex that have a closed meaning: traits with their values, and laws of the world."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from ..lexicon.trait_words import BUILDS, EYE_COLOURS, HAIR_COLOURS, HANDS

KINDS = ("never", "only", "always")
ANYBODY = "anybody"
_NUMBERS = frozenset({"age", "born", "siblings", "children"})


def _values(*tables: Mapping[str, str]) -> Mapping[str, str]:
    merged = {word: family for table in tables for word, family in table.items()}
    return MappingProxyType(merged | {family: family for family in merged.values()})


_TABLES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "eyes": _values(EYE_COLOURS),
        "hair": _values(HAIR_COLOURS, {"bald": "bald"}),
        "hand": _values(HANDS),
        "height": _values({word: value for word, (aspect, value) in BUILDS.items() if aspect == "height"}),
    }
)
_FREE = frozenset({"birthplace", "home", "trade", "mark", "allergy", "cannot", "diet"})
_ALSO = MappingProxyType({"profession": "trade", "occupation": "trade"})
_ASPECTS = (*_TABLES, *sorted(_NUMBERS), *sorted(_FREE))


_SHADES = r"(?:(?:very|a|an|clear|bright|deep|dark|light|pale|of|quite) )*"
_PLAIN: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("eyes", re.compile(rf"\beyes (?:are|were) {_SHADES}([a-z]+)\b(?! (?:with|from))", re.IGNORECASE)),
    ("eyes", re.compile(r"\b(?:has|had|with) (?:[a-z]+, )?([a-z]+) eyes\b", re.IGNORECASE)),
    ("eyes", re.compile(r"\b([a-z]+)-eyed\b", re.IGNORECASE)),
    ("hair", re.compile(rf"\bhair (?:is|was) {_SHADES}([a-z]+)\b", re.IGNORECASE)),
    ("hair", re.compile(r"\b(?:has|had|with) (?:[a-z]+, )?([a-z]+) hair\b", re.IGNORECASE)),
    ("hair", re.compile(r"\b([a-z]+)-haired\b", re.IGNORECASE)),
    ("hand", re.compile(r"\b(left|right)-handed\b", re.IGNORECASE)),
    ("age", re.compile(r"\b(\d{1,3}) years old\b", re.IGNORECASE)),
    ("birthplace", re.compile(r"\b(?:[Bb]orn (?:in|at)|[Nn]ative of) ((?:[A-Z][\w.]+ ?)+)")),
)  # fmt: skip


def laid_down(aspect: str, written: str) -> tuple[str, str]:
    """A trait of the codex as the aspect and value of a fact, colours by family ("auburn" is "red"). Raises
    ValueError, which says what to write, for what is none."""
    name, said = aspect.strip().casefold(), " ".join(written.casefold().split())
    name = _ALSO.get(name, name)
    if name in _NUMBERS and not said.isdigit():
        raise ValueError(f"{aspect} is a number, not {written!r}")
    if name in _NUMBERS or name in _FREE:
        return name, said
    table = _TABLES.get(name)
    if table is None:
        near = difflib.get_close_matches(name, _ASPECTS, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else f"use one of {', '.join(_ASPECTS)}"
        raise ValueError(f"there is no trait {aspect!r}: {hint}")
    families = [table[part] for part in said.replace("-", "/").split("/") if part in table]
    if not families:
        known = ", ".join(sorted(set(table.values())))
        raise ValueError(
            f"{aspect} cannot be {written!r}: use one of {known}, or leave it to the description"
        )
    return name, "/".join(dict.fromkeys(families))


def described(description: str) -> Iterator[tuple[str, str]]:
    """The traits that a description says in plain words ("Her eyes are green", "red-haired", "born in
    Leeds") as aspect and value, one an aspect; nothing of an aspect for which it names two values."""
    found: dict[str, set[str]] = {}
    for aspect, pattern in _PLAIN:
        for match in pattern.finditer(description):
            with suppress(ValueError):
                found.setdefault(aspect, set()).add(laid_down(aspect, match.group(1))[1])
    yield from ((aspect, values.pop()) for aspect, values in sorted(found.items()) if len(values) == 1)


def in_words(kind: str, who: Sequence[str], does: str) -> str:
    """The law as a sentence for a writer."""
    names = " and ".join(who)
    if kind == "only":
        return f"Only {names} may {does}"
    if kind == "always":
        return f"{names[:1].upper()}{names[1:]}: always {does}"
    if names.casefold() == ANYBODY:
        return f"Nobody may {does}"
    return f"{names[:1].upper()}{names[1:]}: never {does}"
