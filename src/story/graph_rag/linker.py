"""From readings to the story's log: chapter after chapter, each record made from what was told so far."""

from __future__ import annotations

import re

from ...core.types import Chapter, Document, Span
from ...errors import EvidenceError, HorizonError
from ..reading import ChapterReading, Identity, Mention, Statement
from ..types import (
    EntityKind,
    EntityMention,
    EntityMerge,
    Modality,
    PresenceTold,
    QuotationTold,
    Relation,
    StateTold,
    StoryLog,
)
from .event_linking import EventLog
from .person_names import PersonName
from .scene_linking import quotations_of
from .stage_linking import presences_of
from .telling import KnownSoFar, ToldChapter

__all__ = ["Linker"]

WEAK_MENTIONS = 3  # so many weak mentions make a name known
IDENTITY_MIN = 0.6
_TURNS = {"adopted": 1.0, "failed": -1.0, "reached": 2.0}
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_PLACES = frozenset({"LOCATED_AT", "LIVES_IN", "COMES_FROM"})


class Linker:
    """Folds readings, in order of telling, into one log that is only ever appended to.

    The junk filter: a name counts once the text has vouched for it (``Mention.strong``) or has used it a
    third time; before that its mentions are not recorded, and nothing is said of it. The definite nameless
    ("the castle") are recorded only where something is said of them.
    """

    def __init__(self) -> None:
        self._state = KnownSoFar()
        self._mentions: list[EntityMention] = []
        self._merges: list[EntityMerge] = []
        self._relations: list[Relation] = []
        self._states: list[StateTold] = []
        self._quotations: list[QuotationTold] = []
        self._presences: list[PresenceTold] = []
        self._events = EventLog()

    @property
    def log(self) -> StoryLog:
        """All told so far; costs one copy of the lists."""
        events = self._events
        return StoryLog(
            mentions=tuple(self._mentions),
            merges=tuple(self._merges),
            relations=tuple(self._relations),
            events=tuple(events.events),
            causes=tuple(events.causes),
            states=tuple(self._states),
            orders=tuple(events.orders),
            quotations=tuple(self._quotations),
            presences=tuple(self._presences),
            times=tuple(events.times),
            knowledge=tuple(events.knowledge),
        )

    def copy(self) -> Linker:
        """A linker of its own with the same past, for trying a draft on top."""
        other = Linker()
        other._state = self._state.copy()
        other._mentions = list(self._mentions)
        other._merges = list(self._merges)
        other._relations = list(self._relations)
        other._states = list(self._states)
        other._quotations = list(self._quotations)
        other._presences = list(self._presences)
        other._events = self._events.copy()
        return other

    def add(self, document: Document, chapter: Chapter, reading: ChapterReading) -> None:
        """Appends what ``chapter`` tells. ``reading`` must be the reading of ``chapter.body``'s text.

        Raises HorizonError for a chapter told before the last one added (or added twice), and EvidenceError
        for a reading of another text.
        """
        self._check(document, chapter, reading)
        told = ToldChapter(document, chapter)
        ids = self._link_mentions(told, reading.mentions)
        self._link_identities(told, reading.identities, ids)
        for statement in reading.statements:
            self._link_statement(told, statement, ids)
        self._events.add(told, reading, ids, self._state)
        self._link_inner_life(told, reading, ids)
        quotations = tuple(quotations_of(told, reading, ids, self._state))
        self._quotations.extend(quotations)
        self._presences.extend(presences_of(told, reading, ids, self._state, quotations))
        self._state.last = (document.id, chapter.number)

    def _check(self, document: Document, chapter: Chapter, reading: ChapterReading) -> None:
        name, last = self._state.last
        if chapter.number < last or (chapter.number == last and name == document.id):
            raise HorizonError(
                f"chapter {chapter.number} cannot follow chapter {last}: "
                "add chapters in order of telling, once each"
            )
        length = len(chapter.body)
        if any(s.span.end > length for s in reading.scenes) or any(
            m.span.end > length for m in reading.mentions
        ):
            raise EvidenceError(
                f"the reading is not of chapter {chapter.number} of {document.title}: read its body again"
            )

    # --- who ---------------------------------------------------------------------------------------

    def _link_mentions(self, told: ToldChapter, mentions: tuple[Mention, ...]) -> list[str | None]:
        ids: list[str | None] = []
        for mention in mentions:
            entity = self._entity(told, mention)
            ids.append(entity)
            if entity is None:
                continue
            votes = self._state.kinds.setdefault(entity, {})
            votes[mention.kind] = votes.get(mention.kind, 0) + 1
            evidence = told.evidence(mention.span)
            self._mentions.append(
                EntityMention(entity, mention.kind, mention.surface, told.number, evidence, mention.gender)
            )
        return ids

    def _entity(self, told: ToldChapter, mention: Mention) -> str | None:
        state, key = self._state, _thing_key(mention.surface)
        titled = bool(PersonName.parse(mention.surface).title)
        person = state.book.knows(mention.surface)
        if not titled and not person and key in state.things:
            return state.things[key]
        if mention.kind is EntityKind.CHARACTER or person:
            return self._person(told, mention)
        if not self._counts(mention, key):
            return None
        entity = self._fresh(mention.surface)
        state.things[key] = entity
        return entity

    def _person(self, told: ToldChapter, mention: Mention) -> str | None:
        state = self._state
        gender = mention.gender if mention.kind is EntityKind.CHARACTER else ""
        if state.book.find(mention.surface, gender) is None and not self._counts(
            mention, _thing_key(mention.surface)
        ):
            return None
        found = state.book.resolve(mention.surface, gender, fresh_id=self._fresh(mention.surface))
        if found.merged:
            self._merge(told, found.merged, found.id, mention.span)
        return found.id

    def _counts(self, mention: Mention, key: str) -> bool:
        if mention.strong or mention.surface.startswith("the "):
            return True
        self._state.weak[key] = self._state.weak.get(key, 0) + 1
        return self._state.weak[key] >= WEAK_MENTIONS

    def _fresh(self, surface: str) -> str:
        """The slug of the surface, numbered where it is taken."""
        slug = re.sub(r"[\W_]+", "-", surface.casefold()).strip("-") or "entity"
        entity, number = slug, 1
        while entity in self._state.kinds:
            number += 1
            entity = f"{slug}-{number}"
        return entity

    def _link_identities(
        self, told: ToldChapter, identities: tuple[Identity, ...], ids: list[str | None]
    ) -> None:
        state = self._state
        for identity in identities:
            one, other = ids[identity.one], ids[identity.other]
            if one is None or other is None or identity.confidence < IDENTITY_MIN:
                continue
            one, other = state.root(one), state.root(other)
            if one == other or not self._state.are(_PEOPLE, one, other):
                continue
            if not (state.book.has(one) and state.book.has(other)):
                continue
            elder, younger = state.book.older(one, other)
            if state.book.join(younger, elder):
                self._merge(told, younger, elder, identity.evidence)

    def _merge(self, told: ToldChapter, entity: str, into: str, span: Span) -> None:
        self._state.into[entity] = into
        self._merges.append(EntityMerge(entity, into, told.number, told.evidence(span)))

    # --- what --------------------------------------------------------------------------------------

    def _link_statement(self, told: ToldChapter, statement: Statement, ids: list[str | None]) -> None:
        subject, target = ids[statement.subject], ids[statement.object]
        if subject is None or target is None or self._state.root(subject) == self._state.root(target):
            return
        if not self._state.agrees(statement.genders, ids):
            return
        place, thing = statement.predicate in _PLACES, statement.predicate == "OWNS"
        if not self._state.are(_PEOPLE, subject):
            return
        if place and not self._state.are(frozenset({EntityKind.LOCATION}), target):
            return
        if not place and not thing and not self._state.are(_PEOPLE, target):
            return
        evidence = told.all_evidence(statement.evidence)
        holds = told.holds(statement.predicate, statement.modality)
        self._relations.append(
            Relation(
                subject,
                statement.predicate,
                target,
                holds,
                told.number,
                evidence,
                statement.confidence,
                statement.modality,
                statement.origin,
            )
        )
        if statement.predicate == "LOCATED_AT" and statement.modality is Modality.FACT:
            self._states.append(
                StateTold(subject, "location", target, told.number, evidence[0], 0.0, statement.confidence)
            )

    def _link_inner_life(self, told: ToldChapter, reading: ChapterReading, ids: list[str | None]) -> None:
        states: list[tuple[Span, StateTold]] = []
        for mood in reading.moods:
            entity = ids[mood.character]
            if entity is not None and self._state.are(_PEOPLE, entity):
                evidence = told.evidence(mood.evidence)
                state = StateTold(
                    entity, "emotion", mood.emotion, told.number, evidence, mood.valence, mood.confidence
                )
                states.append((mood.evidence, state))
        for goal in reading.goals:
            entity = ids[goal.character]
            if entity is not None and self._state.are(_PEOPLE, entity):
                evidence = told.evidence(goal.evidence)
                turn = _TURNS[goal.turn]
                state = StateTold(entity, "goal", goal.wording, told.number, evidence, turn, goal.confidence)
                states.append((goal.evidence, state))
        states.sort(key=lambda pair: pair[0])
        self._states.extend(state for _, state in states)


def _thing_key(surface: str) -> str:
    return surface.casefold().removeprefix("the ")
