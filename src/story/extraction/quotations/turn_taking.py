"""Who takes each turn of a conversation: what the text says there, weighed with who spoke before and after.

A conversation is a chain in which a speaker depends on the two before. What a turn says by itself (a tag, a
name beside it) is set against the habits of dialogue: speakers alternate, who is called answers, nobody calls
himself (Muzny et al. 2017, "A two-stage sieve approach for quote attribution"; the chain in place of their
sieve follows Elson and McKeown 2010, who feed the last speakers to a classifier). The sum over all chains
(forward and backward, Rabiner 1989) gives each candidate's probability at each turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

from ...tables import read_table

Who = Any  # whatever stands for a person, hashable
WEIGHTS: Mapping[str, float] = read_table("turn_weights.tsv", habit=str, weight=float).column("weight")
SURE = 0.95
APART = 6  # so many paragraphs on, it is another conversation
NEAR = 2  # so many on, a turn answers the one before
MEMORY, AHEAD, MOST = 6, 2, 8


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance, from paragraph ``place`` to paragraph ``end``. ``voices`` gives evidence (0 to 1) for
    each person who may speak; ``called`` are those called by name in it, ``named`` those spoken of,
    ``barred`` who cannot be it."""

    place: int
    end: int
    scene: int
    voices: Mapping[Who, float]
    called: frozenset[Who] = frozenset()
    named: frozenset[Who] = frozenset()
    barred: frozenset[Who] = frozenset()

    @property
    def sure(self) -> Who | None:
        """Who is named beside a verb of saying: nothing else speaks against it."""
        best = max(self.voices, key=lambda who: self.voices[who], default=None)
        return best if best is not None and self.voices[best] >= SURE else None


def take_turns(turns: Sequence[Turn]) -> list[list[tuple[Who, float]]]:
    """For each turn the candidates with their probability (0 to 1), best first; none for a turn at which
    nobody is in sight. Costs some tens of microseconds a turn."""
    told: list[list[tuple[Who, float]]] = []
    often = Counter(turn.sure for turn in turns if turn.sure is not None)
    start = 0
    for i in range(1, len(turns) + 1):
        one, other = turns[i - 1], turns[min(i, len(turns) - 1)]
        if i == len(turns) or other.scene != one.scene or other.place - one.end > APART:
            told.extend(_converse(turns[start:i], often))
            start = i
    return told


def around(i: int, turns: int) -> list[int]:
    """The turns near one, itself first, the nearer before the farther: six back and two on."""
    return sorted(range(max(0, i - MEMORY), min(turns, i + AHEAD + 1)), key=lambda k: (abs(k - i), k))


def _candidates(turns: Sequence[Turn]) -> list[list[Who]]:
    """At each turn who has evidence there, or had some shortly before, or has some shortly after."""
    found = []
    for t, turn in enumerate(turns):
        sure = turn.sure
        if sure is not None:
            found.append([sure])
            continue
        weight: dict[Who, float] = {}
        for k in range(max(0, t - MEMORY), min(len(turns), t + AHEAD + 1)):
            away = abs(k - t)
            for who, share in turns[k].voices.items():
                weight[who] = max(weight.get(who, 0.0), share * 0.7**away if away else 1 + share)
            for who in turns[k].called if away else ():
                weight[who] = max(weight.get(who, 0.0), 0.5 * 0.7**away)
        order = {who: n for n, who in enumerate(weight)}
        fit = [who for who in weight if who not in turn.barred]
        found.append(sorted(fit, key=lambda who: (-weight[who], order[who]))[:MOST])
    return found


@dataclass(slots=True)
class _Chain:
    """Scores of a candidate after a pair of speakers, of one conversation."""

    turns: Sequence[Turn]
    often: Mapping[Who, int]

    def own(self, t: int, who: Who) -> float:
        w, turn = WEIGHTS, self.turns[t]
        score = log(w["floor"] + turn.voices.get(who, 0.0))
        if who in turn.called:
            score += w["calls_self"]
        elif who in turn.named:
            score += w["names_self"]
        if t and turn.place - self.turns[t - 1].end <= NEAR:
            if who in self.turns[t - 1].called:
                score += w["called_before"]
            elif who in self.turns[t - 1].named:
                score += w["named_before"]
        return score + w["often"] * log(1 + self.often.get(who, 0))

    def after(self, t: int, who: Who, last: Who | None, before: Who | None) -> float:
        w = WEIGHTS
        gap = self.turns[t].place - self.turns[t - 1].end if t else 0
        if last is None or gap == 0:
            return 0.0
        if who == last:
            return w["again"] if gap == 1 else w["again_apart"]
        if who == before:
            return w["alternate"] if gap == 1 else w["alternate_apart"]
        return w["new"]


def _converse(turns: Sequence[Turn], often: Mapping[Who, int]) -> list[list[tuple[Who, float]]]:
    chain, people = _Chain(turns, often), _candidates(turns)
    options: list[list[Who | None]] = [[*each] or [None] for each in people]
    forward: list[dict[tuple[Who | None, Who | None], float]] = []
    steps: list[dict[tuple[Who | None, Who | None, Who | None], float]] = []
    reach: dict[tuple[Who | None, Who | None], float] = {(None, None): 1.0}
    for t, choices in enumerate(options):
        own = {who: 0.0 if who is None else chain.own(t, who) for who in choices}
        most = max(own.values())
        new: dict[tuple[Who | None, Who | None], float] = {}
        step: dict[tuple[Who | None, Who | None, Who | None], float] = {}
        for (before, last), weight in reach.items():
            for who in choices:
                factor = exp(own[who] - most + (0.0 if who is None else chain.after(t, who, last, before)))
                step[before, last, who] = factor
                new[last, who] = new.get((last, who), 0.0) + weight * factor
        total = sum(new.values())
        reach = {pair: weight / total for pair, weight in new.items()}
        forward.append(reach)
        steps.append(step)
    return _marginals(options, forward, steps)


def _marginals(
    options: list[list[Who | None]],
    forward: list[dict[tuple[Who | None, Who | None], float]],
    steps: list[dict[tuple[Who | None, Who | None, Who | None], float]],
) -> list[list[tuple[Who, float]]]:
    told: list[list[tuple[Who, float]]] = []
    back = dict.fromkeys(forward[-1], 1.0)
    for t in range(len(options) - 1, -1, -1):
        share: dict[Who | None, float] = {}
        for pair, weight in forward[t].items():
            share[pair[1]] = share.get(pair[1], 0.0) + weight * back[pair]
        total = sum(share.values()) or 1.0
        order = {who: n for n, who in enumerate(options[t])}
        ranked = sorted(share.items(), key=lambda item: (-item[1], order[item[0]]))
        told.append([(who, round(weight / total, 3)) for who, weight in ranked if who is not None])
        before: dict[tuple[Who | None, Who | None], float] = {}
        for (first, last, who), factor in steps[t].items():
            before[first, last] = before.get((first, last), 0.0) + factor * back[last, who]
        most = max(before.values()) or 1.0
        back = {pair: weight / most for pair, weight in before.items()}
    return told[::-1]
