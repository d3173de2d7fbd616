"""Who plays which part in a plot, by how much they are spoken of, what they do, and how they stand."""

from __future__ import annotations

from dataclasses import dataclass

from fabula.core.types import Evidence
from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.graph_rag.views.timeline import acts
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import EntityKind

__all__ = ["PlotRoles", "plot_roles"]

MOST_PEOPLE = 12
_LOVE = frozenset({"LOVES", "MARRIED_TO"})


@dataclass(frozen=True, slots=True)
class PlotRoles:
    """Ids; None where nobody fits. The evidence is that of the villain's deeds and the hero's bonds."""

    hero: str | None
    villain: str | None
    lover: str | None
    sidekick: str | None
    evidence: tuple[Evidence, ...]


def plot_roles(view: StoryView) -> PlotRoles:
    """After Propp's spheres of action (1928), as far as a graph shows them, among the twelve most mentioned
    characters: the hero is the most mentioned; the lover whom the hero loves or is married to (or the other
    way round), the most mentioned of them; the villain does most harm by confidence (to the hero counts
    twice) less what good they do, if any harm is left; the sidekick is the most mentioned of the others
    to whom the hero stands warm, or of all the others where nobody is told to be close."""
    cast = [one.id for one in view.entities(EntityKind.CHARACTER)[:MOST_PEOPLE]]
    if not cast:
        return PlotRoles(None, None, None, None, ())
    hero = cast[0]
    others = cast[1:]
    loves = [bond for bond in view.relations(hero) if bond.predicate in _LOVE]
    loved = {end for bond in loves for end in (bond.subject, bond.object)} - {hero}
    weddings = [act for act in acts(view, hero) if act.predicate == "MARRIES"]
    loved |= {end for act in weddings for end in (*act.agents, *act.patients)} - {hero}
    lover = next((one for one in others if one in loved), None)
    harm = {one: _harm(view, one, hero) for one in others if one != lover}
    worst = max(harm, key=lambda one: harm[one][0], default=None)
    villain = worst if worst is not None and harm[worst][0] > 0 else None
    last = max((mention.told for mention in view.log.mentions), default=0)
    stands = DynamicArcTracker(view).state(hero, last).relationships
    warm = {one.entity for one in stands if one.strength > 0}
    left = [one for one in others if one not in (lover, villain)]
    sidekick = next((one for one in left if one in warm), left[0] if left else None)
    quotes = [quote for bond in loves for quote in bond.evidence]
    quotes += [quote for act in weddings for quote in act.record.evidence]
    quotes += harm[villain][1] if villain is not None else ()
    return PlotRoles(hero, villain, lover, sidekick, tuple(dict.fromkeys(quotes)))


def _harm(view: StoryView, one: str, hero: str) -> tuple[float, tuple[Evidence, ...]]:
    total = 0.0
    quotes: list[Evidence] = []
    for act in acts(view, one):
        sign = PREDICATES[act.predicate].moral
        if sign and one in act.agents:
            total -= sign * act.record.confidence * (2.0 if hero in act.patients else 1.0)
            quotes += act.record.evidence if sign < 0 else ()
    return total, tuple(quotes)
