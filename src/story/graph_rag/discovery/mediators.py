"""Who holds the others together: characters through whom the ways between others lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ....core.types import Evidence
from ...model.types import EntityKind
from ..views.story_view import StoryView
from .links import Link, quotes_of
from .tension import Tension

__all__ = ["Mediator", "find_mediators"]

MOST_PEOPLE = 200
MOST_NAMED = 5
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})


@dataclass(frozen=True, slots=True)
class Mediator:
    """``centrality`` is betweenness among people, 0 to 1. ``cut_off`` are the circles that would have no tie
    to the rest without them, ``at_odds`` the pairs of enemies to both of whom they are warm; ``links`` are
    their ties to those."""

    entity: str
    centrality: float
    cut_off: tuple[tuple[str, ...], ...]
    at_odds: tuple[tuple[str, str], ...]
    links: tuple[Link, ...]

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The quotes of the links, in order, each once."""
        return quotes_of(self.links)

    def sentence(self, view: StoryView) -> str:
        """Whom they hold together, in words, with the names of ``view``; at most ``MOST_NAMED`` circles and
        pairs."""
        name, said = view.name(self.entity), []
        if self.cut_off:
            circles = "; ".join(_listed(view, circle) for circle in self.cut_off[:MOST_NAMED])
            rest = f", and {len(self.cut_off) - MOST_NAMED} more" if len(self.cut_off) > MOST_NAMED else ""
            said.append(f"without {name} nothing ties to the others: {circles}{rest}")
        if self.at_odds:
            pairs = "; ".join(_listed(view, pair) for pair in self.at_odds[:MOST_NAMED])
            said.append(f"{name} is warm to both sides of a quarrel: {pairs}")
        if not said:
            said.append(f"the shortest ways between others lead through {name}")
        text = "; ".join(said)
        return f"{text[:1].upper()}{text[1:]} (betweenness {self.centrality:.2f})."


def find_mediators(
    view: StoryView,
    near: Mapping[str, Mapping[str, Link]],
    state: Tension,
    *,
    limit: int,
) -> tuple[Mediator, ...]:
    """The people with the highest betweenness (Freeman, 1977; normalised, ties counted once whatever their
    sign or number), ties by id, among the 200 most mentioned; those through whom no way leads and who stand
    in no quarrel are left out. ``near`` maps each entity to its neighbours and the link that says most.

    Costs O(people x ties).
    """
    import networkx as nx

    people = [entity.id for entity in view.entities() if entity.kind in _PEOPLE][:MOST_PEOPLE]
    chosen = frozenset(people)
    network = nx.Graph()
    for one in sorted(chosen):
        for other in sorted(near.get(one, {})):
            if other in chosen:
                network.add_edge(one, other)
    centrality = nx.betweenness_centrality(network)
    cuts = set(nx.articulation_points(network))
    quarrels = _quarrels(state)
    wanted = [one for one in centrality if centrality[one] > 0 or one in quarrels]
    ranked = sorted(wanted, key=lambda one: (-centrality[one], one))
    return tuple(
        _mediator(one, centrality[one], tuple(_circles(network, one)) if one in cuts else (), near, quarrels)
        for one in ranked[:limit]
    )


def _mediator(
    one: str,
    centrality: float,
    circles: tuple[tuple[str, ...], ...],
    near: Mapping[str, Mapping[str, Link]],
    quarrels: Mapping[str, tuple[tuple[str, str], ...]],
) -> Mediator:
    pairs = quarrels.get(one, ())
    tied = [next((person for person in circle if person in near[one]), None) for circle in circles]
    tied += [person for pair in pairs[:MOST_NAMED] for person in pair]
    shown = dict.fromkeys(person for person in tied if person is not None and person in near[one])
    if not shown:
        shown = dict.fromkeys(sorted(near[one], key=lambda other: (-near[one][other].confidence, other)))
    ties = tuple(near[one][person] for person in list(shown)[:MOST_NAMED])
    return Mediator(one, round(float(centrality), 4), circles, pairs, ties)


def _circles(network: object, one: str) -> Iterator[tuple[str, ...]]:
    """What falls off when one is taken out: the parts of their component but for the greatest one."""
    import networkx as nx

    component = nx.node_connected_component(network, one) - {one}
    parts = [tuple(sorted(part)) for part in nx.connected_components(nx.subgraph(network, component))]
    yield from sorted(parts, key=lambda part: (-len(part), part))[1:]


def _quarrels(state: Tension) -> Mapping[str, tuple[tuple[str, str], ...]]:
    friends: dict[str, set[str]] = {}
    for one, other in state.warm:
        friends.setdefault(one, set()).add(other)
        friends.setdefault(other, set()).add(one)
    found: dict[str, list[tuple[str, str]]] = {}
    for one, other in sorted(state.cold):
        for between in sorted(friends.get(one, set()) & friends.get(other, set())):
            found.setdefault(between, []).append((one, other))
    return {between: tuple(pairs) for between, pairs in found.items()}


def _listed(view: StoryView, people: Iterable[str]) -> str:
    names = [view.name(person) for person in people]
    more = f" and {len(names) - MOST_NAMED} others" if len(names) > MOST_NAMED else ""
    shown = names[:MOST_NAMED]
    if more or len(shown) == 1:
        return ", ".join(shown) + more
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
