"""The vectors of a book's chunks, chapter by chapter, kept as they are made."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...config import Config
from ...core.embeddings import EmbeddingManager
from ...core.interfaces import DocumentEmbedder, Vectors
from ...core.runtime.memory_monitor import UNGUARDED, WorkGuard
from ...core.store.chapter_work import KeptWork
from ...core.types import Chunk
from ...errors import ProjectError

__all__ = ["embed_chapters", "vectors_key"]

_CHUNKER = "chunks-2"


def embed_chapters(
    chunks: Sequence[Chunk],
    kept: KeptWork,
    embedder: DocumentEmbedder,
    *,
    guard: WorkGuard = UNGUARDED,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Vectors:
    """Vectors of all chunks, shape (len(chunks), dimension); embeds the chapters that are missing, each
    by itself, and keeps them as they are made. ``guard`` may refuse a chapter."""
    by_chapter: dict[int, list[str]] = {}
    for chunk in chunks:
        by_chapter.setdefault(chunk.chapter, []).append(chunk.text)
    missing = [c for c in kept.missing() if c.number in by_chapter]

    def admitted() -> Iterator[list[str]]:
        for chapter in missing:
            guard.admit()
            yield by_chapter[chapter.number]

    def embedded() -> Iterator[Vectors]:
        if not missing:  # no model is loaded for nothing
            return iter(())
        if isinstance(embedder, EmbeddingManager):
            return embedder.embed_units(admitted(), halvings=guard.halvings)
        return embedder.embed_units(admitted())

    for done, (chapter, vectors) in enumerate(zip(missing, embedded(), strict=True)):
        progress("embed", done, len(missing))
        buffer = io.BytesIO()
        np.save(buffer, vectors, allow_pickle=False)
        kept.put(chapter, buffer.getvalue())
    progress("embed", len(missing), len(missing))
    rows = [np.load(io.BytesIO(kept[number]), allow_pickle=False) for number in sorted(by_chapter)]
    widths = sorted({row.shape[1] for row in rows})
    if len(widths) > 1:
        raise ProjectError(
            f"{embedder.name} gave vectors of {widths[0]} numbers to some chapters and of {widths[-1]} to "
            "others: another model goes by that name now; index the book with --rebuild"
        )
    return np.concatenate(rows) if rows else np.zeros((0, embedder.dimension), np.float32)


def vectors_key(embedder: DocumentEmbedder, config: Config) -> str:
    """Under which producer vectors are kept: everything that changes them but the text."""
    size = config.chunking
    return f"vectors:{embedder.version}:{_CHUNKER}:{size.size}:{size.overlap}:{size.unit}"
