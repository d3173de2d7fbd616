"""The seams: what a part must offer to be put in place of another. No behaviour here.

Each protocol has one contract suite under ``tests/contracts`` that every implementation runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .types import Generation, Hit, Horizon, Passage, Prompt

__all__ = ["Embedder", "Generator", "Retriever", "VectorSearcher"]

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts to unit vectors. Documents and queries go separate ways: some models want prefixes."""

    @property
    def name(self) -> str:
        """Model and everything else that changes the vectors, as one stable string."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, rows of length 1."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """Shape (dimension,), float32, length 1."""
        ...


class VectorSearcher(Protocol):
    """Nearest chunks by inner product among the first ``limit`` ones."""

    def search(self, vector: Vectors, k: int, *, limit: int) -> list[Hit]: ...


class Retriever(Protocol):
    """Passages for a query, best first, none told after the horizon."""

    def search(self, query: str, k: int, *, horizon: Horizon) -> list[Passage]: ...


class Generator(Protocol):
    """A language model. Errors are ModelError's; a failing call never returns an empty Generation."""

    @property
    def name(self) -> str:
        """Model and version, as one stable string."""
        ...

    @property
    def concurrency(self) -> int:
        """How many calls may run at once without changing any of their outputs; 1 means none beside."""
        ...

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and completion together that the model can hold."""
        ...

    def count_tokens(self, text: str) -> int: ...

    def generate(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = 0,
        on_text: Callable[[str], None] | None = None,
    ) -> Generation:
        """Calls ``on_text`` with each piece as it comes; the Generation holds the whole text.

        Same prompt, settings and seed give the same text on the same machine, where the model can.
        """
        ...

    def close(self) -> None: ...
