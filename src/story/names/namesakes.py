"""Two names of one person that are found side by side as two people's: "Julia was silent; Miss Vane spoke".

A writer may call one person by two names within a sentence, but rarely does so again and again. And who is
named first of two sisters is mostly the elder: "Maria and Julia".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .person_name import PersonName
from .person_record import KnownPerson

__all__ = ["Namesakes"]

LEAST = 3  # sentences
SHARE = 0.2  # of the uses of the rarer of the two names
AHEAD = 2  # times named first, and
AHEAD_SHARE = 3  # times as often as the other way round
JOINED = 2  # sentences that an "and" between the two weighs


@dataclass(slots=True)
class Namesakes:
    """Counts, over the story so far, what speaks for two people where one was thought to be."""

    _doubts: dict[tuple[str, str], int] = field(default_factory=dict)
    _ahead: dict[tuple[str, str], int] = field(default_factory=dict)

    def doubt(self, person: KnownPerson, one: PersonName, other: PersonName, weight: int) -> str:
        """One sentence names the person by both names, as if they were two. Gives the key of the name (a
        title and a surname) that can no longer be the person's; empty while it can."""
        plain, called = (one, other) if _plain(one) else (other, one)
        if not _plain(plain) or not called.given or (called.surname == plain.surname and called.title):
            return ""
        doubts = self._doubts.get((person.id, plain.key), 0) + weight
        self._doubts[person.id, plain.key] = doubts
        rarer = min(person.keys.get(plain.key, 0), person.keys.get(called.key, 0))
        return plain.key if doubts >= LEAST and doubts >= SHARE * rarer else ""

    def named_first(self, one: str, other: str) -> None:
        """The text names two people in this order, joined by "and"."""
        self._ahead[one, other] = self._ahead.get((one, other), 0) + 1

    def elder(self, one: str, other: str) -> bool:
        """Is the one mostly named before the other?"""
        count = self._ahead.get((one, other), 0)
        return count >= AHEAD and count >= AHEAD_SHARE * self._ahead.get((other, one), 0)


def _plain(name: PersonName) -> bool:
    return bool(name.title and name.surname) and not name.given
