"""Women who are known by one name and, married, go by another."""

from __future__ import annotations

from collections.abc import Collection

from .person_name import PersonName
from .person_record import WIVES, KnownPerson
from .roster import Roster

__all__ = ["FAMILIAR", "bride", "newly_wed", "wed"]

FAMILIAR = 10  # times that a man is named
WED_FAMILIAR = 30  # times that the narration calls a woman by her given name alone
WELL_KNOWN = 10  # times as often named as the wife so far
SELDOM = 5  # times that a Mrs. may be named before she turns out to be somebody known long since


def wed(roster: Roster, one: str, other: str) -> tuple[str, str] | None:
    """The two are married: she may go by his surname from now on. Where a Mrs of that name has been told of
    whose given name nobody said, the two are one: the wife and that Mrs; else None."""
    pair = [p for entity in (one, other) if (p := roster.persons.get(entity)) is not None]
    wife = next((p for p in pair if roster.gender(p.id) == "f"), None)
    husband = next((p for p in pair if p is not wife and roster.gender(p.id) == "m"), None)
    if wife is None or husband is None or not husband.surname or wife.bears(husband.surname):
        return None
    namesake = roster.persons.get(roster.owner.get(f"mrs {husband.surname}", ""))
    wife.marital = "mrs"
    if namesake is None:
        roster.take_surname(wife, husband.surname)
        return None
    if namesake.given or namesake is wife or roster.are_apart(namesake, wife):
        return None
    return wife.id, namesake.id


def bride(roster: Roster, person: KnownPerson, name: PersonName) -> KnownPerson | None:
    """A Mrs. Wickham who came up when Lydia was long known, who now is called Lydia Wickham."""
    wife = roster.persons.get(roster.owner.get(f"mrs {name.surname}", ""))
    if not name.full or wife is None or wife is person or wife.given or wife.order < person.order:
        return None
    if wife.count > SELDOM:
        return None
    known = person.count >= WELL_KNOWN * wife.count and roster.gender(person.id) == "f"
    return wife if known and name.surname not in person.surnames else None


def newly_wed(roster: Roster, name: PersonName, beside: Collection[str]) -> str | None:
    """Who has long been Carol, and is about, is "Carol Kennicott" where the story has a Mr. Kennicott."""
    if name.title == "mrs" and name.surname and not name.given:
        return _who_took_it(roster, name, beside)
    wife = roster.persons.get(roster.owner.get(name.given, ""))
    if wife is None or not name.full or name.title not in ("", "mrs") or wife.id in beside:
        return None
    men = [roster.persons[each] for each in roster.bearing.get(name.surname, ())]
    men = [p for p in men if roster.gender(p.id) == "m" and p.bears(name.surname)]
    about = not roster.long_ago(wife) and wife.told.get(name.given, 0) >= WED_FAMILIAR
    known = any(p.count >= FAMILIAR and not roster.long_ago(p) for p in men)
    if not (about and known) or wife.marital in WIVES or roster.gender(wife.id) != "f":
        return None
    wife.marital = "mrs"
    return wife.id


def _who_took_it(roster: Roster, name: PersonName, beside: Collection[str]) -> str | None:
    """A first Mrs. Wickham is who was long called Lydia and is now Lydia Wickham, where there is a Mr.
    Wickham and no Miss of that name."""
    if name.key in roster.owner or f"miss {name.surname}" in roster.owner:
        return None
    bearers = [roster.persons[each] for each in roster.bearing.get(name.surname, ())]
    men = [p for p in bearers if roster.gender(p.id) == "m" and p.bears(name.surname)]
    women = [p for p in bearers if roster.gender(p.id) == "f" and name.surname in p.surnames]
    if len(women) != 1 or not any(p.count >= FAMILIAR for p in men):
        return None
    (wife,) = women
    if wife.id in beside or wife.marital in WIVES or wife.called_before < WED_FAMILIAR:
        return None
    wife.marital = "mrs"
    return wife.id
