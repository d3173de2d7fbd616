"""The facts of all chunks in columns, in order of telling: what filters read, and what an index keeps.

A row is a function of its chunk's chapter and of the chapters before, and everything numbered is numbered in
order of first use, so appending the rows of new chapters gives the table that all rows at once would give.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ...core.files.plain_json import parse_json
from ...core.types import Document, Evidence, Span
from ...errors import ProjectError
from .chunk_facts import RULES, ChunkFacts
from .key_events import KeyEvent
from .scene_kinds import SceneKind
from .tones import Tone

__all__ = ["ChunkFactsTable"]

SCHEMA = 1
NAMES_FILE = "facts.json"
_KINDS, _TONES = tuple(SceneKind), tuple(Tone)
_KIND_CODES = {kind: code for code, kind in enumerate(_KINDS)}
_TONE_CODES = {tone: code for code, tone in enumerate(_TONES)}

Column = NDArray[np.int32]
_CODES = ("chapter", "document", "scene", "tone", "importance")
_PER_CHUNK = (*_CODES, "who_count", "event_count")
_PER_EVENT = ("event_start", "event_end", "event_predicate", "event_wording")
_COLUMNS = (*_PER_CHUNK, "who", *_PER_EVENT)


@dataclass(frozen=True, slots=True)
class _Names:
    """What the codes stand for, each list in order of first use."""

    documents: tuple[str, ...] = ()
    characters: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()


class ChunkFactsTable:
    """``len(table)`` rows, row n for the chunk of ordinal n. Made by :meth:`from_facts` or :meth:`load`;
    never changed: :meth:`appended` and :meth:`first` give new tables."""

    def __init__(self, columns: Mapping[str, Column], names: _Names) -> None:
        self._columns = columns
        self._names = names
        self._who_at = _starts(columns["who_count"])
        self._event_at = _starts(columns["event_count"])

    @classmethod
    def from_facts(cls, facts: Iterable[ChunkFacts]) -> ChunkFactsTable:
        """The table of these chunks, which stand in order of telling."""
        none = np.empty(0, np.int32)
        return cls(dict.fromkeys(_COLUMNS, none), _Names()).appended(facts)

    def __len__(self) -> int:
        return len(self._columns["chapter"])

    # --- columns, read-only, one value a chunk

    @property
    def chapters(self) -> Column:
        """Chapter of each chunk, shape (n,), int32; ascending within a document."""
        return self._columns["chapter"]

    @property
    def documents(self) -> tuple[str, ...]:
        """Ids of the documents, in order of first chunk."""
        return self._names.documents

    @property
    def characters(self) -> tuple[str, ...]:
        """Ids of everybody in any chunk, as they were known when told, in order of first chunk."""
        return self._names.characters

    @property
    def importance(self) -> Column:
        """1 to 10, shape (n,), int32."""
        return self._columns["importance"]

    def of_documents(self, documents: Iterable[str]) -> NDArray[np.bool_]:
        """True where the chunk is of one of these, shape (n,)."""
        return self._coded(
            "document", [self.documents.index(one) for one in documents if one in self.documents]
        )

    def of_scenes(self, kinds: Iterable[SceneKind]) -> NDArray[np.bool_]:
        """True where the chunk is of one of these kinds, shape (n,)."""
        return self._coded("scene", [_KIND_CODES[kind] for kind in kinds])

    def of_tones(self, tones: Iterable[Tone]) -> NDArray[np.bool_]:
        """True where the chunk has one of these tones, shape (n,)."""
        return self._coded("tone", [_TONE_CODES[tone] for tone in tones])

    def with_any(self, characters: Iterable[str]) -> NDArray[np.bool_]:
        """True where one of these ids is in the chunk, shape (n,)."""
        wanted = set(characters)
        codes = [code for code, who in enumerate(self.characters) if who in wanted]
        rows = np.repeat(np.arange(len(self)), self._columns["who_count"])
        found = np.zeros(len(self), np.bool_)
        found[rows[np.isin(self._columns["who"], codes)]] = True
        return found

    def _coded(self, column: str, codes: Sequence[int]) -> NDArray[np.bool_]:
        return np.isin(self._columns[column], codes)

    # --- rows

    def facts(self, ordinal: int, document: Document) -> ChunkFacts:
        """The facts of one chunk; ``document`` is the one it is of, whose text the quotes are read from."""
        c, names = self._columns, self._names
        chapter = int(c["chapter"][ordinal])
        who = c["who"][self._who_at[ordinal] : self._who_at[ordinal + 1]]
        return ChunkFacts(
            document_id=names.documents[c["document"][ordinal]],
            chapter=chapter,
            characters=tuple(names.characters[code] for code in who),
            scene_type=_KINDS[c["scene"][ordinal]],
            tone=_TONES[c["tone"][ordinal]],
            importance=int(c["importance"][ordinal]),
            key_events=tuple(
                KeyEvent(
                    names.wordings[c["event_wording"][at]],
                    names.predicates[c["event_predicate"][at]],
                    Evidence.of(document, chapter, Span(int(c["event_start"][at]), int(c["event_end"][at]))),
                )
                for at in range(self._event_at[ordinal], self._event_at[ordinal + 1])
            ),
        )

    def appended(self, facts: Iterable[ChunkFacts]) -> ChunkFactsTable:
        """A new table: these rows after the present ones."""
        numbers = {
            kind: {name: code for code, name in enumerate(getattr(self._names, kind))}
            for kind in _Names.__dataclass_fields__
        }

        def code(kind: str, name: str) -> int:
            return numbers[kind].setdefault(name, len(numbers[kind]))

        new: dict[str, list[int]] = {name: [] for name in _COLUMNS}
        for row in facts:
            new["chapter"].append(row.chapter)
            new["document"].append(code("documents", row.document_id))
            new["scene"].append(_KIND_CODES[row.scene_type])
            new["tone"].append(_TONE_CODES[row.tone])
            new["importance"].append(row.importance)
            new["who_count"].append(len(row.characters))
            new["who"].extend(code("characters", who) for who in row.characters)
            new["event_count"].append(len(row.key_events))
            for event in row.key_events:
                new["event_start"].append(event.evidence.span.start)
                new["event_end"].append(event.evidence.span.end)
                new["event_predicate"].append(code("predicates", event.predicate))
                new["event_wording"].append(code("wordings", event.wording))
        columns = {
            name: np.concatenate([self._columns[name], np.asarray(new[name], np.int32)]) for name in _COLUMNS
        }
        return ChunkFactsTable(columns, _Names(**{kind: tuple(known) for kind, known in numbers.items()}))

    def first(self, limit: int) -> ChunkFactsTable:
        """A new table of the first ``limit`` rows, equal to one that never had the others."""
        limit = min(limit, len(self))
        who, events = int(self._who_at[limit]), int(self._event_at[limit])
        cut = dict.fromkeys(_PER_CHUNK, limit) | {"who": who}
        columns = {name: column[: cut.get(name, events)] for name, column in self._columns.items()}
        names = _Names(
            documents=_known(self._names.documents, columns["document"]),
            characters=_known(self._names.characters, columns["who"]),
            predicates=_known(self._names.predicates, columns["event_predicate"]),
            wordings=_known(self._names.wordings, columns["event_wording"]),
        )
        return ChunkFactsTable(columns, names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChunkFactsTable):
            return NotImplemented
        return self._names == other._names and all(
            np.array_equal(self._columns[name], other._columns[name]) for name in _COLUMNS
        )

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
            "names": {kind: list(getattr(self._names, kind)) for kind in _Names.__dataclass_fields__},
        }
        text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
        (folder / NAMES_FILE).write_text(text, encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, folder: Path) -> ChunkFactsTable:
        """Opens the columns by mmap. Raises ProjectError where the files are missing, damaged, made by other
        rules, or do not belong together."""
        try:
            about = parse_json((folder / NAMES_FILE).read_text(encoding="utf-8"))
            if (about["schema"], about["rules"]) != (SCHEMA, RULES):
                raise ProjectError(
                    f"the chunk facts in {folder.name} are of {about['rules']} (schema {about['schema']}), "
                    f"not of {RULES} (schema {SCHEMA}): index the book again"
                )
            lengths = [int(about["lengths"][name]) for name in _COLUMNS]
            names = _Names(
                **{kind: tuple(map(str, about["names"][kind])) for kind in _Names.__dataclass_fields__}
            )
            body = np.load(folder / "facts.npy", mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, BadZipFile) as error:
            raise ProjectError(
                f"the chunk facts in {folder.name} cannot be read ({error!r}): index the book again"
            ) from error
        if min(lengths) < 0 or body.shape != (sum(lengths),) or body.dtype != np.int32:
            raise ProjectError(f"the chunk facts in {folder.name} are damaged: index the book again")
        ends = np.cumsum([0, *lengths])
        columns = {name: body[ends[at] : ends[at + 1]] for at, name in enumerate(_COLUMNS)}
        if not _sound(columns, names):
            raise ProjectError(f"the chunk facts in {folder.name} are damaged: index the book again")
        return cls(columns, names)


def _sound(columns: Mapping[str, Column], names: _Names) -> bool:
    """Do all rows have their values, and all codes their names?"""
    rows, events = len(columns["chapter"]), len(columns["event_start"])
    if any(len(columns[name]) != rows for name in _PER_CHUNK):
        return False
    if any(len(columns[name]) != events for name in _PER_EVENT):
        return False
    counted = (int(columns["who_count"].sum()), int(columns["event_count"].sum()))
    if counted != (len(columns["who"]), events):
        return False
    bounds = (
        ("document", len(names.documents)),
        ("who", len(names.characters)),
        ("event_predicate", len(names.predicates)),
        ("event_wording", len(names.wordings)),
        ("scene", len(_KINDS)),
        ("tone", len(_TONES)),
        ("who_count", len(columns["who"]) + 1),
        ("event_count", events + 1),
    )
    return all(
        columns[name].min(initial=0) >= 0 and columns[name].max(initial=-1) < known for name, known in bounds
    )


def _known(names: tuple[str, ...], codes: Column) -> tuple[str, ...]:
    """The names in use: they are numbered in order of first use."""
    return names[: int(codes.max(initial=-1)) + 1]


def _starts(counts: Column) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])
