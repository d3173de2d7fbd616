"""Tables of what pipelines write, and the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.common.tables import interval_cell, table

__all__ = ["TABLES"]

_MEASURES = {
    "facts broken": "facts broken ↓",
    "facts kept": "facts kept ↑",
    "facts held": "facts at stake that the context told of ↑",
    "findings": "findings of the critic in 10,000 words ↓",
    "consistency": "consistency of a chapter, 1 − 0.1 · findings ↑",
    "preferred": "preferred to the others of its budget ↑",
    "repetition": "repeated 4-grams ↓",
    "distinct_2": "different pairs of words ↑",
    "context_tokens": "tokens of context",
}


def continuation(result: dict[str, Any]) -> str:
    facts = result["facts"]
    names = list(facts["means"]["facts broken"])
    rows = [
        [
            label,
            *(
                interval_cell(facts["means"][key][name], 0 if key == "context_tokens" else 2)
                for name in names
            ),
        ]
        for key, label in _MEASURES.items()
    ]
    differ = [
        [f"{pair['measure']}: {pair['one']} against {pair['other']}", _difference(pair)]
        for pair in facts["differences"]
        if pair["measure"] != "findings"
    ]
    chosen = [
        [f"{pair['other']} rather than {pair['one']}", interval_cell(pair)]
        for pair in facts["pairs"]
        if pair["one"] != "no context"
    ]
    same = facts["agreement"]
    words = sum(facts["words"].values())
    return (
        f"{table(['mean [95 % interval]', *names], rows)}\n\n"
        f"{table(['difference', 'of the means, p (Holm), facts'], differ)}\n\n"
        f"{table(['preferred by readers', 'share of the askings'], chosen)}\n\n"
        f"Six stories, {facts['chapters']} chapters by each pipeline, {words:,} words; "
        f"{facts['probes']} facts. Intervals and p over stories. The two readers of a fact gave the same "
        f"verdict in {same['facts']['same']:.0%} (kappa {same['facts']['kappa']:.2f}), the two askings of a "
        f"pair in {same['pairs']['same']:.0%} (kappa {same['pairs']['kappa']:.2f}).\n\n"
        "The share of studies that would see a difference of a tenth, of a fifth, and one where there is "
        f"none:\n\n{_power(facts['power'])}"
    )


def _power(found: Sequence[Mapping[str, Any]]) -> str:
    facts = sorted({one["facts"] for one in found})
    rows = []
    for stories in sorted({one["stories"] for one in found}):
        own = {one["facts"]: one for one in found if one["stories"] == stories}
        cells = [f"{own[n][kind]:.2f}" for n in facts for kind in ("a tenth", "a fifth", "false")]
        rows.append([str(stories), *cells])
    header = [f"{n} facts: {kind}" for n in facts for kind in ("a tenth", "a fifth", "none")]
    return table(["stories", *header], rows)


def leaderboard(result: dict[str, Any]) -> str:
    rows = []
    for one in result["facts"]["lines"]:
        recall = one["recall"]
        rows.append(
            [
                one["name"],
                one["set"],
                *(_hits(recall[name]) for name in ("all", "explicit", "paraphrase", "implicit")),
                _hits(one["findings that meet one"]),
                _hits(one["changes flagged"]),
                _hits(one["quotes that stand"]),
            ]
        )
    header = ["entry", "set", "found", "explicit", "paraphrase", "implicit"]
    return table([*header, "findings that meet one", "changes flagged", "quotes that stand"], rows)


def leaderboard_public(result: dict[str, Any]) -> str:
    rows = [
        [
            one["name"],
            f"{one['stories']} of {one['set']}",
            *(_hits(one[key]) for key in ("quotes that stand", "findings that meet one")),
            *(_hits(cell) for cell in (one["recall"]["all"], one["either side"])),
            f"{one['findings']} ({one['findings in 10,000 words']:.2f})",
        ]
        for one in result["facts"]["lines"]
    ]
    header = ["entry", "texts", "quotes that stand", "findings that meet a pair", "pairs, both sides"]
    return table([*header, "… either side", "findings (in 10,000 words)"], rows)


def _hits(cell: Mapping[str, Any]) -> str:
    return f"{cell['hits']}/{cell['n']} [{cell['low']:.2f}, {cell['high']:.2f}]" if cell["n"] else "–"


def _difference(pair: Mapping[str, Any]) -> str:
    return (
        f"{pair['difference']:+.3f} [{pair['low']:+.3f}, {pair['high']:+.3f}], p {pair['p_holm']:.3f}, "
        f"{pair['wins']} wins, {pair['ties']} ties, {pair['losses']} losses"
    )


TABLES = {
    "continuation": continuation,
    "leaderboard": leaderboard,
    "leaderboard_public": leaderboard_public,
}
