"""Memories asked at once: passages of the chapters, profiles of the characters, the codex, captions of
pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core.text.tokenizing import Tokenizer
from ..core.types import Passage
from ..errors import ModelError
from ..story.graph_rag.arc_tracker import DynamicArcTracker
from ..story.memories.memory import COLLECTIONS, Collection, Memory, profiles, with_state, world_memories
from ..story.writing.graph_notes import cast_of
from .pictures import pictures_at

LIMITS: Mapping[Collection, int] = {"chapters": 5, "characters": 3, "codex": 3, "pictures": 3}
"""How many of each collection come back where nothing else is said."""

if TYPE_CHECKING:
    from ..story.passages.filter import SearchFilter
    from .parts import OpenProject


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that was found. ``score`` is its cosine to the query, -1 to 1 (where the embedding model
    failed, the share of the query's words in it); whom the query names comes first."""

    memory: Memory
    score: float
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Recollection:
    """What each collection gave, best first; ``collections`` are those that were asked."""

    query: str
    as_of: int | None
    collections: tuple[Collection, ...]
    chapters: tuple[Passage, ...] = ()
    characters: tuple[Recalled, ...] = ()
    codex: tuple[Recalled, ...] = ()
    pictures: tuple[Recalled, ...] = ()
    notices: tuple[str, ...] = ()


def recall(
    project: OpenProject,
    query: str,
    *,
    as_of: int | None = None,
    collections: Sequence[Collection] = COLLECTIONS,
    limit: int | None = None,
    wanted: SearchFilter | None = None,
) -> Recollection:
    """Asks the collections side by side, each for as many as :data:`LIMITS` says, or ``limit``. ``wanted`` is
    about passages. Raises HorizonError for a chapter that the book does not have, MemoryBudgetError."""
    project.horizon(as_of)
    asked = tuple(one for one in COLLECTIONS if one in collections)

    notices: list[str] = []

    def ask(name: Collection) -> tuple[object, ...]:
        if name != "chapters":
            return recall_memories(project, query, name, as_of=as_of, limit=limit)
        question = project.question(query, limit or LIMITS["chapters"], as_of=as_of, wanted=wanted)
        found = project.searcher.search_or_words(question)
        notices.extend(found.notices)
        return found.passages

    if asked:
        _ = project.searcher if "chapters" in asked else project.embedder  # made once, not by two threads
    with project.monitor.work(), ThreadPoolExecutor(max(1, len(asked)), thread_name_prefix="memory") as pool:
        running = {name: pool.submit(ask, name) for name in asked}
        found = {name: one.result() for name, one in running.items()}
    return Recollection(query, as_of, asked, **found, notices=tuple(notices))  # type: ignore[arg-type]


def recall_memories(
    project: OpenProject, query: str, collection: Collection, *, as_of: int | None, limit: int | None = None
) -> tuple[Recalled, ...]:
    """At most ``limit`` profiles, things of the codex or captions (by default as :data:`LIMITS` says), and
    nobody of whom only a name is known, unless the query names it."""
    view, limit = project.view(as_of), limit or LIMITS[collection]
    chapter = as_of or len(project.document.chapters)
    named: tuple[str, ...] = ()
    if collection == "characters":
        memories = profiles(view, project.bible_of(view))
        cast = cast_of(query, view=view, chapter=chapter)
        named = cast.characters if cast.named else ()
    elif collection == "pictures":
        memories = tuple(
            Memory("picture", one.picture.id, ", ".join(one.names) or "picture", one.words, ())
            for one in pictures_at(project, as_of)
        )
    else:
        memories = world_memories(project.codex, project.bible_of(view)) if project.codex is not None else ()
    scores = _scores(project, query, memories)
    found = [
        Recalled(memory, score, memory.key in named)
        for memory, score in zip(memories, scores, strict=True)
        if memory.key in named or collection != "characters" or len(memory.evidence) > 1
    ]
    places = {who: place for place, who in enumerate(named)}
    found.sort(key=lambda one: (places.get(one.memory.key, len(places)), -one.score, one.memory.key))
    if collection != "characters":
        return tuple(found[:limit])
    tracker = DynamicArcTracker(view)
    return tuple(
        Recalled(with_state(one.memory, tracker, view, chapter=chapter), one.score, one.is_named)
        for one in found[:limit]
    )


def _scores(project: OpenProject, query: str, memories: Sequence[Memory]) -> list[float]:
    if not memories:
        return []
    texts = [memory.text for memory in memories]
    try:
        rows, asked = project.memory_vectors.of(texts), project.embedder.embed_query(query)
    except ModelError:
        tokenizer = Tokenizer()
        wanted = set(tokenizer.terms(query))
        found = (len(wanted & set(tokenizer.terms(text))) / max(1, len(wanted)) for text in texts)
    else:
        found = (float(score) for score in rows @ np.asarray(asked, np.float32))
    return [round(score, 4) for score in found]
