"""Results kept by what a question asks, so that a second wording of it costs no search.

A hit is the same normalised query, or a stored one with an equal signature (:mod:`.signatures.signature`)
whose vector lies within the threshold. The signature decides and the cosine confirms: opposite questions lie
nearer to each other than paraphrases do. Everything else that can change the value is in the scope, compared
whole.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np

from ...errors import ConfigError, ModelRefused
from ..interfaces import Vectors
from ..types import Horizon
from .signature import QuerySignature, normalised, signature

__all__ = [
    "DEFAULT_CAPACITY",
    "DEFAULT_THRESHOLD",
    "BytesCodec",
    "CacheHit",
    "CacheStatistics",
    "Codec",
    "JsonCodec",
    "SemanticCache",
    "cache_scope",
]

DEFAULT_CAPACITY = 64 * 1024**2
DEFAULT_THRESHOLD = 0.81
_OVERHEAD = 1024  # bytes of Python objects that an entry costs beside what it holds

T = TypeVar("T")


class Codec(Protocol[T]):
    """A value to bytes and back."""

    def encode(self, value: T, /) -> bytes:
        """Bytes that :meth:`decode` reads. Raises TypeError for a value that the codec cannot hold."""
        ...

    def decode(self, data: bytes, /) -> T:
        """A new value from the bytes of :meth:`encode`."""
        ...


class JsonCodec:
    """Any JSON value; tuples come back as lists. ``encode`` raises TypeError for anything else."""

    def encode(self, value: Any, /) -> bytes:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    def decode(self, data: bytes, /) -> Any:
        return json.loads(data)


class BytesCodec:
    """Bytes as they are."""

    def encode(self, value: bytes, /) -> bytes:
        return bytes(value)

    def decode(self, data: bytes, /) -> bytes:
        return data


@dataclass(frozen=True, slots=True)
class CacheHit(Generic[T]):
    """A kept value; ``query`` is the one it was kept for, ``similarity`` the cosine to it (1 if exact)."""

    payload: T
    kind: Literal["exact", "semantic"]
    query: str
    similarity: float


@dataclass(frozen=True, slots=True)
class CacheStatistics:
    """Counts since the cache was made, and what it holds now (``entries``, ``bytes``). An eviction is for
    want of room; what was dropped or replaced is not counted."""

    exact: int
    semantic: int
    misses: int
    evictions: int
    entries: int
    bytes: int

    @property
    def hits(self) -> int:
        """``exact`` and ``semantic`` together."""
        return self.exact + self.semantic


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    scope: str
    key: str
    query: str
    signature: QuerySignature | None
    data: bytes
    size: int


class _Group:
    """Unit vectors of one scope and signature as rows of a matrix, so that one product compares them all."""

    def __init__(self, dimension: int) -> None:
        self._rows: Vectors = np.empty((1, dimension), np.float32)
        self._entries: list[_Entry] = []

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def dimension(self) -> int:
        return int(self._rows.shape[1])

    def add(self, entry: _Entry, vector: Vectors) -> None:
        n = len(self._entries)
        if n == len(self._rows):
            self._resize(2 * n)
        self._rows[n] = vector
        self._entries.append(entry)

    def remove(self, entry: _Entry) -> None:
        at, last = self._entries.index(entry), len(self._entries) - 1
        self._rows[at], self._entries[at] = self._rows[last], self._entries[last]
        self._entries.pop()
        if 4 * last <= len(self._rows) and last:
            self._resize(2 * last)

    def _resize(self, rows: int) -> None:
        grown = np.empty((rows, self.dimension), np.float32)
        kept = min(rows, len(self._rows))
        grown[:kept] = self._rows[:kept]
        self._rows = grown

    def nearest(self, vector: Vectors) -> tuple[_Entry, float]:
        """The entry of greatest cosine; of equals, the one whose key sorts first."""
        cosines = self._rows[: len(self._entries)] @ vector
        best = float(cosines.max())
        ties = np.flatnonzero(cosines == best).tolist()
        return min((self._entries[i] for i in ties), key=lambda entry: entry.key), best


class SemanticCache(Generic[T]):
    """Least recently used goes first once ``capacity_bytes`` is passed: payloads, vectors, keys and 1 KiB of
    overhead an entry are counted. Safe to use from several threads; vectors are computed outside the lock.

    ``threshold`` is the least cosine of a semantic hit, above 0 to 1. Its default was chosen on the
    development half of ``experiments/data/cache_pairs.json`` (``experiments/run.py semantic_cache``) with
    all-MiniLM-L6-v2. ``codec`` defaults to JSON; a hit decodes anew, so changing a payload is harmless.
    """

    def __init__(
        self,
        *,
        capacity_bytes: int = DEFAULT_CAPACITY,
        threshold: float = DEFAULT_THRESHOLD,
        codec: Codec[T] | None = None,
    ) -> None:
        if capacity_bytes < 0:
            raise ConfigError(f"the cache's capacity is in bytes, 0 or more, not {capacity_bytes}")
        if not 0 < threshold <= 1:
            raise ConfigError(f"the cache's threshold is a cosine above 0 and up to 1, not {threshold}")
        self._capacity = capacity_bytes
        self._threshold = threshold
        self._codec: Codec[T] = JsonCodec() if codec is None else codec
        self._lock = threading.Lock()
        self._entries: OrderedDict[tuple[str, str], _Entry] = OrderedDict()
        self._groups: dict[tuple[str, QuerySignature], _Group] = {}
        self._bytes = self._exact = self._semantic = self._misses = self._evictions = 0

    @property
    def statistics(self) -> CacheStatistics:
        """The counts as they are now, all taken at one moment."""
        with self._lock:
            return CacheStatistics(
                exact=self._exact,
                semantic=self._semantic,
                misses=self._misses,
                evictions=self._evictions,
                entries=len(self._entries),
                bytes=self._bytes,
            )

    def get(
        self, scope: str, query: str, vector: Vectors | Callable[[], Vectors] | None = None
    ) -> CacheHit[T] | None:
        """What is kept in this scope for this query or a paraphrase of it; None on a miss.

        ``vector`` is the query's, or makes it: called at most once, and only where the scope holds another
        query of equal signature. Without one only the same query hits. Raises ModelRefused for a vector of
        another dimension than the scope's or of no direction.
        """
        key = normalised(query)
        with self._lock:
            entry = self._entries.get((scope, key))
            if entry is not None:
                self._exact += 1
                self._entries.move_to_end((scope, key))
        if entry is not None:
            return self._hit(entry, "exact", 1.0)
        sought = (scope, signature(query))
        with self._lock:
            if vector is None or sought not in self._groups:
                self._misses += 1
                return None
        row = _unit(vector() if callable(vector) else vector)
        with self._lock:
            found = self._nearest(sought, row)
        return None if found is None else self._hit(found[0], "semantic", min(found[1], 1.0))

    def _nearest(self, sought: tuple[str, QuerySignature], row: Vectors) -> tuple[_Entry, float] | None:
        group = self._groups.get(sought)
        if group is not None:
            _check(row, group)
            entry, cosine = group.nearest(row)
            if cosine >= self._threshold:
                self._semantic += 1
                self._entries.move_to_end((entry.scope, entry.key))
                return entry, cosine
        self._misses += 1
        return None

    def _hit(self, entry: _Entry, kind: Literal["exact", "semantic"], similarity: float) -> CacheHit[T]:
        return CacheHit(self._codec.decode(entry.data), kind, entry.query, similarity)

    def put(self, scope: str, query: str, vector: Vectors | None, payload: T) -> bool:
        """Keeps the payload, in place of what the same query had. Without a vector only the same query will
        find it. False where it alone passes the capacity, and then nothing is kept for the query.

        Raises what the codec raises, and ModelRefused as :meth:`get` does."""
        data, key = self._codec.encode(payload), normalised(query)
        row = None if vector is None else _unit(vector)
        asked = None if row is None else signature(query)
        size = _OVERHEAD + len(data) + (0 if row is None else row.nbytes)
        size += sum(len(text.encode("utf-8", "surrogatepass")) for text in (scope, key, query))
        entry = _Entry(scope, key, query, asked, data, size)
        with self._lock:
            if row is not None and asked is not None and (group := self._groups.get((scope, asked))):
                _check(row, group)
            self._forget((scope, key))
            if size > self._capacity:
                return False
            self._entries[scope, key] = entry
            self._bytes += size
            if row is not None and asked is not None:
                self._groups.setdefault((scope, asked), _Group(len(row))).add(entry, row)
            while self._bytes > self._capacity:
                self._forget(next(iter(self._entries)))
                self._evictions += 1
        return True

    def drop(self, scope: str | None = None) -> int:
        """Empties one scope, or all; the bytes set free. Fit to be a memory monitor's evictor."""
        with self._lock:
            gone = [place for place in self._entries if scope is None or place[0] == scope]
            freed = sum(self._entries.pop(place).size for place in gone)
            for sought in [sought for sought in self._groups if scope is None or sought[0] == scope]:
                del self._groups[sought]
            self._bytes -= freed
            return freed

    def _forget(self, place: tuple[str, str]) -> None:
        entry = self._entries.pop(place, None)
        if entry is None:
            return
        self._bytes -= entry.size
        if entry.signature is not None:
            group = self._groups[entry.scope, entry.signature]
            group.remove(entry)
            if not len(group):
                del self._groups[entry.scope, entry.signature]


def cache_scope(
    *,
    model: str,
    index: str,
    horizon: Horizon,
    mode: str,
    filters: Mapping[str, object] | None = None,
    settings: Mapping[str, object] | None = None,
) -> str:
    """One string of everything beside the query that can change a value: the embedding model, the index
    generation, the horizon, the mode, and filters and settings (JSON values), each in its own place."""
    parts = [model, index, horizon.chapter, mode, dict(filters or {}), dict(settings or {})]
    return json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _unit(vector: Vectors) -> Vectors:
    row = np.asarray(vector, dtype=np.float32).reshape(-1)
    length = float(np.linalg.norm(row))
    if not np.isfinite(length) or length == 0:
        raise ModelRefused(f"a query's vector needs a direction, and this one's length is {length}")
    return np.asarray(row / np.float32(length), dtype=np.float32)


def _check(row: Vectors, group: _Group) -> None:
    if len(row) != group.dimension:
        raise ModelRefused(
            f"the query's vector has {len(row)} numbers, those kept in this scope {group.dimension}: "
            "put the embedding model's name in the scope"
        )
