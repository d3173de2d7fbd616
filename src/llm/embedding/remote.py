"""Vectors from an endpoint: passages in batches, several requests at once, queries remembered."""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from ...core.encoders.prefixes import Prefixes
from ...core.interfaces import Vectors
from ...core.runtime.model_requests import ModelPlan
from ...errors import ModelRefused
from ..endpoint import Endpoint, EndpointClient, is_own_machine, read_key, shown_address
from ..openai_compatible import estimate_tokens
from ..usage import Call
from .wire import WIRES, BadReply, Purpose, unit_rows

_QUERIES_KEPT = 1024
_MOST_TOKENS = 250_000  # of a request; OpenAI takes 300,000
_VERSION = "remote-1"
_BATCH = 100
_MOST_BYTES = 256_000_000
_NO_PREFIXES = Prefixes()
_CHARACTERS_A_TOKEN = 4  # of English


@dataclass(frozen=True, slots=True)
class EmbeddingEndpoint:
    """Where vectors come from. ``base_url`` and ``key_variable`` empty mean the provider's own (no key where
    another address is given), ``dimensions`` 0 the model's own, ``batch_size`` 0 a hundred."""

    provider: Literal["openai", "gemini", "ollama"]
    model: str
    base_url: str = ""
    key_variable: str = ""
    dimensions: int = 0
    batch_size: int = 0
    timeout_s: float = 60.0
    max_retries: int = 4
    concurrency: int = 4


class RemoteEmbedder:
    """Texts leave this machine. Nothing is asked, no key is read before the first use, which raises
    ModelMissing where a provider's key is not there, and ConfigError for a ``base_url`` that is none.

    Batches hold at most ``batch_size`` texts of any chapters; ``concurrency`` requests run at once. A reply
    that is short, repeats or misses an index, holds something that is no finite number, only zeros, or
    vectors of another dimension than the one before, is refused whole. ``record`` hears of every call that
    was answered. ``withheld`` says why nothing may be sent, if so: then every use raises ModelRefused with
    it. Threads may share an embedder.
    """

    def __init__(
        self,
        place: EmbeddingEndpoint,
        *,
        prefixes: Prefixes = _NO_PREFIXES,
        record: Callable[[Call], None] = lambda _: None,
        withheld: str = "",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._place = place
        self._wire = WIRES[place.provider]
        self._prefixes = prefixes
        self._record = record
        self._withheld = withheld
        self._sleep = sleep
        self._lock = threading.Lock()
        self._client: EndpointClient | None = None
        self._width = place.dimensions
        self._recent = lru_cache(maxsize=_QUERIES_KEPT)(self._query_vector)

    @property
    def name(self) -> str:
        """Provider, model, the dimensions asked for, and a mark of the prefixes. Which weights the endpoint
        runs under that name, only it knows."""
        size = f"/{self._place.dimensions}" if self._place.dimensions else ""
        return f"{self._place.provider}:{self._place.model}{size}{self._prefixes.mark}"

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
    def _address(self) -> str:
        return (self._place.base_url or self._wire.base_url).rstrip("/")

    @property
    def _where(self) -> str:
        return shown_address(self._address, example=self._wire.base_url)

    def load(self) -> None:
        """Reads the key and the address; nothing is sent."""
        self._connection()

    def plan(self, units: Sequence[Sequence[str]]) -> ModelPlan | None:
        """Requests, and tokens by an estimate that errs on the high side. None for Ollama on this machine:
        nothing leaves it, nothing is paid."""
        if self._place.provider == "ollama" and is_own_machine(self._address):
            return None
        batches = list(self._batches(iter(units), deque()))
        tokens = sum(estimate_tokens(text) for batch in batches for text in batch)
        return ModelPlan(f"{self._place.model}@{self._where}", len(batches), 0, tokens, 0)

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
                yield ready[:size] if size else self._none()
                ready = ready[size:]
        for _ in sizes:  # units without a text
            yield self._none()

    def embed_query(self, text: str) -> Vectors:
        """Shape (dimension,), float32, unit length. The last 1,024 different queries are remembered."""
        return self._recent(text).copy()

    def close(self) -> None:
        """Closes the connections; a later use opens them again."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.http.close()

    def _none(self) -> Vectors:
        return np.zeros((0, self.dimension), np.float32)

    def _batches(self, units: Iterator[Sequence[str]], sizes: deque[int]) -> Iterator[list[str]]:
        """The texts of all units with their prefix, as many as one request takes; ``sizes`` gets the number
        of texts of each unit as it is reached."""
        most = min(self._place.batch_size or _BATCH, self._wire.most_texts)
        batch: list[str] = []
        tokens = 0
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
        pool = ThreadPoolExecutor(self._place.concurrency)
        asked: deque[Future[Vectors]] = deque()
        try:
            for batch in batches:
                asked.append(pool.submit(self._ask, batch, "document"))
                if len(asked) >= self._place.concurrency:
                    yield asked.popleft().result()
            while asked:
                yield asked.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _query_vector(self, text: str) -> Vectors:
        row: Vectors = self._ask([self._prefixes.query + text], "query")[0]
        return row

    def _ask(self, texts: list[str], purpose: Purpose) -> Vectors:
        client = self._connection()
        for place, text in enumerate(texts):
            if not text.strip():
                raise ModelRefused(f"text {place} of a request is empty: an endpoint has no vector for it")
        body = self._wire.body(self._place.model, texts, purpose, dimensions=self._place.dimensions)
        started = time.perf_counter()
        answer = client.fetch(self._address + self._wire.path(self._place.model), body)
        seconds = time.perf_counter() - started
        try:
            reply = self._wire.read(answer, len(texts))
            self._record(self._call(texts, reply.tokens, seconds))
            with self._lock:
                vectors = unit_rows(reply.rows, dimension=self._width)
                self._width = vectors.shape[1]
        except BadReply as bad:
            said = (
                f"{client.endpoint} sent an answer that {bad}: none of it is used; is it an embedding model, "
            )
            how = "are embedding.base_url and embedding.provider right?"
            raise client.error(ModelRefused, said + how) from None
        return vectors

    def _call(self, texts: Sequence[str], tokens: int | None, seconds: float) -> Call:
        """What is charged for: an estimate where the endpoint counts none."""
        model = f"{self._place.model}@{self._where}"
        counted = sum(map(estimate_tokens, texts)) if tokens is None else tokens
        return Call(model, counted, 0, seconds, estimated=tokens is None)

    def _connection(self) -> EndpointClient:
        if self._withheld:
            raise ModelRefused(self._withheld)
        with self._lock:
            if self._client is None:
                self._client = self._connected()
                weakref.finalize(self, self._client.http.close)
            return self._client

    def _connected(self) -> EndpointClient:
        wire, own = self._wire, not self._place.base_url
        variable = self._place.key_variable or (wire.key_variable if own else "")
        where = self._where
        key = read_key(variable, required_by=wire.provider if own and wire.needs_key else "")
        return EndpointClient(
            Endpoint(self._place.model, where, variable, self._place.timeout_s, "embedding"),
            self._address,
            key=key,
            headers=wire.headers(key),
            most_bytes=_MOST_BYTES,
            longest_s=10 * self._place.timeout_s,
            max_retries=self._place.max_retries,
            sleep=self._sleep,
        )
