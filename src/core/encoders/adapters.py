"""Low-rank adapters (LoRA: Hu et al., 2021) fitted to the encoder of search, put into its weights.

The encoder of search puts a question near passages that speak alike; what answers it may share no word with
it. The side of the question alone is fitted, as in retrieval by two encoders (Karpukhin et al., 2020), so
that the vectors of an index stay as they are. ``training/question_encoder.py`` fits it to questions about
tales, novels and short stories; its model card is beside that script.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from ...errors import ModelMissing
from ..interfaces import Embedder, Vectors
from .bert import EncoderShape, QueryEncoder, TextTokens, Weights, read_weights
from .bert_compiled import CompiledQueryEncoder, encoder_of

ADAPTED = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
"""The matrices of a layer that have adapters, in the order in which the weights file numbers them."""


def read_adapters(file: Path) -> Weights:
    """The arrays of a weights file, in float32. Raises ModelMissing where it cannot be read."""
    try:
        with np.load(file) as arrays:
            return {name: arrays[name].astype(np.float32) for name in arrays.files}
    except (OSError, ValueError) as error:
        raise ModelMissing(f"{file.name} cannot be read ({error}): install fabula again") from error


def adapted(weights: Weights, fitted: Weights, layers: int) -> Weights:
    """The encoder's weights with those of a weights file in them: of each matrix its adapter's factors and
    the bias (``a0 b0 c0 …``), the norms (``n0 …``), what a token's text adds."""
    found = dict(weights)
    found["embeddings.token_type_embeddings.weight"] = fitted["kinds"]
    found["embeddings.LayerNorm.weight"], found["embeddings.LayerNorm.bias"] = fitted["norm"]
    for layer in range(layers):
        at = f"encoder.layer.{layer}."
        for place, name in enumerate(ADAPTED):
            number = len(ADAPTED) * layer + place
            low = fitted[f"b{number}"] @ fitted[f"a{number}"]
            found[f"{at}{name}.weight"] = weights[f"{at}{name}.weight"] + low
            found[f"{at}{name}.bias"] = fitted[f"c{number}"]
        for place, name in enumerate(("attention.output.LayerNorm", "output.LayerNorm")):
            scale_and_shift = fitted[f"n{2 * layer + place}"]
            found[f"{at}{name}.weight"], found[f"{at}{name}.bias"] = scale_and_shift
    return found


class CrossEncoder:
    """The encoder of search with adapters by which it reads two texts together. Threads may share one. Loads
    at first use; reads on as many threads as there are processors, four at most. Raises ModelMissing where
    the encoder or the ``weights`` are not there."""

    def __init__(self, shape: EncoderShape, weights: Path) -> None:
        self._shape = shape
        self._file = weights

    @cached_property
    def version(self) -> str:
        """The first letters of the digest of the weights."""
        return sha256(self._file.read_bytes()).hexdigest()[:12]

    @cached_property
    def _fitted(self) -> Weights:
        return read_adapters(self._file)

    @cached_property
    def _encoder(self) -> QueryEncoder | CompiledQueryEncoder:
        own = adapted(read_weights(self._shape), self._fitted, self._shape.layers)
        return encoder_of(self._shape, own, fastest=True)

    @cached_property
    def _workers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(min(4, os.cpu_count() or 1), thread_name_prefix="cross-encoder")


QUESTION_WEIGHTS = Path(__file__).with_name("question_weights.npz")
QUESTION_TOKENS = 128
"""So much of a question is read."""


class QuestionEmbedder:
    """An embedder for questions of an index that ``documents``, the packaged model, made. Threads may share
    it. Raises ModelMissing at first use where the weights cannot be read."""

    def __init__(self, documents: Embedder, shape: EncoderShape, *, weights: Path | None = None) -> None:
        self._documents = documents
        self._shape = shape
        self._file = weights or QUESTION_WEIGHTS
        self._recent = lru_cache(maxsize=256)(self._vector)

    @property
    def name(self) -> str:
        """That of the documents' model with the digest of the weights."""
        return f"{self._documents.name}:questions-{self._version}"

    @property
    def dimension(self) -> int:
        return self._documents.dimension

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """As the index has them."""
        return self._documents.embed_documents(texts)

    def embed_query(self, text: str) -> Vectors:
        """Shape (dimension,), float32, unit length."""
        return self._recent(text).copy()

    @cached_property
    def _version(self) -> str:
        return sha256(self._file.read_bytes()).hexdigest()[:12] if self._file.is_file() else "missing"

    @cached_property
    def _encoder(self) -> QueryEncoder | CompiledQueryEncoder:
        own = adapted(read_weights(self._shape), read_adapters(self._file), self._shape.layers)
        return encoder_of(self._shape, own)

    @cached_property
    def _tokens(self) -> TextTokens:
        return TextTokens(self._shape, limit=min(QUESTION_TOKENS, self._shape.limit))

    def _vector(self, text: str) -> Vectors:
        return self._encoder(self._tokens.one(text))
