"""An index generation read from its folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...chunks.table import ChunkTable
from ...lexical.bm25 import BM25Settings, LexicalIndex
from ...types import Document
from ...vectors.index import VectorIndex
from .generations import Generations


@dataclass(frozen=True, slots=True)
class GenerationIndex:
    """An :class:`..seam.IndexReader` of the generation ``name``; files are opened by mmap."""

    generations: Generations
    name: str

    def files(self, *patterns: str) -> Path:
        """The generation's folder, once the files that match are known to be as they were written."""
        self.generations.verify(self.name, *patterns)
        return self.generations.root / self.name

    def chunks(self, document: Document) -> ChunkTable:
        return ChunkTable.load(self.files("chunks.npy"), document)

    def lexical(self, settings: BM25Settings) -> LexicalIndex:
        return self.whole_lexical(settings)

    def whole_lexical(self, settings: BM25Settings) -> LexicalIndex:
        """The same: files are whole."""
        return LexicalIndex.load(self.files("lexical-*.npy", "vocabulary.txt"), settings=settings)

    def vectors(self) -> VectorIndex:
        return VectorIndex.load(self.files("vectors.npy", "scan-*.npy"))

    def verify(self, *patterns: str) -> None:
        """Reads the files anew and compares their SHA-256."""
        self.generations.verify(self.name, *patterns, again=True)
