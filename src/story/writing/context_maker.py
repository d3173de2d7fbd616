"""From a prompt and a horizon to the context of each pipeline, each piece looked for once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from typing import Any

from ...core.interfaces import Retriever
from ...core.types import Document, Evidence, Horizon, Note, Span
from ...errors import ConfigError, ModelError
from ..graph_rag.story_graph import StoryKnowledgeGraph
from ..graph_rag.views.story_view import StoryView
from .context import PlacedNote, StoryContext, assemble, previous_scene, recent_text
from .graph_notes import Cast, cast_of, graph_notes
from .pipelines import Pipeline, Sampling


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """The same for every pipeline. ``budget`` and ``scene_tokens`` are in the generator's tokens.

    ``budget`` bounds the context (scene, passages and notes together), ``scene_tokens`` the scene in it;
    ``passages`` is how many are retrieved, ``characters`` the size of the cast. Raises ConfigError for a
    value out of range.
    """

    budget: int = 700
    scene_tokens: int = 160
    passages: int = 12
    characters: int = 4
    sampling: Sampling = field(default_factory=Sampling)

    def __post_init__(self) -> None:
        lowest = {"budget": 1, "scene_tokens": 0, "passages": 1, "characters": 1}
        for name, least in lowest.items():
            if getattr(self, name) < least:
                raise ConfigError(f"{name} is {getattr(self, name)}: set it to {least} or more")
        if self.sampling.max_tokens < 1 or self.sampling.temperature < 0:
            raise ConfigError(f"{self.sampling} asks for no text: max_tokens from 1, temperature from 0 up")


@dataclass(frozen=True, slots=True)
class _Found:
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
    room: ComparisonSettings
    view: StoryView
    cast: Cast
    names: tuple[tuple[str, ...], ...]
    scene: Evidence | None
    kept: dict[tuple[str, object], _Found] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class ContextMaker:
    """Makes contexts, within room that is counted with ``count``.

    ``canon`` gives the rules of the world that an author laid down and that hold at a horizon, ``lines`` what
    is laid down that bears on a prompt about these people and places (ids); ``place`` says where a part of
    the text is printed. Never used by two threads at once.
    """

    document: Document
    _: KW_ONLY
    retriever: Retriever
    graph: StoryKnowledgeGraph
    count: Callable[[str], int]
    canon: Callable[[Horizon], Sequence[Note]] = lambda _: ()
    lines: Callable[[StoryView, Sequence[str], str], Sequence[PlacedNote]] = lambda *_: ()
    place: Callable[[Span], str] = lambda _: ""
    clock: Callable[[], float] = time.perf_counter

    def task(self, prompt: str, *, horizon: Horizon, room: ComparisonSettings) -> ContextTask:
        """Who the prompt is about and the scene before it. Raises HorizonError for a chapter that is not."""
        chapter = len(self.document.chapters) if horizon.chapter is None else horizon.chapter
        most = min(room.scene_tokens, room.budget)
        scene = previous_scene(self.document, horizon=horizon, max_tokens=most, count=self.count)
        view = self.graph.as_of(horizon)
        cast = cast_of(prompt, view=view, chapter=chapter, limit=room.characters)
        known = {entity.id: entity for entity in view.entities()}
        people = [known[who] for who in cast.characters if who in known]
        names = tuple((one.name, *(alias for alias in one.aliases if alias != one.name)) for one in people)
        return ContextTask(prompt, horizon, chapter, room, view, cast, names, scene)

    def make(self, task: ContextTask, pipeline: Pipeline) -> MadeContext:
        """The pipeline's context. A ModelError of a source becomes the result's error."""
        horizon = task.horizon if pipeline.horizon else Horizon(None)
        passages, notes = self._passages(task, pipeline, horizon), self._notes(task, pipeline, horizon)
        if error := passages.error or notes.error:
            return MadeContext(None, error, passages.seconds, notes.seconds)
        start = self.clock()
        context = assemble(
            document=self.document,
            horizon=horizon,
            scene=task.scene if pipeline.scene else None,
            passages=passages.items,
            notes=notes.items,
            budget=task.room.budget,
            note_share=pipeline.note_share,
            count=self.count,
            place=self.place,
        )
        return MadeContext(context, "", passages.seconds, notes.seconds + self.clock() - start)

    def _passages(self, task: ContextTask, pipeline: Pipeline, horizon: Horizon) -> _Found:
        """What the pipeline's search finds, or the story's latest text where it takes that instead."""
        if pipeline.recent:
            most = task.room.budget
            latest = partial(recent_text, self.document, task.horizon, max_tokens=most, count=self.count)
            return self._once(task, ("recent", None), latest)
        if not pipeline.passages:
            return _Found()
        found = partial(self.retriever.search, task.prompt, task.room.passages, horizon=horizon)
        return self._once(task, ("passages", horizon), found)

    def _notes(self, task: ContextTask, pipeline: Pipeline, horizon: Horizon) -> _Found:
        """What the graph says, for a pipeline that takes notes."""
        if not pipeline.notes:
            return _Found()
        found = self._once(task, ("notes", horizon), lambda: self._of_graph(task, horizon))
        if pipeline.states:
            return found
        return replace(found, items=tuple(one for one in found.items if one.note.kind != "state"))

    def _of_graph(self, task: ContextTask, horizon: Horizon) -> Sequence[PlacedNote]:
        view = task.view if horizon == task.horizon else self.graph.as_of(horizon)
        return graph_notes(
            task.cast,
            view=view,
            chapter=task.chapter,
            canon=self.canon(Horizon(task.chapter)),
            lines=self.lines(view, (*task.cast.characters, *task.cast.places), task.prompt),
        )

    def _once(
        self, task: ContextTask, key: tuple[str, object], search: Callable[[], Sequence[Any]]
    ) -> _Found:
        if key not in task.kept:
            start = self.clock()
            try:
                found = _Found(tuple(search()))
            except ModelError as error:
                found = _Found(error=str(error))
            task.kept[key] = replace(found, seconds=self.clock() - start)
        return task.kept[key]
