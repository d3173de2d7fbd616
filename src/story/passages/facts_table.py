"""The facts of all chunks in columns, in order of telling: what filters read, and what an index keeps.

A row is a function of its chunk's chapter and of the chapters before, and everything numbered is numbered in
order of first use, so appending the rows of new chapters gives the table that all rows at once would give.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ...core.files.plain_json import parse_json
from ...errors import ProjectError
from .chunk_facts import RULES, ChunkFacts
from .scene_kinds import SceneKind
from .tones import Tone

SCHEMA = 1
NAMES_FILE = "facts.json"
_KINDS, _TONES = tuple(SceneKind), tuple(Tone)

Column = NDArray[np.int32]
_PER_CHUNK = ("chapter", "document", "scene", "tone", "importance", "who_count")
_COLUMNS = (*_PER_CHUNK, "who")
_NAMES = ("documents", "characters")


class ChunkFactsTable:
    """``len(table)`` rows, row n for the chunk of ordinal n. Made by :meth:`from_facts` or :meth:`load`;
    never changed: :meth:`appended` and :meth:`first` give new tables.

    ``documents`` and ``characters`` are ids, each list in order of first use, the characters' as they were
    known when told.
    """

    def __init__(
        self, columns: Mapping[str, Column], documents: tuple[str, ...], characters: tuple[str, ...]
    ) -> None:
        self._columns = columns
        self.documents = documents
        self.characters = characters

    @classmethod
    def from_facts(cls, facts: Iterable[ChunkFacts]) -> ChunkFactsTable:
        """The table of these chunks, which stand in order of telling."""
        return cls(dict.fromkeys(_COLUMNS, np.empty(0, np.int32)), (), ()).appended(facts)

    def __len__(self) -> int:
        return len(self._columns["chapter"])

    @property
    def chapters(self) -> Column:
        """Chapter of each chunk, shape (n,), int32; ascending within a document. Read-only."""
        return self._columns["chapter"]

    @property
    def importance(self) -> Column:
        """1 to 10, shape (n,), int32. Read-only."""
        return self._columns["importance"]

    def of_scenes(self, kinds: Iterable[SceneKind]) -> NDArray[np.bool_]:
        """True where the chunk is of one of these kinds, shape (n,)."""
        return np.isin(self._columns["scene"], [_KINDS.index(kind) for kind in kinds])

    def of_tones(self, tones: Iterable[Tone]) -> NDArray[np.bool_]:
        """True where the chunk has one of these tones, shape (n,)."""
        return np.isin(self._columns["tone"], [_TONES.index(tone) for tone in tones])

    def with_any(self, characters: Iterable[str]) -> NDArray[np.bool_]:
        """True where one of these ids is in the chunk, shape (n,)."""
        wanted = set(characters)
        codes = [code for code, who in enumerate(self.characters) if who in wanted]
        rows = np.repeat(np.arange(len(self)), self._columns["who_count"])
        found = np.zeros(len(self), np.bool_)
        found[rows[np.isin(self._columns["who"], codes)]] = True
        return found

    def appended(self, facts: Iterable[ChunkFacts]) -> ChunkFactsTable:
        """A new table: these rows after the present ones."""
        documents = {name: code for code, name in enumerate(self.documents)}
        characters = {name: code for code, name in enumerate(self.characters)}
        new: dict[str, list[int]] = {name: [] for name in _COLUMNS}
        for row in facts:
            new["chapter"].append(row.chapter)
            new["document"].append(documents.setdefault(row.document_id, len(documents)))
            new["scene"].append(_KINDS.index(row.scene_type))
            new["tone"].append(_TONES.index(row.tone))
            new["importance"].append(row.importance)
            new["who_count"].append(len(row.characters))
            new["who"].extend(characters.setdefault(who, len(characters)) for who in row.characters)
        columns = {
            name: np.concatenate([self._columns[name], np.asarray(new[name], np.int32)]) for name in _COLUMNS
        }
        return ChunkFactsTable(columns, tuple(documents), tuple(characters))

    def first(self, limit: int) -> ChunkFactsTable:
        """A new table of the first ``limit`` rows, equal to one that never had the others."""
        columns = {name: self._columns[name][:limit] for name in _PER_CHUNK}
        columns["who"] = self._columns["who"][: int(columns["who_count"].sum())]
        known = (int(columns[codes].max(initial=-1)) + 1 for codes in ("document", "who"))
        return ChunkFactsTable(columns, self.documents[: next(known)], self.characters[: next(known)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChunkFactsTable):
            return NotImplemented
        names = (self.documents, self.characters) == (other.documents, other.characters)
        return names and all(np.array_equal(self._columns[n], other._columns[n]) for n in _COLUMNS)

    __hash__ = None  # type: ignore[assignment]

    # --- on disk

    def save(self, folder: Path) -> None:
        """Writes ``facts.npy`` (all columns end to end, int32) and ``facts.json`` (their lengths, and the
        names). The same table gives the same bytes."""
        body = np.concatenate([self._columns[name].astype(np.int32, copy=False) for name in _COLUMNS])
        np.save(folder / "facts.npy", body, allow_pickle=False)
        about = {
            "schema": SCHEMA,
            "rules": RULES,
            "lengths": {name: len(self._columns[name]) for name in _COLUMNS},
            "names": {"documents": list(self.documents), "characters": list(self.characters)},
        }
        text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
        (folder / NAMES_FILE).write_text(text, encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, folder: Path) -> ChunkFactsTable:
        """Opens the columns by mmap; of a file with more columns than are known, those that are. Raises
        ProjectError where the files are missing, damaged, made by other rules, or do not belong together."""
        try:
            about = parse_json((folder / NAMES_FILE).read_text(encoding="utf-8"))
            if (about["schema"], about["rules"]) != (SCHEMA, RULES):
                raise ProjectError(
                    f"the chunk facts in {folder.name} are of {about['rules']} (schema {about['schema']}), "
                    f"not of {RULES} (schema {SCHEMA}): index the book again"
                )
            lengths = {str(name): int(length) for name, length in about["lengths"].items()}
            documents, characters = (tuple(map(str, about["names"][kind])) for kind in _NAMES)
            body = np.load(folder / "facts.npy", mmap_mode="r", allow_pickle=False)
            ends = np.cumsum([0, *lengths.values()])
            stretches = {name: body[ends[n] : ends[n + 1]] for n, name in enumerate(lengths)}
            columns = {name: stretches[name] for name in _COLUMNS}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, BadZipFile) as error:
            raise ProjectError(
                f"the chunk facts in {folder.name} cannot be read ({error!r}): index the book again"
            ) from error
        whole = body.shape == (sum(lengths.values()),) and body.dtype == np.int32
        if min(lengths.values()) < 0 or not whole or not _sound(columns, len(documents), len(characters)):
            raise ProjectError(f"the chunk facts in {folder.name} are damaged: index the book again")
        return cls(columns, documents, characters)


def _sound(columns: Mapping[str, Column], documents: int, characters: int) -> bool:
    """Do all rows have their values, and all codes their names?"""
    rows, people = len(columns["chapter"]), len(columns["who"])
    if any(len(columns[name]) != rows for name in _PER_CHUNK) or columns["who_count"].sum() != people:
        return False
    bounds = {
        "document": documents,
        "who": characters,
        "scene": len(_KINDS),
        "tone": len(_TONES),
        "who_count": people + 1,
    }
    return all(
        columns[name].min(initial=0) >= 0 and columns[name].max(initial=-1) < known
        for name, known in bounds.items()
    )
