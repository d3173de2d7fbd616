"""What a judge made of pairs of sentences, kept in the project by their texts: a second look costs nothing,
and an edit what it touched."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..errors import ProjectError

if TYPE_CHECKING:
    from ..core.store.store import Store

PAIR_WORK = ("judged pairs", "odds")
"""What the odds are kept as: producer and key of ``Store.work``."""
_ROW = np.dtype([("pair", "V16"), ("odds", "<f4")])
_MOST = 200_000  # pairs: 4 MB on disk
_AT_ONCE = 2_000  # so many are kept before the next are judged: what breaks off is not lost


class _Judge(Protocol):
    @property
    def version(self) -> str: ...

    def odds(
        self, pairs: Sequence[tuple[str, str]], *, on_done: Callable[[int, int], None] | None = None
    ) -> Iterable[float]: ...


class KeptJudge:
    """A judge of pairs that reads none twice. Where the project can only be read, nothing is kept."""

    def __init__(self, store: Store, judge: _Judge) -> None:
        self._store = store
        self._judge = judge

    def odds(
        self, pairs: Sequence[tuple[str, str]], *, on_done: Callable[[int, int], None] | None = None
    ) -> list[float]:
        """As the judge's."""
        keys = [_key(*pair) for pair in pairs]
        kept = self._load()
        missing = list({key: pair for key, pair in zip(keys, pairs, strict=True) if key not in kept}.items())
        for start in range(0, len(missing), _AT_ONCE):
            some = missing[start : start + _AT_ONCE]

            def told(done: int, _: int, start: int = start) -> None:
                if on_done is not None:
                    on_done(start + done, len(missing))

            found = self._judge.odds([pair for _, pair in some], on_done=told)
            kept |= {key: float(value) for (key, _), value in zip(some, found, strict=True)}
            self._save(kept)
        return [kept[key] for key in keys]

    def _load(self) -> dict[bytes, float]:
        version, _, held = (self._store.work(*PAIR_WORK) or b"").partition(b"\n")
        if version != self._judge.version.encode() or len(held) % _ROW.itemsize:
            return {}
        rows = np.frombuffer(held, _ROW)
        return {row["pair"].tobytes(): float(row["odds"]) for row in rows}

    def _save(self, kept: dict[bytes, float]) -> None:
        rows = np.array([(np.void(pair), odds) for pair, odds in list(kept.items())[-_MOST:]], _ROW)
        with contextlib.suppress(ProjectError):  # it can only be read
            self._store.keep_work(*PAIR_WORK, self._judge.version.encode() + b"\n" + rows.tobytes())


def _key(earlier: str, later: str) -> bytes:
    pair = hashlib.sha256(earlier.encode("utf-8", "surrogatepass")).digest()
    return hashlib.sha256(pair + later.encode("utf-8", "surrogatepass")).digest()[:16]
