"""Chunk packs: what may be asked of them, and what they answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints

from ...packs.items import Wanted
from ..settings import MOST_PASSAGES
from .requests import Nothing, Query, Turn
from .shapes import QuoteOf, Shown, at

_Word = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00]*$")]
_Pair = Annotated[str, StringConstraints(max_length=401, pattern=r"^[^\x00=]{1,200}=[^\x00]{1,200}$")]


class PackAtHorizon(Nothing):
    """How much of a pack is asked."""

    as_of: Annotated[int, Field(ge=1, le=100_000)] | None = Field(
        None, description="A chapter: no item of a later one has any influence on the answer.", examples=[5]
    )


class _PackFilter(PackAtHorizon):
    tags: Annotated[list[_Pair], Field(max_length=20)] = Field([], description="`NAME=VALUE`, all of them.")
    language: _Word = Field("", description="Only texts in this language.")
    section: _Word = Field("", description="Only items of this section.")
    inactive: bool = Field(False, description="Items that are not active too.")

    @property
    def wanted(self) -> Wanted:
        """The filter."""
        pairs = (one.partition("=") for one in self.tags)
        tags = tuple((name, value) for name, _, value in pairs)
        return Wanted(tags, self.language, self.section, self.inactive)


class PackQuery(_PackFilter):
    """What to look for, and what an item must be."""

    q: Query = Field(description="What to look for.", examples=["How long does the warranty run?"])
    k: Annotated[int, Field(ge=1, le=MOST_PASSAGES)] = Field(5, description="How many items.")


class PackAsk(_PackFilter):
    """A question, what was asked and answered before it, and what an item must be."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"question": "How long does the warranty run?"}]}
    )
    question: Query
    history: Annotated[list[Turn], Field(max_length=20)] = Field([], description="Latest last.")
    k: Annotated[int, Field(ge=1, le=MOST_PASSAGES)] = Field(12, description="Of how many texts.")
    model: bool | None = Field(
        None,
        description="Whether the language model writes the answer; else the items' own sentences answer. By "
        "default it does where the settings choose one.",
    )


class PackSuggest(_PackFilter):
    """What was said last, the conversation before it, and how suggestions for what to say next should be."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"said": "I never know how to begin.", "style": "warm"}]}
    )
    said: Query
    history: Annotated[list[Turn], Field(max_length=20)] = Field([], description="Latest last.")
    count: Annotated[int, Field(ge=1, le=10)] = Field(3, description="How many.")
    style: _Word = Field("", description="How they should sound.")
    twist: _Word = Field("", description="What they should bring in.")
    spoken: _Word = Field("", description="The language they are in.", examples=["de"])


class PackShown(Shown):
    """``texts`` counts an item once in each language; ``tags`` are names with their values, the most common
    first."""

    id: str = at("name")
    items: int
    texts: int
    languages: tuple[str, ...]
    sections: tuple[str, ...]
    tags: dict[str, tuple[str, ...]]


class PacksShown(Shown):
    """The ids of the packs."""

    items: tuple[str, ...]


class PackItemShown(Shown):
    """An item, best language first; ``tags`` are [name, value] pairs."""

    id: str = at("entry", "key")
    text: str = at("entry", "text")
    score: float
    language: str = at("entry", "language")
    section: str = at("entry", "section")
    chapter: int | None = at("entry", "chapter")
    page: int | None = at("entry", "page")
    tags: tuple[tuple[str, str], ...] = at("entry", "tags")
    active: bool = at("entry", "active")
    source: str = at("entry", "source")


class PackFoundShown(Shown):
    """Best first."""

    items: tuple[PackItemShown, ...]


class PackCitationShown(Shown):
    """``label`` names the item and its section; the quote's offsets are into the pack's whole text."""

    label: str
    item: str
    quote: QuoteOf


class PackAnswerShown(Shown):
    """``text`` is made of the items' own sentences, or was written by ``model`` and checked against them:
    ``supported`` is the share of those that it wrote which has support. Not ``told`` where none answers."""

    text: str
    told: bool
    confidence: float | None
    citations: tuple[PackCitationShown, ...]
    model: str
    supported: float | None
    notices: tuple[str, ...]


class PackSuggestionsShown(Shown):
    """What ``model`` suggests to say next; ``sources`` are the items that it was shown, best first."""

    items: tuple[str, ...]
    sources: tuple[PackItemShown, ...]
    model: str
    notices: tuple[str, ...]
