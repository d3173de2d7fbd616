"""Accuracy, macro-F1, pairs and spans, each with a bootstrap interval over documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fabula.story.evaluation.paired_tests import bootstrap_interval, sign_flip_test

from .data import Item, Summary

__all__ = ["Verdict", "flags", "pairwise", "spans"]

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a system says of an item: ``score`` (the higher, the likelier a contradiction), and the pairs of
    sentences that its findings rest on."""

    score: float
    located: tuple[tuple[int, int], ...] = ()


def _f1(hit: int, said: int, wanted: int) -> float:
    return 2 * hit / (said + wanted) if said + wanted else 0.0


def flags(items: Sequence[Item], verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Of systems that flag an item or do not (a score above 0): accuracy with its interval, macro-F1,
    precision, recall, and of the contradictory items with marked sentences how many were
    flagged by the marked pair."""
    said = [verdict.score > 0 for verdict in verdicts]
    right = [float(item.bad == flag) for item, flag in zip(items, said, strict=True)]
    hit = sum(item.bad and flag for item, flag in zip(items, said, strict=True))
    bad, flagged, n = sum(item.bad for item in items), sum(said), len(items)
    quiet_right = sum(not item.bad and not flag for item, flag in zip(items, said, strict=True))
    marked = [
        any(pair in item.conflicts for pair in verdict.located)
        for item, verdict in zip(items, verdicts, strict=True)
        if item.bad and item.conflicts
    ]
    macro = (_f1(hit, flagged, bad) + _f1(quiet_right, n - flagged, n - bad)) / 2
    return {
        "n": n,
        "flagged": flagged,
        "accuracy": round(sum(right) / n, 4),
        "accuracy_interval": bootstrap_interval(right, groups=[item.doc for item in items]),
        "macro_f1": round(macro, 4),
        "precision": round(hit / flagged, 4) if flagged else None,
        "recall": round(hit / bad, 4),
        "pair_found": round(sum(marked) / len(marked), 4) if marked else None,
    }


def _twins(items: Sequence[Item]) -> list[tuple[int, int]]:
    """Indices of (contradictory, consistent) items that belong together."""
    found: dict[str, dict[bool, int]] = {}
    for i, item in enumerate(items):
        found.setdefault(item.pair, {})[item.bad] = i
    return [(pair[True], pair[False]) for pair in found.values() if len(pair) == 2]


def pairwise(
    items: Sequence[Item], verdicts: Sequence[Verdict], *, beside: Sequence[Verdict] | None = None
) -> dict[str, Any]:
    """Which of two twins contradicts: accuracy over all pairs with a tie as one half, and over the pairs that
    the system decides; ``beside`` is a baseline, set beside it on those same pairs with a paired test."""
    twins = _twins(items)
    won = [_won(verdicts, twin) for twin in twins]
    decided = [i for i, value in enumerate(won) if value != 0.5]
    groups = [items[bad].doc for bad, _ in twins]
    found: dict[str, Any] = {
        "pairs": len(twins),
        "accuracy": round(sum(won) / len(won), 4),
        "accuracy_interval": bootstrap_interval(won, groups=groups),
        "decided": len(decided),
    }
    if decided:
        own = [won[i] for i in decided]
        found["accuracy_decided"] = round(sum(own) / len(own), 4)
        found["accuracy_decided_interval"] = bootstrap_interval(own, groups=[groups[i] for i in decided])
        if beside is not None:
            other = [_won(beside, twins[i]) for i in decided]
            found["baseline_there"] = round(sum(other) / len(other), 4)
            found["p"] = round(sign_flip_test([a - b for a, b in zip(own, other, strict=True)]), 4)
    return found


def _won(verdicts: Sequence[Verdict], twin: tuple[int, int]) -> float:
    bad, fine = verdicts[twin[0]].score, verdicts[twin[1]].score
    return 0.5 if bad == fine else float(bad > fine)


def spans(
    texts: Sequence[Summary], predict: Callable[[Summary], Iterable[Span]], *, draws_seed: int = 0
) -> dict[str, Any]:
    """Span precision, recall and F1 over all texts; a predicted span meets a marked one that it overlaps,
    each once. The interval is of F1, resampling documents."""
    counts = [_met(tuple(predict(text)), text.gold) for text in texts]
    hit, said, wanted = (sum(one[i] for one in counts) for i in range(3))
    return {
        "texts": len(texts),
        "flagged": said,
        "gold": wanted,
        "precision": round(hit / said, 4) if said else None,
        "recall": round(hit / wanted, 4) if wanted else None,
        "f1": round(_f1(hit, said, wanted), 4),
        "f1_interval": _f1_interval(counts, [text.doc for text in texts], seed=draws_seed),
    }


def _met(said: Sequence[Span], gold: Sequence[Span]) -> tuple[int, int, int]:
    left = list(gold)
    hit = 0
    for one in said:
        met = next((other for other in left if other[0] < one[1] and one[0] < other[1]), None)
        if met is not None:
            left.remove(met)
            hit += 1
    return hit, len(said), len(gold)


def _f1_interval(counts: Sequence[tuple[int, int, int]], docs: Sequence[str], *, seed: int) -> list[float]:
    import numpy as np

    names = sorted(set(docs))
    of = {
        name: np.sum([c for c, own in zip(counts, docs, strict=True) if own == name], axis=0)
        for name in names
    }
    rng, drawn = np.random.default_rng(seed), []
    for _ in range(2000):
        hit, said, wanted = np.sum([of[names[i]] for i in rng.integers(0, len(names), len(names))], axis=0)
        drawn.append(_f1(int(hit), int(said), int(wanted)))
    low, high = np.percentile(drawn, [2.5, 97.5])
    return [round(float(low), 4), round(float(high), 4)]
