"""The facts of all chunks in columns, in order of telling: what filters read, and what an index keeps.

A row is a function of its chunk's chapter and of the chapters before, and characters are numbered in order of
first use, so appending the rows of new chapters gives the table that all rows at once would give.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.files.plain_json import parse_json
from ...errors import ProjectError
from .chunk_facts import RULES, ChunkFacts
from .scenes_and_tones import SceneKind, Tone

NAMES_FILE = "facts.json"
_KINDS, _TONES = tuple(SceneKind), tuple(Tone)
_CHAPTER, _SCENE, _TONE, _IMPORTANCE, _COUNT = range(5)  # the columns; the last: how many characters
_COLUMNS = 5

Column = NDArray[np.int32]


class ChunkFactsTable:
    """``len(table)`` rows, row n for the chunk of ordinal n. Made by :meth:`from_facts` or :meth:`load`;
    never changed: :meth:`appended` and :meth:`first` give new tables.

    ``characters`` are ids in order of first use, as they were known when told.
    """

    def __init__(self, columns: Column, who: Column, characters: tuple[str, ...]) -> None:
        """``columns`` has shape (5, n); ``who`` numbers the characters of all rows, end to end."""
        self._columns = columns
        self._who = who
        self.characters = characters

    @classmethod
    def from_facts(cls, facts: Iterable[ChunkFacts]) -> ChunkFactsTable:
        """The table of these chunks, which stand in order of telling."""
        return cls(np.empty((_COLUMNS, 0), np.int32), np.empty(0, np.int32), ()).appended(facts)

    def __len__(self) -> int:
        return len(self._columns[_CHAPTER])

    @property
    def chapters(self) -> Column:
        """Chapter of each chunk, shape (n,), int32; ascending within a document. Read-only."""
        column: Column = self._columns[_CHAPTER]
        return column

    @property
    def importance(self) -> Column:
        """1 to 10, shape (n,), int32. Read-only."""
        column: Column = self._columns[_IMPORTANCE]
        return column

    def of_scenes(self, kinds: Iterable[SceneKind]) -> NDArray[np.bool_]:
        """True where the chunk is of one of these kinds, shape (n,)."""
        return np.isin(self._columns[_SCENE], [_KINDS.index(kind) for kind in kinds])

    def of_tones(self, tones: Iterable[Tone]) -> NDArray[np.bool_]:
        """True where the chunk has one of these tones, shape (n,)."""
        return np.isin(self._columns[_TONE], [_TONES.index(tone) for tone in tones])

    def with_any(self, characters: Iterable[str]) -> NDArray[np.bool_]:
        """True where one of these ids is in the chunk, shape (n,)."""
        wanted = set(characters)
        codes = [code for code, who in enumerate(self.characters) if who in wanted]
        rows = np.repeat(np.arange(len(self)), self._columns[_COUNT])
        found = np.zeros(len(self), np.bool_)
        found[rows[np.isin(self._who, codes)]] = True
        return found

    def appended(self, facts: Iterable[ChunkFacts]) -> ChunkFactsTable:
        """A new table: these rows after the present ones."""
        characters = {name: code for code, name in enumerate(self.characters)}
        rows: list[tuple[int, ...]] = []
        who: list[int] = []
        for one in facts:
            scene, tone = _KINDS.index(one.scene_type), _TONES.index(one.tone)
            rows.append((one.chapter, scene, tone, one.importance, len(one.characters)))
            who += [characters.setdefault(name, len(characters)) for name in one.characters]
        columns = np.asarray(rows, np.int32).reshape(-1, _COLUMNS).T
        return ChunkFactsTable(
            np.concatenate([self._columns, columns], axis=1),
            np.concatenate([self._who, np.asarray(who, np.int32)]),
            tuple(characters),
        )

    def first(self, limit: int) -> ChunkFactsTable:
        """A new table of the first ``limit`` rows, equal to one that never had the others."""
        columns = self._columns[:, :limit]
        who = self._who[: int(columns[_COUNT].sum())]
        return ChunkFactsTable(columns, who, self.characters[: int(who.max(initial=-1)) + 1])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChunkFactsTable):
            return NotImplemented
        same = self.characters == other.characters and np.array_equal(self._who, other._who)
        return same and np.array_equal(self._columns, other._columns)

    __hash__ = None  # type: ignore[assignment]

    # --- on disk

    def save(self, folder: Path) -> None:
        """Writes ``facts.npy`` (all columns end to end, int32) and ``facts.json`` (how many rows, and the
        names). The same table gives the same bytes."""
        body = np.concatenate([self._columns.ravel(), self._who]).astype(np.int32, copy=False)
        np.save(folder / "facts.npy", body, allow_pickle=False)
        about = {"rules": RULES, "rows": len(self), "characters": list(self.characters)}
        text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
        (folder / NAMES_FILE).write_text(text, encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, folder: Path) -> ChunkFactsTable:
        """Opens the columns by mmap. Raises ProjectError where the files are missing, damaged, made by other
        rules, or do not belong together."""
        try:
            about = parse_json((folder / NAMES_FILE).read_text(encoding="utf-8"))
            if about["rules"] != RULES:
                raise ProjectError(
                    f"the chunk facts in {folder.name} are of {about['rules']}, not of {RULES}: index the "
                    "book again"
                )
            count, characters = int(about["rows"]), tuple(map(str, about["characters"]))
            body = np.load(folder / "facts.npy", mmap_mode="r", allow_pickle=False)
            if body.dtype != np.int32 or body.ndim != 1:
                raise ValueError(f"{body.dtype} of shape {body.shape}")
            columns = body[: _COLUMNS * count].reshape(_COLUMNS, count)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
            raise ProjectError(
                f"the chunk facts in {folder.name} cannot be read ({error!r}): index the book again"
            ) from error
        who = body[_COLUMNS * count :]
        if not _sound(columns, who, len(characters)):
            raise ProjectError(f"the chunk facts in {folder.name} are damaged: index the book again")
        return cls(columns, who, characters)


def _sound(columns: Column, who: Column, characters: int) -> bool:
    """Have all codes their names, and is every character one row's?"""
    bounds = {_SCENE: len(_KINDS), _TONE: len(_TONES), _COUNT: len(who) + 1}
    coded = [(columns[column], known) for column, known in bounds.items()] + [(who, characters)]
    whole = int(columns[_COUNT].sum()) == len(who)
    return whole and all(c.min(initial=0) >= 0 and c.max(initial=-1) < known for c, known in coded)
