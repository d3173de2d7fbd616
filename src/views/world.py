"""The story's people, places and things and how they stand at a horizon, as a graph to draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ..story.graph_rag.views.story_view import StoryView
from ..story.graph_rag.views.ties import LIKELY, ORIGIN, shown_relations
from ..story.model.predicates import FAMILY, PREDICATES, SURE_ENOUGH
from ..story.model.types import EntityKind, EventTold, Interval, Relation, StoryEntity, gathered
from .found import found_entity
from .quotes import QuoteShown, quotes_shown, told_quotes

_KIN = (*sorted(FAMILY), "IN_LAW_OF")
_PLACE = ("LOCATED_AT", "LIVES_IN", "COMES_FROM", "OWNS")
_GUESSED = frozenset({"PARENT_OF", "CHILD_OF", "SIBLING_OF", "KIN_OF"})
_SLIGHT = frozenset({*_PLACE, "KNOWS", "APPEARS_WITH"})  # shown last

FAMILIES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "bonds": frozenset(
            row.name for row in PREDICATES.values() if row.lasting and row.name not in (*_KIN, *_PLACE)
        ),
        "kinship": frozenset(_KIN),
        "places": frozenset(_PLACE),
        "events": frozenset(row.name for row in PREDICATES.values() if not row.lasting),
    }
)
"""Predicates by what they speak of: feelings and dealings, kinship and marriage, whereabouts and
possession, and what happens. Every predicate is in exactly one family."""

KINDS = tuple(kind.value for kind in EntityKind if kind is not EntityKind.EVENT)
"""What kinds of entities a story graph shows."""


@dataclass(frozen=True, slots=True)
class NodeShown:
    """An entity. ``mentions`` and ``first_appearance`` (a chapter) as a reader at the horizon knows them;
    ``degree`` counts its edges among those shown, ``quotes`` are its first mentions."""

    id: str
    name: str
    kind: str
    aliases: tuple[str, ...]
    first_appearance: int
    mentions: int
    degree: int
    quotes: tuple[QuoteShown, ...] = ()


@dataclass(frozen=True, slots=True)
class EdgeShown:
    """subject -predicate-> object, repeated tellings as one; ``label`` is the predicate in words, ``sign``
    -1, 0 or 1.

    ``told`` is the chapter that first tells it; ``since`` and ``until`` (inclusive) are chapters of story
    time, None where the story does not say, ``until`` also where it holds for good. ``quotes`` are at most
    eight of ``quote_count``.
    """

    id: str
    source: str
    target: str
    predicate: str
    label: str
    sign: int
    told: int
    since: int | None
    until: int | None
    confidence: float
    quotes: tuple[QuoteShown, ...]
    quote_count: int


@dataclass(frozen=True, slots=True)
class WorldShown:
    """The graph at chapter ``as_of`` (None: the whole story), most mentioned nodes first, edges that tell
    most first. ``left_out_nodes`` pass the filters but not the limit; ``left_out_edges`` lead to them."""

    as_of: int | None
    nodes: tuple[NodeShown, ...]
    edges: tuple[EdgeShown, ...]
    left_out_nodes: int
    left_out_edges: int


def world_at(
    view: StoryView,
    *,
    kinds: Collection[str] | None = None,
    families: Collection[str] | None = None,
    least_confidence: float = SURE_ENOUGH,
    least_tie: float = 0.0,
    around: str | None = None,
    linked_only: bool = False,
    limit: int = 150,
) -> WorldShown:
    """The graph of what happened or holds, as far as the view's horizon.

    ``kinds`` are values of EntityKind, ``families`` keys of :data:`FAMILIES`; None takes all.
    ``least_confidence`` (0 to 1) leaves out what one sentence tells with less, ``least_tie`` what all
    meetings of two tell with less, beside the thresholds of ``views.ties``. ``around`` (a name or id; raises
    UsageError where nobody has it) keeps those who share an edge with that one. ``linked_only`` leaves out
    nodes without an edge. Costs the relations and events of the view once.
    """
    wanted = frozenset().union(*(FAMILIES[one] for one in (families if families is not None else FAMILIES)))
    told = [one for one in _told(view, least_confidence, least_tie) if one.predicate in wanted]
    admitted = [entity for entity in view.entities() if kinds is None or entity.kind.value in kinds]
    known = {entity.id for entity in admitted}
    told = _between(known, told)
    if around is not None:
        centre = found_entity(view, around)
        told.sort(key=lambda one: centre.id not in (one.subject, one.object))
        pairs = ({one.subject, one.object} for one in told)
        beside = {end for pair in pairs if centre.id in pair for end in pair} - {centre.id}
        admitted = [centre, *(entity for entity in admitted if entity.id in beside)]
        told = _between({centre.id, *beside}, told)
    if linked_only:
        linked = {end for one in told for end in (one.subject, one.object)}
        admitted = [entity for entity in admitted if entity.id in linked]
    chosen = admitted[:limit]
    shown = _between({entity.id for entity in chosen}, told)
    degrees = Counter(end for one in shown for end in (one.subject, one.object))
    return WorldShown(
        view.horizon.chapter,
        tuple(_node(entity, degrees[entity.id]) for entity in chosen),
        tuple(_edge(one, view) for one in shown),
        len(admitted) - len(chosen),
        len(told) - len(shown),
    )


def is_told(predicate: str, origin: str, confidence: float, least: float = LIKELY) -> bool:
    """Is a bond to be said, not only guessed? What was weighed over the meetings of two (``views.ties``)
    needs ``least``, and kinship but for marriage needs a sentence: weighed, it is too often wrong."""
    return origin != ORIGIN or (confidence >= least and predicate not in _GUESSED)


def bond_phrase(view: StoryView, relation: Relation) -> str:
    """How the subject stands, in the text's own word where it has one: ``is the half-sister of``."""
    if relation.word:
        return f"is the {relation.word} of"
    known = view.entity(relation.subject)
    return PREDICATES[relation.predicate].phrase_for(known.gender if known else "")


