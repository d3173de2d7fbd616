"""What people do that turns a story, each with how much it weighs, in words and with its quotes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...core.types import Evidence
from ..graph_rag.views.acts import Act, acts
from ..graph_rag.views.gravity import GRAVITY
from ..graph_rag.views.story_view import StoryView
from ..model.predicates import PREDICATES
from ..model.types import EntityKind

__all__ = ["Deed", "deeds", "prominence"]


@dataclass(frozen=True, slots=True)
class Deed:
    """An act told in ``chapter``. ``weight``, 0 to 1: its ``GRAVITY`` by how sure it is and how prominent the
    most mentioned of its ``entities``; ``words`` say it with names."""

    chapter: int
    weight: float
    entities: tuple[str, ...]
    words: str
    evidence: tuple[Evidence, ...]


def deeds(view: StoryView) -> list[Deed]:
    """Of all acts that weigh something, in order of telling, without flashbacks, each between the same people
    once a chapter, by its surest telling; of their meetings the first alone."""
    weights = prominence(view)
    found = (_deed(view, act, weights) for act in _distinct(acts(view)))
    return [deed for deed in found if deed.weight > 0]


def prominence(view: StoryView) -> Mapping[str, float]:
    """Mentions of each character as a part of the most mentioned one's, most mentioned first."""
    people = view.entities(EntityKind.CHARACTER)
    most = people[0].mentions if people else 1
    return {person.id: person.mentions / most for person in people}


def _deed(view: StoryView, act: Act, weights: Mapping[str, float]) -> Deed:
    people = tuple(dict.fromkeys((*act.agents, *act.patients)))
    prominent = max((weights.get(person, 0.0) for person in people), default=0.0)
    row = PREDICATES[act.predicate]
    names = [" and ".join(map(view.name, side)) for side in (act.agents, act.patients) if side]
    worded = f" {row.phrase} ".join(names) if len(names) > 1 else f"{''.join(names)} {row.phrase}"
    if len(names) == 1 and act.patients and act.predicate != "DIES":
        worded = f"somebody {row.phrase} {names[0]}"
    weight = prominent * GRAVITY.get(act.predicate, 0.0) * act.record.confidence
    return Deed(act.record.told, weight, people, worded, act.record.evidence)


def _distinct(told: Iterable[Act]) -> Iterable[Act]:
    best: dict[tuple[object, ...], Act] = {}
    met: set[frozenset[str]] = set()
    for act in told:
        if act.flashback:
            continue
        key = (act.record.told, act.predicate, act.agents, act.patients)
        if act.predicate == "MEETS" and key not in best:
            people = frozenset((*act.agents, *act.patients))
            if people in met:
                continue
            met.add(people)
        if key not in best or act.record.confidence > best[key].record.confidence:
            best[key] = act
    return best.values()
