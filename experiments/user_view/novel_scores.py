"""How what the story graph shows of a novel stands to what its readers know. Pure functions of a view and
gold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.predicates import PREDICATES
from fabula.views.times import times_at
from fabula.views.world import WorldShown, world_at

from .novel_gold import NovelGold, sign_of

__all__ = [
    "Cast",
    "cast_of",
    "events",
    "fates",
    "flashbacks",
    "relations",
]

Row = dict[str, Any]
WHOLE = 0.8  # of a character's mentions, that one entity has to hold; and of an entity's, that are one's
NEAR = 600  # characters from an event's quote to the gold's
HELD = 0.3  # what is told with less confidence is not even held
# predicate → (type, whether its subject is the gold's a); None: either way round
TYPED: Mapping[str, tuple[str, bool | None]] = {
    "MARRIED_TO": ("spouse", None),
    "MARRIES": ("spouse", None),
    "LOVES": ("lover", True),
    "PARENT_OF": ("parent", True),
    "CHILD_OF": ("parent", False),
    "SIBLING_OF": ("sibling", None),
    "KIN_OF": ("kin", None),
    "GRANDPARENT_OF": ("kin", None),
    "AUNT_OR_UNCLE_OF": ("kin", None),
    "COUSIN_OF": ("kin", None),
    "STEP_KIN_OF": ("kin", None),
    "IN_LAW_OF": ("kin", None),
    "PARTNER_OF": ("lover", None),
    "ENGAGED_TO": ("lover", None),
    "RIVAL_OF": ("enemy", None),
    "FRIEND_OF": ("friend", None),
    "ALLIES_WITH": ("friend", None),
    "ENEMY_OF": ("enemy", None),
    "HATES": ("enemy", None),
    "SERVES": ("employer", False),
    "SERVED_BY": ("employer", True),
    "TEACHES": ("teacher", True),
    "BENEFACTOR_OF": ("benefactor", True),
    "HELPS": ("benefactor", True),
    "SAVES": ("benefactor", True),
    "KILLS": ("killer", True),
}
_SYMMETRIC = frozenset({"spouse", "sibling", "kin", "friend", "enemy"})
_SLIGHT = frozenset({"KNOWS", "APPEARS_WITH", "MEETS", "TELLS"})
_TIES = frozenset(
    """PARENT_OF CHILD_OF SIBLING_OF KIN_OF GRANDPARENT_OF AUNT_OR_UNCLE_OF COUSIN_OF STEP_KIN_OF
    IN_LAW_OF MARRIED_TO MARRIES SERVES SERVED_BY TEACHES""".split()
)
_EVENTS: Mapping[str, frozenset[str]] = {
    "kills": frozenset({"KILLS", "DIES", "ATTACKS"}),
    "dies": frozenset({"DIES", "KILLS"}),
    "marries": frozenset({"MARRIES"}),
    "leaves": frozenset({"LEAVES"}),
    "meets": frozenset({"MEETS"}),
    "betrays": frozenset({"BETRAYS", "DECEIVES"}),
    "saves": frozenset({"SAVES", "HELPS"}),
    "steals": frozenset({"STEALS_FROM"}),
    "confesses": frozenset({"TELLS", "LEARNS"}),
    "reveals": frozenset({"TELLS", "LEARNS"}),
    "learns": frozenset({"LEARNS", "TELLS"}),
    "fights": frozenset({"ATTACKS", "QUARRELS_WITH", "HARMS"}),
    "quarrels": frozenset({"QUARRELS_WITH", "INSULTS", "THREATENS"}),
    "reconciles": frozenset({"FORGIVES"}),
    "refuses": frozenset({"REJECTS"}),
}


@dataclass(frozen=True, slots=True)
class Cast:
    """``of`` says which character an entity is; ``rows`` how each of the gold's is shown."""

    of: Mapping[str, str]
    rows: Sequence[Row]


def cast_of(view: StoryView, gold: NovelGold) -> Cast:
    """A card is right where one entity holds at least ``WHOLE`` of the mentions by names that are this
    character's alone (nobody in two), where at least as many of that entity's are this character's (no two in
    one), and where it is shown as a character by one of these names."""
    owner = gold.surfaces
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    total: Counter[str] = Counter()
    for mention in view.log.mentions:
        who = owner.get(" ".join(mention.surface.split()).casefold())
        if who is None and mention.surface == "I" and gold.about["narrator"] != "third":
            who = gold.about["narrator"]
        if who is not None:
            votes[view.resolve(mention.entity)][who] += 1
            total[who] += 1
    of = {entity: max(sorted(count), key=count.__getitem__) for entity, count in votes.items()}
    rows = []
    for character in gold.characters:
        who = character["id"]
        own = {entity: count[who] for entity, count in votes.items() if count[who]}
        best = max(sorted(own), key=own.__getitem__, default=None)
        row: Row = {"novel": gold.slug, "character": who, "main": character["main"], "named": total[who]}
        if best is None:
            rows.append(row | {"right": False, "why": "missing"})
            continue
        shown = view.entity(best)
        names = {name.casefold() for name in (character["name"], *character["also"])}
        whole = own[best] >= WHOLE * total[who]
        alone = own[best] >= WHOLE * sum(votes[best].values())
        kind = shown is not None and shown.kind.value == "character"
        called = shown is not None and shown.name.casefold() in names
        why = "" if whole else "in two"
        why = why or ("" if alone else "two in one") or ("" if kind else "no character")
        rows.append(
            row | {"right": not why, "why": why, "called": called, "shown": shown.name if shown else ""}
        )
    return Cast(of, rows)


