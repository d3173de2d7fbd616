"""From a prompt and a horizon to the context of each pipeline, each piece looked for once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...core.interfaces import Retriever
from ...core.types import Document, Evidence, Horizon, Note, Passage, Span
from ...errors import ModelError
from .cast import Cast, cast_of
from .context import PlacedNote, StoryContext, assemble, previous_scene, recent_text
from .graph_notes import Discovery, Tracker, View, graph_notes
from .pipelines import Pipeline

__all__ = ["ContextMaker", "ContextTask", "Found", "Graph", "MadeContext"]

_T = Any


class Graph(Protocol):
    """The story graph, at any horizon."""

    def as_of(self, horizon: Horizon, /) -> View:
        """What a reader at the horizon knows."""
        ...


class Room(Protocol):
    """How much a context may hold; ``ComparisonSettings`` is one."""

    @property
    def budget(self) -> int: ...

    @property
    def scene_tokens(self) -> int: ...

    @property
    def passages(self) -> int: ...

    @property
    def characters(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Found:
    """What one source answered, or the error it failed with, and its seconds."""

    items: tuple[Any, ...] = ()
    seconds: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class MadeContext:
    """A pipeline's context, or the message of what failed. Seconds of a source that several pipelines use
    are charged to each of them whole."""

    context: StoryContext | None
    error: str
    retrieve_seconds: float
    context_seconds: float


@dataclass(frozen=True, slots=True)
class ContextTask:
    """One prompt at one horizon, and what all its pipelines have in common."""

    prompt: str
    horizon: Horizon
    chapter: int
    room: Room
    view: View
    cast: Cast
    names: tuple[tuple[str, ...], ...]
    scene: Evidence | None
    kept: dict[tuple[str, object], Found] = field(default_factory=dict, compare=False)


class ContextMaker:
    """Makes contexts; the parts are those of ``StoryComparisonEngine``. Never used by two threads at once."""

    def __init__(
        self,
        document: Document,
        *,
        retriever: Retriever,
        graph: Graph,
        tracker: Callable[[Any], Tracker],
        discovery: Callable[[Any], Discovery],
        count: Callable[[str], int],
        canon: Callable[[Horizon], Sequence[Note]] = lambda _: (),
        described: Callable[[Any, Sequence[str]], Sequence[PlacedNote]] = lambda *_: (),
        place: Callable[[Span], str] = lambda _: "",
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._document = document
        self._retriever = retriever
        self._graph = graph
        self._tracker = tracker
        self._discovery = discovery
        self._count = count
        self._canon = canon
        self._described = described
        self._place = place
        self._clock = clock

    def task(self, prompt: str, *, horizon: Horizon, room: Room) -> ContextTask:
        """Who the prompt is about and the scene before it. Raises HorizonError for a chapter that is not."""
        chapter = len(self._document.chapters) if horizon.chapter is None else horizon.chapter
        scene = previous_scene(
            self._document,
            horizon=horizon,
            max_tokens=min(room.scene_tokens, room.budget),
            count=self._count,
        )
        view = self._graph.as_of(horizon)
        cast = cast_of(prompt, view=view, chapter=chapter, limit=room.characters)
        known = {entity.id: entity for entity in view.entities()}
        people = [known[who] for who in cast.characters if who in known]
        names = tuple((one.name, *(alias for alias in one.aliases if alias != one.name)) for one in people)
        return ContextTask(prompt, horizon, chapter, room, view, cast, names, scene)

    def make(self, task: ContextTask, pipeline: Pipeline) -> MadeContext:
        """The pipeline's context. A ModelError of a source becomes the result's error."""
        passages = self.passages(task, pipeline)
        notes = self.notes(task, pipeline)
        error = passages.error or notes.error
        if error:
            return MadeContext(None, error, passages.seconds, notes.seconds)
        start = self._clock()
        context = assemble(
            document=self._document,
            horizon=_read_by(task, pipeline),
            scene=None if pipeline.recent else task.scene,
            passages=passages.items,
            notes=notes.items,
            budget=task.room.budget,
            note_share=pipeline.note_share,
            count=self._count,
            place=self._place,
        )
        return MadeContext(context, "", passages.seconds, notes.seconds + self._clock() - start)

    def passages(self, task: ContextTask, pipeline: Pipeline) -> Found:
        """What the pipeline's search finds, or the story's latest text where it takes that instead."""
        if pipeline.recent:
            return self._once(task, ("recent", None), lambda: self._recent(task))
        if not pipeline.passages:
            return Found()
        horizon = _read_by(task, pipeline)
        return self._once(
            task,
            ("passages", horizon),
            lambda: self._retriever.search(task.prompt, task.room.passages, horizon=horizon),
        )

    def notes(self, task: ContextTask, pipeline: Pipeline) -> Found:
        """What the graph says, for a pipeline that takes notes."""
        if not pipeline.notes:
            return Found()
        horizon = _read_by(task, pipeline)
        found = self._once(task, ("notes", horizon), lambda: self._notes(task, horizon))
        if pipeline.states:
            return found
        return Found(tuple(n for n in found.items if n.note.kind != "state"), found.seconds, found.error)

    def _notes(self, task: ContextTask, horizon: Horizon) -> Sequence[PlacedNote]:
        view = task.view if horizon == task.horizon else self._graph.as_of(horizon)
        found = graph_notes(
            task.cast,
            view=view,
            tracker=self._tracker(view),
            discovery=self._discovery(view),
            chapter=task.chapter,
            canon=self._canon(Horizon(task.chapter)),
        )
        said = self._described(view, (*task.cast.characters, *task.cast.places))
        first = sum(one.section == "Constraints" for one in found)
        return (*found[:first], *said, *found[first:])

    def _recent(self, task: ContextTask) -> Sequence[Passage]:
        return recent_text(
            self._document, horizon=task.horizon, max_tokens=task.room.budget, count=self._count
        )

    def _once(self, task: ContextTask, key: tuple[str, object], search: Callable[[], Sequence[_T]]) -> Found:
        if key not in task.kept:
            start = self._clock()
            try:
                items = tuple(search())
            except ModelError as error:
                task.kept[key] = Found(error=str(error), seconds=self._clock() - start)
            else:
                task.kept[key] = Found(items, self._clock() - start)
        return task.kept[key]


def _read_by(task: ContextTask, pipeline: Pipeline) -> Horizon:
    return task.horizon if pipeline.horizon else Horizon(None)
