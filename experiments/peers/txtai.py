"""txtai: ``hybrid=True`` with vectors from outside, ids and no content, which is its fastest way. Its own
settings (an IVF index past 5,000 texts, its BM25, lists 100 deep), but four times its default number of
probes, which finds .83 of the nearest ten at 50,000."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.peers.given import Given, K

MODES = ("hybrid", "lexical", "dense")


def warm() -> None:
    import faiss
    import torch
    from txtai import Embeddings  # noqa: F401

    faiss.omp_set_num_threads(1)
    torch.set_num_threads(1)


def _embeddings(known: dict[str, Any], *, probes: int = 0) -> Any:
    import numpy as np
    from txtai import Embeddings

    def transform(texts: list[str]) -> Any:
        return np.array([known[text] for text in texts], dtype=np.float32)

    faiss = {"nprobe": probes} if probes else {}
    return Embeddings(method="external", transform=transform, hybrid=True, content=False, faiss=faiss)


def build(given: Given, folder: Path) -> Any:  # noqa: ARG001
    known = dict(zip(given.texts, given.vectors, strict=True))
    embeddings = _embeddings(known, probes=round(len(given.texts) ** 0.5))
    embeddings.index((i, text, None) for i, text in enumerate(given.texts))
    return embeddings


def save(built: Any, folder: Path) -> None:
    built.config["transform"] = None  # a function cannot be saved; Opened sets its own
    built.save(str(folder / "txtai"))


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:  # noqa: ARG002
        self._known: dict[str, Any] = {}
        self._all = _embeddings(self._known)
        transform = self._all.config["transform"]
        self._all.load(str(folder / "txtai"), config={"transform": transform})
        self._all.config["transform"] = transform
        self._all.model.transform = transform

    def prepare(self, text: str, vector: Any) -> str:
        self._known[text] = vector
        return text

    def search(self, mode: str) -> Callable[[str], Any]:
        if mode == "lexical":
            return lambda query: self._all.scoring.search(query, K)
        if mode == "dense":
            return lambda query: self._all.ann.search(self._all.batchtransform([(None, query, None)]), K)[0]
        return lambda query: self._all.search(query, K)

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:  # noqa: ARG002
        return [(int(i), float(score)) for i, score in answer]
