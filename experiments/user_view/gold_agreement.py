"""Do two readers of one novel know the same? Compares ``data/known_novels`` with its ``second/`` pass.

    python experiments/run.py gold_agreement

Both readers wrote from the same brief, neither saw the other's. Characters are joined by a shared name. A
relation is agreed on where the other reader has the pair with the same type and direction (``typed``), the
same sign, or any (``pair``); an event where the other's quote lies within 1,500 characters and shares a
person; a turning point where the two lie within 5 % of the book; a fate where both say dead or both do not.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result

from .novel_gold import NOVELS, NovelGold, load_gold, sign_of

NEAR = 1500
TURN_NEAR = 0.05  # of the book
_SYMMETRIC = frozenset({"spouse", "sibling", "kin", "friend", "enemy"})
Row = dict[str, Any]


def main(_: argparse.Namespace) -> None:
    """Writes ``results/gold_agreement.json`` with aggregates: agreed of n, from both readers'
    sides."""
    second = {gold.slug: gold for gold in load_gold(folder=NOVELS / "second")}
    rows: list[Row] = []
    for gold in load_gold():
        if gold.slug in second:
            for one, other in ((gold, second[gold.slug]), (second[gold.slug], gold)):
                rows += compared(one, other)
    found: Row = {}
    for what in sorted({row["what"] for row in rows}):
        own = [row["agreed"] for row in rows if row["what"] == what]
        found[what] = {"n": len(own), "agreed": sum(own), "share": round(sum(own) / len(own), 3)}
    facts = {
        "question": "Do two readers of one novel know the same?",
        "novels": sorted(second),
        "digest": digest_of(rows),
        "aggregates": found,
    }
    write_result("gold_agreement", facts=facts, measured=machine())
    for name, value in found.items():
        print(f"{name}: {value}")


def joined(one: NovelGold, other: NovelGold) -> dict[str, str]:
    """Character of the first → of the second, by a name that both give."""
    names = other.surfaces
    found = {}
    for character in one.characters:
        for name in (character["name"], *character["also"]):
            if name.casefold() in names:
                found[character["id"]] = names[name.casefold()]
                break
    return found


def compared(one: NovelGold, other: NovelGold) -> list[Row]:
    """A row for everything that the first knows of people whom both name."""
    who = joined(one, other)
    rows = [_row("characters", one, c["id"], c["id"] in who) for c in one.characters]
    dead = {c["id"]: c["fate"] == "dead" for c in other.characters}
    for c in one.characters:
        if c["id"] in who:
            rows.append(_row("fates", one, c["id"], (c["fate"] == "dead") == dead[who[c["id"]]]))
    for r in one.relations:
        if r["a"] in who and r["b"] in who:
            a, b = who[r["a"]], who[r["b"]]
            between = [x for x in other.relations if {x["a"], x["b"]} == {a, b}]
            label = f"{r['a']} {r['type']} {r['b']}"
            rows.append(_row("relations, pair", one, label, bool(between)))
            same = any(sign_of(x["type"]) == sign_of(r["type"]) for x in between)
            rows.append(_row("relations, sign", one, label, same))
            rows.append(_row("relations, type", one, label, any(_same(r, x, a) for x in between)))
    for e in one.events:
        people = {who[x] for x in e["who"] if x in who}
        if people:
            met = any(abs(x["at"][0] - e["at"][0]) <= NEAR and people & set(x["who"]) for x in other.events)
            rows.append(_row("events", one, e["what"], met))
    last = max(q[1] for part in (one.events, other.events) for q in (e["at"] for e in part))
    for first, second in zip(one.turning_points, other.turning_points, strict=True):
        near = abs(first["at"][0] - second["at"][0]) <= TURN_NEAR * last
        rows.append(_row("turning points", one, first["role"], near))
    return rows


def _same(r: Mapping[str, Any], x: Mapping[str, Any], a: str) -> bool:
    return bool(r["type"] == x["type"] and (r["type"] in _SYMMETRIC or x["a"] == a))


def _row(what: str, gold: NovelGold, item: str, agreed: bool) -> Row:
    return {"what": what, "novel": gold.slug, "item": item, "agreed": agreed}


def parser() -> argparse.ArgumentParser:
    return new_parser(__doc__)
