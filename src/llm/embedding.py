"""Embeddings from an endpoint: passages in batches, several requests at once, queries remembered.

Three protocols, from their references: OpenAI ``POST /embeddings``, Gemini ``models/M:batchEmbedContents``
(which is told what a text is for), Ollama ``POST /api/embed`` (which refuses a text that is too long, where
its OpenAI-compatible address cuts it). The rows that come become unit vectors; what is no vector is refused.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np

from ..config import Embedding
from ..core.encoders.prefixes import prefixes_of
from ..core.interfaces import Vectors
from ..core.runtime.model_requests import ModelPlan
from ..core.types import Call
from ..errors import ModelRefused
from .endpoint import (
    KEY_HEADERS,
    Endpoint,
    EndpointClient,
    estimate_tokens,
    is_own_machine,
    read_key,
    shown_address,
)

_QUERIES_KEPT = 1024
_MOST_TOKENS = 250_000  # of a request; OpenAI takes 300,000
_VERSION = "remote-1"
_MOST_BYTES = 256_000_000
_CHARACTERS_A_TOKEN = 4  # of English
_SMALLEST = 1e-12  # a length below which there is no direction
Purpose = Literal["document", "query"]


class _BadReply(Exception):  # noqa: N818 (never leaves this module)
    """The reply is not what the protocol says; the text says how: "holds 2 vectors for 3 texts"."""


@dataclass(frozen=True, slots=True)
class _Provider:
    """``key_variable`` holds the key that the provider's own address needs (none where empty), ``headers``
    say where a key goes. ``body`` asks for the vectors of texts; ``rows`` are those of a reply, in the texts'
    order, and ``tokens`` the names under which it counts them."""

    title: str
    base_url: str
    path: str
    body: Callable[[str, Sequence[str], Purpose, int], dict[str, object]]
    rows: Callable[[Any, int], Sequence[object]]
    tokens: tuple[str, ...]
    key_variable: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: KEY_HEADERS)
    most_texts: int = 2048


def _plain_body(
    model: str, texts: Sequence[str], _: Purpose, dimensions: int, **more: object
) -> dict[str, object]:
    body: dict[str, object] = {"model": model, "input": list(texts), **more}
    return {**body, "dimensions": dimensions} if dimensions else body


def _openai_rows(answer: Any, count: int) -> list[object]:
    """Each vector bears its text's index, and may come in any order."""
    rows: dict[int, object] = {}
    for place, item in enumerate(_list(answer, "data", count)):
        index = item.get("index", place) if isinstance(item, Mapping) else None
        if type(index) is not int or not 0 <= index < count or index in rows:
            raise _BadReply(f"has a wrong or repeated index ({str(index)[:40]})")
        rows[index] = item.get("embedding")
    return [rows[i] for i in range(count)]


def _gemini_body(model: str, texts: Sequence[str], purpose: Purpose, dimensions: int) -> dict[str, object]:
    each: dict[str, object] = {"model": f"models/{model}", "taskType": f"RETRIEVAL_{purpose.upper()}"}
    if dimensions:
        each["outputDimensionality"] = dimensions
    return {"requests": [{**each, "content": {"parts": [{"text": text}]}} for text in texts]}


def _gemini_rows(answer: Any, count: int) -> list[object]:
    items = _list(answer, "embeddings", count)
    return [item.get("values") if isinstance(item, Mapping) else None for item in items]


_PROVIDERS: Mapping[str, _Provider] = {
    "openai": _Provider(
        "OpenAI",
        "https://api.openai.com/v1",
        "/embeddings",
        partial(_plain_body, encoding_format="float"),
        _openai_rows,
        ("usage", "prompt_tokens"),
        "OPENAI_API_KEY",
    ),
    "gemini": _Provider(
        "Gemini",
        "https://generativelanguage.googleapis.com/v1beta",
        "/models/{}:batchEmbedContents",
        _gemini_body,
        _gemini_rows,
        ("usageMetadata", "promptTokenCount"),
        "GEMINI_API_KEY",
        {"x-goog-api-key": "{key}"},
        most_texts=100,
    ),
    "ollama": _Provider(
        "Ollama",
        "http://localhost:11434",
        "/api/embed",
        partial(_plain_body, truncate=False),
        lambda answer, count: _list(answer, "embeddings", count),
        ("prompt_eval_count",),
    ),
}


