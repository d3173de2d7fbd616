"""Which of two texts do people prefer, when nobody can see who wrote them?

Pairs of drafts of one prompt go on a sheet in random order; the key, which says who wrote what, is a file of
its own. What comes back is fitted with the model of Bradley and Terry ("Rank analysis of incomplete block
designs", Biometrika 39, 1952), ties as half a win each.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..core.files.plain_json import parse_json
from ..errors import UsageError

COLUMNS = ("pair", "prompt", "a", "b", "choice", "comment")
CHOICES = ("a", "b", "tie")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_DRAWS = 1000
_ROUNDS = 1_000
_SETTLED = 1e-9
_HALF = 0.5
_SCHEMA = "fabula.sheet/1"


@dataclass(frozen=True, slots=True)
class Sheet:
    """``csv`` is what raters get; ``key`` (JSON) is kept from them until they are done."""

    csv: str
    key: str
    pairs: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One rater's judgement of one pair. ``won`` is 1 (``one`` is better), 0 or .5 (a tie)."""

    item: str
    one: str
    other: str
    won: float


@dataclass(frozen=True, slots=True)
class Strength:
    """``share`` is the probability, 0 to 1, that the system is preferred to another one drawn at random from
    the rest; ``low`` to ``high`` its 95 % interval, prompts resampled. ``wins`` counts ties as half."""

    system: str
    share: float
    low: float
    high: float
    wins: float
    judged: int


@dataclass(frozen=True, slots=True)
class Preference:
    """Strengths, the best first. ``agreement`` is the share of pairs that several raters saw, all of one
    mind (None where no pair was seen twice); ``unjudged`` counts the rows without a choice."""

    strengths: tuple[Strength, ...]
    choices: int
    prompts: int
    agreement: float | None
    unjudged: int


def make_sheet(items: Sequence[tuple[str, Mapping[str, str]]], *, seed: int = 0) -> Sheet:
    """Every pair of texts of each item (its prompt, and the texts by who wrote them), shuffled.

    The same items and seed give the same bytes. Pairs of equal texts are left out: there is nothing to
    choose. Cells that a spreadsheet would run as a formula get an apostrophe. Raises UsageError where no
    pair is left.
    """
    rng = random.Random(seed)
    pairs: list[tuple[str, str, str, str, str]] = []
    for prompt, texts in items:
        for one, other in combinations(sorted(texts), 2):
            if texts[one].split() != texts[other].split():
                a, b = rng.sample((one, other), 2)
                pairs.append((prompt, a, b, texts[a], texts[b]))
    if not pairs:
        raise UsageError("there are no two different drafts of one prompt: give reports with several")
    rng.shuffle(pairs)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    key: dict[str, dict[str, str]] = {}
    for number, (prompt, a, b, first, second) in enumerate(pairs, start=1):
        name = f"p{number:03d}"
        table.writerow([name, *map(_cell, (prompt, first, second)), "", ""])
        key[name] = {"prompt": _digest(prompt), "a": a, "b": b}
    told = {"schema": _SCHEMA, "sheet": _digest(*(p[3] + p[4] for p in pairs)), "pairs": key}
    return Sheet(out.getvalue(), json.dumps(told, indent=1, ensure_ascii=False) + "\n", len(pairs))


def read_choices(sheet: str, key: str) -> tuple[tuple[Choice, ...], int]:
    """The choices that stand on a filled-in sheet, and how many rows have none.

    Raises UsageError for a sheet without the columns ``pair`` and ``choice``, an unknown pair, a choice that
    is not ``a``, ``b`` or ``tie``, or a key that is none.
    """
    pairs = _pairs(key)
    rows = csv.DictReader(io.StringIO(sheet))
    if not {"pair", "choice"} <= set(rows.fieldnames or ()):
        raise UsageError("the sheet has no columns 'pair' and 'choice': fill in the one that was made")
    choices, unjudged = [], 0
    try:
        for number, row in enumerate(rows, start=2):
            name, choice = (row["pair"] or "").strip(), (row["choice"] or "").strip().lower()
            if name not in pairs:
                raise UsageError(f"line {number} of the sheet names pair {name!r}, which is not in the key")
            if not choice:
                unjudged += 1
                continue
            if choice not in CHOICES:
                raise UsageError(f"pair {name}: {choice!r} is no choice: write a, b or tie")
            choices.append(Choice(*pairs[name], won={"a": 1.0, "b": 0.0, "tie": _HALF}[choice]))
    except csv.Error as error:
        raise UsageError(f"the sheet cannot be read as CSV ({error}): save it as CSV again") from error
    return tuple(choices), unjudged


