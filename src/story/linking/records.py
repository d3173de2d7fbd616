"""What is told, of whoever the story knows them to be: relations, events and what joins them, moods, goals,
facts, who knows what, threads; who speaks, by the turns of a chapter's conversations; who is on stage
where."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log1p

from ...core.types import Evidence, Span
from ..extraction.presence import BASE, WEIGHTS, chance, log_odds
from ..extraction.quotations.dialogue import CALLED
from ..extraction.quotations.turn_taking import Turn, around, take_turns
from ..model.aspects import ASPECTS
from ..model.chapter_reading import Happening, Quotation, Statement, Voice
from ..model.predicates import PREDICATES
from ..model.types import (
    PEOPLE,
    WORLD,
    EventTold,
    Fact,
    FactTold,
    Interval,
    Knowing,
    KnowingTold,
    Modality,
    Open,
    Order,
    Presence,
    PresenceTold,
    QuotationTold,
    Relation,
    StateTold,
    ThreadStep,
    ThreadTold,
    Time,
)
from .state import PLACES, GrowingLog, Linked, ToldChapter

_TURNS = {"adopted": 1.0, "failed": -1.0, "reached": 2.0}
_AT_PLACES = frozenset({"LOCATED_AT", "LIVES_IN", "COMES_FROM"})


def tell_statement(log: GrowingLog, linked: Linked, statement: Statement) -> None:
    """Appends what is said of two, where both are of the kinds that it joins and the genders agree."""
    state, predicate = linked.state, statement.predicate
    subject, target = linked.person(statement.subject), linked.ids[statement.object]
    if subject is None or target is None or state.root(subject) == state.root(target):
        return
    kinds = PLACES if predicate in _AT_PLACES else PEOPLE
    if not linked.agrees(statement.genders) or not (predicate == "OWNS" or state.are(kinds, target)):
        return
    if _named_after(log, linked, statement):
        return
    holds = linked.told.row_holds(PREDICATES[predicate], statement.modality)
    if statement.ended:
        since = _since(log, linked, predicate, (subject, target))
        holds = Interval(Open.UNKNOWN if since is None else since, linked.told.number - 1)
    told = linked.record(Relation, statement, subject=subject, object=target, holds=holds)
    log.relations.append(told)
    if predicate == "LOCATED_AT" and statement.modality is Modality.FACT:
        where = StateTold(subject, "location", target, told.told, told.evidence[0], 0.0, told.confidence)
        log.states.append(where)


def _named_after(log: GrowingLog, linked: Linked, statement: Statement) -> bool:
    """Is one of the two named only behind the sentence that tells it, who was known before the chapter? "Her
    boss frowned. Then Kane spoke" makes Kane the boss where he is new to the story, not where he is known;
    who bears the other's surname may be known."""
    mentions, persons, root = linked.reading.mentions, linked.state.book.roster.persons, linked.state.root
    if statement.origin != "rules" or not statement.word:
        return False
    ends = {number: root(linked.ids[number] or "") for number in (statement.subject, statement.object)}
    surnames = [set(persons[who].surnames) for who in ends.values() if who in persons]
    if len(surnames) < 2 or surnames[0] & surnames[1]:
        return False
    later, told = statement.evidence[0].end, linked.told.number
    late = {w for n, w in ends.items() if mentions[n].span.start >= later and mentions[n].surface != "I"}
    return any(one.told < told and root(one.entity) in late for one in log.mentions if late)


def _since(log: GrowingLog, linked: Linked, predicate: str, ends: tuple[str, str]) -> int | None:
    """Since which chapter before this one the two are told to stand so; None where they are not."""
    root = linked.state.root
    pair = (root(ends[0]), root(ends[1]))
    pairs = {pair, pair[::-1]} if PREDICATES[predicate].symmetric else {pair}
    starts = (
        bond.holds.start
        for bond in log.relations
        if bond.predicate == predicate and bond.told < linked.told.number
        if (root(bond.subject), root(bond.object)) in pairs
    )
    return next((start for start in starts if isinstance(start, int)), None)


