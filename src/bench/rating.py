"""Drafts rated blind: sheets of pairs without names, what raters chose on them, and what it adds up to.

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
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json
from ..errors import UsageError
from ..story.comparison.report import SCHEMA
from ..views.text.render import Answer, table

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


_MOST_BYTES = 64 * 1024 * 1024
_SHEET, _KEY, _ANSWERS = "sheet.csv", "key.json", "rater-{}.csv"
_LONGEST_NAME = 80
_COLUMNS = ("pair", "choice", "comment")


def made_sheet(reports: Sequence[Path], *, out: Path, key: Path, seed: int = 0) -> Answer:
    """Writes a sheet of pairs of drafts out of comparison reports, and its key. Raises UsageError where no
    two drafts differ, or a file is no report."""
    if out.resolve() == key.resolve():
        raise UsageError("the sheet and its key are two files: name two places")
    made = make_sheet([_report(path) for path in reports], seed=seed)
    replace_file(key, made.key)
    replace_file(out, made.csv)
    data = {"pairs": made.pairs, "sheet": str(out), "key": str(key)}
    text = (
        f"{made.pairs} pair{'' if made.pairs == 1 else 's'} on {out}; who wrote what is in {key}.\n"
        "Raters write a, b or tie into the column 'choice'; then: "
        f"fabula bench tally {out} --key {key}"
    )
    return Answer(data, text)


def tallied(sheets: Sequence[Path], *, key: Path) -> Answer:
    """Strengths out of all raters' choices."""
    found = _preference(sheets, _read(key))
    rows = preferred_rows(found)
    parts = [
        table(rows, header=["system", "preferred", "95 % interval", "won"], right=[1, 2, 3]),
        "",
        f"{found.choices} choices on {found.prompts} prompts; {found.unjudged} rows without a choice.",
    ]
    if found.agreement is not None:
        parts.append(f"Of the pairs that several saw, all agreed on {found.agreement:.0%}.")
    return Answer(found, "\n".join(parts))


def preferred_rows(found: Preference) -> list[list[str]]:
    """System, share, interval and wins, as a table shows them."""
    return [
        [one.system, f"{one.share:.2f}", f"{one.low:.2f} to {one.high:.2f}", f"{one.wins:g} of {one.judged}"]
        for one in found.strengths
    ]


@dataclass(frozen=True, slots=True)
class RatingPair:
    """Two drafts of one prompt; nothing says who wrote which."""

    name: str
    prompt: str
    a: str
    b: str


class RatingDesk:
    """A sheet in a folder and its answers. Choices are on disk when ``choose`` returns."""

    def __init__(self, folder: Path, reports: Sequence[Path]) -> None:
        """Where the folder holds no sheet, one is made of the reports. It then stays as it is, so that
        choices keep their meaning when reports are added. Raises UsageError where no pair can be made, or a
        file is damaged."""
        self._folder = folder
        sheet, key = folder / _SHEET, folder / _KEY
        if not (sheet.is_file() and key.is_file()):
            made_sheet(sorted(reports), out=sheet, key=key)
        self._key = _read(key)
        read_choices(_read(sheet), self._key)  # sees that the two belong together
        rows = csv.DictReader(io.StringIO(_read(sheet)))
        self.pairs = tuple(RatingPair(row["pair"], row["prompt"], row["a"], row["b"]) for row in rows)

    def chosen(self, rater: str) -> dict[str, tuple[str, str]]:
        """By pair, what the rater chose (``a``, ``b`` or ``tie``) and said."""
        path = self._answers(rater)
        if not path.is_file():
            return {}
        rows = csv.DictReader(io.StringIO(_read(path)))
        return {row["pair"]: (row["choice"], row["comment"]) for row in rows}

    def following(self, rater: str) -> RatingPair | None:
        """The first pair that the rater has not judged yet; None when all are done."""
        done = self.chosen(rater)
        return next((pair for pair in self.pairs if pair.name not in done), None)

    def choose(self, rater: str, pair: str, choice: str, *, comment: str = "") -> None:
        """Keeps a choice; the same pair again replaces it. Raises UsageError for a rater without a name, a
        pair that is not on the sheet, or a choice that is none."""
        if pair not in {one.name for one in self.pairs} or choice not in CHOICES:
            raise UsageError(f"{choice!r} of pair {pair!r} is no choice: choose a, b or tie")
        kept = {**self.chosen(rater), pair: (choice, " ".join(comment.split()))}
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(_COLUMNS)
        rows.writerows((name, *said) for name, said in sorted(kept.items()))
        replace_file(self._answers(rater), out.getvalue())

    def tally(self) -> Preference:
        """What all raters together prefer. Raises UsageError where nobody has chosen yet."""
        return _preference(sorted(self._folder.glob(_ANSWERS.format("*"))), self._key)

    def _answers(self, rater: str) -> Path:
        name = " ".join(rater.split())[:_LONGEST_NAME]
        if not name:
            raise UsageError("say who is rating first: any name will do")
        slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:24]
        digest = hashlib.sha256(name.casefold().encode()).hexdigest()[:8]
        return self._folder / _ANSWERS.format(f"{slug}-{digest}")


def _preference(sheets: Sequence[Path], key: str) -> Preference:
    choices: list[Choice] = []
    blank = 0
    for path in sheets:
        own, unjudged = read_choices(_read(path), key)
        choices += own
        blank += unjudged
    return preference(choices, unjudged=blank)


def _report(path: Path) -> tuple[str, dict[str, str]]:
    """The prompt of a report that ``compare --out`` or ``bench run`` wrote, and the draft that counts of each
    pipeline. Raises UsageError for any other file."""
    try:
        report = parse_json(_read(path))
        if report["schema"] != SCHEMA:
            raise UsageError(f"{path} has schema {report['schema']!r}: give what compare --out wrote")
        facts = report["facts"]
        texts = {
            one["pipeline"]: one["drafts"][one["kept"]]["generation"]["text"]
            for one in facts["pipelines"]
            if one["drafts"]
        }
        return str(facts["prompt"]), texts
    except (json.JSONDecodeError, KeyError, TypeError, IndexError) as error:
        raise UsageError(f"{path} is no comparison report: give what compare --out wrote") from error


def _read(path: Path) -> str:
    """A file of 64 MB at most. Raises UsageError where it cannot be read."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UsageError(f"{path} is larger than 64 MB: that is no sheet and no report")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: save it as CSV in UTF-8") from error
