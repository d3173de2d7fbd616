"""Drafts rated blind: pairs of one prompt shown without names, what raters chose, and what it adds up to."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from ..errors import UsageError
from ..story.comparison.report import SCHEMA
from ..story.model.findings import bootstrap_interval
from .shared import keep, kept

CHOICES: Mapping[str, float] = {"a": 1.0, "tie": 0.5, "b": 0.0}
"""What a rater may choose, and what it is worth to the first draft of the pair."""
_PAIRS, _ANSWERS = "pairs.json", "rater-{}.json"
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class RatingPair:
    """Two drafts of one prompt; ``by`` says who wrote ``a`` and ``b``, which no rater is shown."""

    name: str
    prompt: str
    a: str
    b: str
    by: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Choice:
    """One rater's judgement of one pair. ``won`` is 1 (``one`` is better), 0 or .5 (a tie)."""

    item: str
    one: str
    other: str
    won: float


@dataclass(frozen=True, slots=True)
class Strength:
    """``share`` is the part, 0 to 1, that a system won of its ``judged`` pairs; ``low`` to ``high`` its 95 %
    interval, prompts resampled. ``wins`` counts ties as half."""

    system: str
    share: float
    low: float
    high: float
    wins: float
    judged: int


@dataclass(frozen=True, slots=True)
class Preference:
    """Strengths, the best first. ``agreement`` is the share of pairs that several raters saw, all of one
    mind (None where no pair was seen twice)."""

    strengths: tuple[Strength, ...]
    choices: int
    prompts: int
    agreement: float | None


class RatingDesk:
    """The pairs of a run in a folder, and raters' choices, which are on disk when ``choose`` returns."""

    def __init__(self, folder: Path, reports: Sequence[Path]) -> None:
        """Where the folder holds no pairs, they are made of the reports. They then stay as they are, so that
        choices keep their meaning when reports are added. Raises UsageError where no pair can be made,
        ProjectError where a report is none, or a file of the folder is damaged."""
        self._folder = folder
        file = folder / _PAIRS
        if not file.is_file():
            cure = "give what bench run or compare --out wrote"
            keep(file, pairs_of([kept(path, _read_report, cure) for path in sorted(reports)]))
        rows = kept(file, list, "delete it, and the pairs are drawn anew")
        self.pairs = tuple(RatingPair(**{**row, "by": tuple(row["by"])}) for row in rows)

    def chosen(self, rater: str) -> dict[str, tuple[str, str]]:
        """By pair, what the rater chose (``a``, ``b`` or ``tie``) and said."""
        path = self._answers(rater)
        return _choices_in(path) if path.is_file() else {}

    def following(self, rater: str) -> RatingPair | None:
        """The first pair that the rater has not judged yet; None when all are done."""
        done = self.chosen(rater)
        return next((pair for pair in self.pairs if pair.name not in done), None)

    def choose(self, rater: str, pair: str, choice: str, *, comment: str = "") -> None:
        """Keeps a choice; the same pair again replaces it. Raises UsageError for a rater without a name, a
        pair that there is not, or a choice that is none."""
        if pair not in {one.name for one in self.pairs} or choice not in CHOICES:
            raise UsageError(f"{choice!r} of pair {pair!r} is no choice: choose a, b or tie")
        keep(self._answers(rater), {**self.chosen(rater), pair: (choice, " ".join(comment.split()))})

    def tally(self) -> Preference:
        """What all raters together prefer. Raises UsageError where nobody has chosen yet."""
        choices = [
            Choice(pair.prompt, *pair.by, CHOICES[said[pair.name][0]])
            for said in map(_choices_in, sorted(self._folder.glob(_ANSWERS.format("*"))))
            for pair in self.pairs
            if pair.name in said
        ]
        return preference(choices)

    def _answers(self, rater: str) -> Path:
        name = " ".join(rater.split())[:_LONGEST_NAME]
        if not name:
            raise UsageError("say who is rating first: any name will do")
        slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:24]
        digest = hashlib.sha256(name.casefold().encode()).hexdigest()[:8]
        return self._folder / _ANSWERS.format(f"{slug}-{digest}")


def pairs_of(items: Sequence[tuple[str, Mapping[str, str]]], *, seed: int = 0) -> list[RatingPair]:
    """Every pair of texts of each item (its prompt, and the texts by who wrote them), in random order of
    pairs and sides. The same items and seed give the same. Pairs of equal texts are left out: there is
    nothing to choose. Raises UsageError where no pair is left."""
    rng = random.Random(seed)
    drawn: list[tuple[str, str, str, tuple[str, str]]] = []
    for prompt, texts in items:
        for pair in combinations(sorted(texts), 2):
            if texts[pair[0]].split() != texts[pair[1]].split():
                a, b = rng.sample(pair, 2)
                drawn.append((prompt, texts[a], texts[b], (a, b)))
    if not drawn:
        raise UsageError("there are no two different drafts of one prompt: give reports with several")
    rng.shuffle(drawn)
    return [RatingPair(f"p{number:03d}", *one) for number, one in enumerate(drawn, start=1)]


def preference(choices: Sequence[Choice]) -> Preference:
    """What the choices add up to. Raises UsageError where nobody chose anything."""
    if not choices:
        raise UsageError("no pair has a choice yet: rate some first")
    judged: dict[str, list[tuple[str, float]]] = {}
    for one in choices:
        judged.setdefault(one.one, []).append((one.item, one.won))
        judged.setdefault(one.other, []).append((one.item, 1 - one.won))
    found = []
    for system, own in judged.items():
        items, wins = [item for item, _ in own], [won for _, won in own]
        low, high = bootstrap_interval(wins, groups=items)
        found.append(Strength(system, round(fmean(wins), 4), low, high, sum(wins), len(wins)))
    found.sort(key=lambda each: (-each.share, each.system))
    return Preference(tuple(found), len(choices), len({one.item for one in choices}), _agreement(choices))


def _agreement(choices: Iterable[Choice]) -> float | None:
    seen: dict[tuple[str, ...], list[float]] = {}
    for choice in choices:
        turned = choice.one > choice.other
        pair = (choice.item, *sorted((choice.one, choice.other)))
        seen.setdefault(pair, []).append(1 - choice.won if turned else choice.won)
    several = [won for won in seen.values() if len(won) > 1]
    return sum(len(set(won)) == 1 for won in several) / len(several) if several else None


def _choices_in(path: Path) -> dict[str, tuple[str, str]]:
    def sound(said: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, str]]:
        return {pair: (choice, comment) for pair, (choice, comment) in said.items() if choice in CHOICES}

    return kept(path, sound, "delete it, and rate again")


def _read_report(report: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Its prompt, and of each pipeline the draft that counts."""
    if report["schema"] != SCHEMA:
        raise ValueError(f"schema {report['schema']!r}")
    texts = {
        one["pipeline"]: one["drafts"][one["kept"]]["generation"]["text"]
        for one in report["facts"]["pipelines"]
        if one["drafts"]
    }
    return str(report["facts"]["prompt"]), texts
