"""One query to several stories, scored as if they were one.

Each story is searched where it lies, in a folder or on a server, by itself: first what it knows of the words
of the query is gathered, then each scores its passages by what all of them know (idf and average length of
the whole), and the best of all come first. BM25 is that of one index of all stories, to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Unpack

from ..core.search import Query
from ..core.types import CorpusStatistics, PagePlace, Passage
from ..errors import UsageError
from .library import Entry, Library

if TYPE_CHECKING:
    from ..engine import Project
    from ..project.parts import SearchHow

T = TypeVar("T")

_NAMED = 8  # stories that an error names
_HELD = 64  # stories that are open at once
_AT_ONCE = 8  # servers that are waited for at once


@dataclass(frozen=True, slots=True)
class LibraryHit:
    """A passage and the story it stands in: the name of its project, and its title. ``places`` are where it
    is printed."""

    story: str
    title: str
    passage: Passage
    places: tuple[PagePlace, ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """A story that is open, and what it is asked."""

    entry: Entry
    project: Project
    question: Query

    def corpus(self) -> CorpusStatistics | None:
        return self.project.searcher.corpus(self.question)

    def hits(self, corpus: CorpusStatistics | None) -> list[LibraryHit]:
        project = self.project
        with project.monitor.work():
            found = project.searcher.search_or_words(replace(self.question, corpus=corpus)).passages
        own = self.entry.name, self.entry.title
        return [LibraryHit(*own, one, project.places(one.chunk.span)) for one in found]


def stories_in(folder: Path) -> tuple[Entry, ...]:
    """The finished projects right below a folder, by title; none where it is a project itself. Raises
    ProjectError where the server that keeps one does not answer."""
    return () if (folder / "fabula.db").exists() else tuple(Library(folder).searchable())


def search_stories(
    entries: Sequence[Entry],
    read: Callable[[Entry], AbstractContextManager[Project]],
    query: str,
    k: int,
    *,
    read_to: Mapping[str, int] | None = None,
    least_score: float | None = None,
    **how: Unpack[SearchHow],
) -> tuple[LibraryHit, ...]:
    """The ``k`` best passages of all these stories; of those that ``read_to`` names, by folder or title,
    nothing told later than that chapter has any influence. ``read`` opens a story; the rest is as for
    ``Project.search``. Where one story's settings leave no common BM25 (rank_bm25, okapi), each is scored by
    itself. Raises UsageError where ``read_to`` names another story, or a title that several have,
    HorizonError for a chapter that one does not have."""
    upto: dict[str, int] = {}
    for story, last in (read_to or {}).items():
        name = _folder_of(story, entries)
        upto[name] = min(last, upto.get(name, last))

    def ask(entry: Entry, opened: ExitStack) -> _Asked:
        project = opened.enter_context(read(entry))
        least = project.config.retrieval.least_score if least_score is None else least_score
        own: SearchHow = {**how, "as_of": upto.get(entry.name)}
        return _Asked(entry, project, project.question(query, k, least_score=least, **own))

    @contextmanager
    def asked(batch: Sequence[Entry]) -> Iterator[tuple[list[_Asked], ThreadPoolExecutor]]:
        # the pool ends first: no story is closed while a thread opens or searches one
        with ExitStack() as opened, ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="story") as pool:
            yield list(pool.map(partial(ask, opened=opened), batch)), pool

    with asked(entries[:_HELD]) as (first, pool):  # these stay open, the others are opened twice

        def each(act: Callable[[_Asked], T]) -> Iterator[T]:
            yield from pool.map(act, first)
            for at in range(_HELD, len(entries), _HELD):
                with asked(entries[at : at + _HELD]) as (stories, others):
                    yield from others.map(act, stories)

        known = [one for one in each(_Asked.corpus) if one is not None]
        corpus = reduce(add, known) if known and len(known) == len(entries) else None
        hits = [hit for found in each(lambda one: one.hits(corpus)) for hit in found]
    return tuple(sorted(hits, key=lambda hit: -hit.passage.score)[:k])


def _folder_of(story: str, entries: Sequence[Entry]) -> str:
    called = [one for one in entries if one.name == story.rstrip("/").rpartition("/")[2]]
    called = called or [one for one in entries if one.title.casefold() == story.strip().casefold()]
    if len(called) == 1:
        return called[0].name
    among = called or entries
    named = ", ".join(f"{one.name} ({one.title})" for one in among[:_NAMED])
    more = f" and {len(among) - _NAMED} more" if len(among) > _NAMED else ""
    count = f"are {len(called)} stories" if called else "is no story"
    raise UsageError(
        f"there {count} {story!r} among those searched: name one by its folder, or its title; they are "
        f"{named}{more}"
    )
