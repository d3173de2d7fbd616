"""Memories: what may be asked of them, and how they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from ...story.memories.memory import COLLECTIONS, Collection
from ...views.text.memories import memory_shown
from ..settings import MOST_PASSAGES
from .requests import AtHorizon, PassageFilter, Query
from .responses import passage_shown
from .shapes import PassageShown

if TYPE_CHECKING:
    from ...project.recalling import Recollection

__all__ = ["MemoriesQuery", "MemoryShown", "RecollectionShown", "recollection_shown"]


class MemoriesQuery(PassageFilter, AtHorizon):
    """What to look for, in which collections; the filter is about passages."""

    q: Query = Field(description="What to look for.", examples=["Who may cross the river?"])
    collections: Annotated[list[Collection], Field(max_length=4)] = Field(
        [], description="Which to ask; all where none is named."
    )
    limit: Annotated[int, Field(ge=1, le=MOST_PASSAGES)] | None = Field(
        None, description="How many of each; by default as the project's settings say."
    )

    @property
    def asked(self) -> tuple[Collection, ...]:
        """The collections to ask."""
        return tuple(self.collections) or COLLECTIONS


@dataclass(frozen=True, slots=True)
class MemoryQuoteShown:
    """A quote and where it stands; ``document`` is `codex` where it is the codex's."""

    document: str
    chapter: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class MemoryShown:
    """``kind`` is `profile`, `rule`, `description`, `fact` or `picture`; ``now`` how a character is at the
    horizon. ``score`` is the cosine to the query; a character that it names comes first (``named``)."""

    kind: str
    key: str
    name: str
    text: str
    now: str
    score: float
    named: bool
    quotes: tuple[MemoryQuoteShown, ...]


@dataclass(frozen=True, slots=True)
class RecollectionShown:
    """Best first in each; a collection that was not asked is empty."""

    as_of: int | None
    chapters: tuple[PassageShown, ...]
    characters: tuple[MemoryShown, ...]
    codex: tuple[MemoryShown, ...]
    pictures: tuple[MemoryShown, ...]


def recollection_shown(found: Recollection) -> dict[str, Any]:
    """A ``RecollectionShown``."""
    return {
        "as_of": found.as_of,
        "chapters": [passage_shown(one) for one in found.chapters],
        "characters": [memory_shown(one) for one in found.characters],
        "codex": [memory_shown(one) for one in found.codex],
        "pictures": [memory_shown(one) for one in found.pictures],
    }
