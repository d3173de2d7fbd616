"""Questions about a story, to vectors that lie near the passages that answer them.

The encoder of search puts a question near passages that speak alike; what answers it may share no word with
it. The side of the question alone is fitted, with low-rank adapters, as in retrieval by two encoders
(Karpukhin et al., 2020), so that the vectors of an index stay as they are. ``training/question_encoder.py``
fits it to questions about tales, novels and short stories; its model card is beside that script.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from ..interfaces import Embedder, Vectors
from .adapters import adapted_encoder, read_adapters
from .bert import EncoderShape, QueryEncoder, TextTokens
from .bert_compiled import CompiledQueryEncoder

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
        return adapted_encoder(self._shape, read_adapters(self._file))

    @cached_property
    def _tokens(self) -> TextTokens:
        return TextTokens(self._shape, limit=min(QUESTION_TOKENS, self._shape.limit))

    def _vector(self, text: str) -> Vectors:
        return self._encoder(self._tokens.one(text))
