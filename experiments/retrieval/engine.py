"""The search as it is used, run over the evaluation sets: with and without what the graph adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from fabula.core.fusion.presets import PRESETS, FusionPreset
from fabula.core.interfaces import Hopper
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.search import Search
from fabula.core.types import Chunk, Span
from fabula.core.vectors.index import VectorIndex
from fabula.story.graph_rag.passage_graph import PassageGraph

from .data import Collection
from .measures import measure

__all__ = ["VARIANTS", "engine_rows", "subsets"]

Floats = NDArray[np.float64]

VARIANTS: Mapping[str, tuple[str, str]] = {
    "convex": ("convex", "none"),
    "convex + graph": ("convex", "graph"),
    "default without graph": ("evidence", "none"),
    "default, order of telling only": ("evidence", "neighbours"),
    "default": ("evidence", "graph"),
}
"""Name, then the preset and which hops are followed."""


class _GivenVectors:
    """Vectors that are known already, by their text."""

    name = "given"

    def __init__(self, vectors: Mapping[str, NDArray[np.float32]], dimension: int) -> None:
        self._vectors = vectors
        self.dimension = dimension

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vectors[text] for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vectors[text]


def engine_rows(
    name: str, collection: Collection, queries: Sequence[int], *, within: bool
) -> dict[str, Floats]:
    """Variant to an array (queries, measures), for these queries of the collection, in their order."""
    asked = {collection.queries[i]["text"]: collection.query_vectors[i] for i in queries}
    embedder = _GivenVectors(asked, collection.vectors.shape[1])
    members: dict[str, list[int]] = {}
    for i, document in enumerate(collection.documents):
        members.setdefault(document if within else "", []).append(i)
    number = {passage: i for i, passage in enumerate(collection.ids)}
    engines: dict[tuple[str, str], Search] = {}
    rows: dict[str, list[tuple[float, ...]]] = {variant: [] for variant in VARIANTS}
    for i in tqdm(queries, desc=f"{name}, as used"):
        query = collection.queries[i]
        own = query["doc"] if within else ""
        place = {passage: at for at, passage in enumerate(members[own])}
        gold = {number[p] for p in collection.relevant.get(query["_id"], ())} & place.keys()
        relevant = frozenset(place[p] for p in gold)
        for variant, (preset, hops) in VARIANTS.items():
            if (own, variant) not in engines:
                shared = next((e for (o, _), e in engines.items() if o == own), None)
                engines[own, variant] = _engine_of(
                    collection, members[own], embedder, PRESETS[preset], hops, shared=shared
                )
            found = engines[own, variant].search(query["text"], 10)
            rows[variant].append(measure([p.chunk.ordinal for p in found], relevant))
    return {variant: np.array(values) for variant, values in rows.items()}


def _engine_of(
    collection: Collection,
    members: Sequence[int],
    embedder: _GivenVectors,
    preset: FusionPreset,
    hops: str,
    *,
    shared: Any,
) -> Search:
    texts = [collection.texts[i] for i in members]
    if shared is None:
        chunks = [
            Chunk(collection.ids[i], collection.documents[i], 1, at, Span(0, len(text)), text)
            for at, (i, text) in enumerate(zip(members, texts, strict=True))
        ]
        lexical: Any = LexicalIndex.from_texts(texts)
        vectors = VectorIndex(np.ascontiguousarray(collection.vectors[np.asarray(members)]))
    else:
        chunks, lexical, vectors = shared.chunks, shared.lexical, shared.vectors
    hopper: Hopper | None = None
    if hops == "neighbours":
        hopper = PassageGraph.from_passages(("", "") for _ in members)  # no names
    elif hops == "graph":
        titles = collection.titles
        hopper = PassageGraph.from_passages(
            (titles[i], collection.texts[i].removeprefix(f"{titles[i]}. ")) for i in members
        )
    made = None if hopper is None else (lambda: hopper)
    return Search(chunks, lexical, vectors, embedder, preset=preset, hopper=made)


def subsets(name: str, collection: Collection, queries: Sequence[int]) -> dict[str, NDArray[np.bool_]]:
    """Which queries of a set ask across sections, where the set says."""
    if not name.startswith("fairytaleqa"):
        return {}
    across = np.array([collection.queries[i]["scope"] != "local" for i in queries])
    return {f"{name}, across sections": across, f"{name}, one section": ~across}