def tell_events(log: GrowingLog, linked: Linked) -> None:
    """Appends the events of a chapter to the log, and what is told of them."""
    told, reading = linked.told, linked.reading
    names: dict[int, str] = {}  # of each happening that becomes an event
    for number, happening in enumerate(reading.happenings):
        cast = _participants(happening, linked)
        if cast is not None and linked.agrees(happening.genders):
            names[number] = name = f"event-{len(log.events) + 1}"
            holds = told.row_holds(PREDICATES[happening.predicate], happening.modality)
            log.events.append(linked.record(EventTold, happening, id=name, participants=cast, holds=holds))
    for order in reading.orders:
        if order.earlier in names and order.later in names:
            ends = {"earlier": names[order.earlier], "later": names[order.later]}
            log.orders.append(linked.record(Order, order, **ends))
    for time in reading.times:
        whose = linked.ids[time.entity] if time.entity is not None else None
        event = names.get(time.event) if time.event is not None else None
        if time.entity is None or whose is not None:
            log.times.append(linked.record(Time, time, entity=whose, event=event))


def _participants(happening: Happening, linked: Linked) -> tuple[tuple[str, str], ...] | None:
    """(role, entity) pairs; None where one is unknown or no person, or both are one."""
    pairs: list[tuple[str, str]] = []
    for role, number in (("agent", happening.agent), ("patient", happening.patient)):
        entity = linked.person(number)
        if entity is not None:
            pairs.append((role, entity))
        elif number is not None:
            return None
    root = linked.state.root
    if not pairs or any(root(a[1]) == root(b[1]) for a, b in pairwise(pairs)):
        return None
    place = linked.place(happening.place)
    return (*pairs, *([("place", place)] if place is not None else []))


def states_of(linked: Linked) -> list[StateTold]:
    """Moods and goals, in order of the text."""
    found: list[StateTold] = []
    for mood in linked.reading.moods:
        if who := linked.person(mood.character):
            found.append(linked.record(StateTold, mood, entity=who, aspect="emotion", value=mood.emotion))
    for goal in linked.reading.goals:
        if who := linked.person(goal.character):
            turn = {"aspect": "goal", "value": goal.wording, "valence": _TURNS[goal.turn]}
            found.append(linked.record(StateTold, goal, entity=who, **turn))
    return sorted(found, key=lambda one: one.evidence.span)


def facts_of(linked: Linked) -> Iterator[FactTold]:
    """In order of the reading; of people whom the story counts and whose gender agrees, of places and things
    where the aspect is one of theirs, and of the world."""
    for fact in linked.reading.facts:
        row = ASPECTS.get(fact.aspect)
        who = linked.person(fact.entity)
        if fact.entity is None:
            who = WORLD
        elif who is None and row is not None and row.anything:
            who = linked.ids[fact.entity]
        if who is not None and linked.agrees(fact.genders):
            holds = linked.told.holds(fact.modality, permanent=row is not None and row.constant)
            yield linked.record(Fact, fact, entity=who, holds=holds, genders=())


def knowings_of(linked: Linked) -> Iterator[KnowingTold]:
    """In order of the reading, of people whom the story counts."""
    for each in linked.reading.knowings:
        if who := linked.person(each.entity):
            yield linked.record(Knowing, each, entity=who, other=linked.person(each.other))


def threads_of(linked: Linked) -> Iterator[ThreadTold]:
    """In order of the reading."""
    for each in linked.reading.threads:
        who = linked.ids[each.entity] if each.entity is not None else None
        yield linked.record(ThreadStep, each, entity=who)


_BLANK = re.compile(r"\n[ \t\r]*\n[ \t\r\n]*")
_OTHER = {"f": "m", "m": "f"}
NEAR = 2  # paragraphs, for who spoke before to be spoken to


