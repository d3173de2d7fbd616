"""A person's name taken apart: title, given name, surname, and which two names could be one person's."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..lexicon.words import SHORT_FORMS, full_forms
from .lexicon import CALLINGS, GIVEN, PARTICLES, PLAIN_TITLES, TITLES, WITH_GIVEN
from .spelling import plain, spelling

# given names that have short forms, and those: hardly ever surnames
_COMMON = frozenset(SHORT_FORMS).union(*SHORT_FORMS.values())
MARITAL = frozenset({"mr", "mrs", "miss", "lady"})
# what says no more before a name than "Sally" does
_FOND = frozenset("old poor dear".split())
# what stands before a given name and says how the bearer is ("Long John"); kept in the whole name
_EPITHETS = frozenset("young long little big tiny black red white honest fat blind".split())
_OF_KIN = frozenset({"aunt", "uncle"})
PRINCELY = frozenset({"prince", "princess"})
_OF_THE_HOUSE = frozenset("master brother sister father cousin comrade".split())
_EITHER = frozenset("miss lady lord mrs madame dr".split()) | _OF_THE_HOUSE
# Russian patronymics, part of the given name; their stem tells two fathers apart in every spelling
_SON = ("vitch", "vich", "ievitch", "yitch", "itch", "yich", "ych")
_DAUGHTER = ("ovna", "evna", "ichna", "inishna", "itchna")
_STEM = 4
_BEHIND = frozenset("esq esquire".split())
# what tells namesakes of one family apart, behind the name
_GENERATIONS = {word: word for word in "jr sr ii iii iv".split()} | {
    "junior": "jr", "younger": "jr", "senior": "sr", "elder": "sr",
    "first": "i", "second": "ii", "third": "iii", "fourth": "iv", "fifth": "v",
}  # fmt: skip
_WITH_THE = frozenset("elder younger first second third fourth fifth".split())


@dataclass(frozen=True, slots=True)
class PersonName:
    """``title``, ``given`` and ``surname`` in lower case, empty where absent. ``bare`` is a single word that
    may be either a given name or a surname. ``key`` is the whole name as it is looked up. ``either``: the
    one word behind a title (or alone) was taken for a given name or a surname, and may be the other;
    ``open``: nothing speaks for the one or the other ("Miss Rose", "Mr. Giles"). ``epithet`` says how the
    bearer is ("long" in "Long John") and is part of the key, as is ``generation``: "jr", "sr", "iii"."""

    title: str = ""
    given: str = ""
    surname: str = ""
    bare: str = ""
    key: str = ""
    either: bool = False
    open: bool = False
    epithet: str = ""
    generation: str = ""

    @classmethod
    def parse(cls, surface: str) -> PersonName:
        """Takes a name as written; a definite role ("the king", "Nora's nephew") becomes a bare name
        that nothing else has."""
        words = plain(surface).casefold().replace("’", "'").split()
        behind = words[-1].strip(".,") if len(words) > 1 and words[-2] not in TITLES else ""
        generation = _GENERATIONS.get(behind, "") if behind and words[0] != "the" else ""
        if generation and (words[-2] == "the" or behind not in _WITH_THE):
            name = cls._parse(words[:-2] if words[-2] == "the" else words[:-1])
            return replace(name, key=f"{name.key} {generation}", generation=generation)
        return cls._parse(words)

    @classmethod
    def _parse(cls, words: list[str]) -> PersonName:
        if any(word.endswith("'s") for word in words[:-1]):
            words = ["the", *words]
        if words and words[0] == "the":
            role = " ".join(words)
            return cls(bare=role, key=role)
        words = [bare for word in words if (bare := word.strip(".,"))]
        title = ""
        old = "sr" if words and words[0] == "old" else ""
        while len(words) > 1 and (words[0] in TITLES or words[0] in CALLINGS or words[0] in _FOND):
            if words[0] == "earl" and "of" not in words:
                break  # a peer is the Earl of Vane, or Lord Vane
            last = PLAIN_TITLES.get(words[0], words[0])
            title = title if words.pop(0) in _FOND or title == "mrs" else last  # "Mrs. Dr. Hale"
        words = _own(words)
        key = " ".join([title, *words]).strip()
        if len(words) > 1 and words[0] in _EPITHETS and words[1] in GIVEN:
            epithet, words = words[0], words[1:]
            last = _surname(words) if len(words) > 1 else ""
            young = "jr" if epithet == "young" else ""
            return cls(title, words[0], last, key=key, either=not last, epithet=epithet, generation=young)
        if len(words) > 1 and patronymic_gender(words[1]):
            last = _surname(words[2:]) if len(words) > 2 else ""
            return cls(title, f"{words[0]} {words[1]}", last, key=key)
        if len(words) > 1 and words[0] in PARTICLES:  # "Madame de Brissac", "Van Hoorn"
            return cls(title, surname=words[-1], key=key)
        if len(words) > 1:
            return cls(title, words[0], _surname(words), key=key, generation=old)
        return cls._single(title, words[0] if words else "", key, old)

    @classmethod
    def _single(cls, title: str, word: str, key: str, old: str) -> PersonName:
        gender = GIVEN.get(word, "")
        if not title:
            open_ = gender == "m" and word not in _COMMON  # "Levin"
            given = cls(given=word, key=key, either=True, open=open_)
            return replace(given if gender else cls(bare=word, key=key), generation=old)
        if title in PRINCELY and not gender:  # "Prince Torlov", as titles are borne abroad
            return cls(title, surname=word, key=key, either=True)
        if title in WITH_GIVEN:
            open_ = title in _OF_KIN and not gender and word not in SHORT_FORMS  # "Aunt Vane"
            return cls(title, given=word, key=key, either=open_, open=open_)
        known = bool(gender) and TITLES.get(title, "") in ("", gender)  # there is no Miss Lucas called Lucas
        either = known or title in _OF_THE_HOUSE or title in ("miss", "mr")
        either = either or (title == "mrs" and bool(gender))  # "Mrs. Peter", where it is Mrs. Peter Blewett
        if known and title in _EITHER:
            return cls(title, given=word, key=key, either=True, open=True)
        return cls(title, surname=word, key=key, either=either, open=known)

    @property
    def marital(self) -> str:
        """``"mr"``, ``"mrs"``, ``"miss"`` or ``"lady"`` or empty: nobody goes by two of these. A Widow Vane
        is Mrs. Vane."""
        title = "mrs" if self.title == "widow" else self.title
        return title if title in MARITAL else ""

    @property
    def other(self) -> PersonName:
        """The other reading of a name of which ``either`` is true."""
        names = (self.title, self.surname, self.given, self.bare, self.key)
        return PersonName(*names, generation=self.generation)

    @property
    def gender(self) -> str:
        """What a patronymic tells; else empty."""
        return patronymic_gender(_split(self.given)[1])

    @property
    def last(self) -> str:
        """The surname, or the one word that may be it."""
        return self.surname or (self.key if self.bare or self.either else "")

    @property
    def full(self) -> bool:
        """Are both the given name and the surname there?"""
        return bool(self.given and self.surname)


def whose(surface: str) -> tuple[str, str]:
    """Of somebody who has no name ("Nora's nephew") whose they are and what; else twice nothing."""
    owner, _, noun = surface.replace("’", "'").rpartition("'s ")
    return (owner, noun) if owner and noun[:1].islower() else ("", "")


def _own(words: list[str]) -> list[str]:
    """Without what stands behind a name: "of Coketown", "Esq."."""
    if "of" in words[1:]:
        words = words[: words.index("of", 1)]
    while len(words) > 1 and words[-1] in _BEHIND:
        words = words[:-1]
    return words


def _surname(words: list[str]) -> str:
    return words[-1] if words[-1] not in PARTICLES else words[0]


def patronymic_gender(word: str) -> str:
    """``"m"`` for "Ivanovitch", ``"f"`` for "Ivanovna", whatever the spelling; else ``""``."""
    if word.endswith(_SON):
        return "m"
    return "f" if word.endswith(_DAUGHTER) else ""


def first_name(given: str) -> str:
    """The given name without a patronymic."""
    return _split(given)[0]


def _split(given: str) -> tuple[str, str]:
    first, _, father = given.partition(" ")
    return first, father


def same_given(one: str, other: str) -> bool:
    """Equal, or one the short form of the other ("lizzy", "elizabeth"), or both short for the same, or two
    spellings ("rachel", "rachael"), or one the initial of the other ("j", "jay"). A patronymic counts with
    the given name where both have one."""
    if not one or not other:
        return False
    if one == other or (spelling(one) == spelling(other) and " " not in one):
        return True
    if " " in one or " " in other:  # with a patronymic
        (first, father), (second, its) = _split(one), _split(other)
        return same_given(first, second) and (not (father and its) or father[:_STEM] == its[:_STEM])
    if len(one) == 1 or len(other) == 1:
        return one[0] == other[0]
    if not full_forms(one).isdisjoint(full_forms(other)):
        return True
    return _clipped(one, other) or _clipped(other, one)


def _clipped(short: str, full: str) -> bool:
    """Like "lym" for "lyman", "raymie" for "raymond": a form of one's own, in no list of names."""
    if short in GIVEN or short in SHORT_FORMS:
        return False
    stem = short.removesuffix("ie") if short.endswith("ie") else short
    least = _STEM if stem != short else _STEM - 1
    return len(stem) >= least and full.startswith(stem) and full != short
