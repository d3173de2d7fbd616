"""SQLite: FTS5 and sqlite-vec, fused by reciprocal ranks in one statement, as sqlite-vec's author shows it.

Uses the standard library's module where it can load extensions, else apsw. Stop words are left out of the
query, or FTS5 would rank nearly every row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from experiments.peers.given import DEEP, RRF_K, STOP_WORDS, Given, K

MODES = ("hybrid", "lexical", "dense")
_WORD = re.compile(r"[^\W_]+")
_AT_ONCE = 5000

_LEXICAL = "select rowid, rank from words where words match ? order by rank limit ?"
_DENSE = "select rowid, distance from vectors where embedding match ? and k = ?"
_HYBRID = f"""
with near as (
  select rowid, row_number() over (order by distance) as place
  from vectors where embedding match ?1 and k = {DEEP}
), said as (
  select rowid, row_number() over (order by rank) as place
  from (select rowid, rank from words where words match ?2 order by rank limit {DEEP})
), both as (
  select rowid, 1.0 / ({RRF_K} + place) as part from near
  union all select rowid, 1.0 / ({RRF_K} + place) from said
)
select both.rowid, sum(part) as score, words.text from both join words on words.rowid = both.rowid
group by both.rowid order by score desc limit {K}
"""  # noqa: S608 (numbers of this module)


def _connect(file: Path) -> Any:
    import sqlite3

    import sqlite_vec

    db: Any = sqlite3.connect(file, isolation_level=None)
    if hasattr(db, "enable_load_extension"):
        db.enable_load_extension(True)
        sqlite_vec.load(db)
        return db
    db.close()
    import apsw

    db = apsw.Connection(str(file))
    db.enable_load_extension(True)
    db.load_extension(sqlite_vec.loadable_path())
    return db


def build(given: Given, folder: Path) -> Any:
    db = _connect(folder / "chunks.db")
    db.execute("pragma journal_mode = off")
    db.execute("pragma synchronous = off")
    size = given.vectors.shape[1]
    db.execute("create virtual table words using fts5(text, tokenize = 'porter unicode61')")
    db.execute(f"create virtual table vectors using vec0(embedding float[{size}] distance_metric=cosine)")
    db.execute("begin")
    for start in range(0, len(given.texts), _AT_ONCE):
        texts = given.texts[start : start + _AT_ONCE]
        rows: Iterable[Any] = enumerate(texts, start)
        db.cursor().executemany("insert into words(rowid, text) values (?, ?)", rows)
        rows = ((start + i, v.tobytes()) for i, v in enumerate(given.vectors[start : start + _AT_ONCE]))
        db.cursor().executemany("insert into vectors(rowid, embedding) values (?, ?)", rows)
    db.execute("commit")
    db.execute("insert into words(words) values ('optimize')")
    return db


def save(built: Any, folder: Path) -> None:  # noqa: ARG001
    """It is on disk already."""
    built.close()


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:  # noqa: ARG002
        self._db = _connect(folder / "chunks.db")
        self._db.execute("pragma mmap_size = 8000000000")
        self._db.execute("pragma cache_size = -200000")

    def prepare(self, text: str, vector: Any) -> tuple[str, bytes]:
        return _any_of(text), vector.tobytes()

    def search(self, mode: str) -> Callable[[tuple[str, bytes]], Any]:
        run = self._db.execute
        if mode == "lexical":
            return lambda query: list(run(_LEXICAL, (query[0], K)))
        if mode == "dense":
            return lambda query: list(run(_DENSE, (query[1], K)))
        return lambda query: list(run(_HYBRID, (query[1], query[0])))

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:
        return [(row[0], row[1] if mode == "hybrid" else -row[1]) for row in answer]


def _any_of(text: str) -> str:
    words = _WORD.findall(text.lower())
    return " OR ".join(f'"{word}"' for word in [w for w in words if w not in STOP_WORDS] or words)


def cold_lexical(folder: Path, query: str, data: Path) -> str:  # noqa: ARG001
    db = _connect(folder / "chunks.db")
    found = "select text from words where words match ? order by rank limit ?"
    return str(next(iter(db.execute(found, (_any_of(query), K))))[0])
