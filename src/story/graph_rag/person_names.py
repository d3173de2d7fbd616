"""A person's name taken apart: title, given name, surname, and which two names could be one person's."""

from __future__ import annotations

from dataclasses import dataclass

from .name_lexicon import DIMINUTIVES, GIVEN, PARTICLES, TITLES

__all__ = ["PersonName", "same_given"]

MARITAL = frozenset({"mr", "mrs", "miss", "lady"})
_SPELLINGS = {
    "mister": "mr",
    "ms": "miss",
    "capt": "captain",
    "doctor": "dr",
    "col": "colonel",
    "gen": "general",
}
_WITH_GIVEN = frozenset(
    "sir aunt auntie uncle king queen prince princess saint st father brother sister cousin friar don dame "
    "grandma grandpa emperor empress pope master".split()
)
_EITHER = frozenset("miss lady lord mrs madame dr".split())


@dataclass(frozen=True, slots=True)
class PersonName:
    """``title``, ``given`` and ``surname`` in lower case, empty where absent. ``bare`` is a single word that
    may be either a given name or a surname. ``key`` is the whole name as it is looked up."""

    title: str = ""
    given: str = ""
    surname: str = ""
    bare: str = ""
    key: str = ""

    @classmethod
    def parse(cls, surface: str) -> PersonName:
        """Takes a name as written; a definite role ("the king") becomes a bare name that nothing else has."""
        words = surface.casefold().replace("’", "'").split()
        if words and words[0] == "the":
            role = " ".join(words)
            return cls(bare=role, key=role)
        title = ""
        while len(words) > 1 and words[0].rstrip(".") in TITLES:
            last = words.pop(0).rstrip(".")
            title = _SPELLINGS.get(last, last)
        key = " ".join([title, *words]).strip()
        if len(words) > 1:
            return cls(title, words[0], _surname(words), key=key)
        word = words[0] if words else ""
        if not title:
            return cls(given=word, key=key) if word in GIVEN else cls(bare=word, key=key)
        if title in _WITH_GIVEN or (title in _EITHER and word in GIVEN):
            return cls(title, given=word, key=key)
        return cls(title, surname=word, key=key)

    @property
    def marital(self) -> str:
        """``"mr"``, ``"mrs"``, ``"miss"`` or ``"lady"`` or empty: nobody goes by two of these."""
        return self.title if self.title in MARITAL else ""


def _surname(words: list[str]) -> str:
    return words[-1] if words[-1] not in PARTICLES else words[0]


def same_given(one: str, other: str) -> bool:
    """Equal, or one the short form of the other ("lizzy", "elizabeth"), or both short for the same."""
    if not one or not other:
        return False
    return DIMINUTIVES.get(one, one) == DIMINUTIVES.get(other, other)
