"""Parses of the paragraphs read last: a draft is parsed once, however often it is read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

from .words import Words

KEPT_CHARS = 60_000  # some 15 MB of parses


class KeptParses:
    """Parses by paragraph, the latest ``limit`` characters of text (0: none is kept). The parse of a
    paragraph depends on its text alone, so a kept one is as good as a new one. Safe in threads; one parses
    at a time."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: dict[str, Words] = {}
        self._chars = 0
        self._lock = threading.RLock()

    def docs(self, texts: Sequence[str], *, parse: Callable[[Iterable[str]], Iterator[Words]]) -> list[Words]:
        """One parse for each text, in order; ``parse`` is called with those that are not kept."""
        with self._lock:
            if not self._limit:
                return list(parse(texts))
            missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
            made = dict(zip(missing, parse(missing), strict=True)) if missing else {}
            found = [made[text] if text in made else self._kept[text] for text in texts]
            self._keep(dict(zip(texts, found, strict=True)))
            return found

    def _keep(self, docs: dict[str, Words]) -> None:
        for text, doc in docs.items():
            if self._kept.pop(text, None) is None:
                self._chars += len(text)
            self._kept[text] = doc
        while self._chars > self._limit:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            self._chars -= len(oldest)
