"""What the pages about the story show, kept by story, horizon and question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

from ...engine import Project
from ...story.model.predicates import SURE_ENOUGH
from ...story.model.types import EntityKind
from ...views.arc_lines import ArcPoint, ArcShown, ArcsShown, arc_lines
from ...views.bible import BibleShown, bible_shown
from ...views.chapter import ChapterShown, chapter_shown
from ...views.quotes import QuoteInContext, QuoteShown, in_context
from ...views.times import EventShown, TimesShown, times_at
from ...views.world import FAMILIES, KINDS, EdgeShown, NodeShown, WorldShown, world_at
from ..frame import Frame
from ..graph_component import Picked, drawing

ARC_COLUMNS = ("who", "chapter", "valence", "arousal", "emotion", "phase", "place")
EVERYBODY = "Everybody and everything"
MOST_NODES = 150
_OFFERED = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What the graph is to show; see :func:`fabula.views.world.world_at`."""

    kinds: tuple[str, ...] = KINDS
    families: tuple[str, ...] = tuple(FAMILIES)
    least_confidence: float = SURE_ENOUGH
    around: str | None = None
    linked_only: bool = False
    limit: int = MOST_NODES


@dataclass(frozen=True, slots=True)
class DrawnWorld:
    """A graph, and what the browser is sent of it."""

    world: WorldShown
    drawn: dict[str, Any]


def horizon(frame: Frame) -> int | None:
    """The chapter, None at the last: then it is the whole story that is asked about."""
    return None if frame.as_of >= frame.story.chapters else frame.as_of


def names(frame: Frame) -> tuple[tuple[str, str], ...]:
    """(id, name) of all who and what is known at the horizon, the most mentioned first; names that several
    share carry their ids."""

    def made(project: Project) -> tuple[tuple[str, str], ...]:
        return _labelled([(one.id, one.name) for one in project.view(frame.as_of).entities()])

    return frame.cached("names", made)


def characters(frame: Frame) -> tuple[tuple[str, str], ...]:
    """The same of characters alone."""

    def made(project: Project) -> tuple[tuple[str, str], ...]:
        people = project.view(frame.as_of).entities(EntityKind.CHARACTER)
        return _labelled([(one.id, one.name) for one in people])

    return frame.cached("characters", made)


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
    """What the story has laid down at the horizon."""
    title = frame.story.title
    return frame.cached("bible", lambda project: bible_shown(project.bible(horizon(frame)), title=title))


def times(frame: Frame, entity: str | None, *, limit: int = 300) -> TimesShown:
    """Story time against telling time, of all or of one."""
    return frame.cached(
        "times",
        lambda project: times_at(project.view(frame.as_of), entity=entity, limit=limit),
        entity,
        limit,
    )


def arcs(frame: Frame, chosen: Sequence[str]) -> ArcsShown:
    """The arcs of these characters, by id."""
    asked = tuple(chosen)
    return frame.cached(
        "arcs",
        lambda project: arc_lines(project.arcs(frame.as_of), project.view(frame.as_of), asked),
        asked,
    )


def contexts(frame: Frame, quotes: Sequence[QuoteShown]) -> tuple[QuoteInContext, ...]:
    """The quotes with the sentences round them."""
    told = tuple(quote for quote in quotes if quote.chapter <= frame.as_of)
    found: tuple[QuoteInContext, ...] = frame.cached(
        "contexts", lambda project: tuple(in_context(one, project.document) for one in told), told
    )
    return linked(frame, found)


def linked(frame: Frame, quotes: Sequence[QuoteInContext]) -> tuple[QuoteInContext, ...]:
    """The same, each with the address at which the page *Read* shows it in its place."""

    def link(one: QuoteShown) -> str:
        if one.draft or one.codex or one.end <= one.start:
            return ""
        return address(frame, one.chapter, one.start, one.end)

    return tuple(replace(one, link=link(one.quote)) for one in quotes)


def address(frame: Frame, chapter: int, start: int, end: int) -> str:
    """At which the page *Read* shows these half-open offsets of the story's text."""
    at = {"read": chapter, "at": f"{start}-{end}"}
    return f"read?{urlencode({'story': frame.story.name, 'chapter': frame.as_of} | at)}"


def found(shown: WorldShown, picked: Picked | None) -> NodeShown | EdgeShown | None:
    """What was clicked, where it is in the graph still."""
    if picked is None:
        return None
    if picked.kind == "node":
        return next((node for node in shown.nodes if node.id == picked.id), None)
    return next((edge for edge in shown.edges if edge.id == picked.id), None)


def edge_rows(shown: WorldShown) -> list[dict[str, Any]]:
    """The graph as a table, one row an edge."""
    called = {node.id: node.name for node in shown.nodes}
    return [
        {
            "who": called[edge.source],
            "how": edge.label,
            "whom or what": called[edge.target],
            "narrated in ch.": edge.told,
            "since": "" if edge.since is None else str(edge.since),
            "until": "" if edge.until is None else str(edge.until),
            "confidence": edge.confidence,
            "quotes": edge.quote_count,
        }
        for edge in shown.edges
    ]


def event_rows(shown: TimesShown) -> list[dict[str, Any]]:
    """The events as a table, in order of telling."""
    back = {one.event for one in shown.anachronies}
    return [
        {
            "what": event.label,
            "narrated in ch.": event.told,
            "number as narrated": event.position + 1,
            "number as it happened": event.rank + 1,
            "out of order": event.id in back,
            "when": event.when,
            "place": event.place,
        }
        for event in shown.events
    ]


def event_called(shown: TimesShown, event: object) -> EventShown | None:
    """The event of that id, where it is shown."""
    return next((one for one in shown.events if one.id == event), None)


def time_rows(shown: TimesShown) -> list[dict[str, Any]]:
    """Dates, ages and durations as a table."""
    return [
        {
            "kind": time.kind,
            "told as": time.quote.text,
            "that is": time.words,
            "whose": time.who,
            "narrated in ch.": time.told,
        }
        for time in shown.times
    ]


def point_of(shown: ArcsShown, picked: Mapping[str, object] | None) -> tuple[ArcShown, ArcPoint] | None:
    """The character and chapter that a chart's mark stands for, where they are shown."""
    for arc in shown.arcs if picked else ():
        for point in arc.points:
            if picked and (arc.id, point.chapter) == (picked.get("id"), picked.get("chapter")):
                return arc, point
    return None


def _labelled(told: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    counts: dict[str, int] = {}
    for _, name in told:
        counts[name] = counts.get(name, 0) + 1
    return tuple((one, f"{name} ({one})" if counts[name] > 1 else name) for one, name in told)
