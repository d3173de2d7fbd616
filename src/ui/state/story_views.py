"""What the pages about the story show, kept by story, horizon and question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

from ...engine import Project
from ...story.graph_rag.views.ties import LIKELY
from ...story.model.types import EntityKind
from ...views.bible import BibleShown, bible_shown
from ...views.cards import CardsShown, cards_at, read_by_model, trusted
from ...views.chapter import ChapterShown, chapter_shown
from ...views.history import PairShown, closest_pair, history_of
from ...views.lanes import BackShown, LanesShown, PersonTimes, ages_and_dates, lanes_at
from ...views.lanes import told_back as told_back_at
from ...views.lives import LifeShown, life_of
from ...views.quotes import QuoteInContext, QuoteShown, in_context
from ...views.world import EdgeShown, NodeShown, WorldShown, world_at
from ..frame import Frame
from ..graph_component import Picked, drawing

EVERYBODY = "Everybody and everything"
MOST_NODES = 150
_OFFERED = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What the graph is to show; see :func:`fabula.views.world.world_at`."""

    kinds: tuple[str, ...] = ("character", "group")
    families: tuple[str, ...] = ("bonds", "kinship")
    least_tie: float = LIKELY
    around: str | None = None
    linked_only: bool = True
    limit: int = MOST_NODES


@dataclass(frozen=True, slots=True)
class DrawnWorld:
    """A graph, and what the browser is sent of it."""

    world: WorldShown
    drawn: dict[str, Any]


def horizon(frame: Frame) -> int | None:
    """The chapter, None at the last: then it is the whole story that is asked about."""
    return None if frame.as_of >= frame.story.chapters else frame.as_of


def names(frame: Frame, kind: EntityKind | None = None) -> tuple[tuple[str, str], ...]:
    """(id, name) of all who and what is known at the horizon (of that kind), the most mentioned first; names
    that several share carry their ids."""

    def made(project: Project) -> tuple[tuple[str, str], ...]:
        return _labelled([(one.id, one.name) for one in project.view(frame.as_of).entities(kind)])

    return frame.cached("names", made, kind)


def characters(frame: Frame) -> tuple[tuple[str, str], ...]:
    """The same of characters alone."""
    return names(frame, EntityKind.CHARACTER)


def chapters(frame: Frame) -> tuple[tuple[int, str], ...]:
    """(number, title) of each chapter up to the horizon."""

    def made(project: Project) -> tuple[tuple[int, str], ...]:
        known = project.document.chapters[: frame.as_of]
        return tuple((one.number, one.title) for one in known)

    return frame.cached("chapters", made)


def chapter(frame: Frame, number: int) -> ChapterShown:
    """A chapter to be read."""
    return frame.cached(
        "chapter",
        lambda project: chapter_shown(project.view(frame.as_of), project.document, number),
        number,
    )


def names_offered(frame: Frame) -> tuple[str, ...]:
    """Names of characters at the horizon to choose from, at most 200, those named most often first."""

    def made(project: Project) -> tuple[str, ...]:
        people = project.view(frame.as_of).entities(EntityKind.CHARACTER)
        return tuple(dict.fromkeys(one.name for one in people))[:_OFFERED]

    return frame.cached("names offered", made)


def world(frame: Frame, asked: Asked) -> DrawnWorld:
    """The graph and its drawing."""

    def made(project: Project) -> DrawnWorld:
        shown = world_at(project.view(frame.as_of), **asdict(asked))
        return DrawnWorld(shown, drawing(shown))

    return frame.cached("world", made, asked)


def bible(frame: Frame) -> BibleShown:
    """What the story has laid down at the horizon, as far as its reader can be trusted."""
    title = frame.story.title

    def made(project: Project) -> BibleShown:
        found = trusted(project.bible(horizon(frame)), by_model=read_by_model(project.view(frame.as_of)))
        return bible_shown(found, title=title)

    return frame.cached("bible", made)


