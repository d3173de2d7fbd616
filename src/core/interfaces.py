"""The seams: what a part must offer to be put in place of another. No behaviour here.

Each protocol has one contract suite under ``tests/contracts`` that every implementation runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, Required, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from .runtime.model_requests import ModelPlan
from .types import Generation, Hop, Horizon, Passage, Prompt

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts to unit vectors. Documents and queries go separate ways: some models want prefixes."""

    @property
    def name(self) -> str:
        """Model and everything else that changes the vectors, as one stable string."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, rows of length 1."""

    def embed_query(self, text: str) -> Vectors:
        """Shape (dimension,), float32, length 1."""


class DocumentEmbedder(Embedder, Protocol):
    """An embedder that an index is made with."""

    @property
    def version(self) -> str:
        """Everything here that changes the bits of document vectors, as one stable string."""

    def load(self) -> None:
        """Does now what the first document would wait for. Raises ModelError's."""

    def token_starts(self, text: str) -> Sequence[int]:
        """Where the model's tokens begin in a text, ascending; an endpoint estimates."""

    def plan(self, units: Sequence[Sequence[str]]) -> ModelPlan | None:
        """What embedding these units asks of a paid endpoint; None where nothing is."""

    def embed_units(self, units: Iterable[Sequence[str]]) -> Iterator[Vectors]:
        """The vectors of each unit (a chapter's chunks, say) in turn, as ``embed_documents`` gives them."""

    def close(self) -> None:
        """Frees what it holds. Closing twice is harmless."""


class VectorBackend(Protocol):
    """Unit vectors of chunks in order of telling, compared by inner product. Scores are exact wherever a
    chunk is found; whether all of the nearest are found is for the implementation to say."""

    def __len__(self) -> int:
        """How many chunks there are."""

    @property
    def dimension(self) -> int:
        """Numbers in each vector."""

    def nearest(
        self, vector: Vectors, k: int, *, limit: int | None = None, mask: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.intp], Vectors]:
        """Ordinals and scores of at most ``k`` of the first ``limit`` chunks (all by default), best first,
        ties to the earlier one. ``vector`` has shape (dimension,); ``mask``, shape (limit,), says which
        chunks may be found at all."""

    def cosines(self, vector: Vectors, ordinals: NDArray[np.intp]) -> Vectors:
        """The scores of these chunks, shape (len(ordinals),)."""


class Retriever(Protocol):
    """Passages for a query, best first, none told after the horizon."""

    def search(self, query: str, k: int, *, horizon: Horizon) -> list[Passage]:
        """At most ``k``; fewer where not so many are found up to the horizon."""


class Asking(TypedDict, total=False):
    """How a text is generated: at most ``max_tokens`` of it; ``temperature`` (default 0), ``seed`` (0), and
    ``on_text``, which is called with each piece as it comes."""

    max_tokens: Required[int]
    temperature: float
    seed: int
    on_text: Callable[[str], None] | None


class Generator(Protocol):
    """A language model. Errors are ModelError's; a failing call never returns an empty Generation."""

    @property
    def name(self) -> str:
        """Model and version, as one stable string."""

    @property
    def concurrency(self) -> int:
        """How many calls may run at once without changing any of their outputs; 1 means none beside."""

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and completion together that the model can hold."""

    def count_tokens(self, text: str) -> int:
        """Tokens of the text alone, without what a chat template adds; 0 for an empty text. An estimate where
        the model's own tokenizer is not at hand."""

    def generate(self, prompt: Prompt, **how: Unpack[Asking]) -> Generation:
        """Calls ``on_text`` with each piece as it comes; the Generation holds the whole text.

        Same prompt, settings and seed give the same text on the same machine, where the model can.
        """

    def close(self) -> None:
        """Frees what the model holds. Closing twice is harmless; to generate afterwards raises a
        ModelError."""


class Hopper(Protocol):
    """What some passages lead to, among the first ``limit`` ones."""

    def hops(self, seeds: Iterable[int], *, query: str = "", limit: int | None = None) -> list[Hop]:
        """Hops from the ``seeds`` (ordinals), strongest first for each seed. What the ``query`` names itself
        carries none, since the search for it has seen that."""
