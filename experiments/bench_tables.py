"""Tables of what pipelines hold and write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.retrieval_tables import table

__all__ = ["TABLES"]

_KINDS = ("people", "places", "facts", "wording")


def replay(result: dict[str, Any]) -> str:
    facts = result["facts"]
    rows = []
    for name, means in facts["means"].items():
        rows.append(
            [
                name,
                *(_share(means[kind]) for kind in _KINDS),
                _interval(means["recall"], 3),
                _interval(means["recall_per_1000_tokens"], 3),
                f"{means['tokens']:.0f}",
                f"{means['leaks']}",
            ]
        )
    header = ["share held", *_KINDS, "mean", "per 1,000 tokens", "tokens", "leaks"]
    pairs = {(pair["measure"], pair["pipeline"]): pair for pair in facts["against_standard"]}
    fused, per_token = pairs["recall", "fused"], pairs["recall_per_1000_tokens", "fused"]
    chapters = facts["means"]["standard"]["chapters"]
    return (
        f"{table(header, rows)}\n\n"
        f"{chapters} chapters of {len(facts['novels'])} novels, {facts['budget']} tokens of context at most. "
        f"Fused against standard: {_difference(fused)} of the mean share; {_difference(per_token)} per 1,000 "
        "tokens (p by signs over novels, Holm over pipelines)."
    )


def continuation(result: dict[str, Any]) -> str:
    facts = result["facts"]
    names = list(facts["means"])
    measures = list(facts["means"][names[0]])
    rows = [
        [measure.replace("_", " "), *(_interval(facts["means"][name][measure], 2) for name in names)]
        for measure in measures
    ]
    pairs = [pair for pair in facts["against_standard"] if pair["measure"] == "consistency"]
    told = "; ".join(f"{pair['pipeline']} {_difference(pair)}{_needed(pair)}" for pair in pairs)
    return (
        f"{table(['mean [95 % interval]', *names], rows)}\n\n"
        f"{facts['chapters']} chapters by each of {len(names)} pipelines with {facts['seeds']} seeds. "
        f"Consistency against standard: {told or 'nothing to compare'}."
    )


def _share(cell: Mapping[str, Any]) -> str:
    return "–" if cell["held"] is None else f"{cell['held']:.2f}"


def _interval(cell: Mapping[str, Any], places: int) -> str:
    if cell["mean"] is None:
        return "–"
    low, high = cell["interval"]
    return f"{cell['mean']:.{places}f} [{low:.{places}f}, {high:.{places}f}]"


def _difference(pair: Mapping[str, Any]) -> str:
    return (
        f"{pair['difference']:+.3f} [{pair['low']:+.3f}, {pair['high']:+.3f}], p {pair['p_holm']:.3f}, "
        f"{pair['wins']} wins, {pair['ties']} ties, {pair['losses']} losses"
    )


def _needed(pair: Mapping[str, Any]) -> str:
    return f" (to see such a difference surely: {pair['needed']} seeds)" if pair["needed"] else ""


TABLES = {"replay": replay, "continuation": continuation}