def cards(frame: Frame) -> CardsShown:
    """A card for everybody and everything."""
    return frame.cached(
        "cards", lambda project: cards_at(project.view(frame.as_of), project.bible(horizon(frame)))
    )


def by_model(frame: Frame) -> bool:
    """Has a language model read the story?"""
    return frame.cached("by model", lambda project: read_by_model(project.view(frame.as_of)))


def history(frame: Frame, one: str, other: str) -> PairShown:
    """How the two, by id, have stood."""
    return frame.cached(
        "history", lambda project: history_of(project.view(frame.as_of), one, other), one, other
    )


def closest(frame: Frame, one: str = "") -> tuple[str, str] | None:
    """Two people with much between them, the first as given."""
    return frame.cached("closest", lambda project: closest_pair(project.view(frame.as_of), one), one)


def lanes(frame: Frame, *, places: bool, chosen: Sequence[str] = ()) -> LanesShown:
    """The timeline by people or by places."""
    asked = tuple(chosen)
    return frame.cached(
        "lanes",
        lambda project: lanes_at(project.view(frame.as_of), places=places, chosen=asked),
        places,
        asked,
    )


def dates(frame: Frame) -> tuple[PersonTimes, ...]:
    """Ages and dates a person."""
    return frame.cached("dates", lambda project: ages_and_dates(project.view(frame.as_of)))


def told_back(frame: Frame) -> tuple[BackShown, ...]:
    """Where the telling leaves the order of events."""
    return frame.cached("told back", lambda project: told_back_at(project.view(frame.as_of)))


def life(frame: Frame, id: str) -> LifeShown:
    """The arc of a character, in words."""
    return frame.cached("life", lambda project: life_of(project.view(frame.as_of), id, last=frame.as_of), id)


def contexts(frame: Frame, quotes: Sequence[QuoteShown]) -> tuple[QuoteInContext, ...]:
    """The quotes with the sentences round them."""
    told = tuple(quote for quote in quotes if quote.chapter <= frame.as_of)
    found: tuple[QuoteInContext, ...] = frame.cached(
        "contexts", lambda project: tuple(in_context(one, project.document) for one in told), told
    )
    return linked(frame, found)


def linked(frame: Frame, quotes: Sequence[QuoteInContext]) -> tuple[QuoteInContext, ...]:
    """The same, each with the address at which the page *Read* shows it in its place."""
    link = links(frame)
    return tuple(replace(one, link=link(one.quote)) for one in quotes)


def address(frame: Frame, page: str, **asked: object) -> str:
    """Of a page about this story, as far as it was read."""
    return f"{page}?{urlencode({'story': frame.story.name, 'chapter': frame.as_of} | asked)}"


def pairs(frame: Frame) -> Callable[[tuple[str, str]], str]:
    """Of two ids the address of their history."""
    return lambda pair: address(frame, "world", one=pair[0], other=pair[1])


def links(frame: Frame) -> Callable[[QuoteShown], str]:
    """Of a quote the address at which the page *Read* shows it; empty for a draft's and a codex's."""

    def link(one: QuoteShown) -> str:
        if one.draft or one.codex or one.end <= one.start:
            return ""
        return read_at(frame, one.chapter, one.start, one.end)

    return link


def read_at(frame: Frame, chapter: int, start: int, end: int) -> str:
    """The address at which the page *Read* shows these half-open offsets of the story's text."""
    return address(frame, "read", read=chapter, at=f"{start}-{end}")


def found(shown: WorldShown, picked: Picked | None) -> NodeShown | EdgeShown | None:
    """What was clicked, where it is in the graph still."""
    if picked is None:
        return None
    if picked.kind == "node":
        return next((node for node in shown.nodes if node.id == picked.id), None)
    return next((edge for edge in shown.edges if edge.id == picked.id), None)


def _labelled(told: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    counts: dict[str, int] = {}
    for _, name in told:
        counts[name] = counts.get(name, 0) + 1
    return tuple((one, f"{name} ({one})" if counts[name] > 1 else name) for one, name in told)
