"""What ``fabula discover`` and ``fabula arcs`` answer: what follows from the story, how somebody fares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.files.plain_json import plain
from ..engine import Project
from ..story.model.types import EntityKind
from ..views.found import found_entity
from ..views.text.render import Answer, arcs_text, findings_text

if TYPE_CHECKING:
    from ..core.types import Evidence
    from ..story.graph_rag.arcs.shapes import ArcShape
    from ..story.graph_rag.views.story_view import StoryView

__all__ = ["arc_of", "arcs_of", "discoveries", "ways_between"]


def discoveries(project: Project, *, as_of: int | None, limit: int) -> Answer:
    """Conflict triangles, implied hostilities, strangers with somebody in common, turning points of the story
    and the parts they would play in its plot if it ended there, each with its quotes; at most ``limit`` of
    each."""
    from ..story.plot.arc_turning_points import plot_turns, turning_points

    view, discovery, tracker = project.view(as_of), project.discovery(as_of), project.arcs(as_of)
    groups: dict[str, Sequence[Any]] = {
        "turning_points": turning_points(view, count=min(limit, 5), tracker=tracker),
        "plot_turns": plot_turns(view, tracker=tracker)[:limit],
        "conflict_triangles": discovery.conflict_triangles()[:limit],
        "implied_hostilities": discovery.implied_hostilities()[:limit],
        "strangers": discovery.strangers(limit=limit),
        "central": discovery.central(limit=limit),
    }
    return _answer(view, groups)


def ways_between(project: Project, a: str, b: str, *, as_of: int | None, limit: int) -> Answer:
    """How two hang together: how warm or cold they are to each other, and the most surprising ways."""
    from ..story.graph_rag.arcs.affinity import Affinities

    view, discovery = project.view(as_of), project.discovery(as_of)
    one, other = found_entity(view, a).id, found_entity(view, b).id
    groups: dict[str, Sequence[Any]] = {
        "affinity": Affinities(view).standings(one, other),
        "hidden_connections": discovery.hidden_connections(one, other, limit=limit),
    }
    return _answer(view, groups)


def arcs_of(project: Project, names: Sequence[str], *, as_of: int | None) -> Answer:
    """States and transitions by character: those named, or the five most present."""
    view, tracker = project.view(as_of), project.arcs(as_of)
    chosen = (
        [found_entity(view, name) for name in names] if names else view.entities(EntityKind.CHARACTER)[:5]
    )
    arcs = {entity.id: (tracker.arc(entity.id), tracker.transitions(entity.id)) for entity in chosen}
    data = {entity: {"states": states, "transitions": moves} for entity, (states, moves) in arcs.items()}
    return Answer(data, arcs_text(view, arcs))


def arc_of(project: Project, name: str, *, as_of: int | None, other: str | None) -> Answer:
    """One character's states, moves, turning points and shape; with ``other``, beside that one's."""
    from ..story.graph_rag.arcs.shapes import compare, shape_of
    from ..story.plot.arc_turning_points import character_turning_points

    view, tracker = project.view(as_of), project.arcs(as_of)
    entity = found_entity(view, name)
    arc, moves = tracker.arc(entity.id), tracker.transitions(entity.id)
    points = character_turning_points(tracker, view, entity.id)
    shape = shape_of(arc)
    data: dict[str, Any] = {
        "character": entity,
        "shape": shape,
        "turning_points": points,
        "states": arc,
        "transitions": moves,
    }
    lines = [arcs_text(view, {entity.id: (arc, moves)}), "", f"shape: {_shape_text(shape)}"]
    if other is not None:
        second = found_entity(view, other)
        beside = compare(arc, tracker.arc(second.id))
        data |= {"compared_with": second, "comparison": beside}
        alike = "one is flat" if beside.correlation is None else f"correlation {beside.correlation:+.2f}"
        lines.append(
            f"beside {second.name} ({_shape_text(beside.other)}): {alike}, likeness {beside.likeness:.2f}"
        )
    said = {"turning_points": [(point.sentence(view), point.evidence) for point in points]}
    return Answer(data, "\n".join([*lines, findings_text(said)]))


def _shape_text(shape: ArcShape) -> str:
    return f"{shape.name} (fit {shape.fit:.2f})" if shape.name else "none (too little is told)"


def _answer(view: StoryView, groups: Mapping[str, Sequence[Any]]) -> Answer:
    data: dict[str, Any] = {}
    said: dict[str, list[tuple[str, Sequence[Evidence]]]] = {}
    for title, found in groups.items():
        data[title] = [{"sentence": item.sentence(view), **plain(item)} for item in found]
        said[title] = [(item.sentence(view), item.evidence) for item in found]
    return Answer(data, findings_text(said))
