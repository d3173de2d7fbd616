"""Is a FAISS index better than the search of vectors that is used here?

    python experiments/run.py ann --data DIR [--sizes 50k,200k] [--name ann]

The same vectors (made as for the speed experiment, see :mod:`.data`) in the project's own exact scan, in
FAISS's flat index, and in its HNSW, IVF-Flat and IVF-PQ indexes, each built, written to disk, opened again
mapped to memory where FAISS can, and searched with 200 queries for the ten nearest: of all vectors, and of
the first half alone, as a horizon asks (by ``IDSelectorRange``). Recall is of the exact ten. One thread;
times are only worth something beside each other."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from experiments.common.folders import default_cache
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.core.vectors.index import VectorIndex

from .data import SEED, _queries, _vectors, library

Vectors = NDArray[np.float32]
Search = Callable[[Vectors, int], NDArray[np.int64]]
K, QUERIES, WARM = 10, 200, 20
_SIZES = {"50k": 50_000, "200k": 200_000, "1M": 1_000_000}


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    faiss.omp_set_num_threads(1)
    source = library(options.data, default_cache("speed"))
    sizes: dict[str, Any] = {}
    seconds: dict[str, Any] = {}
    for size in options.sizes.split(","):
        count = _SIZES[size]
        vectors = _vectors(source.anchors, count, len(source.texts))
        texts = [source.texts[at % len(source.texts)] for at in range(count)]
        _, asked = _queries(texts, vectors, QUERIES, source.anchors, default_cache("speed"))
        exact = {limit: _exact(vectors[:limit], asked) for limit in (count, count // 2)}
        sizes[size], seconds[size] = {"vectors": count}, {}
        for name, kind in KINDS.items():
            recall, measured = _measured(kind, vectors, asked, exact)
            sizes[size][name], seconds[size][name] = recall, measured
            print(size, name, recall, measured, flush=True)
    facts = {
        "question": "Is a FAISS index better than the search of vectors that is used here?",
        "seed": SEED,
        "queries": QUERIES,
        "sizes": sizes,
    }
    write_result(options.name, facts=facts, measured=machine(sizes=seconds))


def _exact(vectors: Vectors, asked: Vectors) -> NDArray[np.int64]:
    found: NDArray[np.int64] = faiss.knn(asked, vectors, K, metric=faiss.METRIC_INNER_PRODUCT)[1]
    return found


def _measured(
    kind: Callable[[Vectors, Path], tuple[Search, dict[str, float]]],
    vectors: Vectors,
    asked: Vectors,
    exact: dict[int, NDArray[np.int64]],
) -> tuple[dict[str, float], dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        search, measured = kind(vectors, Path(folder))
        measured["disk_mb"] = round(sum(f.stat().st_size for f in Path(folder).iterdir()) / 1e6, 1)
        recall = {}
        for name, limit in (("all", len(vectors)), ("half", len(vectors) // 2)):
            found, times = [], []
            for row in asked:
                started = time.perf_counter()
                found.append(search(row, limit))
                times.append(1000 * (time.perf_counter() - started))
            hits = [len(set(a.tolist()) & set(b.tolist())) for a, b in zip(found, exact[limit], strict=True)]
            recall[f"recall_{name}"] = round(sum(hits) / (K * len(asked)), 4)
            late = sorted(times[WARM:])
            measured[f"p50_ms_{name}"] = round(late[len(late) // 2], 3)
            measured[f"p95_ms_{name}"] = round(late[int(0.95 * len(late))], 3)
    return recall, measured


def _own(vectors: Vectors, folder: Path) -> tuple[Search, dict[str, float]]:
    started = time.perf_counter()
    VectorIndex(vectors).save(folder)
    built = time.perf_counter() - started
    index = VectorIndex.load(folder)
    return lambda row, limit: index.nearest(row, K, limit=limit)[0], {"build_s": round(built, 2)}


def _faiss(
    make: Callable[[int, int], Any], **how: Any
) -> Callable[[Vectors, Path], tuple[Search, dict[str, float]]]:
    def kind(vectors: Vectors, folder: Path) -> tuple[Search, dict[str, float]]:
        started = time.perf_counter()
        index = make(len(vectors), vectors.shape[1])
        if not index.is_trained:
            rng = np.random.default_rng(SEED)
            some = rng.choice(len(vectors), min(len(vectors), 100_000), replace=False)
            index.train(vectors[some])
        index.add(vectors)
        faiss.write_index(index, str(folder / "index"))
        built = time.perf_counter() - started
        del index
        opened = faiss.read_index(str(folder / "index"), faiss.IO_FLAG_MMAP)

        def search(row: Vectors, limit: int) -> NDArray[np.int64]:
            given = dict(how)
            if limit < len(vectors):
                given["sel"] = faiss.IDSelectorRange(0, limit)
            found: NDArray[np.int64] = opened.search(row[None], K, params=_PARAMETERS[type(opened)](**given))[
                1
            ][0]
            return found

        return search, {"build_s": round(built, 2)}

    return kind


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


KINDS = {
    "own exact scan": _own,
    "FAISS flat": _faiss(lambda _, dimension: faiss.IndexFlatIP(dimension)),
    "FAISS HNSW, ef 64": _faiss(_hnsw, efSearch=64),
    "FAISS HNSW, ef 256": _faiss(_hnsw, efSearch=256),
    "FAISS IVF, 16 lists": _faiss(_ivf, nprobe=16),
    "FAISS IVF, 64 lists": _faiss(_ivf, nprobe=64),
    "FAISS IVF-PQ, 64 lists": _faiss(_pq, nprobe=64),
}


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--sizes", default="50k,200k")
    options.add_argument("--name", default="ann", help="of the result file")
    return options