def quotations_of(linked: Linked) -> tuple[QuotationTold, ...]:
    """Each in order of the text. The speaker is the likeliest by turn-taking over entities, never one whose
    known gender is not the pronoun's; confidence is that probability."""
    linking, ids, told = _Linking(linked), linked.ids, linked.told
    ranked = take_turns(linking.turns)
    chosen = [linking.voice(i, ranks[0][0]) if ranks else None for i, ranks in enumerate(ranked)]
    roots = [linked.state.root(e) if voice and (e := ids[voice.mention]) else None for voice in chosen]
    return tuple(
        QuotationTold(
            ids[voice.mention] if voice is not None else None,
            linking.hearers(i, roots),
            told.number,
            told.all_evidence((*quotation.pieces, *(voice.evidence if voice else ()))),
            len(quotation.pieces),
            quotation.kind,
            ranked[i][0][1] if voice else 0.0,
        )
        for i, (quotation, voice) in enumerate(zip(linked.reading.quotations, chosen, strict=True))
    )


class _Linking:
    def __init__(self, linked: Linked) -> None:
        self._linked, self._quotations = linked, linked.reading.quotations
        self._starts = [mention.span.start for mention in linked.reading.mentions]
        self._scenes = [scene.span.start for scene in linked.reading.scenes]
        self._people = sorted({root for number in range(len(linked.ids)) if (root := self._root(number))})
        self.turns = list(self._turns(linked.told.chapter.body.of(linked.told.document.text)))

    def _turns(self, text: str) -> Iterator[Turn]:
        place, last = 0, 0
        for quotation in self._quotations:
            start, end = quotation.pieces[0].start, quotation.pieces[-1].end
            place += len(_BLANK.findall(text, last, max(last, start)))
            first = place
            place += len(_BLANK.findall(text, start, end))
            last = end
            called = self._roots(voice.mention for voice in quotation.hearers if voice.confidence >= CALLED)
            scene, voices = bisect_right(self._scenes, start), self._voices(quotation)
            others, barred = self._named(quotation) - called, self._barred(quotation)
            yield Turn(first, place, scene, voices, called, others, barred)

    def _voices(self, quotation: Quotation) -> dict[str, float]:
        voices: dict[str, float] = {}
        for voice in quotation.speakers:
            root = self._root(voice.mention)
            genders = [(voice.mention, voice.gender)] if voice.gender else []
            if root is not None and self._linked.agrees(genders):
                voices[root] = 1 - (1 - voices.get(root, 0.0)) * (1 - voice.confidence)
        return voices

    def _named(self, quotation: Quotation) -> frozenset[str]:
        ends = [[bisect_left(self._starts, at) for at in (one.start, one.end)] for one in quotation.pieces]
        return self._roots(number for start, end in ends for number in range(start, end))

    def _barred(self, quotation: Quotation) -> frozenset[str]:
        if quotation.kind == "explicit" and not quotation.speakers:  # "Mother said", and nobody knows whose
            return frozenset(self._people)
        other = _OTHER.get(next((voice.gender for voice in quotation.speakers if voice.gender), ""))
        if quotation.kind != "anaphoric" or other is None:
            return frozenset()
        return frozenset(
            root for root in self._people if self._linked.state.book.roster.gender(root) == other
        )

    def voice(self, i: int, who: object) -> Voice | None:
        """What stands for the speaker: a voice of this quotation, else of the nearest one around."""
        for k in around(i, len(self._quotations)):
            for voice in self._quotations[k].speakers:
                if self._root(voice.mention) == who:
                    return voice
        return None

    def hearers(self, i: int, speakers: Sequence[str | None]) -> tuple[str, ...]:
        """Who is called by name; else who spoke just before, else who speaks next."""
        own = speakers[i]
        found: dict[str, str] = {}
        for voice in self._quotations[i].hearers:
            root = self._root(voice.mention)
            if voice.confidence >= CALLED and root is not None and root != own:
                found.setdefault(root, self._linked.ids[voice.mention] or root)
        if found or own is None:
            return tuple(found.values())
        for k, gap in ((i - 1, self._gap(i)), (i + 1, self._gap(i + 1)), (i - 2, self._gap(i - 1))):
            if 0 <= k < len(speakers) and gap <= NEAR and (other := speakers[k]) not in (None, own):
                return (str(other),)
        return ()

    def _gap(self, i: int) -> int:
        """Paragraphs between the turn and the one before it."""
        if not 0 < i < len(self.turns):
            return NEAR + 1
        return self.turns[i].place - self.turns[i - 1].end

    def _root(self, number: int) -> str | None:
        entity = self._linked.person(number)
        return None if entity is None else self._linked.state.root(entity)

    def _roots(self, numbers: Iterable[int]) -> frozenset[str]:
        return frozenset(root for number in numbers if (root := self._root(number)) is not None)


