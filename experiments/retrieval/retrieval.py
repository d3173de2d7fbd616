"""How well each fusion rule finds the passages that answer, and what the search as it is used adds.

python experiments/run.py retrieval --data DIR [--cache DIR]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from experiments.common.folders import default_cache
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.embeddings import EmbeddingManager
from fabula.core.fusion.presets import DEFAULT_PRESET

from .data import SETS, SOURCES, WITHIN, Case, Collection, cases_of, load_collection, queries_of
from .engine import engine_rows, subsets
from .measures import MEASURES, macro_interval, measure
from .systems import GRID, RULES, systems

Floats = NDArray[np.float64]
DEFAULT = f"{DEFAULT_PRESET.name}@{DEFAULT_PRESET.semantic_weight}"


def main(options: argparse.Namespace) -> None:
    cases, collections, embedding = _read(options.data / "retrieval", options.cache)
    digests = {name: c.digest for name, c in collections.items()}
    started = time.perf_counter()
    measured = _measured(cases)
    facts = {
        "sets": _described(cases, digests),
        "default": DEFAULT,
        "measures": MEASURES,
        **_facts(cases, measured),
        "as_used": _as_used(collections),
    }
    seconds = {"embedding": round(embedding, 1), "fusion": round(time.perf_counter() - started, 1)}
    path = write_result("retrieval", facts=facts, measured=machine(seconds=seconds))
    _show(facts)
    print(f"{path.name} written")


def _read(data: Path, cache: Path) -> tuple[dict[str, list[Case]], dict[str, Collection], float]:
    embedder, started = EmbeddingManager(), time.perf_counter()
    names = tqdm(sorted(set(SOURCES.values())), desc="embedding")
    collections = {name: load_collection(data / name, embedder=embedder, cache=cache) for name in names}
    seconds = time.perf_counter() - started
    cases = {name: list(cases_of(name, collections[SOURCES[name]])) for name in tqdm(SETS, desc="searching")}
    return cases, collections, seconds


def _as_used(collections: Mapping[str, Collection]) -> dict[str, Any]:
    """The search engine itself: its default with and without the graph, by set and by kind of question."""
    rows: dict[str, dict[str, list[float]]] = {}
    for name in SETS:
        collection = collections[SOURCES[name]]
        queries = queries_of(name, collection)
        found = engine_rows(name, collection, queries, within=name in WITHIN)
        parts = {name: np.ones(len(queries), dtype=bool), **subsets(name, collection, queries)}
        for part, chosen in parts.items():
            rows[part] = {v: _rounded(values[chosen].mean(axis=0)) for v, values in found.items()}
    macro = {v: _rounded(np.mean([rows[s][v] for s in SETS], axis=0)) for v in rows[SETS[0]]}
    return {"table": {**rows, "macro": macro}}


def _measured(cases: Mapping[str, list[Case]]) -> dict[str, dict[str, Floats]]:
    """Set, then system, to an array (cases, measures)."""
    compared = systems()
    found: dict[str, dict[str, Floats]] = {}
    for name, own in cases.items():
        rows: dict[str, list[tuple[float, ...]]] = {system: [] for system in compared}
        for case in tqdm(own, desc=name):
            for system, rank in compared.items():
                rows[system].append(measure(rank(case), case.relevant))
        found[name] = {system: np.array(values) for system, values in rows.items()}
    return found


def _described(cases: Mapping[str, list[Case]], digests: Mapping[str, str]) -> dict[str, Any]:
    return {
        name: {"queries": len(own), "source": SOURCES[name], "digest": digests[SOURCES[name]]}
        for name, own in cases.items()
    }


def _facts(cases: Mapping[str, list[Case]], measured: Mapping[str, Mapping[str, Floats]]) -> dict[str, Any]:
    groups = {name: [case.group for case in own] for name, own in cases.items()}

    def compare(system: str, base: str) -> dict[str, Any]:
        differences = {s: measured[s][system][:, 0] - measured[s][base][:, 0] for s in SETS}
        low, high = macro_interval(differences, groups)
        return {
            "system": system,
            "baseline": base,
            "macro_ndcg@10": round(float(np.mean([d.mean() for d in differences.values()])), 4),
            "interval": [low, high],
        }

    table = {
        system: {
            **{s: _rounded(measured[s][system].mean(axis=0)) for s in SETS},
            "macro": _rounded(np.mean([measured[s][system].mean(axis=0) for s in SETS], axis=0)),
        }
        for system in measured[SETS[0]]
    }
    oracle = {
        rule: {
            s: round(float(np.max([measured[s][f"{rule}@{w}"][:, 0] for w in GRID], axis=0).mean()), 4)
            for s in SETS
        }
        for rule in RULES
    }
    return {
        "table": table,
        "oracle_ndcg@10": oracle,
        "compared": [compare(DEFAULT, "rrf-60"), compare(DEFAULT, "convex@0.4")],
    }


def _rounded(values: Floats) -> list[float]:
    return [round(float(value), 4) for value in values]


def _show(facts: Mapping[str, Any]) -> None:
    print(f"\n{'nDCG@10':44s}" + "".join(f"{name[:12]:>14s}" for name in (*SETS, "macro")))
    for system, row in facts["table"].items():
        print(f"{system:44s}" + "".join(f"{row[name][0]:14.3f}" for name in (*SETS, "macro")))
    for rule, row in facts["oracle_ndcg@10"].items():
        print(
            f"{'oracle of ' + rule:44s}"
            + "".join(f"{row[s]:14.3f}" for s in SETS)
            + f"{np.mean(list(row.values())):14.3f}"
        )
    print("\nas used: nDCG@10, R@2, R@5, R@10, MRR")
    for part, variants in facts["as_used"]["table"].items():
        for variant, values in variants.items():
            print(f"{part:40s}{variant:34s}" + "".join(f"{value:9.3f}" for value in values))
    print(*facts["compared"], sep="\n")


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--cache", type=Path, default=default_cache("retrieval"), help="keeps vectors")
    return options
