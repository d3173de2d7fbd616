"""Alias resolution by what the text says: names of one person, and who a language model lists as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...core.types import Span
from ..extraction.mentions import narrator
from ..model.chapter_reading import Called, ChapterReading, Identity
from ..model.types import PEOPLE, EntityKind
from ..names.alias_book import AliasBook
from ..names.person_record import unlike
from .state import Linked, thing_key

NARRATOR = "the narrator"
IDENTITY_MIN = 0.6
NAMED_BY_ANOTHER = 5  # so often named by the narration, nobody is the one who tells it
_Joined = tuple[str, str, Span]


def joined(linked: Linked) -> Iterator[_Joined]:
    """Each entity with the one that it turns out to be, and what says so. Each is to be merged before the
    next is asked for. Who is listed as two in the chapter is not joined by it."""
    state = linked.state
    for identity in linked.reading.identities:
        listed = _roots(linked)
        ends = {state.root(one) for one in (linked.ids[identity.one], linked.ids[identity.other]) if one}
        if not ends <= listed or len(ends) < 2:
            yield from _one(identity, linked)
    for one in linked.reading.cast:
        for also in one.also if one.name != "I" and one.evidence.end else ():
            yield from (_person if one.kind is EntityKind.CHARACTER else _thing)(one, also, linked)


def _roots(linked: Linked) -> set[str]:
    """Whom and what the chapter's reader lists, each for one."""
    state, cast = linked.state, linked.reading.cast
    things = (state.things.get(thing_key(one.name)) for one in cast)
    return {state.root(one) for one in (*_listed(cast, state.book), *things) if one is not None}


def _person(one: Called, also: str, linked: Linked) -> Iterator[_Joined]:
    """Somebody who was known by another name alone, if not listed beside the one."""
    state, book = linked.state, linked.state.book
    if book.knows(one.name) and book.knows(also):
        ends = {state.root(found) for name in (one.name, also) if (found := book.find(name, ""))}
        if len(ends) == 2 and not ends <= _roots(linked):
            yield from _merged(min(ends), max(ends), one.evidence, linked)


def _thing(one: Called, also: str, linked: Linked) -> Iterator[_Joined]:
    """The other name of a place, group or thing means it from here on; what was another by that name, of
    the same kind and not listed beside it, is the same."""
    state = linked.state
    keys = thing_key(one.name), thing_key(also)
    ends = [state.root(state.things[key]) for key in keys if key in state.things]
    if not ends or any(map(state.book.knows, (one.name, also))):
        return
    if len(set(ends)) == 2:
        if set(ends) <= _roots(linked) or state.kind(ends[0]) is not state.kind(ends[1]):
            return
        ends.sort(key=list(state.kinds).index)
        yield ends[1], ends[0], one.evidence
    state.things |= dict.fromkeys(keys, ends[0])


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
    people = (one.kind is EntityKind.CHARACTER for one in cast)
    names = (NARRATOR if one.name == "I" else one.name for one in cast)
    return [book.find(name, "") if person else None for name, person in zip(names, people, strict=True)]


def vouched(reading: ChapterReading) -> ChapterReading:
    """The reading, in which whoever is said to be somebody is no weak mention."""
    sure = {
        n for each in reading.identities if each.confidence > narrator.CALLED for n in (each.one, each.other)
    }
    mentions = (replace(m, strong=m.strong or n in sure) for n, m in enumerate(reading.mentions))
    return replace(reading, mentions=tuple(mentions)) if sure else reading


def another_teller(reading: ChapterReading, book: AliasBook) -> str | None:
    """Who tells this chapter where it is not who told the last one: whom the narration calls by name does not
    say "I" in it, and nobody bears two names that cannot be one person's. Empty for somebody unknown."""
    teller, mentions = book.find(NARRATOR, ""), reading.mentions
    if teller is None:
        return None
    named = Counter((book.find(m.surface, m.gender), m.spoken) for m in mentions if m.surface != "I")
    told, said = named[teller, False], named[teller, True]
    for identity in reading.identities:
        other = book.find(mentions[identity.other].surface, mentions[identity.other].gender)
        if mentions[identity.one].surface == "I" and other is not None and other != teller:
            sure = identity.confidence > narrator.CALLED or told >= NAMED_BY_ANOTHER or not said
            persons = book.roster.persons
            return other if sure and unlike(persons[teller], persons[other]) else None
    return "" if told >= NAMED_BY_ANOTHER else None


def _one(identity: Identity, linked: Linked) -> Iterator[_Joined]:
    state, one, other = linked.state, linked.ids[identity.one], linked.ids[identity.other]
    if one is None or other is None or identity.confidence < IDENTITY_MIN:
        return
    one, other, persons = state.root(one), state.root(other), state.book.roster.persons
    told_by = linked.reading.mentions[identity.one].surface == "I" and one in persons and other in persons
    if told_by and one != other and unlike(persons[one], persons[other]):
        if identity.confidence > narrator.CALLED:
            linked.ids[identity.one] = other
            state.book.assign(NARRATOR, "", entity=other)
        return
    yield from _merged(one, other, identity.evidence, linked)


def _merged(one: str, other: str, evidence: Span, linked: Linked) -> Iterator[_Joined]:
    state = linked.state
    known = state.are(PEOPLE, one, other) and state.book.has(one) and state.book.has(other)
    if one == other or not known:
        return
    elder, younger = state.book.older(one, other)
    if state.book.join(younger, elder):
        yield younger, elder, evidence