def _edges(shown: WorldShown, cast: Cast) -> list[tuple[str, str, str]]:
    """(character, predicate, character) of each edge between two of the cast."""
    found = [(cast.of.get(e.source), e.predicate, cast.of.get(e.target)) for e in shown.edges]
    return [(a, predicate, b) for a, predicate, b in found if a and b and a != b]


def relations(view: StoryView, gold: NovelGold, cast: Cast) -> list[Row]:
    """One row for each relation of the gold: is it shown (by default settings) and held (at any confidence of
    ``HELD`` or more), by type and direction, by sign, or as any tie between the two."""
    shown = _edges(world_at(view), cast)
    held = _edges(world_at(view, least_confidence=HELD, limit=100_000), cast)
    rows = []
    for one in gold.relations:
        row: Row = {"novel": gold.slug, **{key: one[key] for key in ("a", "type", "b", "rank")}}
        for name, edges in (("shown", shown), ("held", held)):
            between = [e for e in edges if {e[0], e[2]} == {one["a"], one["b"]}]
            row[f"{name}_typed"] = any(_typed(edge, one) for edge in between)
            row[f"{name}_signed"] = row[f"{name}_typed"] or any(_signed(e[1], one["type"]) for e in between)
            row[f"{name}_pair"] = bool(between)
        rows.append(row)
    return rows


def _typed(edge: tuple[str, str, str], one: Mapping[str, Any]) -> bool:
    type_, forward = TYPED.get(edge[1], ("", None))
    if type_ != one["type"]:
        return False
    if forward is None or type_ in _SYMMETRIC:
        return True
    first = one["a"] if forward else one["b"]
    return edge[0] == first


def _signed(predicate: str, type_: str) -> bool:
    sign = sign_of(type_)
    if sign == 0:
        return predicate in _TIES
    return predicate not in _SLIGHT and PREDICATES[predicate].sign == sign


def fates(view: StoryView, gold: NovelGold, cast: Cast) -> list[Row]:
    """Whom the graph has dead, beside who is. Only of those whom it has at all."""
    dead: dict[str, str] = {}
    for event in view.events():
        if event.predicate in ("DIES", "KILLS") and event.confidence >= 0.5:
            for role, who in event.participants:
                if role == "patient" and who in cast.of:
                    dead.setdefault(cast.of[who], event.evidence[0].line if event.evidence else "")
    there = set(cast.of.values())
    return [
        {
            "novel": gold.slug,
            "character": one["id"],
            "main": one["main"],
            "fate": one["fate"],
            "shown": "dead" if one["id"] in dead else "alive",
            "right": (one["id"] in dead) == (one["fate"] == "dead"),
            "false_death": one["id"] in dead and one["fate"] != "dead",
        }
        for one in gold.characters
        if one["id"] in there
    ]


def events(view: StoryView, gold: NovelGold, cast: Cast) -> list[Row]:
    """Each key event of the gold: does the timeline (by default settings) show one of its people doing or
    suffering something within ``NEAR`` characters (``placed``), and of that kind (``typed``; None where no
    predicate is of that kind)?"""
    told = {event.id: event for event in view.events(untyped=True)}
    shown = [
        (one.start, one.predicate, {cast.of.get(who) for _, who in told[one.id].participants})
        for one in times_at(view).events
    ]
    rows = []
    for one in gold.events:
        start, end = one["at"]
        near = [e for e in shown if start - NEAR <= e[0] <= end + NEAR and e[2] & set(one["who"])]
        kinds = _EVENTS.get(one["type"])
        rows.append(
            {
                "novel": gold.slug,
                "what": one["what"],
                "type": one["type"],
                "placed": bool(near),
                "typed": any(e[1] in kinds for e in near) if kinds is not None else None,
            }
        )
    return rows


def flashbacks(view: StoryView, gold: NovelGold) -> Row:
    """How many of the events shown are said to be told out of order."""
    shown = times_at(view)
    back = len(shown.anachronies)
    share = back / len(shown.events) if shown.events else None
    return {"novel": gold.slug, "events": len(shown.events), "out_of_order": back, "share": share}
