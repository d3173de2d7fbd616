"""What every page of the app is given: the library, the story chosen, and how far it has been read."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, TypeVar

from ..engine import Project
from ..errors import UsageError
from ..library.library import Entry, Library
from ..library.shelf import Shelf
from ..story.graph_rag.views.story_view import StoryView

P = ParamSpec("P")
T = TypeVar("T")

_KEPT = 64  # views; each is plain data of at most a few hundred rows


class ViewCache:
    """Views by what they were made of; the least recently used goes first. Safe in threads."""

    def __init__(self, capacity: int = _KEPT) -> None:
        self._capacity = capacity
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The kept value of ``key``, or what ``make`` gives, which is then kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                found: T = self._kept[key]
                return found
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        return made

    def drop(self) -> None:
        """Forgets all views."""
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)


@dataclass(frozen=True, slots=True)
class Frame:
    """``entry`` is None while the library is empty. ``as_of`` is the chapter up to which the reader has read:
    1 to the last, 0 where there is no story. A page shows nothing that is told later.

    ``repaint`` draws the memory gauge anew: call it about once a second during long work. ``links`` are
    Streamlit's pages by key, for ``st.page_link``."""

    library: Library
    shelf: Shelf
    entry: Entry | None
    as_of: int
    views: ViewCache = field(default_factory=ViewCache, compare=False)
    repaint: Callable[[], None] = field(default=lambda: None, compare=False)
    links: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def story(self) -> Entry:
        """The story that was chosen. Raises UsageError where the library is empty."""
        if self.entry is None:
            raise UsageError("there are no stories yet: add one on the page Library")
        return self.entry

    @contextmanager
    def project(self) -> Iterator[Project]:
        """The story's project while the block runs, beside other sessions: for searches, views and checks."""
        with self.shelf.read(self.story) as project:
            yield project

    @contextmanager
    def at_work(self) -> Iterator[Project]:
        """For work with a model, which takes one session at a time: waits until nobody else is at it."""
        with self.shelf.use(self.story) as project:
            yield project

    def cached(self, name: str, make: Callable[[Project], T], *key: Hashable) -> T:
        """What ``make`` gives of the open project, kept under ``name``, the story as it was last indexed, the
        horizon and ``key``: all that can change the value belongs into it. Give back plain, frozen values."""
        story = self.story

        def made() -> T:
            with self.project() as project:
                return make(project)

        return self.views.get((name, str(story.folder), story.stamp, self.as_of, *key), made)

    def seen(self, make: Callable[Concatenate[StoryView, P], T], *asked: P.args, **how: P.kwargs) -> T:
        """What ``make`` gives of the story as far as it has been read, made once for each question."""
        key = (*asked, *how.items())
        return self.cached(
            make.__qualname__, lambda project: make(project.view(self.as_of), *asked, **how), *key
        )