class RemoteEmbedder:
    """Texts leave this machine. Nothing is asked, no key is read before the first use, which raises
    ModelMissing where a provider's key is not there, and ConfigError for a ``base_url`` that is none.

    Batches hold at most ``batch_size`` texts of any chapters; ``concurrency`` requests run at once. A reply
    that is short, repeats or misses an index, holds something that is no finite number, only zeros, or
    vectors of another dimension than the one before, is refused whole. ``record`` hears of every call that
    was answered. ``withheld`` says why nothing may be sent, if so: then every use raises ModelRefused with
    it. Threads may share an embedder."""

    batch_size, concurrency = 100, 4

    def __init__(
        self, settings: Embedding, *, record: Callable[[Call], None] = lambda _: None, withheld: str = ""
    ) -> None:
        self._settings = settings
        self._provider = _PROVIDERS[settings.provider]
        self._prefixes = prefixes_of(
            settings.model, query=settings.query_prefix, document=settings.document_prefix
        )
        self._model = settings.model.removeprefix("models/")
        self._address = (settings.base_url or self._provider.base_url).rstrip("/")
        self._record = record
        self._withheld = withheld
        self._lock = threading.Lock()
        self._client: EndpointClient | None = None
        self._width = settings.dimensions
        self._recent = lru_cache(maxsize=_QUERIES_KEPT)(lambda text: self._ask([text], "query")[0])

    @property
    def name(self) -> str:
        """Provider, model, the dimensions asked for, and a mark of the prefixes. Which weights the endpoint
        runs under that name, only it knows."""
        size = f"/{self._settings.dimensions}" if self._settings.dimensions else ""
        return f"{self._settings.provider}:{self._settings.model}{size}{self._prefixes.mark}"

    @property
    def version(self) -> str:
        return f"{self.name}:{_VERSION}"

    @property
    def dimension(self) -> int:
        """Numbers in a vector; asks for one where none came yet."""
        if not self._width:
            self.embed_query("how many numbers")
        return self._width

    @property
    def _where(self) -> str:
        return shown_address(self._address, example=self._provider.base_url)

    def load(self) -> None:
        """Reads the key and the address; nothing is sent."""
        self._connection()

    def plan(self, units: Sequence[Sequence[str]]) -> ModelPlan | None:
        """Requests, and tokens by an estimate that errs on the high side. None for Ollama on this machine:
        nothing leaves it, nothing is paid."""
        if self._settings.provider == "ollama" and is_own_machine(self._address):
            return None
        batches = list(self._batches(iter(units), deque()))
        tokens = sum(estimate_tokens(text) for batch in batches for text in batch)
        return ModelPlan(f"{self._settings.model}@{self._where}", len(batches), 0, tokens, 0)

    def token_starts(self, text: str) -> Sequence[int]:
        """An estimate, every fourth character: an endpoint does not lend its tokenizer."""
        return range(0, len(text), _CHARACTERS_A_TOKEN)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows. Raises ModelError's."""
        return next(self.embed_units([texts]))

    def embed_units(self, units: Iterable[Sequence[str]]) -> Iterator[Vectors]:
        """The vectors of each unit in turn, as soon as the last of its texts is answered. What came before a
        request that fails is given before the error is raised."""
        sizes: deque[int] = deque()
        ready = np.zeros((0, 0), np.float32)
        for made in self._each(self._batches(iter(units), sizes)):
            ready = np.concatenate([ready, made]) if len(ready) else made
            while sizes and len(ready) >= sizes[0]:
                size = sizes.popleft()
                yield ready[:size]
                ready = ready[size:]
        for _ in sizes:  # units without a text
            yield np.zeros((0, self.dimension), np.float32)

    def embed_query(self, text: str) -> Vectors:
        """Shape (dimension,), float32, unit length. The last 1,024 different queries are remembered."""
        row: Vectors = self._recent(self._prefixes.query + text).copy()
        return row

    def close(self) -> None:
        """Closes the connections; a later use opens them again."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.http.close()

    def _batches(self, units: Iterator[Sequence[str]], sizes: deque[int]) -> Iterator[list[str]]:
        """The texts of all units with their prefix, as many as one request takes; ``sizes`` gets the number
        of texts of each unit as it is reached."""
        batch: list[str] = []
        tokens, most = 0, min(self.batch_size, self._provider.most_texts)
        for unit in units:
            sizes.append(len(unit))
            for text in unit:
                whole = self._prefixes.document + text
                count = estimate_tokens(whole)
                if batch and (len(batch) == most or tokens + count > _MOST_TOKENS):
                    yield batch
                    batch, tokens = [], 0
                batch.append(whole)
                tokens += count
        if batch:
            yield batch

    def _each(self, batches: Iterator[list[str]]) -> Iterator[Vectors]:
        pool = ThreadPoolExecutor(self.concurrency)
        asked: deque[Future[Vectors]] = deque()
        try:
            for batch in batches:
                asked.append(pool.submit(self._ask, batch, "document"))
                if len(asked) >= self.concurrency:
                    yield asked.popleft().result()
            while asked:
                yield asked.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _ask(self, texts: list[str], purpose: Purpose) -> Vectors:
        client = self._connection()
        for place, text in enumerate(texts):
            if not text.strip():
                raise ModelRefused(f"text {place} of a request is empty: an endpoint has no vector for it")
        body = self._provider.body(self._model, texts, purpose, self._settings.dimensions)
        started = time.perf_counter()
        answer = client.fetch(self._address + self._provider.path.format(self._model), body)
        seconds = time.perf_counter() - started
        try:
            rows = self._provider.rows(answer, len(texts))
            self._record(self._call(texts, answer, seconds))
            with self._lock:
                vectors = _unit_rows(rows, dimension=self._width)
                self._width = vectors.shape[1]
        except _BadReply as bad:
            raise client.error(
                ModelRefused,
                f"{client.endpoint} sent an answer that {bad}: none of it is used; is it an embedding model, "
                "are embedding.base_url and embedding.provider right?",
            ) from None
        return vectors

    def _call(self, texts: Sequence[str], answer: Any, seconds: float) -> Call:
        """What is charged for: an estimate where the endpoint counts none."""
        for name in self._provider.tokens:
            answer = answer.get(name) if isinstance(answer, Mapping) else None
        counts = type(answer) is int and 0 <= answer < 2**53
        tokens = answer if counts else sum(map(estimate_tokens, texts))
        model = f"{self._settings.model}@{self._where}"
        return Call(model, tokens, 0, seconds, estimated=not counts)

    def _connection(self) -> EndpointClient:
        if self._withheld:
            raise ModelRefused(self._withheld)
        with self._lock:
            if self._client is None:
                self._client = self._connected()
                weakref.finalize(self, self._client.http.close)
            return self._client

    def _connected(self) -> EndpointClient:
        provider, told = self._provider, self._settings
        own = not told.base_url
        variable = told.api_key_env or (provider.key_variable if own else "")
        where = self._where
        key = read_key(variable, required_by=provider.title if own and provider.key_variable else "")
        return EndpointClient(
            Endpoint(told.model, where, variable, told.timeout_s, "embedding"),
            self._address,
            key=key,
            most_bytes=_MOST_BYTES,
            longest_s=10 * told.timeout_s,
            headers=provider.headers,
        )


def _list(answer: Any, name: str, count: int) -> list[Any]:
    items = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(items, list):
        raise _BadReply(f"has no list {name!r}")
    if len(items) != count:
        raise _BadReply(f"holds {len(items)} vectors for {count} texts")
    return items


def _unit_rows(rows: Sequence[object], *, dimension: int) -> Vectors:
    """Shape (len(rows), dimension), float32, each of length 1; ``dimension`` 0 takes that of the first row.

    Raises _BadReply, naming the first row (from 0) that is empty, of another length, has something that is
    no finite number, or is all zeros."""
    first = rows[0] if rows else None
    made = np.empty((len(rows), dimension or (len(first) if isinstance(first, list) else 1)), np.float32)
    for place, row in enumerate(rows):
        if not isinstance(row, list) or not row:
            raise _BadReply(f"has no vector for text {place}")
        if len(row) != made.shape[1]:
            raise _BadReply(f"has a vector of {len(row)} numbers, not of {made.shape[1]}, for text {place}")
        if not all(type(number) is float or type(number) is int for number in row):
            raise _BadReply(f"has something that is no number in the vector for text {place}")
        try:
            exact = np.array(row, np.float64)
        except OverflowError:
            exact = np.full(len(row), np.inf)
        length = float(np.linalg.norm(exact)) if np.isfinite(exact).all() else np.inf
        if not _SMALLEST < length < np.inf:
            what = "only zeros" if length <= _SMALLEST else "a number that is not finite"
            raise _BadReply(f"has {what} in the vector for text {place}")
        made[place] = exact / length
    return made
