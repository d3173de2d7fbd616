"""Memories: what may be asked of them, and how they are shown."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ...story.memories.memory import COLLECTIONS, Collection
from ..settings import MOST_PASSAGES
from .requests import AtHorizon, PassageFilter, Query
from .shapes import PassageShown, Shown, at


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


class MemoryQuoteShown(Shown):
    """A quote and where it stands; ``document`` is `codex` where it is the codex's."""

    document: str = at("document_id")
    chapter: int
    start: int = at("span", "start")
    end: int = at("span", "end")
    text: str = at("quote")


class MemoryShown(Shown):
    """``kind`` is `profile`, `rule`, `description`, `fact` or `picture`; ``now`` how a character is at the
    horizon. ``score`` is the cosine to the query; a character that it names comes first (``named``)."""

    kind: str = at("memory", "kind")
    key: str = at("memory", "key")
    name: str = at("memory", "name")
    text: str = at("memory", "text")
    now: str = at("memory", "now")
    score: float
    named: bool = at("is_named")
    quotes: tuple[MemoryQuoteShown, ...] = at("memory", "evidence")


class RecollectionShown(Shown):
    """Best first in each; a collection that was not asked is empty."""

    as_of: int | None
    chapters: tuple[PassageShown, ...]
    characters: tuple[MemoryShown, ...]
    codex: tuple[MemoryShown, ...]
    pictures: tuple[MemoryShown, ...]
