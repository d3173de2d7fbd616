"""Who is one and who is two: names that the text says are one's, and who else is named beside."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ...core.types import Span
from ..extraction.mentions import narrator
from ..extraction.quotations.dialogue import CALLED, NAMED
from ..model.chapter_reading import Called, ChapterReading, Happening, Identity, Mention, Statement
from ..model.predicates import FAMILY
from ..model.types import PEOPLE, EntityKind
from ..names.alias_book import YOUNGER, AliasBook
from ..names.lexicon import GIVEN
from ..names.person_record import PersonName, same_given
from .state import KnownSoFar, Linked, ToldChapter

# between the names of two people
_JOINTS = frozenset(", and|and|or|nor|, or|with|to|and to|than|for|from|and with".split("|"))
_LAST = ("and", ", and", "or")  # in a list
_JOINT_MAX = 12
_NEAR = 8  # mentions looked back upon
KIN_MIN = 0.6  # confidence of a statement
_YOUNGER = re.compile(rf"\b((?i:{'|'.join(sorted(YOUNGER))}|old))\s+$")


def told_apart(reading: ChapterReading) -> dict[str, set[str]]:
    """Names (see ``PersonName.key``) that are alike and two people's in this chapter, each with those that it
    is told from: who calls the other so, or is kin to the other."""
    calls = [
        (speaker.mention, hearer.mention)
        for quotation in reading.quotations
        for speaker in quotation.speakers[:1]
        for hearer in quotation.hearers
        if speaker.confidence >= NAMED and hearer.confidence >= CALLED
    ]
    kin = [
        (each.subject, each.object)
        for each in reading.statements
        if each.predicate in FAMILY and each.modality.happened and each.confidence >= KIN_MIN
    ]
    apart: dict[str, set[str]] = {}
    for pair in (*calls, *kin):
        one, other = (PersonName.parse(reading.mentions[number].surface) for number in pair)
        alike = same_given(one.given or one.bare, other.given or other.bare)
        if alike or (one.last == other.last != "" and pair in kin):
            apart.setdefault(one.key, set()).add(other.key)
            apart.setdefault(other.key, set()).add(one.key)
    return apart


def named_beside(
    told: ToldChapter,
    mentions: Sequence[Mention],
    number: int,
    ids: Sequence[str | None],
    state: KnownSoFar,
    apart: Mapping[str, Collection[str]],
) -> dict[str, str]:
    """Whom the sentence names, just before, as others than the mention, and as what: "Elizabeth and Miss
    Bennet". So are those whom the text tells ``apart`` anywhere in the chapter."""
    mention = mentions[number]
    name = PersonName.parse(mention.surface)
    others = {key for own in (name.key, name.given) for key in apart.get(own, ())} - {name.key}
    known = {key: state.book.roster.owner.get(key) for key in sorted(others)}
    found = {state.root(owner): key for key, owner in known.items() if owner is not None}
    listed = any(_gap(told, mention, after) in _LAST for after in mentions[number + 1 : number + 2])
    for back, one in enumerate(reversed(mentions[max(0, number - _NEAR) : number]), 1):
        near = one.sentence == mention.sentence
        if not (near or _in_one_breath(told, one, mention)):
            break
        entity = ids[number - back]
        if entity is None or one.kind is not EntityKind.CHARACTER or one.surface == mention.surface:
            continue
        gap = _gap(told, one, mentions[number - back + 1]) if near and (back == 1 or listed) else ""
        joined = gap in _JOINTS or (gap == "," and listed)
        joined = joined and not (gap[0] == "," and _given_alone(one, mention))
        listed = gap in _LAST or (gap == "," and listed)  # "Liz, Beth and Betty"
        contrast = (near or one.surface.startswith("Miss ")) and _contrast(one, mention)
        contrast = contrast and not state.book.knows(mention.surface)
        if joined or contrast:
            found[state.root(entity)] = one.surface
    return found


def with_epithet(told: ToldChapter, mention: Mention) -> str:
    """The surface, with the "young", "little" or "old" that stands before a given name in the text."""
    start = told.chapter.body.start + mention.span.start
    before = _YOUNGER.search(told.document.text, max(told.chapter.body.start, start - _JOINT_MAX), start)
    name = PersonName.parse(mention.surface)
    if (
        before is None
        or (mention.spoken and before[1].lower() == "old")
        or name.title
        or name.epithet
        or name.given not in GIVEN
    ):
        return mention.surface
    return f"{before[1]} {mention.surface}"


def _in_one_breath(told: ToldChapter, one: Mention, other: Mention) -> bool:
    """Does one speaker name both, within one paragraph?"""
    start = told.chapter.body.start
    between = told.document.text[start + one.span.end : start + other.span.start]
    return one.spoken and other.spoken and "\n\n" not in between


