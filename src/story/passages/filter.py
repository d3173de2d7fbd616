"""Which passages a search may look at: chapters, books, people, scene types, importance, tone.

A filter is applied before anything is scored. It is read as a reader at the horizon would read it: names mean
whom they mean there, and nothing past the horizon is ever let through or spoken of.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.chunks.table import Selection
from ...core.types import Book
from ...errors import ConfigError, HorizonError
from ..graph_rag.views.story_view import StoryView
from ..model.predicates import SURE_ENOUGH
from ..model.types import EntityKind, StoryEntity
from .chunk_facts import HIGHEST, LOWEST, ChunkFactsTable
from .scenes_and_tones import SceneKind, Tone

_E = TypeVar("_E", bound=StrEnum)
WITHIN_EARSHOT = 2
"""So many chunks before or behind one that is about a character he still hears and sees what is told."""


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """What a passage must be; the default lets all through. All that is set must hold.

    ``chapters`` is a first and a last chapter, both inclusive, a last of None meaning up to the horizon;
    ``without_chapters`` are left out (those not told yet as well: the chapter being written). ``books`` are
    numbers of books in a series, any of which will do. ``characters`` are names or ids, and all of them must
    be in the passage. ``scene_types`` and ``tones`` let through any of those named, given as members or as
    words. ``min_importance`` is 1 to 10.
    ``known_to`` is the name or id of a character who must have been by: on stage in the chapter, and in the
    passage or in one of the two before or behind it.

    Raises ConfigError for a value that does not exist (naming the nearest that does), a chapter before the
    first, and a range that ends before it begins.
    """

    chapters: tuple[int, int | None] | None = None
    without_chapters: tuple[int, ...] = ()
    books: tuple[int, ...] = ()
    characters: tuple[str, ...] = ()
    scene_types: tuple[SceneKind, ...] = ()
    tones: tuple[Tone, ...] = ()
    min_importance: int = LOWEST
    known_to: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scene_types", _members(SceneKind, self.scene_types, "scene type"))
        object.__setattr__(self, "tones", _members(Tone, self.tones, "tone"))
        for name in ("without_chapters", "books", "characters"):
            object.__setattr__(self, name, tuple(sorted(set(getattr(self, name)))))
        if not LOWEST <= self.min_importance <= HIGHEST:
            raise ConfigError(f"importance is {LOWEST} to {HIGHEST}, not {self.min_importance}")
        if any(not name.strip() for name in self.characters):
            raise ConfigError("a character filter needs a name: give one, or leave the filter out")
        _check_chapters(self.chapters, self.without_chapters)

    @property
    def is_empty(self) -> bool:
        """Does it let everything through?"""
        return self == SearchFilter()

    def key(self) -> str:
        """One line that is the same for filters that let the same through: for cache keys."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return json.dumps(values, ensure_ascii=False, sort_keys=True)


def select(
    wanted: SearchFilter, table: ChunkFactsTable, *, view: StoryView, limit: int, books: Sequence[Book] = ()
) -> Selection:
    """What the indexes take: the first ``limit`` chunks, and of them those that the filter lets through.

    ``view`` is the story as a reader at the horizon knows it, and ``limit`` how many chunks stand before the
    horizon; ``books`` are those of the series, where it is one. The answer, and every message, depends on
    those chunks and that view alone, and on the books begun by then. Raises HorizonError for a range of
    chapters that is not told by then, ConfigError for a character or book that is not known there; both name
    the nearest that is. Costs one pass over the columns asked for.
    """
    known = table if limit >= len(table) else table.first(limit)
    found = _in_chapters(wanted, known, view)
    if wanted.books:
        found &= _in_books(wanted.books, books, known, view)
    if wanted.scene_types:
        found &= known.of_scenes(wanted.scene_types)
    if wanted.tones:
        found &= known.of_tones(wanted.tones)
    if wanted.min_importance > LOWEST:
        found &= known.importance >= wanted.min_importance
    for name in wanted.characters:
        who = character(name, view)
        found &= known.with_any(one for one in known.characters if view.resolve(one) == who.id)
    if wanted.known_to:
        found &= _witnessed(character(wanted.known_to, view), known, view)
    return Selection(limit, found)


