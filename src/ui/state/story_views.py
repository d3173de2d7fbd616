"""What the pages about the story show, kept by story, horizon and question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial, update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode

from ...engine import Project
from ...story.graph_rag.views.ties import LIKELY
from ...story.model.types import EntityKind
from ...views.bible import bible_at
from ...views.bible_files.formats import Format, Wanted
from ...views.cards import CardsShown, cards_at
from ...views.chapter import ChapterShown, chapter_shown, chapter_words
from ...views.quotes import QuoteInContext, QuoteShown, in_context
from ...views.world import EdgeShown, NodeShown, WorldShown, world_at
from ..frame import Frame
from ..graph_component import Picked, drawing

P = ParamSpec("P")
T = TypeVar("T")

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


def horizon(frame: Frame) -> int | None:
    """The chapter, None at the last: then it is the whole story that is asked about."""
    return None if frame.as_of >= frame.story.chapters else frame.as_of


def kept(make: Callable[Concatenate[Frame, Project, P], T]) -> Callable[Concatenate[Frame, P], T]:
    """What ``make`` gives, made once of each story, horizon and question."""

    def found(frame: Frame, /, *asked: P.args, **how: P.kwargs) -> T:
        key = (*asked, *how.items())
        return frame.cached(make.__qualname__, lambda project: make(frame, project, *asked, **how), *key)

    update_wrapper(found, make)
    return found


@kept
def names(frame: Frame, project: Project, kind: EntityKind | None = None) -> tuple[tuple[str, str], ...]:
    """(id, name) of all who and what is known at the horizon (of that kind), the most mentioned first; names
    that several share carry their ids."""
    told = project.view(frame.as_of).entities(kind)
    counts = Counter(one.name for one in told)
    return tuple((one.id, f"{one.name} ({one.id})" if counts[one.name] > 1 else one.name) for one in told)


def characters(frame: Frame) -> tuple[tuple[str, str], ...]:
    """The same of characters alone."""
    return names(frame, EntityKind.CHARACTER)


@kept
def chapters(frame: Frame, project: Project) -> dict[int, str]:
    """What to call each chapter up to the horizon, by its number."""
    known = project.document.chapters[: frame.as_of]
    return {one.number: chapter_words(one.number, one.title) for one in known}


@kept
def chapter(frame: Frame, project: Project, number: int) -> ChapterShown:
    """A chapter to be read."""
    return chapter_shown(project.view(frame.as_of), project.document, number)


@kept
def names_offered(frame: Frame, project: Project) -> tuple[str, ...]:
    """Names of characters at the horizon to choose from, at most 200, those named most often first."""
    people = project.view(frame.as_of).entities(EntityKind.CHARACTER)
    return tuple(dict.fromkeys(one.name for one in people))[:_OFFERED]


@kept
def world(frame: Frame, project: Project, asked: Asked) -> tuple[WorldShown, dict[str, Any]]:
    """The graph, and what the browser is sent of it."""
    shown = world_at(project.view(frame.as_of), **asdict(asked))
    return shown, drawing(shown)


def bible_file(
    frame: Frame, format: Format, about: str | None, progress: Callable[[int, int], None] | None = None
) -> bytes:
    """What the story has laid down at the horizon, as far as its reader can be trusted, as one file;
    ``progress`` is told of a wiki's chapters, done and all."""
    with frame.project() as project:
        wanted = Wanted(format, horizon(frame), about, progress)
        return b"".join(wanted.packed(partial(bible_at, project, careful=True)))


@kept
def cards(frame: Frame, project: Project) -> CardsShown:
    """A card for everybody and everything."""
    return cards_at(project.view(frame.as_of), project.bible(horizon(frame)))


@kept
def _around(_: Frame, project: Project, quotes: tuple[QuoteShown, ...]) -> tuple[QuoteInContext, ...]:
    return tuple(in_context(one, project.document) for one in quotes)


def contexts(frame: Frame, quotes: Sequence[QuoteShown]) -> tuple[QuoteInContext, ...]:
    """The quotes with the sentences round them."""
    return linked(frame, _around(frame, tuple(quote for quote in quotes if quote.chapter <= frame.as_of)))


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
    drawn = shown.nodes if picked.kind == "node" else shown.edges
    return next((one for one in drawn if one.id == picked.id), None)
