"""What two characters are to each other, weighed over all their meetings so far.

Two steps of logistic regression. The first weighs what was seen of a pair (words of their windows; nouns of
the one with the other near). The second weighs the first's scores from both sides beside titles, surnames,
what rules read, how much the two are together, and third persons: the spouse of a parent is likely a parent,
as in collective classification (Sen et al. 2008). Labels are of a pair and a whole book, not of a sentence:
what is learnt from is the bag (multi-instance learning, Hoffmann et al. 2011). Fitted by
``training/pair_reader.py``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import log, log1p
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from ..model.types import PairTold
from .windows import KINDS, SHARES, TURNED

_TOKEN = re.compile(r"§[abc]|[a-z][a-z'-]*|[!?]")
_SHORT = dict(zip(KINDS, "s n to from of by".split(), strict=True))
_TWO = ("§a", "§b")
_SWAP = {"§a": "§b", "§b": "§a"}
_MASK = re.compile("§[ab]")
_BACK = {"to": "from", "from": "to", "of": "by", "by": "of"}
_BESIDE, _PAIRS = 4, 2  # words to either side that are seen with where they stand; as pairs
_BETWEEN, _PATH = 14, 6  # words apart, to be seen as standing between; as a path


def turned_feature(feature: str) -> str:
    """The same thing seen from the other of the two."""
    short, _, rest = feature.partition(":")
    feature = f"{_BACK[short]}:{rest}" if short in _BACK else feature
    return _MASK.sub(lambda mask: _SWAP[mask[0]], feature)


def window_features(kind: str, words: str) -> frozenset[str]:
    """What is seen of a window (see ``windows.Window``)."""
    tokens, short = _TOKEN.findall(words), _SHORT[kind]
    found = {f"{short}:{token}" for token in tokens}
    if short in ("s", "n"):
        found |= _around(short, tokens)
    else:
        found |= {f"{short}:{one}_{two}" for one, two in pairwise(tokens)}
    return frozenset(found)


def _around(short: str, tokens: list[str]) -> set[str]:
    places = [i for i, token in enumerate(tokens) if token in _TWO]
    found: set[str] = set()
    for i in places:
        for j in range(max(0, i - _BESIDE), min(len(tokens), i + _BESIDE + 1)):
            if j != i:
                found.add(f"{short}:{tokens[i]}{'<' if j < i else '>'}{tokens[j]}")
        for j in range(max(0, i - _PAIRS), min(len(tokens) - 1, i + _PAIRS + 1)):
            found.add(f"{tokens[i]}|{tokens[j]}_{tokens[j + 1]}")
    if len(places) > 1:
        first, second, last = places[0], places[1], places[-1]
        if last - first < _BETWEEN:
            found |= {f"{short}:between:{tokens[first]}:{word}" for word in tokens[first + 1 : last]}
        if second - first < _PATH:
            found.add("path:" + "_".join(tokens[first : second + 1]))
    return found


WEIGHTS = Path(__file__).with_name("pair_weights.npz")
TYPES = tuple("spouse lover parent sibling kin friend enemy employer teacher benefactor killer".split())
"""The first of a pair is this of the second."""
SYMMETRIC = frozenset({"spouse", "sibling", "kin", "friend", "enemy"})
ANY = "any"
GENDERS = ("f", "m", "")
_VIEWS = ("count", "lift", "nearest")  # how a noun of the one is seen with the other near
_BACK_KINDS = tuple(KINDS.index(TURNED.get(kind, kind)) for kind in KINDS)
_LEAST_LIFT, _LEAST_NEAREST = 1.0, 1.5  # nouns
_FULL_LIFT = 3.0
_SMOOTH = 0.05

Values = dict[int, float]


@dataclass(frozen=True, slots=True)
class Person:
    """Who is meant, as known so far; ``names`` are all that the text gave."""

    id: str
    names: tuple[str, ...]
    gender: str
    mentions: int


@dataclass(slots=True)
class Bag:
    """All that was seen of two so far, ``one`` the lesser id. ``words`` count features seen from ``one``;
    ``nouns`` are sixtieths as ``one``'s and as ``other``'s."""

    one: str
    other: str
    kinds: list[int] = field(default_factory=lambda: [0] * len(KINDS))
    words: Counter[int] = field(default_factory=Counter)
    nouns: dict[int, list[int]] = field(default_factory=dict)
    near: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def meetings(self) -> int:
        """How often they met."""
        return sum(self.kinds)

    def add(self, told: PairTold, *, turned: bool, turn: Sequence[int]) -> None:
        """Adds a chapter's; ``turned`` where its ``one`` is this ``other``; ``turn`` gives each feature's
        number seen from the other side."""
        for kind, count in enumerate(told.meetings):
            self.kinds[_BACK_KINDS[kind] if turned else kind] += count
        for word, count in told.words:
            self.words[turn[word] if turned else word] += count
        for noun, *shares in told.nouns:
            mine = self.nouns.setdefault(noun, [0, 0])
            mine[turned] += shares[0]
            mine[not turned] += shares[1]
        self.near[turned] += told.near[0]
        self.near[not turned] += told.near[1]


def bags_of(
    pairs: Iterable[PairTold], resolve: Mapping[str, str], people: frozenset[str], turn: Sequence[int]
) -> dict[tuple[str, str], Bag]:
    """The bag of each two of ``people``; ``resolve`` gives the ids of those merged since."""
    bags: dict[tuple[str, str], Bag] = {}
    for told in pairs:
        one, other = resolve.get(told.one, told.one), resolve.get(told.other, told.other)
        if one == other or one not in people or other not in people:
            continue
        key = (min(one, other), max(one, other))
        bags.setdefault(key, Bag(*key)).add(told, turned=one != key[0], turn=turn)
    return bags


def word_values(bag: Bag, turn: Sequence[int], *, turned: bool) -> Values:
    """Feature → value of the windows, seen from ``one`` or, turned, from ``other``: logs of counts, weaker
    where the two meet often."""
    weaker = 1 + 0.5 * log1p(bag.meetings)
    return {(turn[word] if turned else word): log1p(count) / weaker for word, count in bag.words.items()}


def noun_values(
    bags: Mapping[tuple[str, str], Bag], people: Mapping[str, Person], nouns: int
) -> dict[tuple[str, str], Values]:
    """Of each ordered two, feature → value of the nouns that are the one's with the other near (first half
    of the numbers) and the other's with the one near: how much, how much more than of any noun, and
    whether nobody of that gender is near it as much."""
    owned: dict[tuple[str, int, str], dict[str, float]] = defaultdict(dict)
    near: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for (one, other), bag in bags.items():
        for side, (owner, who) in enumerate(((one, other), (other, one))):
            gender = people[who].gender
            if bag.near[side]:
                near[owner, gender][who] = bag.near[side] / SHARES
            for noun, shares in bag.nouns.items():
                if shares[side]:
                    owned[owner, noun, gender][who] = shares[side] / SHARES
    found: dict[tuple[str, str], Values] = defaultdict(dict)
    for (owner, noun, gender), shares_of in owned.items():
        total, beside = sum(shares_of.values()), near[owner, gender]
        base = sum(beside[who] for who in shares_of)
        top = max(sorted(shares_of), key=lambda who: shares_of[who])
        for who, share in shares_of.items():
            lift = log((share / total + _SMOOTH) / (beside[who] / base + _SMOOTH))
            seen = {"count": log1p(share)}
            if share >= _LEAST_LIFT:
                seen["lift"] = lift * min(1.0, share / _FULL_LIFT)
            if who == top and share >= _LEAST_NEAREST:
                seen["nearest"] = 1.0
            for view, value in seen.items():
                place = (_VIEWS.index(view) * nouns + noun) * len(GENDERS) + GENDERS.index(gender)
                found[owner, who][place] = value
                found[who, owner][place + len(_VIEWS) * nouns * len(GENDERS)] = value
    return found


def pair_values(bag: Bag | None, one: Person, other: Person, rules: Mapping[str, float]) -> dict[str, float]:
    """What else is known of two, seen from ``one``: titles, surnames, gender, kinds of meetings, rules."""
    turned = bag is not None and one.id != bag.one
    found = dict(rules)
    if bag is not None:
        for kind, count in enumerate(bag.kinds):
            if count:
                found[f"kind:{KINDS[_BACK_KINDS[kind] if turned else kind]}"] = log1p(count)
        found["meetings"] = log1p(bag.meetings)
    same = bool(_surnames(one) & _surnames(other))
    family = "family" if same else "strangers"
    found[family] = 1.0
    found[f"{family} {one.gender}{other.gender}"] = 1.0
    for side, person in (("one", one), ("other", other)):
        for word in {name.split()[0].lower().rstrip(".") for name in person.names if " " in name}:
            found[f"{side} {word}"] = 1.0
            found[f"{side} {word} {family}"] = 1.0
    return found


def _surnames(person: Person) -> frozenset[str]:
    return frozenset(name.split()[-1].lower() for name in person.names if " " in name)


_TRIANGLES = (
    ("spouse", "parent"), ("parent", "sibling"), ("-parent", "parent"), ("sibling", "parent"),
    ("sibling", "sibling"), ("parent", "parent"), ("spouse", "sibling"), ("spouse", "kin"),
    ("parent", "-spouse"), ("sibling", "-parent"), ("kin", "-parent"), ("parent", "kin"),
    ("lover", "spouse"), ("lover", "-lover"),
)  # fmt: skip


def scored_values(
    pairs: Sequence[tuple[str, str]],
    scores: Any,
    bags: Mapping[tuple[str, str], Bag],
    people: Mapping[str, Person],
) -> Any:
    """float64[pairs, …] for the second step, of ordered ``pairs`` (all that there are, both ways) with
    float64[pairs, 2 × (types + 1)] scores of the first: those, those seen from the other, third persons, and
    how much the two are together and count in the story."""
    place = {pair: row for row, pair in enumerate(pairs)}
    back = np.array([place[other, one] for one, other in pairs], dtype=np.intp)
    names = sorted({one for one, _ in pairs})
    at = {name: number for number, name in enumerate(names)}
    half = scores.shape[1] // 2
    chance = 1.0 / (1.0 + np.exp(-np.clip(scores[:, :half] + scores[:, half:], -12, 12)))
    ones = np.array([at[one] for one, _ in pairs], dtype=np.intp)
    others = np.array([at[other] for _, other in pairs], dtype=np.intp)
    matrices = np.zeros((half, len(names), len(names)))
    matrices[:, ones, others] = chance.T
    triangles = np.stack(
        [_through(_matrix(matrices, a), _matrix(matrices, b))[ones, others] for a, b in _TRIANGLES], axis=1
    )
    return np.concatenate([scores, scores[back], triangles, _weight_in_story(pairs, bags, people)], axis=1)


def _matrix(matrices: Any, name: str) -> Any:
    matrix = matrices[TYPES.index(name.removeprefix("-"))]
    return matrix.T if name.startswith("-") else matrix


def _through(first: Any, second: Any) -> Any:
    """The best third person: max over k of first[i, k] · second[k, j]."""
    return np.stack([(row[:, None] * second).max(axis=0) for row in first])


def _weight_in_story(
    pairs: Sequence[tuple[str, str]], bags: Mapping[tuple[str, str], Bag], people: Mapping[str, Person]
) -> Any:
    met: dict[str, list[int]] = defaultdict(list)
    for bag in bags.values():
        met[bag.one].append(bag.meetings)
        met[bag.other].append(bag.meetings)
    ranked = sorted((people[who].mentions for who in {one for one, _ in pairs}), reverse=True)
    rank = {mentions: ranked.index(mentions) for mentions in set(ranked)}
    rows = []
    for one, other in pairs:
        between = bags.get((min(one, other), max(one, other)))
        count = between.meetings if between else 0
        row = [count / max(1, sum(met[who])) for who in (one, other)]
        row += [float(sum(each > count for each in met[who])) for who in (one, other)]
        row += [log1p(people[who].mentions) for who in (one, other)]
        row += [float(rank[people[who].mentions]) for who in (one, other)]
        rows.append(row)
    return np.array(rows)


class PairModel:
    """The weights as shipped: see the module. ``least`` is each type's probability from which it is shown."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as kept:
            self._words = {int(each): row for row, each in enumerate(kept["words"])}
            self.turn: list[int] = [int(each) for each in kept["turn"]]
            self._nouns = {str(each): row for row, each in enumerate(kept["nouns"])}
            self._word_weights = kept["word_weights"].astype(np.float32) * kept["word_scale"]
            self._noun_weights = kept["noun_weights"].astype(np.float32) * kept["noun_scale"]
            self._first_bias = kept["first_bias"]
            self._dense = kept["dense"]
            self._names = {str(each): row for row, each in enumerate(kept["names"])}
            self._name_weights = kept["name_weights"]
            self._bias = kept["bias"]
            self.least = {t: float(each) for t, each in zip(TYPES, kept["least"], strict=True)}

    def word(self, feature: str) -> int | None:
        """The number of a window's feature; None where it tells nothing."""
        return self._words.get(crc32(feature.encode()))

    def noun(self, noun: str) -> int | None:
        """The number of a noun."""
        return self._nouns.get(noun)

    def grounds(self, words: Sequence[int], *, turned: bool) -> Sequence[tuple[str, float]]:
        """What a window with these features speaks for, seen from its ``§a`` or, turned, from ``§b``, and
        how strongly (above 0 only)."""
        rows = [self.turn[word] for word in words] if turned else list(words)
        return _above(self._word_weights[rows].sum(axis=0)) if rows else ()

    def noun_grounds(self, noun: int, gender: str) -> Sequence[tuple[str, float]]:
        """The same of somebody of that gender, near a noun of the first."""
        place = noun * len(GENDERS) + GENDERS.index(gender)
        return _above(self._noun_weights[place])

    def probabilities(
        self,
        bags: Mapping[tuple[str, str], Bag],
        people: Mapping[str, Person],
        rules: Mapping[tuple[str, str], Mapping[str, float]],
    ) -> dict[tuple[str, str], Mapping[str, float]]:
        """Of each ordered two of the bags: type → probability that the first is this of the second."""
        pairs = [pair for key in sorted(bags) for pair in (key, key[::-1])]
        if not pairs:
            return {}
        nouns = noun_values(bags, people, len(self._nouns))
        first = np.stack([self._first(bags, pair, nouns.get(pair, {})) for pair in pairs])
        dense = scored_values(pairs, first, bags, people)
        rest = [
            self._named(
                pair_values(bags[min(pair), max(pair)], people[pair[0]], people[pair[1]], rules.get(pair, {}))
            )
            for pair in pairs
        ]
        odds = dense @ self._dense + np.stack(rest) + self._bias
        chances = 1.0 / (1.0 + np.exp(-np.clip(odds, -30, 30)))
        return {
            pair: dict(zip(TYPES, map(float, row), strict=False))
            for pair, row in zip(pairs, chances, strict=True)
        }

    def _first(self, bags: Mapping[tuple[str, str], Bag], pair: tuple[str, str], nouns: Values) -> Any:
        bag = bags[min(pair), max(pair)]
        words = word_values(bag, self.turn, turned=pair[0] != bag.one)
        return (
            np.concatenate([_weighed(nouns, self._noun_weights), _weighed(words, self._word_weights)])
            + self._first_bias
        )

    def _named(self, values: Mapping[str, float]) -> Any:
        known = {row: value for name, value in values.items() if (row := self._names.get(name)) is not None}
        return _weighed(known, self._name_weights)


def _weighed(values: Values, weights: Any) -> Any:
    rows = sorted(values)
    return np.array([values[row] for row in rows]) @ weights[rows] if rows else np.zeros(weights.shape[1])


def _above(weights: Any) -> list[tuple[str, float]]:
    return [(TYPES[i], float(weights[i])) for i in range(len(TYPES)) if weights[i] > 0]


@cache
def pair_model() -> PairModel:
    """The one that the package ships, loaded once."""
    return PairModel(WEIGHTS)
