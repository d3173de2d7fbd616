"""Projects for the feedback experiment: queries with the candidates of both lists and their relevance.

Scored as by the default preset, without hops: BM25, coverage and nearness share the lexical weight.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabula.core.embeddings import EmbeddingManager
from fabula.core.interfaces import Vectors
from fabula.core.kernels.top_k import best
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.queries.router import QueryClass, QueryStatistics, route
from fabula.core.queries.weight_learning import Placement

__all__ = ["CUT", "GRID", "Query", "projects"]

DEPTH = 30  # of each list: three times the ten that are scored
CUT = 10
GRID = np.linspace(0, 1, 101)  # semantic weights at which every query is searched and scored
_DISCOUNT = 1 / np.log2(np.arange(2, CUT + 2))

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """``shown[g]``: numbers of the ten best candidates at ``GRID[g]``; ``ndcg[g]``: nDCG@10 there."""

    id: str
    document: str
    query_class: QueryClass
    places: tuple[Placement, ...]
    relevant: NDArray[np.bool_]
    shown: NDArray[np.intp]
    ndcg: Floats


Row = dict[str, Any]


def projects(data: Path, cache: Path) -> dict[str, list[Query]]:
    """Every set as one project: FairytaleQA within the tale and as one library, the novels of GraphRAG-Bench
    (each question within its novel), HotpotQA and MuSiQue."""
    fairy = _Set(data / "retrieval" / "fairytaleqa", cache)
    return {
        "fairytaleqa, within the tale": fairy.queries(within=True),
        "fairytaleqa, one library": fairy.queries(within=False, keep=lambda q: bool(q["open_ok"])),
        "graphrag-bench novels": _Set(data / "retrieval" / "graphragbench_silver", cache).queries(
            within=True
        ),
        "hotpotqa": _Set(data / "retrieval" / "hotpot100", cache, titled=True).queries(within=False),
        "musique": _Set(data / "retrieval" / "musique100", cache, titled=True).queries(within=False),
    }


class _Set:
    """A folder in BEIR's layout with its vectors."""

    def __init__(self, folder: Path, cache: Path, *, titled: bool = False) -> None:
        self.corpus = _jsonl(folder / "corpus.jsonl")
        self.asked = _jsonl(folder / "queries.jsonl")
        self.qrels: dict[str, dict[str, float]] = {}
        for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            query, passage, grade = line.split("\t")
            self.qrels.setdefault(query, {})[passage] = float(grade)
        self.texts = [f"{c['title']}. {c['text']}" if titled else c["text"] for c in self.corpus]
        self.vectors = _embedded(self.texts, cache, queries=False)
        self.asked_vectors = _embedded([q["text"] for q in self.asked], cache, queries=True)

    def queries(self, *, within: bool, keep: Callable[[Row], bool] = lambda _: True) -> list[Query]:
        groups: dict[str, list[int]] = {}
        for row, passage in enumerate(self.corpus):
            groups.setdefault(str(passage["doc"]) if within else "", []).append(row)
        indexes = {
            name: LexicalIndex.from_texts([self.texts[r] for r in rows]) for name, rows in groups.items()
        }
        found = []
        for i, query in enumerate(self.asked):
            if keep(query):
                group = str(query["doc"]) if within else ""
                found.append(self._query(i, indexes[group], groups[group]))
        return found

    def _query(self, i: int, index: LexicalIndex, rows: Sequence[int]) -> Query:
        query = self.asked[i]
        ceiling = index.ceiling_of(index.statistics(query["text"])) or 1.0
        lexical = index.scores(query["text"]) / ceiling
        semantic = (self.vectors[rows] @ self.asked_vectors[i]).astype(np.float64)
        first, second = best(lexical, DEPTH), np.argsort(-semantic, kind="stable")[:DEPTH]
        candidates = sorted({*first.tolist(), *second.tolist()})
        coverage, nearness = index.evidence(index.statistics(query["text"]), np.array(candidates))
        side = dict(zip(candidates, (lexical[candidates] + coverage + nearness) / 3, strict=True))
        ids = [str(self.corpus[rows[c]]["_id"]) for c in candidates]
        grades = self.qrels[query["_id"]]
        relevant = np.array([grades.get(name, 0) > 0 for name in ids])
        ranks = [{c: r for r, c in enumerate(part.tolist(), start=1)} for part in (first, second)]
        places = tuple(
            Placement(name, ranks[0].get(c), float(side[c]), ranks[1].get(c), float(semantic[c]))
            for name, c in zip(ids, candidates, strict=True)
        )
        fused = np.outer(1 - GRID, list(side.values())) + np.outer(GRID, semantic[candidates])
        shown = np.argsort(-fused, axis=1, kind="stable")[:, :CUT]
        ideal = _DISCOUNT[: sum(grade > 0 for grade in grades.values())].sum()
        ndcg = (relevant[shown] * _DISCOUNT[: shown.shape[1]]).sum(axis=1) / ideal
        statistics = QueryStatistics(index.statistics(query["text"]), len(rows))
        chosen = route(query["text"], statistics=statistics).query_class
        return Query(query["_id"], str(query.get("doc", query["_id"])), chosen, places, relevant, shown, ndcg)


def _jsonl(file: Path) -> list[Row]:
    if not file.is_file():
        raise SystemExit(f"there is no {file}: name the folder of the evaluation data with --data")
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _embedded(texts: Sequence[str], cache: Path, *, queries: bool) -> Vectors:
    """MiniLM vectors from the cache folder, or made and put there."""
    manager = EmbeddingManager()
    h = hashlib.sha256(f"{manager.name} {queries}".encode())
    for text in texts:
        h.update(f"{len(text)}:{text}".encode())
    file = cache / f"vectors-{h.hexdigest()[:16]}.npy"
    if not file.is_file():
        if queries:
            vectors = np.stack([manager.embed_query(text) for text in texts])
        else:
            vectors = manager.embed_documents(texts)
        cache.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".partial.npy")
        np.save(draft, vectors, allow_pickle=False)
        draft.replace(file)
    loaded: Vectors = np.load(file, allow_pickle=False)
    return loaded
