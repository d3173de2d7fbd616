"""fabula: both indexes and the hybrid engine over them, opened from disk; passages with text and shares.

``hybrid_half`` is the same search at the horizon that half of the chunks stand before. Cold starts go
through a project, which is what a reader has.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from experiments.peers.given import Given, K
from fabula.core.text.tokenizing import Tokenizer
from fabula.core.types import Hit

MODES = ("hybrid", "hybrid_half", "hybrid_convex", "hybrid_graph", "lexical", "dense", "dense_half")


def warm() -> None:
    """Loads the packages: what they cost at a start is measured elsewhere."""
    import faiss

    from fabula.core.search import Search  # noqa: F401

    faiss.omp_set_num_threads(1)
    Tokenizer().terms("ready")


def build(given: Given, folder: Path) -> Given:
    """Writing the files is part of it, since some of what they hold is made then."""
    from fabula.core.lexical.bm25 import LexicalIndex
    from fabula.core.vectors.index import VectorIndex

    LexicalIndex.from_texts(given.texts).save(folder)
    VectorIndex(given.vectors).save(folder)
    return given


def save(given: Given, folder: Path) -> None:
    """All that peers have is on disk already. What is made here are the names that passages share, for the
    search that follows them."""
    from fabula.story.graph_rag.passage_graph import PassageGraph

    PassageGraph.from_passages(("", text) for text in given.texts).save(folder)


class _Embedder:
    """Hands out the vectors that are given."""

    version, dimension = "given", 384

    def __init__(self, known: dict[str, Any], *, name: str = "given") -> None:
        self.name = name
        self._known = known

    def load(self) -> None: ...

    def embed_documents(self, texts: Any) -> Any:
        return np.stack([self._known[text] for text in texts])

    def embed_query(self, text: str) -> Any:
        return self._known[text]

    def embed_units(self, units: Any) -> Any:
        return map(self.embed_documents, units)

    def plan(self, units: Any) -> None:
        """Asks nobody."""

    def close(self) -> None: ...


def _hits(found: tuple[Any, Any]) -> list[Any]:
    return list(map(Hit, *(each.tolist() for each in found)))


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:
        from fabula.core.chunks.table import ChunkTable
        from fabula.core.fusion.presets import PRESETS
        from fabula.core.lexical.bm25 import LexicalIndex
        from fabula.core.search import Search
        from fabula.core.types import Horizon
        from fabula.core.vectors.index import VectorIndex
        from fabula.story.graph_rag.passage_graph import PassageGraph

        facts = json.loads((data / "facts.json").read_text(encoding="utf-8"))
        self._limit = facts["half"]["chunks"]
        self._half, self._whole = Horizon(facts["half"]["chapter"]), Horizon()
        self._known: dict[str, Any] = {}
        self._lexical = LexicalIndex.load(folder)
        self._dense = VectorIndex.load(folder)
        chunks = ChunkTable(read_document(data), np.asarray(np.load(data / "rows.npy", mmap_mode="r")))
        parts = chunks, self._lexical, self._dense, _Embedder(self._known)
        self._engine = Search(*parts)
        self._convex = Search(*parts, preset=PRESETS["convex"])
        self._graph = Search(*parts, hopper=lambda: PassageGraph.load(folder))

    def prepare(self, text: str, vector: Any) -> tuple[str, Any]:
        self._known[text] = vector
        return text, vector

    def search(self, mode: str) -> Callable[[tuple[str, Any]], Any]:
        engine, limit = self._engine, self._limit
        half, whole = self._half, self._whole
        return {
            "hybrid": lambda query: engine.search(query[0], K, horizon=whole),
            "hybrid_half": lambda query: engine.search(query[0], K, horizon=half),
            "hybrid_convex": lambda query: self._convex.search(query[0], K, horizon=whole),
            "hybrid_graph": lambda query: self._graph.search(query[0], K, horizon=whole),
            "lexical": lambda query: _hits(self._lexical.leaders(Counter(Tokenizer().terms(query[0])), K)),
            "dense": lambda query: _hits(self._dense.nearest(query[1], K)),
            "dense_half": lambda query: _hits(self._dense.nearest(query[1], K, limit=limit)),
        }[mode]

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:
        if mode.startswith("hybrid"):
            for passage in answer:  # what is measured is worth nothing where this does not hold
                if not passage.chunk.text or abs(sum(s.share for s in passage.shares) - passage.score) > 1e-6:
                    raise ValueError(f"a passage without text or with shares that do not add up: {passage}")
            return [(passage.chunk.ordinal, passage.score) for passage in answer]
        return [(hit.ordinal, hit.score) for hit in answer]


def read_document(data: Path) -> Any:
    """The document that the chunks are cut from."""
    from fabula.core.types import Chapter, Document, Span

    told = json.loads((data / "document.json").read_text(encoding="utf-8"))
    chapters = tuple(
        Chapter(number, f"Chapter {number}", Span(a, b), Span(c, d))
        for number, (a, b, c, d) in enumerate(told["chapters"], start=1)
    )
    text = (data / "document.txt").read_bytes().decode()
    return Document(told["id"], told["title"], text, chapters)


def make_project(folder: Path, data: Path) -> None:
    """A saved project of the same chunks and vectors in ``folder``; its story graph is empty."""
    from experiments.speed.data import CHUNK_OVERLAP, CHUNK_SIZE
    from fabula.config import load_config
    from fabula.core.store.sqlite import ProjectStore
    from fabula.project.indexing import Indexer
    from fabula.story.model.chapter_reading import NOTHING_BEFORE, ChapterReading, ToldBefore

    class Reader:
        version = "empty"

        def load(self) -> None: ...

        def read(self, text: str, before: ToldBefore = NOTHING_BEFORE) -> ChapterReading:  # noqa: ARG002
            return ChapterReading()

    given = Given.read(data)
    embedder = _Embedder(dict(zip(given.texts, given.vectors, strict=True)), name="all-MiniLM-L6-v2")
    config = load_config(assignments=[f"chunking.size={CHUNK_SIZE}", f"chunking.overlap={CHUNK_OVERLAP}"])
    with ProjectStore.create(folder / "project") as store:
        indexer = Indexer(store, config, embedder=embedder, reader=Reader())  # type: ignore[arg-type]
        indexer.run(read_document(data))


def cold_lexical(folder: Path, query: str, data: Path) -> str:  # noqa: ARG001
    return _first(folder, query, "lexical")


def cold_semantic(folder: Path, query: str, data: Path) -> str:  # noqa: ARG001
    return _first(folder, query, "semantic")


def _first(folder: Path, query: str, mode: Any) -> str:
    from fabula.engine import Project

    with Project.open(folder / "project") as project:
        return str(project.search(query, K, mode=mode).passages[0].chunk.text)
