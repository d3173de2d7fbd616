"""Results kept by what a question asks, so that a second wording of it costs no search.

A hit is the same normalised query, or a stored one with an equal signature (:mod:`.signature`) whose vector
lies within the threshold. The signature decides and the cosine confirms: opposite questions lie nearer to
each other than paraphrases do. Everything else that can change the value is in the scope, compared whole.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from ...errors import ConfigError, ModelRefused
from ..interfaces import Vectors
from .signature import QuerySignature, normalised, signature

DEFAULT_CAPACITY = 64 * 1024**2
DEFAULT_THRESHOLD = 0.81
_OVERHEAD = 1024  # bytes of Python objects that an entry costs beside what it holds

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CacheHit(Generic[T]):
    """A kept value, and the query that it was kept for."""

    payload: T
    query: str


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    scope: str
    key: str
    query: str
    signature: QuerySignature | None
    row: Vectors | None
    data: bytes

    @property
    def size(self) -> int:
        texts = sum(len(text.encode("utf-8", "surrogatepass")) for text in (self.scope, self.key, self.query))
        return _OVERHEAD + len(self.data) + texts + (0 if self.row is None else self.row.nbytes)


class SemanticCache(Generic[T]):
    """Least recently used goes first once ``capacity_bytes`` is passed: payloads, vectors, keys and 1 KiB of
    overhead an entry are counted. Safe to use from several threads; vectors are computed outside the lock.

    ``threshold`` is the least cosine of a semantic hit, above 0 to 1. Its default was chosen on the
    development half of ``experiments/data/cache_pairs.json`` (``experiments/run.py semantic_cache``) with
    all-MiniLM-L6-v2. Payloads are JSON values and kept as such: each hit is a new copy, tuples as lists."""

    def __init__(
        self, *, capacity_bytes: int = DEFAULT_CAPACITY, threshold: float = DEFAULT_THRESHOLD
    ) -> None:
        if capacity_bytes < 0:
            raise ConfigError(f"the cache's capacity is in bytes, 0 or more, not {capacity_bytes}")
        if not 0 < threshold <= 1:
            raise ConfigError(f"the cache's threshold is a cosine above 0 and up to 1, not {threshold}")
        self._capacity = capacity_bytes
        self._threshold = threshold
        self._lock = threading.Lock()
        self._entries: OrderedDict[tuple[str, str], _Entry] = OrderedDict()
        self._groups: dict[tuple[str, QuerySignature], dict[str, _Entry]] = {}  # by key
        self._bytes = 0
        self._counts = Counter(exact=0, semantic=0, misses=0, evictions=0)

    @property
    def statistics(self) -> dict[str, int]:
        """Hits that were ``exact`` and ``semantic``, ``misses``, ``evictions`` (for want of room alone), and
        what it holds now (``entries``, ``bytes``): all of one moment."""
        with self._lock:
            return {**self._counts, "entries": len(self._entries), "bytes": self._bytes}

    def get(
        self, scope: str, query: str, vector: Vectors | Callable[[], Vectors] | None = None
    ) -> CacheHit[T] | None:
        """What is kept in this scope for this query or a paraphrase of it; None on a miss.

        ``vector`` is the query's, or makes it: called at most once, and only where the scope holds another
        query of equal signature. Without one only the same query hits. Raises ModelRefused for a vector of
        another dimension than the scope's or of no direction."""
        key = normalised(query)
        with self._lock:
            if (entry := self._entries.get((scope, key))) is not None:
                return self._hit(entry, "exact")
        sought = (scope, signature(query))
        with self._lock:
            if vector is None or sought not in self._groups:
                self._counts["misses"] += 1
                return None
        row = _unit(vector() if callable(vector) else vector)
        with self._lock:
            held = list(self._groups.get(sought, {}).values())
            cosines = _cosines(row, held)
            best = max(cosines, default=0.0)
            if best < self._threshold:
                self._counts["misses"] += 1
                return None
            ties = (entry for entry, one in zip(held, cosines, strict=True) if one == best)
            return self._hit(min(ties, key=lambda entry: entry.key), "semantic")

    def _hit(self, entry: _Entry, kind: str) -> CacheHit[T]:
        self._counts[kind] += 1
        self._entries.move_to_end((entry.scope, entry.key))
        return CacheHit(json.loads(entry.data), entry.query)

    def put(self, scope: str, query: str, vector: Vectors | None, payload: T) -> bool:
        """Keeps the payload, in place of what the same query had. Without a vector only the same query will
        find it. False where it alone passes the capacity, and then nothing is kept for the query.

        Raises TypeError for what JSON cannot hold, and ModelRefused as :meth:`get` does."""
        data = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
        row = None if vector is None else _unit(vector)
        asked = None if row is None else signature(query)
        entry = _Entry(scope, normalised(query), query, asked, row, data)
        with self._lock:
            if row is not None and asked is not None:
                _cosines(row, list(self._groups.get((scope, asked), {}).values())[:1])
            self._forget((scope, entry.key))
            if entry.size > self._capacity:
                return False
            self._entries[scope, entry.key] = entry
            self._bytes += entry.size
            if asked is not None:
                self._groups.setdefault((scope, asked), {})[entry.key] = entry
            while self._bytes > self._capacity:
                self._forget(next(iter(self._entries)))
                self._counts["evictions"] += 1
        return True

    def drop(self) -> int:
        """Empties it; the bytes set free. Fit to be a memory monitor's evictor."""
        with self._lock:
            freed, self._bytes = self._bytes, 0
            self._entries.clear()
            self._groups.clear()
            return freed

    def _forget(self, place: tuple[str, str]) -> None:
        entry = self._entries.pop(place, None)
        if entry is None:
            return
        self._bytes -= entry.size
        if entry.signature is not None:
            group = self._groups[entry.scope, entry.signature]
            del group[entry.key]
            if not group:
                del self._groups[entry.scope, entry.signature]


def _unit(vector: Vectors) -> Vectors:
    row = np.asarray(vector, dtype=np.float32).reshape(-1)
    length = float(np.linalg.norm(row))
    if not np.isfinite(length) or length == 0:
        raise ModelRefused(f"a query's vector needs a direction, and this one's length is {length}")
    return np.asarray(row / np.float32(length), dtype=np.float32)


def _cosines(row: Vectors, entries: Sequence[_Entry]) -> list[float]:
    """Raises ModelRefused where the vectors are of different models."""
    rows = [entry.row for entry in entries if entry.row is not None]
    if rows and len(row) != len(rows[0]):
        raise ModelRefused(
            f"the query's vector has {len(row)} numbers, those kept in this scope {len(rows[0])}: "
            "put the embedding model's name in the scope"
        )
    return (np.stack(rows) @ row).tolist() if rows else []
