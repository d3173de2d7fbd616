"""What a reader at one horizon knows: every question to the story graph is asked of a view.

A view is made from the log cut to its horizon and from nothing else, so nothing told later can
reach an answer. Indexes are built on first use, each in one pass over the cut log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from ....core.text.tokenizing import without_accents
from ....core.types import Evidence, Horizon
from ...lexicon.words import CLAUSE_WORDS
from ...model.predicates import PREDICATES
from ...model.types import (
    CODEX_ID,
    EntityCorrected,
    EntityKind,
    EntityMention,
    EntityMerge,
    EventOrder,
    EventTold,
    FactTold,
    KnowingTold,
    Modality,
    PresenceTold,
    QuotationTold,
    Relation,
    StateTold,
    StoryEntity,
    StoryLog,
    ThreadTold,
    TimeTold,
    Told,
    followed,
    gathered,
    quotes_of,
)
from ...names.person_record import PersonName, same_given, whose
from ...names.roster import ROLES

if TYPE_CHECKING:
    from .ties import Tie


_T = TypeVar("_T")
_EVIDENCE_KEPT = 3
_SELF, _NARRATOR = "I", "the narrator"  # who tells the story is named by others, or not at all
_HONORIFICS = CLAUSE_WORDS.listed("honorific")


def merged_ids(merges: Iterable[EntityMerge]) -> dict[str, str]:
    """Each merged id and the one it is now known by, chains followed. A merge that would close a
    ring (its two sides are one already) changes nothing."""
    into: dict[str, str] = {}
    for merge in merges:
        loser, keeper = followed(into, merge.entity), followed(into, merge.into)
        if loser != keeper:
            into[loser] = keeper
    return {entity: followed(into, entity) for entity in into}


def entities_of(
    mentions: Iterable[EntityMention], merged: Mapping[str, str], corrected: Iterable[EntityCorrected] = ()
) -> tuple[StoryEntity, ...]:
    """The entity table: all who and what is mentioned, most mentioned first, ties by id.

    Name and kind are as the author has corrected them; else kind and gender are those that the codex lays
    down, or go by majority, ties to the first seen; gender counts only mentions that tell it. Evidence is the
    first three mentions. Costs one pass over the mentions.
    """
    groups = gathered((merged.get(one.entity, one.entity), one) for one in mentions)
    words = gathered((merged.get(one.entity, one.entity), one) for one in corrected)
    entities = [_entity(identity, group, words.get(identity, ())) for identity, group in groups.items()]
    return tuple(sorted(entities, key=lambda entity: (-entity.mentions, entity.id)))


def _entity(
    identity: str, mentions: Sequence[EntityMention], corrected: Sequence[EntityCorrected]
) -> StoryEntity:
    surfaces = Counter(mention.surface for mention in mentions)
    own = Counter({surface: count for surface, count in surfaces.items() if surface != _SELF})
    own = Counter({name: n for name, n in own.items() if name not in ROLES and not any(whose(name))}) or own
    usual = _full_name(own) if own else _NARRATOR if _SELF in surfaces else _full_name(surfaces)
    name = next((one.name for one in reversed(corrected) if one.name), usual)
    laid_down = [mention for mention in mentions if mention.evidence.document_id == CODEX_ID]
    kind = next((one.kind for one in reversed(corrected) if one.kind is not None), None)
    genders = _genders(laid_down) or _genders(mentions)
    return StoryEntity(
        id=identity,
        kind=kind or _majority(Counter(mention.kind for mention in laid_down or mentions)),
        name=name,
        aliases=tuple(sorted(surface for surface in surfaces if surface != name)),
        first_appearance=min(mention.told for mention in mentions),
        mentions=len(mentions),
        evidence=tuple(mention.evidence for mention in mentions[:_EVIDENCE_KEPT]),
        gender=_majority(genders) if genders else "",
    )


def _genders(mentions: Sequence[EntityMention]) -> Counter[str]:
    return Counter(mention.gender for mention in mentions if mention.gender)


def _majority(counts: Counter[_T]) -> _T:
    """The most frequent; Counter keeps the order of first sight, so max() gives ties to the first."""
    return max(counts, key=counts.__getitem__)


def _full_name(surfaces: Counter[str]) -> str:
    """The most frequent surface (ties to the first seen), or the most frequent longer one that holds
    all its words in order and adds a word that is no honorific (nor "of Highbury"), without one if there
    is such: Emma becomes Emma Woodhouse even where Miss Emma Woodhouse is said more often, and stays Emma
    beside Miss Emma."""
    usual = _majority(surfaces)
    added = {surface: _added(_words(surface), _words(usual)) for surface in surfaces}
    fuller = [name for name, words in added.items() if words - _HONORIFICS and "of" not in words]
    fuller = [surface for surface in fuller if not _another_given(surface, surfaces)]
    plain = [surface for surface in fuller if not added[surface] & _HONORIFICS]
    chosen = plain or fuller
    return _majority(Counter({surface: surfaces[surface] for surface in chosen})) if chosen else usual


def _another_given(surface: str, surfaces: Counter[str]) -> bool:
    """Is the given name in the surface (a father's, perhaps) not the one that the others mostly tell?"""
    given = PersonName.parse(surface).given
    uses = Counter({other: count for other, count in surfaces.items() if PersonName.parse(other).given})
    other = [count for name, count in uses.items() if not same_given(PersonName.parse(name).given, given)]
    return bool(given) and sum(other) > sum(uses.values()) - sum(other)


def _added(longer: Sequence[str], words: Sequence[str]) -> frozenset[str]:
    """The words that the longer name adds; none where it does not hold all the words in order."""
    left = list(longer)
    for word in words:
        if word not in left:
            return frozenset()
        left = left[left.index(word) + 1 :]
    return frozenset(Counter(longer) - Counter(words))


def _words(surface: str) -> list[str]:
    return [word.rstrip(".").casefold() for word in surface.split()]


Place = tuple[int, int, int]
"""Where a thing is told: chapter, document (in order of first appearance), first character."""

_ID_FIELDS = ("subject", "object", "entity", "other", "speaker", "place")  # each one id, in whatever record


class StoryView:
    """The story as a reader at ``horizon`` knows it. Made by ``StoryKnowledgeGraph.as_of``.

    Ids given to its methods may be ids since merged into others; answers always carry the id by
    which the entity is known at the horizon. Answers come chapter by chapter in order of telling, unless
    they say otherwise; within a chapter :meth:`place` gives the order.
    """

    def __init__(self, log: StoryLog, horizon: Horizon) -> None:
        """``log`` is already cut to the horizon (see ``StoryLog.told``)."""
        self.log = log
        self.horizon = horizon
        self._merged = merged_ids(log.merges)
        self._tables: dict[str, tuple[tuple[Any, ...], dict[str | None, tuple[Any, ...]]]] = {}

    def as_of(self, horizon: Horizon) -> StoryView:
        """The view of a reader who has come less far; itself where the horizon is not nearer."""
        if horizon.chapter is None or (
            self.horizon.chapter is not None and self.horizon.chapter <= horizon.chapter
        ):
            return self
        return StoryView(self.log.told(horizon.chapter), horizon)

    def resolve(self, entity: str) -> str:
        """The id by which the entity is known at the horizon."""
        return self._merged.get(entity, entity)

    # --- entities

    def entities(self, kind: EntityKind | None = None) -> tuple[StoryEntity, ...]:
        """Most mentioned first, ties by id."""
        return tuple(one for one in self._roll if kind in (None, one.kind))

    def entity(self, entity: str) -> StoryEntity | None:
        """None where no mention of it is told up to the horizon."""
        return self._by_id.get(self.resolve(entity))

    def name(self, entity: str) -> str:
        """The name to show; the id itself where the text has no name for it yet."""
        known = self.entity(entity)
        return known.name if known else self.resolve(entity)

    def worded(self, subject: str, predicate: str, object_: str) -> str:
        """``Tom loves Anna``; kin by the subject's gender, where it is known."""
        row, known = PREDICATES.get(predicate), self.entity(subject)
        phrase = row.phrase_for(known.gender if known else "") if row else predicate.lower().replace("_", " ")
        return f"{self.name(subject)} {phrase} {self.name(object_)}"

    def find(self, name: str) -> StoryEntity | None:
        """Who goes by that name, whatever the case: by name, else by alias (the most mentioned where
        several do), else the only entity whose name or alias starts with these words. Else whose name it is
        without accents ("Jose"). Else None."""
        said = name.casefold()
        return self._find(said, str) or self._find(without_accents(said), without_accents)

    def _find(self, name: str, written: Callable[[str], str]) -> StoryEntity | None:
        wanted = tuple(name.split())
        known = [
            (entity, [tuple(written(one.casefold()).split()) for one in (entity.name, *entity.aliases)])
            for entity in self._roll
            if wanted
        ]
        by_name = [entity for entity, names in known if names[0] == wanted]
        by_alias = [entity for entity, names in known if wanted in names]
        begun = [
            entity
            for entity, names in known
            if any(one[: len(wanted)] == wanted for one in names) and not any(whose(entity.name))
        ]
        return next(iter(by_name or by_alias or (begun if len(begun) == 1 else [])), None)

    def place_name(self, value: str) -> str:
        """A place that a fact tells, by its name where the story has one."""
        known = self.find(value) or self.find(f"the {value}")
        return known.name if known is not None else value

    def presence(self, chapter: int) -> tuple[str, ...]:
        """Ids of the entities mentioned in that chapter, in order of first mention there."""
        return self._presence.get(chapter, ())

    # --- what is told of them

    def relations(
        self,
        entity: str | None = None,
        *,
        predicate: str | None = None,
        happened: bool = True,
        distinct: bool = False,
    ) -> tuple[Relation, ...]:
        """Relations of the entity, either way round; all relations where none is named.

        ``happened`` leaves out what is planned, denied, imagined or only reported; False keeps all.
        ``distinct`` groups repeated tellings (see ``grouped``).
        """
        found: tuple[Relation, ...] = self._told("relations", entity)
        asked = (relation for relation in found if predicate in (None, relation.predicate))
        kept = (relation for relation in asked if relation.modality.happened or not happened)
        return grouped(kept) if distinct else tuple(kept)

    def events(
        self, entity: str | None = None, *, happened: bool = True, untyped: bool = False
    ) -> tuple[EventTold, ...]:
        """Events in which the entity takes part, or all; ``happened`` as for relations.

        ``untyped`` adds those whose verb no predicate of the table fits (``DOES``): many, and for reading
        what somebody does rather than for rules.
        """
        found: tuple[EventTold, ...] = self._told("events", entity)
        typed = (event for event in found if untyped or event.predicate != "DOES")
        return tuple(event for event in typed if event.modality.happened or not happened)

    def orders(self) -> tuple[EventOrder, ...]:
        """Which event came before which in story time; both told up to the horizon."""
        told = {event.id for event in self.log.events}
        return tuple(order for order in self.log.orders if order.earlier in told and order.later in told)

    def times(self) -> tuple[TimeTold, ...]:
        """Dates, ages, durations and shifts of time."""
        return self._told("times")

    def facts(self, entity: str | None = None) -> tuple[FactTold, ...]:
        """Typed facts of the entity; of everybody, where none is named."""
        return self._told("facts", entity)

    def knowings(self) -> tuple[KnowingTold, ...]:
        """What anybody learns, tells, hides …"""
        return self._told("knowings")

    def threads(self) -> tuple[ThreadTold, ...]:
        """Steps of promises, plans, secrets …, in order of telling."""
        return self._told("threads")

    def quotations(self, speaker: str | None = None) -> tuple[QuotationTold, ...]:
        """Direct speech of the speaker; all of it, speaker known or not, where none is named."""
        return self._told("quotations", speaker)

    def on_stage(self, chapter: int | None = None) -> tuple[PresenceTold, ...]:
        """Who takes part in the scenes of that chapter (of all) and where, by scene, then by first sign."""
        return tuple(one for one in self._on_stage if chapter in (None, one.told))

    def states(self, entity: str, aspect: str | None = None) -> tuple[StateTold, ...]:
        """Emotions, goals and places told of the entity (see ``StateTold``), or those of one ``aspect``."""
        return tuple(one for one in self._told("states", entity) if aspect in (None, one.aspect))

    def bonds(self, a: str, b: str, *, denied: bool = False) -> tuple[Relation, ...]:
        """The lasting relations ever told between the two, either way round, that happened; and, where asked
        for, those of which it is ``denied`` that they hold.

        Which of them still hold, ``graph_rag.views.timeline.standing`` says.
        """
        kept = (one for one in self.relations(a, happened=not denied))
        told = (one for one in kept if one.modality.happened or one.modality is Modality.NEGATED)
        other = self.resolve(b)
        between = (bond for bond in told if other in (bond.subject, bond.object))
        return tuple(bond for bond in between if PREDICATES[bond.predicate].lasting)

    # --- where it is told

    def place(self, record: Told | Evidence) -> Place:
        """A key that puts what is told in order of telling, across the documents of the log."""
        if isinstance(record, Evidence):
            return record.chapter, self._documents.get(record.document_id, 0), record.span.start
        quotes = quotes_of(record)
        if not quotes:
            return record.told, 0, -1
        return record.told, self._documents.get(quotes[0].document_id, 0), quotes[0].span.start

    @cached_property
    def ties(self) -> tuple[Tie, ...]:
        """What characters are to each other, the likeliest first; see ``views.ties``."""
        from .ties import ties_of

        return ties_of(self)

    # --- indexes, each built on first use

    @cached_property
    def _roll(self) -> tuple[StoryEntity, ...]:
        return entities_of(self.log.mentions, self._merged, self.log.corrected)

    @cached_property
    def _by_id(self) -> Mapping[str, StoryEntity]:
        return {entity.id: entity for entity in self._roll}

    @cached_property
    def _presence(self) -> Mapping[int, tuple[str, ...]]:
        seen: dict[int, dict[str, None]] = {}
        for mention in self.log.mentions:
            seen.setdefault(mention.told, {})[self.resolve(mention.entity)] = None
        return {chapter: tuple(ids) for chapter, ids in seen.items()}

    def _known(self, record: Any) -> Any:
        """The record with every id in it as it is known at the horizon."""
        if not self._merged:
            return record
        ids = {name: getattr(record, name, None) for name in _ID_FIELDS}
        changes: dict[str, Any] = {
            name: self._merged[one] for name, one in ids.items() if one in self._merged
        }
        if isinstance(record, EventTold):
            cast = ((role, self.resolve(entity)) for role, entity in record.participants)
            changes["participants"] = tuple(dict.fromkeys(cast))
        elif isinstance(record, QuotationTold):
            changes["hearers"] = tuple(dict.fromkeys(map(self.resolve, record.hearers)))
        elif isinstance(record, StateTold) and record.aspect == "location":
            changes["value"] = self.resolve(record.value)
        return replace(record, **changes) if changes else record

    def _told(self, table: str, entity: str | None = None) -> tuple[Any, ...]:
        """The records of a table of the log, those of the entity where one is named."""
        if table not in self._tables:
            known = map(self._known, getattr(self.log, table))
            told = [one for one in known if not isinstance(one, Relation) or one.subject != one.object]
            index = gathered((who, one) for one in told for who in dict.fromkeys(_ends(one)))
            self._tables[table] = tuple(told), {who: tuple(some) for who, some in index.items()}
        every, of_each = self._tables[table]
        return every if entity is None else of_each.get(self.resolve(entity), ())

    @cached_property
    def _on_stage(self) -> tuple[PresenceTold, ...]:
        found: dict[tuple[object, ...], PresenceTold] = {}
        for one in self._told("presences"):
            found.setdefault((one.told, one.entity, one.scene, one.place), one)
        return tuple(sorted(found.values(), key=lambda one: one.told))

    @cached_property
    def _documents(self) -> Mapping[str, int]:
        log, first = self.log, dict[str, tuple[int, int]]()
        kinds: tuple[Iterable[Told], ...] = (log.mentions, log.relations, log.events, log.states)
        for rank, records in enumerate(kinds):
            for record in records:
                for quote in quotes_of(record):
                    seen = first.get(quote.document_id, (record.told, rank))
                    first[quote.document_id] = min(seen, (record.told, rank))
        ranked = sorted(first, key=lambda document: (first[document], document))
        return {document: rank for rank, document in enumerate(ranked)}


def grouped(relations: Iterable[Relation]) -> tuple[Relation, ...]:
    """Repeated tellings as one: the first told, with all evidence and the highest confidence.

    Symmetric predicates group both ways round, inverse ones together; another modality stays apart.
    """
    groups = gathered(((canonical(one), one.modality), one) for one in relations)
    return tuple(
        replace(
            group[0],
            evidence=tuple(dict.fromkeys(quote for one in group for quote in one.evidence)),
            confidence=max(one.confidence for one in group),
        )
        for group in groups.values()
    )


def canonical(relation: Relation) -> tuple[str, str, str]:
    """The same for all tellings of one bond, either way round where it is symmetric or has an inverse."""
    row = PREDICATES[relation.predicate]
    one, other = relation.subject, relation.object
    if row.symmetric and other < one:
        return other, row.name, one
    if row.inverse is not None and row.inverse < row.name:
        return other, row.inverse, one
    return one, row.name, other


def _ends(record: Any) -> Iterable[str | None]:
    """Whose record it is, by id."""
    if isinstance(record, Relation):
        return record.subject, record.object
    if isinstance(record, EventTold):
        return (who for _, who in record.participants)
    return (record.speaker if isinstance(record, QuotationTold) else record.entity,)
