"""Numbers that a project keeps: vectors of chunks by chapter, of memories and sentences by their texts, odds
of pairs."""

from __future__ import annotations

import contextlib
import hashlib
import io
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..config import Config
from ..core.embeddings import EmbeddingManager
from ..core.interfaces import DocumentEmbedder, Vectors
from ..core.runtime.memory_monitor import UNGUARDED, WorkGuard
from ..core.store.records import KeptWork
from ..core.types import Chunk
from ..errors import ProjectError

if TYPE_CHECKING:
    from ..core.interfaces import Embedder
    from ..core.store.store import Store
    from ..story.continuity.suspects.pair_judge import PairJudge

_CHUNKER = "chunks-2"
MEMORY_WORK = "memories"
"""What the kept vectors of memories are kept as; see ``Store.work``."""
SENTENCE_WORK = ("sentences", "vectors")
PAIR_WORK = ("judged pairs", "odds")
"""What the odds of judged pairs are kept as."""
_MOST = 8192  # some 12 MB on disk
_MOST_PAIRS = 200_000  # 4 MB on disk
_AT_ONCE = 2_000  # pairs are kept before the next are judged: what breaks off is not lost


def embed_chapters(
    chunks: Sequence[Chunk],
    kept: KeptWork,
    embedder: DocumentEmbedder,
    *,
    guard: WorkGuard = UNGUARDED,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Vectors:
    """Vectors of all chunks, shape (len(chunks), dimension); embeds the chapters that are missing, each
    by itself, and keeps them as they are made. ``guard`` may refuse a chapter."""
    by_chapter: dict[int, list[str]] = {}
    for chunk in chunks:
        by_chapter.setdefault(chunk.chapter, []).append(chunk.text)
    missing = [c for c in kept.missing() if c.number in by_chapter]

    def admitted() -> Iterator[list[str]]:
        for chapter in missing:
            guard.admit()
            yield by_chapter[chapter.number]

    how: dict[str, Any] = {"halvings": guard.halvings} if isinstance(embedder, EmbeddingManager) else {}
    embedded = embedder.embed_units(admitted(), **how) if missing else ()  # no model is loaded for nothing
    for done, (chapter, vectors) in enumerate(zip(missing, embedded, strict=True)):
        progress("embed", done, len(missing))
        buffer = io.BytesIO()
        np.save(buffer, vectors, allow_pickle=False)
        kept.put(chapter, buffer.getvalue())
    progress("embed", len(missing), len(missing))
    rows = [np.load(io.BytesIO(kept[number]), allow_pickle=False) for number in sorted(by_chapter)]
    widths = sorted({row.shape[1] for row in rows})
    if len(widths) > 1:
        raise ProjectError(
            f"{embedder.name} gave vectors of {widths[0]} numbers to some chapters and of {widths[-1]} to "
            "others: another model goes by that name now; index the book with --rebuild"
        )
    return np.concatenate(rows) if rows else np.zeros((0, embedder.dimension), np.float32)


def vectors_key(embedder: DocumentEmbedder, config: Config) -> str:
    """Under which producer vectors are kept: everything that changes them but the text."""
    size = config.chunking
    return f"vectors:{embedder.version}:{_CHUNKER}:{size.size}:{size.overlap}:{size.unit}"


@dataclass(frozen=True, slots=True)
class KeptRows:
    """Rows of numbers that a project keeps, each by the digest of what it is of: the ``most`` that were used
    last, under one name of work (see ``Store.work``), of one ``version`` of what makes them. Where the
    project can only be read, nothing is kept."""

    store: Store
    work: tuple[str, str]
    most: int
    version: str = ""

    def load(self) -> dict[bytes, Vectors]:
        """By digest, those used last at the end; none of another version, or that cannot be read."""
        try:
            with np.load(io.BytesIO(self.store.work(*self.work) or b""), allow_pickle=False) as held:
                keys, rows = held["keys"], held["rows"]
                version = str(held["version"]) if "version" in held else ""
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
            return {}
        if version != self.version:
            return {}
        return {key.tobytes(): row for key, row in zip(keys, rows, strict=True)}

    def save(self, rows: dict[bytes, Vectors]) -> None:
        """On disk when it returns; drops from ``rows`` what is too many."""
        for key in list(rows)[: -self.most]:
            del rows[key]
        buffer = io.BytesIO()
        keys = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)
        np.savez(buffer, keys=keys, rows=np.stack(list(rows.values())), version=np.array(self.version))
        with contextlib.suppress(ProjectError):  # it can only be read
            self.store.keep_work(*self.work, buffer.getvalue())


class KeptVectors:
    """Vectors of texts by an embedding model of that ``version``, kept in the project as a ``work``. Safe in
    threads."""

    def __init__(self, store: Store, embedder: Embedder, work: tuple[str, str], *, version: str = "") -> None:
        self._rows = KeptRows(store, work, most=_MOST, version=version)
        self._embedder = embedder
        self._lock = threading.Lock()
        self._kept: dict[bytes, Vectors] | None = None

    def of(self, texts: Sequence[str]) -> Vectors:
        """A row for each text, of length 1; shape (len(texts), dimension). Only texts that were never seen
        are embedded. Raises ModelError where the model fails."""
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        with self._lock:
            kept = self._kept if self._kept is not None else self._rows.load()
            new = {key: text for key, text in zip(keys, texts, strict=True) if key not in kept}
            for key, text in new.items():  # one by one: no vector hangs on what else was embedded
                kept[key] = np.asarray(self._embedder.embed_documents([text])[0], np.float32)
            for key in keys:  # the latest come last
                kept[key] = kept.pop(key)
            found = np.stack([kept[key] for key in keys]) if keys else np.zeros((0, 1), np.float32)
            if new:
                self._rows.save(kept)
            self._kept = kept
            return found


class KeptJudge:
    """A judge of pairs of sentences that reads none twice: an edit costs what it touched."""

    def __init__(self, store: Store, judge: PairJudge) -> None:
        self._rows = KeptRows(store, PAIR_WORK, most=_MOST_PAIRS, version=judge.version)
        self._judge = judge

    def odds(
        self, pairs: Sequence[tuple[str, str]], *, on_done: Callable[[int, int], None] | None = None
    ) -> list[float]:
        """As the judge's."""
        keys = [_pair_key(*pair) for pair in pairs]
        kept = self._rows.load()
        missing = list({key: pair for key, pair in zip(keys, pairs, strict=True) if key not in kept}.items())
        for start in range(0, len(missing), _AT_ONCE):
            some = missing[start : start + _AT_ONCE]

            def judged(done: int, _: int, start: int = start) -> None:
                if on_done is not None:
                    on_done(start + done, len(missing))

            found = self._judge.odds([pair for _, pair in some], on_done=judged)
            kept |= {key: np.array([value], np.float32) for (key, _), value in zip(some, found, strict=True)}
            self._rows.save(kept)
        return [float(kept[key][0]) for key in keys]


def _pair_key(earlier: str, later: str) -> bytes:
    pair = hashlib.sha256(earlier.encode("utf-8", "surrogatepass")).digest()
    return hashlib.sha256(pair + later.encode("utf-8", "surrogatepass")).digest()[:16]
