"""Who goes by a name, or what to try instead."""

from __future__ import annotations

from ..errors import UnknownName
from ..story.graph_rag.views.story_view import StoryView
from ..story.model.types import EntityKind, StoryEntity
from ..story.names.spelling import near_names

_MOST_NEAR = 5


def known_entity(view: StoryView, name: str) -> StoryEntity | None:
    """Who or what goes by that name, with its article or without, or has that id; else None."""
    return view.find(name) or view.entity(name) or view.find(f"the {name}")


def found_entity(view: StoryView, name: str) -> StoryEntity:
    """As :func:`known_entity`; raises UnknownName, with names that are near, where nobody does."""
    entity = known_entity(view, name)
    if entity is not None:
        return entity
    words = set(name.lower().split())
    known = view.entities()
    near = [e.name for e in known if words & set(e.name.lower().split())][:_MOST_NEAR]
    near = near or near_names(name, (surface for e in known for surface in (e.name, *e.aliases)))
    hint = f"did you mean {', '.join(near)}?" if near else "fabula graph PROJECT lists who is"
    chapter = view.horizon.chapter
    where = "in the story" if chapter is None else f"in chapters 1 to {chapter}"
    raise UnknownName(f"there is nobody and nothing called {name!r} {where}: {hint}")


def characters_asked(view: StoryView, names: tuple[str, ...], *, most: int = 5) -> tuple[StoryEntity, ...]:
    """Those named, each once; the ``most`` mentioned characters where none is. Raises UnknownName as
    :func:`found_entity` does."""
    if not names:
        return view.entities(EntityKind.CHARACTER)[:most]
    found = {entity.id: entity for entity in (found_entity(view, name) for name in names)}
    return tuple(found.values())