def bond_words(view: StoryView, relation: Relation) -> str:
    """The same as a sentence."""
    return f"{view.name(relation.subject)} {bond_phrase(view, relation)} {view.name(relation.object)}"


def _told(view: StoryView, least: float, least_tie: float) -> list[Relation]:
    """Relations that happened, what tells most first, and events between two as relations; repeated tellings
    as one."""
    pairs = gathered(
        ((one, event.predicate, other), event)
        for event in view.events()
        for role, one in event.participants
        for part, other in event.participants
        if (role, part) == ("agent", "patient") and one != other
    )
    between = [_as_relation(pair, events) for pair, events in pairs.items()]
    ties, others = shown_relations(view, least_confidence=least)
    rest = [*others, *(one for one in between if one.confidence >= least)]
    if least_tie:
        ties = tuple(one for one in ties if is_told(one.predicate, one.origin, one.confidence, least_tie))
    return [*ties, *sorted(rest, key=lambda one: (one.predicate in _SLIGHT, view.place(one), _key(one)))]


def _as_relation(pair: tuple[str, str, str], events: Sequence[EventTold]) -> Relation:
    subject, predicate, other = pair
    first = events[0]
    return Relation(
        subject,
        predicate,
        other,
        first.holds if len(events) == 1 else Interval(first.holds.start),
        first.told,
        tuple(dict.fromkeys(quote for event in events for quote in event.evidence[:2])),
        confidence=max(event.confidence for event in events),
        modality=first.modality,
    )


def _between(ids: Collection[str], told: Iterable[Relation]) -> list[Relation]:
    return [one for one in told if one.subject in ids and one.object in ids]


def _node(entity: StoryEntity, degree: int) -> NodeShown:
    return NodeShown(
        entity.id,
        entity.name,
        entity.kind.value,
        tuple(alias for alias in entity.aliases if alias != entity.name),
        entity.first_appearance,
        entity.mentions,
        degree,
        quotes_shown(entity.evidence, most=3),
    )


def _key(relation: Relation) -> str:
    return f"{relation.subject}|{relation.predicate}|{relation.object}|{relation.modality.value}"


def _edge(relation: Relation, view: StoryView) -> EdgeShown:
    row, start, end = PREDICATES[relation.predicate], relation.holds.start, relation.holds.end
    return EdgeShown(
        _key(relation),
        relation.subject,
        relation.object,
        row.name,
        bond_phrase(view, relation),
        row.sign,
        relation.told,
        start if isinstance(start, int) else None,
        end if isinstance(end, int) else None,
        round(relation.confidence, 3),
        quotes_shown(told_quotes(relation)),
        len(relation.evidence),
    )
