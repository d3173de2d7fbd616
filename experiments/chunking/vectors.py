"""Vectors of texts, kept in files between runs: embedding is the cost of the chunking experiment."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from fabula.core.embeddings import DEFAULT_MODEL, EmbeddingManager
from fabula.core.interfaces import Vectors

from .corpus import Query

__all__ = ["KeptVectors"]


class KeptVectors:
    """Embeds through EmbeddingManager, one tale a call, and keeps each result in a file of the cache."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @cached_property
    def embedder(self) -> EmbeddingManager:
        return EmbeddingManager()

    def documents(self, texts: Sequence[str]) -> Vectors:
        return self._kept("documents", texts)

    def queries(self, queries: Sequence[Query]) -> dict[str, Vectors]:
        """By text; one tale's are kept together, whatever else is asked for."""
        by_tale: dict[str, list[str]] = defaultdict(list)
        for query in queries:
            by_tale[query.tale].append(query.text)
        parts = (zip(own, self._kept("queries", own), strict=True) for own in by_tale.values())
        return {text: vector for part in parts for text, vector in part}

    def _kept(self, kind: str, texts: Sequence[str]) -> Vectors:
        precision = self.embedder.resolved_precision
        seed = "\0".join([kind, DEFAULT_MODEL, precision, *texts]).encode()
        path = self._folder / f"{hashlib.sha256(seed).hexdigest()[:32]}.npy"
        if not path.exists():
            embed = self.embedder.embed_documents
            found = embed(texts) if kind == "documents" else np.stack(list(map(self._query, texts)))
            draft = path.with_suffix(f".{os.getpid()}.npy")
            np.save(draft, found, allow_pickle=False)
            draft.replace(path)
        vectors: Vectors = np.load(path, allow_pickle=False)
        return vectors

    def _query(self, text: str) -> Vectors:
        return self.embedder.embed_query(text)
