"""What follows from several relations together: nobody told it, but it stands in the graph.

Relations and events are links, weighed and worded alike; of them follow who is warm and who is cold to whom
at a horizon.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from ...core.types import Evidence
from ...errors import UsageError
from ..model.predicates import FAMILY, PREDICATES
from ..model.types import PEOPLE, EventTold, Relation, gathered
from .views.story_view import StoryView
from .views.timeline import Act, acts, closing, holds_when_told

if TYPE_CHECKING:
    import networkx as nx


Pair = tuple[str, str]
LEAST = 0.5  # the confidence with which a thing must be told to join two

COLD_BONDS = frozenset({"HATES", "ENEMY_OF", "DISTRUSTS"})
COLD_ACTS = frozenset({"ATTACKS", "BETRAYS", "STEALS_FROM"})


def _pair(one: str, other: str) -> Pair:
    return min(one, other), max(one, other)


@dataclass(frozen=True, slots=True)
class Link:
    """One thing told that joins two entities; ``told`` is the chapter that tells it."""

    subject: str
    predicate: str
    object: str
    told: int
    confidence: float
    evidence: tuple[Evidence, ...]

    @property
    def pair(self) -> Pair:
        """The two, in order of id."""
        return _pair(self.subject, self.object)

    def sentence(self, view: StoryView) -> str:
        """``Tom loves Anna (ch. 3)``, without a full stop."""
        return f"{view.worded(self.subject, self.predicate, self.object)} (ch. {self.told})"

    @classmethod
    def of(cls, one: str, other: str, record: Relation | EventTold, predicate: str = "") -> Link:
        """What the record tells of the two."""
        quotes = record.evidence
        return cls(one, predicate or record.predicate, other, record.told, record.confidence, quotes)


def links(view: StoryView) -> Iterator[Link]:
    """All that happened and joins two: relations, what agents do to patients, and where people are when
    something happens (a LOCATED_AT link, on the event's quotes)."""
    for relation in view.relations():
        if relation.confidence >= LEAST and PREDICATES[relation.predicate].lasting:
            yield Link.of(relation.subject, relation.object, relation)
    for act in acts(view):
        if act.record.confidence < LEAST:
            continue
        people = dict.fromkeys((*act.agents, *act.patients))
        pairs = combinations(people, 2) if PREDICATES[act.predicate].symmetric else act.pairs
        yield from (Link.of(one, other, act.record) for one, other in pairs)
        for person, place in product(people, act.places):
            if person != place:
                yield Link.of(person, place, act.record, "LOCATED_AT")


def _rank(link: Link) -> tuple[object, ...]:
    """The link that says most comes first: a bond before an act, the surest, the first told."""
    lasting = PREDICATES[link.predicate].lasting
    return not lasting, -link.confidence, link.told, link.predicate, link.subject, link.object


# --- warm and cold ---------------------------------------------------------------------------------


class Tension(NamedTuple):
    """Two graphs of living characters and groups. ``warm`` joins those between whom a bond of sign +1 stands,
    by the surest (``link``) and with all who feel so (``by``); ``cold`` those between whom hatred, enmity or
    distrust stands, or an unforgiven attack, betrayal or theft. ``settled`` holds the pairs, in order of id,
    of which anything signed, or kinship, was ever told."""

    warm: nx.Graph
    cold: nx.Graph
    settled: set[Pair]


def _stand(bond: Relation, found: Tension) -> None:
    row, link = PREDICATES[bond.predicate], Link.of(bond.subject, bond.object, bond)
    if row.sign > 0:
        _keep(found.warm, link)
        by = found.warm.edges[bond.subject, bond.object].setdefault("by", set())
        by |= {bond.subject, bond.object} if row.symmetric else {bond.subject}
    elif bond.predicate in COLD_BONDS:
        _keep(found.cold, link)


def _unforgiven(between: list[Act]) -> list[Link]:
    forgiven = max((act.place for act in between if act.predicate == "FORGIVES"), default=None)
    return [
        Link.of(agent, patient, act.record)
        for act in between
        if act.predicate in COLD_ACTS and (forgiven is None or act.place > forgiven)
        for agent, patient in product(act.agents, act.patients)
    ]


def _keep(graph: nx.Graph, link: Link) -> None:
    """The surest link of a pair; of equals the last told, since it is nearest to now."""
    known = graph.get_edge_data(*link.pair, {}).get("link")
    if known is None or (link.confidence, link.told) > (known.confidence, known.told):
        graph.add_edge(*link.pair, link=link)


_TRIADS = {
    "triangle": "{third} stands between {one} and {other}",
    "hostility": "{one} may turn on {other} for {third}'s sake",
}
MOST_FINDINGS = 200
MOST_HOPS = 4
BREADTH = 64
MOST_PATHS = 20_000


class _OfLinks:
    """A finding that stands on ``links``."""

    __slots__ = ()
    links: tuple[Link, ...]

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The quotes of the links, in order, each once."""
        return tuple(dict.fromkeys(quote for link in self.links for quote in link.evidence))

    def sentence(self, view: StoryView) -> str:
        """The finding in words, then link by link, with the names of ``view``."""
        return f"{self._said(view.name)}: {'; '.join(link.sentence(view) for link in self.links)}."

    def _said(self, name: Callable[[str], str]) -> str:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Triad(_OfLinks):
    """What follows for ``one`` and ``other`` from how they stand to a ``third``: a ``kind`` of ``_TRIADS``.
    ``links`` are the warm ones, then the cold one."""

    one: str
    third: str
    other: str
    links: tuple[Link, ...]
    kind: str

    @property
    def confidence(self) -> float:
        """The product of those of the links."""
        return math.prod(link.confidence for link in self.links)

    def _said(self, name: Callable[[str], str]) -> str:
        return _TRIADS[self.kind].format(one=name(self.one), third=name(self.third), other=name(self.other))


@dataclass(frozen=True, slots=True)
class HiddenConnection(_OfLinks):
    """A path from ``entities[0]`` to ``entities[-1]``; link i joins entities i and i + 1.

    ``surprise`` is in nats, see ``MultiHopDiscoveryEngine.hidden_connections``.
    """

    entities: tuple[str, ...]
    links: tuple[Link, ...]
    surprise: float

    def _said(self, name: Callable[[str], str]) -> str:
        return f"{name(self.entities[0])} and {name(self.entities[-1])} are connected"


class MultiHopDiscoveryEngine:
    """Finds what is implied at the view's horizon. Deterministic; each finding carries its quotes.

    Only what happened counts, told with ``links.LEAST`` or more. Indexes are built on first use, in
    one pass over the view.
    """

    def __init__(self, view: StoryView) -> None:
        self._view = view

    def conflict_triangles(self) -> tuple[Triad, ...]:
        """Two at odds with a third warm to both, the surest first, ties by ids; at most 200.

        Warm and cold as in ``Tension``: bonds that still stand, between the living.
        """
        import networkx as nx

        warm, cold, _ = self._tension
        found = []
        for _, _, feud in cold.edges(data="link"):
            one, other = feud.pair
            for between in nx.common_neighbors(warm, one, other):
                ends = tuple(warm.edges[between, end]["link"] for end in feud.pair)
                found.append(Triad(one, between, other, (*ends, feud), "triangle"))
        found.sort(key=lambda each: (-each.confidence, each.one, each.third, each.other))
        return tuple(found[:MOST_FINDINGS])

    def implied_hostilities(self) -> tuple[Triad, ...]:
        """Those who may turn on an enemy of somebody they are warm to, the surest first, ties by ids;
        at most 200, each pair once, through the surest third.

        Nothing signed, and no kinship, may ever have been told between the two: else the story has
        said how they stand.
        """
        warm, cold, settled = self._tension
        best: dict[Pair, Triad] = {}
        for _, _, feud in cold.edges(data="link"):
            for through, other in (feud.pair, feud.pair[::-1]):
                for one, bond in warm[through].items():
                    if one not in bond["by"] or one == other or _pair(one, other) in settled:
                        continue
                    found = Triad(one, through, other, (bond["link"], feud), "hostility")
                    known = best.get((one, other))
                    if known is None or (-found.confidence, through) < (-known.confidence, known.third):
                        best[one, other] = found
        ranked = sorted(best.values(), key=lambda each: (-each.confidence, each.one, each.other))
        return tuple(ranked[:MOST_FINDINGS])

    def hidden_connections(
        self, a: str, b: str, *, max_hops: int = 3, limit: int = 10
    ) -> tuple[HiddenConnection, ...]:
        """Paths of 2 to ``max_hops`` links from a to b, the most surprising first; at most ``limit``.

        Links join people by bonds and acts, and people to places they are at, live in or come from: a
        shared home town is two hops. A path's surprise is the least of ``-log(degree / sum of degrees)``
        over the entities between: a way that leads through a hub is no news, whatever else is on it (the
        thought of Adamic and Adar's index, 2003). Ties by hops, then ids.

        Entities of more than 64 neighbours are passed by where the way is longer than two links: through them
        everybody knows everybody. Raises UsageError where ``max_hops`` is not 1 to 4.
        """
        if not 1 <= max_hops <= MOST_HOPS:
            raise UsageError(f"max_hops is 1 to {MOST_HOPS}, not {max_hops}")
        import networkx as nx

        start, goal, graph = self._view.resolve(a), self._view.resolve(b), self._linked
        if start == goal or start not in graph or goal not in graph:
            return ()
        near = nx.single_source_shortest_path_length(graph, goal, cutoff=max_hops)
        hubs = {node for node, degree in graph.degree if degree > BREADTH} - {start, goal}
        kept = graph.subgraph(set(near) - hubs)
        ways = [(start, each, goal) for each in sorted(nx.common_neighbors(graph, start, goal))]
        if max_hops > 2 and start in kept:
            paths = nx.all_simple_paths(kept, start, goal, cutoff=max_hops)
            ways += [tuple(path) for path in islice(paths, MOST_PATHS) if len(path) > 3]
        found = [self._connection(way) for way in ways[: MOST_PATHS if max_hops > 1 else 0]]
        found.sort(key=lambda path: (-path.surprise, len(path.links), path.entities))
        return tuple(found[:limit])

    def _connection(self, way: tuple[str, ...]) -> HiddenConnection:
        steps = tuple(self._linked.edges[one, other]["link"] for one, other in pairwise(way))
        most = max(self._linked.degree[entity] for entity in way[1:-1])
        return HiddenConnection(way, steps, -math.log(most / (2 * self._linked.number_of_edges())))

    @cached_property
    def _linked(self) -> nx.Graph:
        """Who and what is joined to whom, each pair by the link that says most."""
        import networkx as nx

        graph = nx.Graph()
        for link in sorted(links(self._view), key=_rank, reverse=True):  # what says most is added last
            graph.add_edge(link.subject, link.object, link=link)
        return graph

    @cached_property
    def _tension(self) -> Tension:
        import networkx as nx

        view = self._view
        happened = [act for act in acts(view) if act.record.confidence >= LEAST]
        lasting = [one for one in view.relations() if PREDICATES[one.predicate].lasting]
        bonds = gathered((_pair(one.subject, one.object), one) for one in lasting if one.confidence >= LEAST)
        deeds = gathered((pair, act) for act in happened for pair in {_pair(*each) for each in act.pairs})
        dead = {who for act in acts(view) for who in act.dead}
        alive = {entity.id for entity in view.entities() if entity.kind in PEOPLE} - dead
        found = Tension(nx.Graph(), nx.Graph(), set())
        found.warm.add_nodes_from(alive)
        for pair in sorted(bonds.keys() | deeds.keys()):
            told, between = bonds.get(pair, []), deeds.get(pair, [])
            signed = any(PREDICATES[bond.predicate].sign or bond.predicate in FAMILY for bond in told)
            if signed or any(PREDICATES[act.predicate].sign for act in between):
                found.settled.add(pair)
            if alive.issuperset(pair):
                for bond in told:
                    if holds_when_told(bond) and closing(view, bond, told, between) is None:
                        _stand(bond, found)
                for link in _unforgiven(between):
                    _keep(found.cold, link)
        return found
