"""What three embedding protocols say and mean: OpenAI's, Gemini's, Ollama's; no connection is made here.

From their references: OpenAI ``POST /embeddings``, Gemini ``models/M:batchEmbedContents``, Ollama
``POST /api/embed``.

The rows that an endpoint sends become unit vectors; whatever is no vector of numbers is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...core.interfaces import Vectors

Purpose = Literal["document", "query"]


class BadReply(Exception):  # noqa: N818 (never leaves this package)
    """The reply is not what the protocol says; the text says how: "holds 2 vectors for 3 texts"."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A row a text, in the texts' order, as the endpoint sent them: not yet known to be numbers. ``tokens``
    is None where the endpoint counts none."""

    rows: Sequence[object]
    tokens: int | None


class OpenAIWire:
    """``body`` asks for vectors of at most ``most_texts``; ``dimensions`` 0 leaves their number to the model.
    ``read`` raises BadReply where it is not the answer to ``count`` texts. Each vector bears its text's
    index, and may come in any order."""

    provider = "OpenAI"
    base_url = "https://api.openai.com/v1"
    key_variable = "OPENAI_API_KEY"
    needs_key = True
    most_texts = 2048
    _asked_too: Mapping[str, object] = {"encoding_format": "float"}

    def path(self, model: str) -> str:  # noqa: ARG002
        return "/embeddings"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(
        self,
        model: str,
        texts: Sequence[str],
        purpose: Purpose,  # noqa: ARG002 (one vector for both)
        *,
        dimensions: int,
    ) -> dict[str, object]:
        asked = {"model": model, "input": list(texts), **self._asked_too}
        return {**asked, "dimensions": dimensions} if dimensions else asked

    def read(self, answer: Any, count: int) -> Reply:
        items = _list(answer, "data", count)
        rows: dict[int, object] = {}
        for place, item in enumerate(items):
            index = item.get("index", place) if isinstance(item, Mapping) else None
            if type(index) is not int or not 0 <= index < count or index in rows:
                raise BadReply(f"has a wrong or repeated index ({str(index)[:40]})")
            rows[index] = item.get("embedding")
        return Reply([rows[i] for i in range(count)], _count(answer.get("usage"), "prompt_tokens"))


class GeminiWire:
    """Documents and queries are told apart by a task type; tokens are not counted."""

    provider = "Gemini"
    base_url = "https://generativelanguage.googleapis.com/v1beta"
    key_variable = "GEMINI_API_KEY"
    needs_key = True
    most_texts = 100

    _TASKS: Mapping[Purpose, str] = {"document": "RETRIEVAL_DOCUMENT", "query": "RETRIEVAL_QUERY"}

    def path(self, model: str) -> str:
        return f"/models/{model.removeprefix('models/')}:batchEmbedContents"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def body(
        self, model: str, texts: Sequence[str], purpose: Purpose, *, dimensions: int
    ) -> dict[str, object]:
        each: dict[str, object] = {
            "model": f"models/{model.removeprefix('models/')}",
            "taskType": self._TASKS[purpose],
        }
        if dimensions:
            each["outputDimensionality"] = dimensions
        return {"requests": [{**each, "content": {"parts": [{"text": text}]}} for text in texts]}

    def read(self, answer: Any, count: int) -> Reply:
        items = _list(answer, "embeddings", count)
        rows = [item.get("values") if isinstance(item, Mapping) else None for item in items]
        return Reply(rows, _count(answer.get("usageMetadata"), "promptTokenCount"))


class OllamaWire(OpenAIWire):
    """A text that is longer than the model reads is refused, not cut. The model's prefixes say what for."""

    provider = "Ollama"
    base_url = "http://localhost:11434"
    key_variable = ""
    needs_key = False
    _asked_too: Mapping[str, object] = {"truncate": False}

    def path(self, model: str) -> str:  # noqa: ARG002
        return "/api/embed"

    def read(self, answer: Any, count: int) -> Reply:
        return Reply(_list(answer, "embeddings", count), _count(answer, "prompt_eval_count"))


WIRES: Mapping[str, OpenAIWire | GeminiWire | OllamaWire] = {
    "openai": OpenAIWire(),
    "gemini": GeminiWire(),
    "ollama": OllamaWire(),
}
"""By the provider's name in the settings."""


def _list(answer: Any, name: str, count: int) -> list[Any]:
    items = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(items, list):
        raise BadReply(f"has no list {name!r}")
    if len(items) != count:
        raise BadReply(f"holds {len(items)} vectors for {count} texts")
    return items


def _count(where: Any, name: str) -> int | None:
    found = where.get(name) if isinstance(where, Mapping) else None
    return found if type(found) is int and 0 <= found < 2**53 else None


_SMALLEST = 1e-12  # a length below which there is no direction


def unit_rows(rows: Sequence[object], *, dimension: int) -> Vectors:
    """Shape (len(rows), dimension), float32, each of length 1; ``dimension`` 0 takes that of the first row.

    Raises BadReply, naming the first row (from 0) that is empty, of another length, has something that is
    no finite number, or is all zeros."""
    made = np.empty((len(rows), dimension or _width(rows)), np.float32)
    for place, row in enumerate(rows):
        if not isinstance(row, list) or not row:
            raise BadReply(f"has no vector for text {place}")
        if len(row) != made.shape[1]:
            raise BadReply(f"has a vector of {len(row)} numbers, not of {made.shape[1]}, for text {place}")
        if not all(type(number) is float or type(number) is int for number in row):
            raise BadReply(f"has something that is no number in the vector for text {place}")
        try:
            exact = np.array(row, np.float64)
        except OverflowError:
            exact = np.full(len(row), np.inf)
        length = float(np.linalg.norm(exact)) if np.isfinite(exact).all() else np.inf
        if not _SMALLEST < length < np.inf:
            what = "only zeros" if length <= _SMALLEST else "a number that is not finite"
            raise BadReply(f"has {what} in the vector for text {place}")
        made[place] = exact / length
    return made


def _width(rows: Sequence[object]) -> int:
    first = rows[0] if rows else None
    return len(first) if isinstance(first, list) else 1
