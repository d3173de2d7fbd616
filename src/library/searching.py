"""One query to several stories: each is searched by itself, and the best passages of all come first.

Scores of the default fusion say how much of the query a passage holds, whatever else is in its index, so they
are set side by side as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.types import PagePlace, Passage
from ..errors import UsageError
from .library import Entry, Library

if TYPE_CHECKING:
    from ..engine import Project

__all__ = ["LibraryHit", "search_stories", "stories_in"]


@dataclass(frozen=True, slots=True)
class LibraryHit:
    """A passage and the story it stands in: the name of its project, and its title. ``places`` are where it
    is printed."""

    story: str
    title: str
    passage: Passage
    places: tuple[PagePlace, ...] = ()


def stories_in(folder: Path) -> tuple[Entry, ...]:
    """The finished projects right below a folder, by title; none where it is a project itself."""
    return () if (folder / "fabula.db").exists() else tuple(Library(folder).entries())


def search_stories(
    entries: Sequence[Entry],
    read: Callable[[Entry], AbstractContextManager[Project]],
    query: str,
    k: int,
    *,
    read_to: Mapping[str, int] | None = None,
    **how: Any,
) -> tuple[LibraryHit, ...]:
    """The ``k`` best passages of all these stories; of those that ``read_to`` names nothing told later than
    that chapter. ``read`` opens a story; ``how`` are what ``Project.search`` takes besides. Raises UsageError
    where ``read_to`` names another story, HorizonError for a chapter that one does not have."""
    upto = dict(read_to or {})
    if unknown := set(upto) - {one.name for one in entries}:
        raise UsageError(f"there is no story {min(unknown)!r} among those searched: name it as its folder is")
    hits = [hit for entry in entries for hit in _searched(entry, read, query, k, upto.get(entry.name), how)]
    return tuple(sorted(hits, key=lambda hit: -hit.passage.score)[:k])


def _searched(
    entry: Entry,
    read: Callable[[Entry], AbstractContextManager[Project]],
    query: str,
    k: int,
    as_of: int | None,
    how: Mapping[str, Any],
) -> Iterable[LibraryHit]:
    with read(entry) as project:
        found = project.search(query, k, as_of=as_of, **how)
    places = found.places or ((),) * len(found.passages)
    for passage, printed in zip(found.passages, places, strict=True):
        yield LibraryHit(entry.name, entry.title, passage, printed)