ON_STAGE = 0.5  # who is less surely there is not told to be
SPEAKER, HEARER = WEIGHTS["says"], WEIGHTS["called"]
SPOKEN, HEARD = 0.9, 0.8  # how good a quotation is as evidence, beside a sentence that names somebody


@dataclass(slots=True)
class _Part:
    """One entity in one scene: log-odds of its being there, by its names and by its speech, with the surest
    sign; ``places`` with the sign that shows it there and the quote that tells the place."""

    entity: str
    evidence: Evidence
    names: dict[int, float] = field(default_factory=dict)
    said: float = 0.0
    heard: float = 0.0
    best: float = -1.0
    places: dict[str | None, tuple[Evidence, Evidence | None]] = field(default_factory=dict)

    def sign(self, confidence: float, evidence: Evidence) -> None:
        if confidence > self.best:
            self.best, self.evidence = confidence, evidence

    @property
    def confidence(self) -> float:
        spoken = SPEAKER * log1p(self.said) + HEARER * log1p(self.heard)
        return round(chance(BASE + spoken + sum(each - BASE for each in self.names.values())), 3)


def presences_of(linked: Linked, quotations: Sequence[QuotationTold]) -> Iterator[PresenceTold]:
    """Who is there with confidence ``ON_STAGE`` or more: by scene, then by surest sign, one record for each
    place where a scene has him, or one without. ``quotations`` are this chapter's."""
    told, state = linked.told, linked.state
    parts: dict[tuple[int, str], _Part] = {}
    for presence in linked.reading.presences:
        entity = linked.person(presence.entity)
        if entity is not None:
            evidence = told.evidence(presence.evidence)
            part = parts.setdefault((presence.scene, state.root(entity)), _Part(entity, evidence))
            _add_named(linked, part, presence, evidence)
    starts = [told.chapter.body.start + scene.span.start for scene in linked.reading.scenes]
    for quotation in quotations:
        said, sure = quotation.evidence[0], quotation.confidence
        scene = max(0, bisect_right(starts, said.span.start) - 1)
        for entity in (quotation.speaker, *quotation.hearers):
            if entity is not None:
                part = parts.setdefault((scene, state.root(entity)), _Part(entity, said))
                speaks = entity == quotation.speaker
                part.said, part.heard = part.said + sure * speaks, part.heard + sure * (not speaks)
                part.sign(sure * (SPOKEN if speaks else HEARD), said)
    ranked = sorted(parts.items(), key=lambda one: (one[0][0], one[1].evidence.span, one[0][1]))
    for (scene, _), part in ranked:
        yield from _told(told, scene, part)


def _add_named(linked: Linked, part: _Part, presence: Presence[int, Span], evidence: Evidence) -> None:
    told, place = linked.told, linked.place(presence.place)
    part.names[presence.entity] = log_odds(min(0.999, max(0.001, presence.confidence)))
    part.sign(presence.confidence, evidence)
    if place is not None:
        where = told.evidence(presence.where) if presence.where is not None else None
        part.places.setdefault(linked.state.root(place), (evidence, where))


def _told(told: ToldChapter, scene: int, part: _Part) -> Iterator[PresenceTold]:
    confidence, nowhere = part.confidence, {None: (part.evidence, None)}
    for place, (evidence, where) in (part.places or nowhere).items() if confidence >= ON_STAGE else ():
        yield Presence(part.entity, scene, place, evidence, confidence, where, told.number)
