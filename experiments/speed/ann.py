"""Is a FAISS index better than the search of vectors that is used here?

    python experiments/run.py ann --data DIR [--sizes 50k,200k,1M] [--only PART]

The same vectors (made as for the speed experiment, see :mod:`.data`) in the project's own exact scan, in
FAISS's flat index, and in its HNSW, IVF-Flat and IVF-PQ indexes, each built, written to disk, opened again
mapped to memory where FAISS can, and searched with 200 queries for the ten nearest: of all vectors, and of
the first half alone, as a horizon asks (by ``IDSelectorRange``). Recall is of the exact ten. Built on
two threads, so HNSW does not come out twice the same, searched on one; times are only worth something beside
each other."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from experiments.common.folders import RESULTS, default_cache
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.vectors.index import VectorIndex

from .data import SEED, _queries, _vectors, library

Vectors = NDArray[np.float32]
Search = Callable[[Vectors, int], NDArray[np.int64]]
Built = tuple[Callable[[Mapping[str, int]], Search], dict[str, float]]
K, QUERIES, WARM, BUILDERS = 10, 200, 20, 2
_SIZES = {"50k": 50_000, "200k": 200_000, "1M": 1_000_000}


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    faiss.omp_set_num_threads(1)
    source = library(options.data, default_cache("speed"))
    found: dict[str, Any] = _kept(options) if options.only else {}
    for size in options.sizes.split(","):
        count = _SIZES[size]
        vectors = _vectors(source.anchors, count, len(source.texts))
        texts = [source.texts[at % len(source.texts)] for at in range(count)]
        _, asked = _queries(texts, vectors, QUERIES, source.anchors, default_cache("speed"))
        exact = {limit: _exact(vectors[:limit], asked) for limit in (count, count // 2)}
        found.setdefault(size, {})
        for kind, ways in KINDS.items():
            if not any(options.only in name for name in ways):
                continue
            with tempfile.TemporaryDirectory() as folder:
                search_of, built = kind(vectors, Path(folder))
                for name, how in ways.items():
                    found[size][name] = {**_measured(search_of(how), vectors, asked, exact), **built}
                    print(size, name, found[size][name], flush=True)
    facts = {
        "question": "Is a FAISS index better than the search of vectors that is used here?",
        "seed": SEED,
        "queries": QUERIES,
        "sizes": {size: _SIZES[size] for size in found},
    }
    write_result(options.name, facts=facts, measured=machine(sizes=found))


def _kept(options: argparse.Namespace) -> dict[str, Any]:
    kept = json.loads((RESULTS / f"{options.name}.json").read_text(encoding="utf-8"))
    return dict(kept["machine"]["sizes"])


def _exact(vectors: Vectors, asked: Vectors) -> NDArray[np.int64]:
    found: NDArray[np.int64] = faiss.knn(asked, vectors, K, metric=faiss.METRIC_INNER_PRODUCT)[1]
    return found


def _measured(
    search: Search, vectors: Vectors, asked: Vectors, exact: dict[int, NDArray[np.int64]]
) -> dict[str, float]:
    measured = {}
    for name, limit in (("all", len(vectors)), ("half", len(vectors) // 2)):
        found, times = [], []
        for row in asked:
            started = time.perf_counter()
            found.append(search(row, limit))
            times.append(1000 * (time.perf_counter() - started))
        hits = [len(set(a.tolist()) & set(b.tolist())) for a, b in zip(found, exact[limit], strict=True)]
        measured[f"recall_{name}"] = round(sum(hits) / (K * len(asked)), 4)
        late = sorted(times[WARM:])
        measured[f"p50_ms_{name}"] = round(late[len(late) // 2], 3)
        measured[f"p95_ms_{name}"] = round(late[int(0.95 * len(late))], 3)
    return measured


def _own(vectors: Vectors, folder: Path) -> Built:
    started = time.perf_counter()
    VectorIndex(vectors).save(folder)
    built = time.perf_counter() - started
    index = VectorIndex.load(folder)
    return lambda _: lambda row, limit: index.nearest(row, K, limit=limit)[0], _cost(built, folder)


def _faiss(make: Callable[[int, int], Any]) -> Callable[[Vectors, Path], Built]:
    def kind(vectors: Vectors, folder: Path) -> Built:
        started = time.perf_counter()
        index = make(len(vectors), vectors.shape[1])
        faiss.omp_set_num_threads(BUILDERS)
        if not index.is_trained:
            rng = np.random.default_rng(SEED)
            some = rng.choice(len(vectors), min(len(vectors), 100_000), replace=False)
            index.train(vectors[some])
        index.add(vectors)
        faiss.omp_set_num_threads(1)
        faiss.write_index(index, str(folder / "index"))
        built = time.perf_counter() - started
        del index
        opened = faiss.read_index(str(folder / "index"), faiss.IO_FLAG_MMAP)
        parameters = _PARAMETERS[type(opened)]
        if isinstance(opened, faiss.IndexIVF):
            faiss.downcast_InvertedLists(opened.invlists).prefetch_nthread = 0  # else 32 threads a search

        def search_of(how: Mapping[str, int]) -> Search:
            def search(row: Vectors, limit: int) -> NDArray[np.int64]:
                given: dict[str, Any] = dict(how)
                if limit < len(vectors):
                    given["sel"] = faiss.IDSelectorRange(0, limit)
                found: NDArray[np.int64] = opened.search(row[None], K, params=parameters(**given))[1][0]
                return found

            return search

        return search_of, _cost(built, folder)

    return kind


def _cost(seconds: float, folder: Path) -> dict[str, float]:
    size = sum(file.stat().st_size for file in folder.iterdir())
    return {"build_s": round(seconds, 2), "disk_mb": round(size / 1e6, 1)}


_PARAMETERS = {
    faiss.IndexFlatIP: faiss.SearchParameters,
    faiss.IndexHNSWFlat: faiss.SearchParametersHNSW,
    faiss.IndexIVFFlat: faiss.SearchParametersIVF,
    faiss.IndexIVFPQ: faiss.SearchParametersIVF,
}
_IP = faiss.METRIC_INNER_PRODUCT


def _lists(count: int) -> int:
    return int(4 * count**0.5)


def _hnsw(count: int, dimension: int) -> Any:  # noqa: ARG001
    made = faiss.IndexHNSWFlat(dimension, 32, _IP)
    made.hnsw.efConstruction = 200
    return made


def _ivf(count: int, dimension: int) -> Any:
    return faiss.IndexIVFFlat(faiss.IndexFlatIP(dimension), dimension, _lists(count), _IP)


def _pq(count: int, dimension: int) -> Any:
    return faiss.IndexIVFPQ(faiss.IndexFlatIP(dimension), dimension, _lists(count), 48, 8, _IP)


KINDS: dict[Callable[[Vectors, Path], Built], dict[str, dict[str, int]]] = {
    _own: {"own exact scan": {}},
    _faiss(lambda _, dimension: faiss.IndexFlatIP(dimension)): {"FAISS flat": {}},
    _faiss(_hnsw): {f"FAISS HNSW, ef {ef}": {"efSearch": ef} for ef in (64, 256)},
    _faiss(_ivf): {f"FAISS IVF, {lists} lists": {"nprobe": lists} for lists in (16, 64, 512)},
    _faiss(_pq): {"FAISS IVF-PQ, 64 lists": {"nprobe": 64}},
}
"""Each is built once, and asked in every one of its ways."""


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--sizes", default="50k,200k,1M")
    options.add_argument("--only", default="", help="what is built, by a part of its name; the rest is kept")
    options.add_argument("--name", default="ann", help="of the result file")
    return options
