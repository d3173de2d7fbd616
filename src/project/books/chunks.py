"""The chunks that a project's settings ask for."""

from __future__ import annotations

from ...config import Config
from ...core.chunks.chunking import chunk_document
from ...core.types import Chunk, Document

__all__ = ["chunks_of"]


def chunks_of(document: Document, config: Config) -> list[Chunk]:
    """All chunks of a document in order of telling."""
    size = config.chunking
    return chunk_document(document, size=size.size, overlap=size.overlap)
