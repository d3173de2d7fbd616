"""The chunks that a project's settings ask for."""

from __future__ import annotations

from ...config import Config
from ...core.chunks.chunking import chunk_document
from ...core.embeddings import EmbeddingManager
from ...core.types import Chunk, Document

__all__ = ["chunks_of", "vectors_key"]

_CHUNKER = "chunks-1"


def chunks_of(document: Document, config: Config) -> list[Chunk]:
    """All chunks of a document in order of telling."""
    size = config.chunking
    return chunk_document(document, size=size.size, overlap=size.overlap)


def vectors_key(embedder: EmbeddingManager, config: Config) -> str:
    """Under which producer vectors are kept: everything that changes them but the text."""
    size = config.chunking
    return f"vectors:{embedder.version}:{_CHUNKER}:{size.size}:{size.overlap}"
