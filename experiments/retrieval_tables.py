"""Tables of the retrieval experiments: from a result file to Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from experiments.common.tables import table
from experiments.speed.report import ratios
from experiments.speed.systems import SYSTEMS

__all__ = ["TABLES"]

_SETS = {
    "fairytaleqa_tale": "FairytaleQA, in the tale",
    "fairytaleqa_open": "FairytaleQA, all tales",
    "graphragbench_silver": "GraphRAG-Bench novels",
    "musique100": "MuSiQue",
    "hotpot100": "HotpotQA",
    "macro": "macro",
}


def retrieval(result: Mapping[str, Any]) -> str:
    facts = result["facts"]
    ranked, used = facts["table"], facts["as_used"]["table"]
    rows = [
        [label, *(f"{ranked[system][s][0]:.3f}" for s in _SETS)]
        for label, system in (
            ("BM25", "bm25"),
            ("dense", "dense"),
            ("RRF, k = 60", "rrf-60"),
            ("RRF, k = 5", "rrf-5"),
            ("convex, weight .4", "convex@0.4"),
            ("with coverage and nearness, weight .4", facts["default"]),
        )
    ]
    rows += [
        [label, *(f"{used[s][variant][0]:.3f}" for s in _SETS)]
        for label, variant in (
            ("… and the order of telling", "default, order of telling only"),
            ("**… and names: the default**", "default"),
        )
    ]
    oracle = facts["oracle_ndcg@10"]["evidence"]
    values = [*oracle.values(), sum(oracle.values()) / len(oracle)]
    rows.append(["best weight for each query, with hindsight", *(f"{v:.3f}" for v in values)])
    over = next(c for c in facts["compared"] if (c["system"], c["baseline"]) == (facts["default"], "rrf-60"))
    low, high = over["interval"]
    across = used["fairytaleqa_tale, across sections"]
    musique, hotpot = used["musique100"], used["hotpot100"]
    with_, without = "default", "default without graph"
    return (
        f"{table(['nDCG@10', *_SETS.values()], rows)}\n\n"
        f"Fusion alone is {over['macro_ndcg@10']:+.3f} [{low:.3f}, {high:.3f}] over RRF with k = 60. What "
        "the graph adds shows where an answer needs two places: "
        f"R@5 on MuSiQue {musique[with_][2]:.2f} (without {musique[without][2]:.2f}), "
        f"on HotpotQA {hotpot[with_][2]:.2f} ({hotpot[without][2]:.2f}), "
        f"R@10 on FairytaleQA's questions across sections {across[with_][3]:.2f} ({across[without][3]:.2f})."
    )


def feedback(result: Mapping[str, Any]) -> str:
    rows = []
    for name, project in result["facts"]["projects"].items():
        runs = [r for r in project["runs"] if r["reader"] == "cascade" and r["window"] == 1000]
        row = [name, f"{project['queries']:,}", f"{project['headroom']['0.4']:+.4f}"]
        for coin in (False, True):
            run = next(r for r in runs if r["coin"] is coin and r["prior"] == 0.4)
            low, high = run["interval"]
            row.append(f"{run['gain']:+.4f} [{low:+.4f}, {high:+.4f}]")
        rows.append(row)
    header = [
        "nDCG@10 on queries that were not rated",
        "queries",
        "best fixed weight",
        "learned",
        "coin tosses",
    ]
    return table(header, rows)


def semantic_cache(result: Mapping[str, Any]) -> str:
    facts, took = result["facts"], result["machine"]["milliseconds"]
    part = facts["at_default"]["test"]

    def share(kind: str) -> str:
        cell = part[kind]
        low, high = cell["ci95"]
        return f"{cell['count']} of {cell['n']} ({cell['rate']:.0%} [{low:.0%}, {high:.0%}])"

    rows = [
        ["paraphrases that are answered", share("signature_hit"), share("cosine_only_hit")],
        ["traps that are answered falsely", share("signature_false_hit"), share("cosine_only_false_hit")],
    ]
    header = [f"at cosine {facts['at_default']['test']['threshold']}", "cosine and signature", "cosine alone"]
    return (
        f"{table(header, rows)}\n\n"
        f"A hit takes {took['exact']['median']:.3f} ms for a wording seen before, "
        f"{took['semantic_vector_given']['median']:.2f} ms for another with its vector given and "
        f"{took['semantic_with_embedding']['median']:.1f} ms with the embedding, among "
        f"{took['entries']:,} kept results (medians)."
    )


def embedding(result: Mapping[str, Any]) -> str:
    m = result["machine"]
    rows = []
    for label, part, other in (
        ("chapters to vectors", "documents", "sentence_transformers"),
        ("a question, against its default", "questions", "sentence_transformers"),
        ("a question, both on one thread", "questions", "sentence_transformers_one_thread"),
        ("start of a process to a question's vector", "cold_start", "sentence_transformers"),
    ):
        ours, theirs = m[part]["fabula"]["wall"], m[part][other]["wall"]
        rows.append(
            [label, _seconds(ours["median_s"]), _seconds(theirs["median_s"]), f"{theirs['median_ratio']:.1f}"]
        )
    return table(
        [f"{m['precision']} chapters, fp32 questions", "fabula", "sentence-transformers", "ratio"], rows
    )


def speed(result: Mapping[str, Any]) -> str:
    measured = result["machine"]["sizes"]
    sizes = list(measured)
    middle = "50k" if "50k" in measured else sizes[-1]
    base = measured[middle]["systems"]["fabula"]["modes"]["hybrid"]
    rows = []
    for name, mode, label in _rows_of(measured[middle]["systems"]):
        system = measured[middle]["systems"][name]
        row = [label]
        for size in sizes:
            there = measured[size]["systems"].get(name, {}).get("modes", {}).get(mode)
            row.append(f"{there['p50_ms']:.2f}" if there else "–")
        times = system["modes"][mode]
        row += [f"{times['p95_ms']:.2f}", f"{ratios(times, base)['median']:.1f}"]
        if mode != "hybrid":
            rows.append([*row, "", "", "", ""])
            continue
        row += [
            f"{system['recall']['dense']:.3f}" if "dense" in system["recall"] else "–",
            f"{system['build']['build_cpu_s']:.1f}",
            f"{system['build']['disk_mb']:.0f}",
            f"{system['memory']['rss_mb']:.0f}",
        ]
        rows.append(row)
    header = ["ten hybrid hits, vectors given", *(f"{size}: p50, ms" for size in sizes)]
    header += [
        f"{middle}: p95, ms",
        "× fabula's p50",
        f"{middle}: dense recall@10",
        "build, CPU s",
        "disk, MB",
        "memory, MB",
    ]
    parts = []
    for size in sizes:
        own = measured[size]["systems"]["fabula"]["modes"]
        peers = measured[size]["systems"]
        line = f"{size}: dense {own['dense']['p50_ms']:.2f} ms"
        if "glued" in peers:
            line += f" (a flat FAISS scan {peers['glued']['modes']['dense']['p50_ms']:.2f})"
        line += f", lexical {own['lexical']['p50_ms']:.2f} ms"
        if "bm25s" in peers:
            line += f" (bm25s with Numba {peers['bm25s']['modes']['lexical']['p50_ms']:.2f})"
        parts.append(line)
    cold = measured[middle].get("cold", {})
    lexical = {name: times for name, times in cold.get("lexical", {}).items() if name in SYSTEMS}
    starts = [f"{name} {times['median_s']:.2f} s" for name, times in lexical.items()]
    started = f" From the start of a process to the first lexical answer at {middle}: {', '.join(starts)}."
    return (
        f"{table(header, rows)}\n\n"
        "fabula returns passages with text and shares; fused by hand, the same two indexes return ids and "
        f"text, glued (bm25s, FAISS and RRF in thirty lines) ids. {'; '.join(parts)}."
        f"{started if starts else ''}"
    )


def growth(result: Mapping[str, Any]) -> str:
    """How times grow with the number of chunks, and what the largest size costs."""
    return f"![A hybrid search by the number of chunks](../../growth.svg)\n\n{speed(result)}"


def _rows_of(systems: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """System, mode and what the row is called."""
    own = {
        "hybrid_convex": "fabula, BM25 and cosine alone",
        "hybrid": "**fabula, default fusion**",
        "hybrid_half": "the same at a horizon of half the book",
        "hybrid_graph": "the same, and what the passages lead to",
    }
    rows = [("fabula", mode, label) for mode, label in own.items() if mode in systems["fabula"]["modes"]]
    others = [name for name in systems if name in SYSTEMS and name != "fabula"]
    others = [name for name in others if "hybrid" in systems[name]["modes"]]
    return rows + [(name, "hybrid", _BESIDE.get(name, name.replace("_", " "))) for name in others]


_BESIDE = {"by_hand": "its two indexes, fused by hand"}


def ann(result: Mapping[str, Any]) -> str:
    """The project's own scan beside FAISS's indexes, one block a size."""
    rows = []
    for size, measured in result["machine"]["sizes"].items():
        for name, of in sorted(measured.items(), key=lambda one: "own" not in one[0]):
            rows.append(
                [
                    f"{size}, {name}",
                    f"{of['recall_all']:.3f}",
                    f"{of['recall_half']:.3f}",
                    f"{of['p50_ms_all']:.2f}",
                    f"{of['p95_ms_all']:.2f}",
                    f"{of['p50_ms_half']:.2f}",
                    f"{of['build_s']:.1f}",
                    f"{of['disk_mb']:.0f}",
                ]
            )
    heads = ["vectors", "recall@10", "of half", "p50 ms", "p95 ms", "half, p50", "build s", "disk MB"]
    return table(heads, rows)


def postgres(result: Mapping[str, Any]) -> str:
    """A server beside the embedded store."""
    facts, rows = result["facts"], []
    for name, row in result["machine"]["rows"].items():
        recall = [f"{row[key]:.3f}" if key in row else "" for key in ("recall_whole", "recall_middle")]
        times = [f"{row[key]:.2f}" for key in ("ingest_s", "hybrid_p50_ms", "hybrid_p95_ms")]
        rows.append([name, *times, *recall])
    head = [f"{facts['chunks']:,} passages", "published, s", "hybrid, p50 ms", "p95 ms"]
    return table([*head, f"recall@{facts['k']}", "of half"], rows)


def _seconds(value: float) -> str:
    return f"{value:.2f} s" if value >= 0.1 else f"{1000 * value:.1f} ms"


def pyterrier(result: Mapping[str, Any]) -> str:
    facts, rows = result["facts"], []
    for name, of in facts["tables"]["graded"].items():
        against = of["nDCG@10"][1:]
        beside = [f"{against[0]:.0f}", f"{against[1]:.0f}", f"{against[2]:.1g}"] if against else ["", "", ""]
        rows.append([name, *(f"{of[m][0]:.3f}" for m in ("nDCG@10", "R@10", "RR")), *beside])
    head = [f"{facts['queries']} questions", "nDCG@10", "R@10", "RR", "better", "worse", "p"]
    both = {peer: [0, 0] for peer in (True, False)}
    for name, counts in facts["compared"].items():
        own = both["rank-bm25" in name]
        own[:] = [had + more for had, more in zip(own, counts, strict=True)]
    return (
        f"{table(head, rows)}\n\nOf {both[False][0]:,} values of single questions, graded and binary, "
        f"{both[False][1]} differ from the project's own measures by more than 1e-9; of {both[True][0]:,} of "
        f"rank-bm25, {both[True][1]}."
    )


TABLES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "ann": ann,
    "embedding": embedding,
    "feedback": feedback,
    "postgres": postgres,
    "pyterrier": pyterrier,
    "retrieval": retrieval,
    "semantic_cache": semantic_cache,
    "speed": speed,
    "speed_growth": growth,
}