def _pairs(key: str) -> dict[str, tuple[str, str, str]]:
    """The prompt's digest and the writers of a and b, by pair."""
    try:
        told = parse_json(key)
        if told["schema"] != _SCHEMA:
            raise KeyError(told["schema"])
        return {name: (one["prompt"], one["a"], one["b"]) for name, one in told["pairs"].items()}
    except (json.JSONDecodeError, TypeError, KeyError, AttributeError) as error:
        raise UsageError("this is no key of a sheet: give the file that was made with it") from error


def preference(choices: Sequence[Choice], *, unjudged: int = 0, seed: int = 0) -> Preference:
    """Strengths by Bradley and Terry with 95 % percentile intervals over resampled prompts.

    Half a win each way between every two systems is added before fitting (a system that always won would
    else be infinitely strong), in every resample alike. Raises UsageError where nobody chose anything.
    """
    if not choices:
        raise UsageError("no pair has a choice yet: write a, b or tie into the column 'choice'")
    systems = sorted({who for choice in choices for who in (choice.one, choice.other)})
    items = sorted({choice.item for choice in choices})
    wins = np.zeros((len(items), len(systems), len(systems)))
    for choice in choices:
        i, one, other = items.index(choice.item), systems.index(choice.one), systems.index(choice.other)
        wins[i, one, other] += choice.won
        wins[i, other, one] += 1 - choice.won
    whole = wins.sum(axis=0)
    picked = np.random.default_rng(seed).integers(0, len(items), (_DRAWS, len(items)))
    shares, drawn = _shares(whole[None])[0], _shares(wins[picked].sum(axis=1))
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    found = []
    for n, name in enumerate(systems):
        share, least, most = (round(float(each[n]), 4) for each in (shares, low, high))
        won, lost = float(whole[n].sum()), float(whole[:, n].sum())
        found.append(Strength(name, share, least, most, won, round(won + lost)))
    found.sort(key=lambda each: (-each.share, each.system))
    return Preference(tuple(found), len(choices), len(items), _agreement(choices), unjudged)


def _shares(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean probability of each to be preferred to the others, by the iteration of Hunter ("MM algorithms
    for generalized Bradley-Terry models", Annals of Statistics 32, 2004). (tables, n, n) to (tables, n)."""
    count = wins.shape[-1]
    padded = wins + _HALF * (1 - np.eye(count))
    games, own = padded + padded.swapaxes(1, 2), padded.sum(axis=2)
    strength = np.full(own.shape, 1.0 / count)
    for _ in range(_ROUNDS):
        new = own / (games / (strength[:, :, None] + strength[:, None, :])).sum(axis=2)
        new /= new.sum(axis=1, keepdims=True)
        moved = np.abs(new - strength).max()
        strength = new
        if moved < _SETTLED:
            break
    chance = strength[:, :, None] / (strength[:, :, None] + strength[:, None, :])
    shares: NDArray[np.float64] = (chance.sum(axis=2) - _HALF) / (count - 1)
    return shares


def _agreement(choices: Iterable[Choice]) -> float | None:
    seen: dict[tuple[str, ...], list[float]] = {}
    for choice in choices:
        turned = choice.one > choice.other
        pair = (choice.item, *sorted((choice.one, choice.other)))
        seen.setdefault(pair, []).append(1 - choice.won if turned else choice.won)
    several = [won for won in seen.values() if len(won) > 1]
    return sum(len(set(won)) == 1 for won in several) / len(several) if several else None


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
