"""The chunks that a project's settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...config import Config
from ...core.chunks.chunking import chunk_document
from ...core.types import Chunk, Document

if TYPE_CHECKING:
    from ...core.interfaces import DocumentEmbedder

__all__ = ["chunks_of"]


def chunks_of(document: Document, config: Config, embedder: DocumentEmbedder) -> list[Chunk]:
    """All chunks of a document in order of telling. Raises ModelError's where tokens are counted and the
    model cannot be had."""
    asked = config.chunking
    offsets = embedder.token_starts if asked.unit == "tokens" else None
    return chunk_document(document, size=asked.size, overlap=asked.overlap, offsets=offsets)