def character(name: str, view: StoryView) -> StoryEntity:
    """The character of that name or id, as known at the view's horizon. Raises ConfigError, naming the
    nearest known ones, where there is none."""
    found = view.find(name) or view.entity(name)
    if found is not None and found.kind is EntityKind.CHARACTER:
        return found
    people = view.entities(EntityKind.CHARACTER)
    if found is None and not people:
        raise ConfigError(f"no character called {name!r}: nobody is known yet at this point of the story")
    # names first, so that of equally near ones a name is offered before an alias
    known = [*(one.name for one in people), *(alias for one in people for alias in one.aliases)]
    wrong = f"no character called {name!r} up to here"
    if found is not None:
        wrong = f"{found.name!r} is a {found.kind.value}, not a character"
    raise ConfigError(f"{wrong}: {_one_of(name, known)}")


def _witnessed(who: StoryEntity, known: ChunkFactsTable, view: StoryView) -> NDArray[np.bool_]:
    """The chunks near which the character is, in the chapters in which he is surely on stage: who is only
    named there must not be shown what is kept from him."""
    there = known.with_any(one for one in known.characters if view.resolve(one) == who.id)
    chapters = known.chapters
    near = there.copy()
    for apart in range(1, WITHIN_EARSHOT + 1):
        same = chapters[apart:] == chapters[:-apart]
        near[apart:] |= there[:-apart] & same
        near[:-apart] |= there[apart:] & same

    def surely_in(chapter: int) -> bool:
        sure = (one for one in view.on_stage(chapter) if one.confidence >= SURE_ENOUGH)
        return any(view.resolve(one.entity) == who.id for one in sure)

    return near & np.isin(chapters, [n for n in np.unique(chapters).tolist() if surely_in(n)])


def _in_books(
    wanted: Iterable[int], books: Sequence[Book], known: ChunkFactsTable, view: StoryView
) -> NDArray[np.bool_]:
    """What is said of a book depends on those alone that were begun by the horizon."""
    told = view.horizon.chapter
    begun = [book for book in books if told is None or book.first <= told]
    if not begun:
        raise ConfigError("this is one book, no series: leave the filter for books out")
    found = np.zeros(len(known), np.bool_)
    for number in wanted:
        if not 1 <= number <= len(begun):
            raise HorizonError(f"book {number} cannot be searched: ask for books 1 to {len(begun)}")
        book = begun[number - 1]
        found |= (known.chapters >= book.first) & (known.chapters <= book.last)
    return found


def _in_chapters(wanted: SearchFilter, known: ChunkFactsTable, view: StoryView) -> NDArray[np.bool_]:
    chapters = known.chapters
    found = ~np.isin(chapters, wanted.without_chapters)
    if wanted.chapters is None:
        return found
    told = view.horizon.chapter
    last = int(chapters.max(initial=0)) if told is None else told
    first, end = wanted.chapters
    if max(first, end or first) > last:
        asked = f"chapter {first}" if end in (None, first) else f"chapters {first} to {end}"
        place = f"the horizon is chapter {told}" if told is not None else f"the last chapter is {last}"
        raise HorizonError(f"{asked} cannot be searched: {place}, so ask for chapters 1 to {last}")
    return found & (chapters >= first) & (chapters <= (last if end is None else end))


def _check_chapters(chapters: tuple[int, int | None] | None, without: Sequence[int]) -> None:
    if without and without[0] < 1:
        raise ConfigError(f"chapters count from 1: {without[0]} cannot be left out")
    if chapters is None:
        return
    first, last = chapters
    if first < 1:
        raise ConfigError(f"chapters count from 1: a range cannot begin at {first}")
    if last is not None and last < first:
        raise ConfigError(f"chapters {first} to {last} are none: give the first chapter, then the last")


def _members(kind: type[_E], values: Iterable[str], what: str) -> tuple[_E, ...]:
    """Each once, in the order of the kind."""
    words, given = [member.value for member in kind], list(map(str, values))
    for value in given:
        if value not in words:
            raise ConfigError(f"{value!r} is no {what}: {_one_of(value, words)}")
    return tuple(member for member in kind if member.value in given)


def _one_of(given: str, known: Sequence[str]) -> str:
    """What to write instead: the nearest known ones, or the first few where none is near."""
    by_fold: dict[str, str] = {}
    for name in known:
        by_fold.setdefault(name.casefold(), name)
    near = difflib.get_close_matches(given.casefold(), by_fold, n=3, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(by_fold[name] for name in near)}?"
    listed = list(by_fold.values())
    return f"use one of {', '.join(listed[:8])}{' and others' if len(listed) > 8 else ''}"