def _contrast(one: Mention, other: Mention) -> bool:
    """Two names with the same last word in one voice, each with something that the other lacks: "Miss Lucas"
    and "Maria Lucas", but not "Mrs. Lynde" and "Mrs. Rachel Lynde"."""
    first, second = one.surface.split(), other.surface.split()
    alike = first[-1] == second[-1] and one.spoken == other.spoken
    return alike and bool(set(first) - set(second)) and bool(set(second) - set(first))


def _gap(told: ToldChapter, one: Mention, other: Mention) -> str:
    """What stands between the two; empty where they overlap or lie far apart."""
    if not 0 < other.span.start - one.span.end < _JOINT_MAX:
        return ""
    start = told.chapter.body.start
    return " ".join(told.document.text[start + one.span.end : start + other.span.start].split())


def _given_alone(one: Mention, other: Mention) -> bool:
    """Is one the given name of the other: "for Ruth Adler, and Ruth thanked him"? Behind a comma a clause
    goes on about the same."""
    short, long = sorted((PersonName.parse(each.surface) for each in (one, other)), key=lambda n: n.full)
    return long.full and short.key in (long.given, f"{long.title} {long.given}".strip())


NARRATOR = "the narrator"
IDENTITY_MIN = 0.6
WED_MIN = 0.75  # what a name nearby only suggests joins nobody
_Joined = tuple[str, str, Span]


def joined(linked: Linked) -> Iterator[_Joined]:
    """Each entity with the one that it turns out to be, and what says so. Each is to be merged before the
    next is asked for. Who is listed as two in the chapter is not joined by it."""
    state = linked.state
    for identity in linked.reading.identities:
        listed = {state.root(one) for one in _listed(linked.reading.cast, state.book) if one is not None}
        ends = {state.root(one) for one in (linked.ids[identity.one], linked.ids[identity.other]) if one}
        if not ends <= listed or len(ends) < 2:
            yield from _one(identity, linked)
    yield from _wed(linked)


def name_cast(cast: Sequence[Called], book: AliasBook) -> None:
    """What a language model says is another name of somebody is theirs from here on, where it was nobody's,
    or that of somebody else whom it lists too."""
    listed = _listed(cast, book)
    for one, entity in zip(cast, listed, strict=True):
        for also in one.also if entity is not None else ():
            owner = book.find(also, "")
            if entity is not None and (owner is None or (owner != entity and owner in listed)):
                book.assign(also, "", entity=entity)


def _listed(cast: Sequence[Called], book: AliasBook) -> list[str | None]:
    return [book.find(NARRATOR if one.name == "I" else one.name, "") for one in cast]


def vouched(reading: ChapterReading) -> ChapterReading:
    """The reading, in which whoever is said to be somebody is no weak mention."""
    sure = {
        n for each in reading.identities if each.confidence > narrator.CALLED for n in (each.one, each.other)
    }
    mentions = (replace(m, strong=m.strong or n in sure) for n, m in enumerate(reading.mentions))
    return replace(reading, mentions=tuple(mentions)) if sure else reading


def _one(identity: Identity, linked: Linked) -> Iterator[_Joined]:
    state, one, other = linked.state, linked.ids[identity.one], linked.ids[identity.other]
    if one is None or other is None or identity.confidence < IDENTITY_MIN:
        return
    one, other = state.root(one), state.root(other)
    known = state.are(PEOPLE, one, other) and state.book.has(one) and state.book.has(other)
    if one == other or not known:
        return
    if identity.confidence <= narrator.CALLED and not _free_to_join(one, other, state):
        return
    elder, younger = state.book.older(one, other)
    if state.book.join(younger, elder):
        yield younger, elder, identity.evidence


def _free_to_join(one: str, other: str, state: KnownSoFar) -> bool:
    """May the narrator be who is only ever called by name: is neither named by the narration, and has
    the narrator no name yet?"""
    book = state.book
    return not (book.narrated(one) or book.narrated(other) or (book.named(one) and book.named(other)))


def _wed(linked: Linked) -> Iterator[_Joined]:
    """Who is told to marry may go by the husband's surname from here on."""
    reading, state = linked.reading, linked.state
    told: list[tuple[Statement | Happening, int | None, int | None]] = [
        (one, one.subject, one.object) for one in reading.statements if one.predicate == "MARRIED_TO"
    ]
    told += [(one, one.agent, one.patient) for one in reading.happenings if one.predicate == "MARRIES"]
    for one, first, second in sorted(told, key=lambda row: row[0].evidence[0]):
        if first is None or second is None or not one.modality.happened or one.confidence < WED_MIN:
            continue
        pair = [state.root(who) for who in (linked.ids[first], linked.ids[second]) if who is not None]
        merged = state.book.marry(*pair) if len(pair) == 2 else None
        if merged is not None:
            yield (*merged, one.evidence[0])
