"""A person as the alias book knows one, and whether a name could be this person's."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..lexicon.words import SHORT_FORMS, full_forms
from .lexicon import ARMED, CALLINGS, GIVEN, NOBLE, PARTICLES, PLAIN_TITLES, RANKS, TITLES, WITH_GIVEN
from .spelling import plain

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
    def husband(self) -> bool:
        """Is the given name her husband's: "Mrs. Peter Pett"?"""
        return self.title == "mrs" and GIVEN.get(first_name(self.given)) == "m"

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
    """Equal, or one the short form of the other ("lizzy", "elizabeth"), or both short for the same, or one
    the initial of the other ("j", "jay"). A patronymic counts with the given name where both have one."""
    if not one or not other:
        return False
    if one == other:
        return True
    if " " in one or " " in other:  # with a patronymic
        (first, father), (second, its) = _split(one), _split(other)
        return same_given(first, second) and (not (father and its) or father[:_STEM] == its[:_STEM])
    if len(one) == 1 or len(other) == 1:
        return one[0] == other[0]
    return not full_forms(one).isdisjoint(full_forms(other))


WIVES = ("mrs", "lady")
HINTS_MIN = 3  # so many pronouns tell a gender that no title and no given name does
HINTS_SHARE = 0.8
KNIGHTED = frozenset({"sir", "lord"})
_OFFICERS = ARMED - {"rev"}
_APART = RANKS - {"rev"}  # a clergyman is called Mr. all the same
DOMINANT = 4  # so many times as often named as all others that fit together: it is this one
ESTABLISHED = 3  # so many times called "Mr. Bennet": "Mr. John Bennet" is somebody else


@dataclass(slots=True)
class KnownPerson:
    """``surnames`` are all that the person has borne, the newest last; ``bare`` a word that may be either;
    ``keys`` and ``words`` count the names used and their words; ``plain`` the uses of title and surname
    alone by title, ``formal`` the titles used before the full name; ``hints`` what pronouns say of the
    gender; ``last`` when last named; ``told`` counts the names that the narration used; ``generation`` is
    that of the names (see ``PersonName``)."""

    id: str
    order: int
    gender: str = ""
    given: str = ""
    surnames: list[str] = field(default_factory=list)
    bare: str = ""
    titles: set[str] = field(default_factory=set)
    marital: str = ""
    keys: dict[str, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    plain: dict[str, int] = field(default_factory=dict)
    formal: set[str] = field(default_factory=set)
    hints: dict[str, int] = field(default_factory=dict)
    count: int = 0
    last: int = 0
    told: dict[str, int] = field(default_factory=dict)
    generation: str = ""

    def bears(self, surname: str) -> bool:
        """Is this, in lower case, a surname that the person has borne, or the single word that may be one?
        Madame Voronina bears that of her husband Voronin."""
        borne = not {surname, surname.removesuffix("a")}.isdisjoint(self.surnames)
        return borne or (bool(surname) and self.bare == surname)

    def called(self, given: str) -> bool:
        """Is this, in lower case, the given name or another form of it (see ``same_given``)? The single word
        that may be one counts as well."""
        named = bool(self.bare) and not self.bare.startswith("the ")
        return same_given(self.given, given) or (named and same_given(self.bare, given))

    @property
    def may_be_wed(self) -> bool:
        """Is it a woman, no Miss, whom those who speak call by her given name and the narration does not: may
        she be its Mrs. Vane?"""
        told = self.by_given or any(f"{self.given} {surname}" in self.told for surname in self.surnames)
        return self.sex == "f" and bool(self.given) and "miss" not in self.titles and not told

    def called_by(self, title: str) -> int:
        """How often a name with this title was used, or the title alone."""
        forms = (f"{title} ", f"the {title}")
        return sum(count for key, count in self.keys.items() if key.startswith(forms))

    def named_by(self, title: str, *, told: bool = False) -> int:
        """How often a name with this title was used, or was used by the narration."""
        uses = self.told if told else self.keys
        return sum(count for key, count in uses.items() if key.startswith(f"{title} "))

    @property
    def sex(self) -> str:
        """``"f"``, ``"m"``, or ``""`` where nothing has told it: by title or given name, failing that by the
        pronouns that stand for the person (three or more, four of five alike)."""
        best = max("mf", key=lambda gender: self.hints.get(gender, 0))
        sure = self.hints.get(best, 0) >= max(HINTS_MIN, HINTS_SHARE * sum(self.hints.values()))
        return self.gender or (best if sure else "")

    @property
    def by_given(self) -> bool:
        """Does the narration itself call the person by the given name, and not only those who speak?"""
        return self.told.get(self.given, 0) >= max(ESTABLISHED, self.keys.get(self.given, 0) / DOMINANT)

    @property
    def by_epithet(self) -> bool:
        """Is the person called as "Long John" is, and never John alone nor by a surname?"""
        plainly = self.surnames or self.given in self.keys
        return not plainly and any(PersonName.parse(key).epithet for key in self.keys)

    @property
    def noble(self) -> bool:
        """Has the person borne a title of ``NOBLE``, such as Sir, Lady or Prince?"""
        return not NOBLE.isdisjoint(self.titles)


def clash(one: str, other: str) -> bool:
    """Two genders, or two generations, that cannot be one person's."""
    return bool(one and other and one != other)


def unlike(one: KnownPerson, other: KnownPerson) -> bool:
    """Have the two genders, given names or surnames that cannot be one person's? A woman may have married."""
    given = bool(one.given and other.given) and not same_given(one.given, other.given)
    wed = one.gender == other.gender == "f" and any(p.marital in WIVES and not p.given for p in (one, other))
    surnames = bool(one.surnames and other.surnames) and set(one.surnames).isdisjoint(other.surnames)
    surnames = surnames and not wed
    return clash(one.gender, other.gender) or given or surnames


def could_be(person: KnownPerson, name: PersonName, gender: str) -> bool:
    """Does nothing that is known of the person speak against the name?"""
    if clash(person.gender, gender) or another_generation(person, name):
        return False
    if name.marital and person.marital and name.marital != person.marital:
        return False
    if name.surname and person.surnames and not person.bears(name.surname):
        return False
    if _wrong_style(person, name) or (name.full and not name.epithet and person.by_epithet):
        return False
    return _given_agree(person, name)


def another_generation(person: KnownPerson, name: PersonName) -> bool:
    """Like Tom Hale senior and Tom Hale, Jr.; or Tom Hale, who was so called without a word behind it."""
    if person.generation or not name.full or name.epithet:
        return clash(person.generation, name.generation)
    return name.generation not in ("", "sr") and f"{name.given} {name.surname}" in person.keys


def _wrong_style(person: KnownPerson, name: PersonName) -> bool:
    """A Mr who is a Sir; a Miss or Mrs who is known as "Thorpe" alone, as men are."""
    if name.title == "mr":
        return not KNIGHTED.isdisjoint(person.titles)
    if name.title == "mrs" and name.full and person.given and person.gender != "f":
        return True  # Mrs. Orrin Vale is the wife of Orrin Vale
    lady = name.title in (*WIVES, "miss")
    return lady and bool(person.bare) and not person.titles and person.sex != "f"


def _given_agree(person: KnownPerson, name: PersonName) -> bool:
    if name.husband:  # Mrs. John Hale is not Mrs. Henry Hale
        known = (other for other in map(PersonName.parse, person.keys) if other.husband)
        return all(same_given(other.given, name.given) for other in known)
    if not (name.given and person.given):
        return True
    if name.epithet and not person.surnames and person.count == 1 and person.given != name.given:
        return False  # who was once called Johnny is not Long John
    if " " not in person.given + name.given and (
        person.noble or name.title in NOBLE
    ):  # nobody says Lady Kitty, and Sir Thomas's son is Tom
        same = first_name(name.given) == first_name(person.given)
        return same and same_given(name.given, person.given)
    return same_given(name.given, person.given)


def preferred(fits: list[KnownPerson], word: str, *, least: int = ESTABLISHED) -> KnownPerson | None:
    """The only one, or the one far more often called by the word than all the others; where nobody was
    called by it ``least`` times, the one far more often named."""
    if len(fits) < 2:
        return fits[0] if fits else None
    used = [p.words.get(word, 0) for p in fits]
    if max(used) < least:
        used = [p.count for p in fits]
    best = max(range(len(fits)), key=used.__getitem__)
    rest = sum(used) - used[best]
    return fits[best] if used[best] >= DOMINANT and used[best] >= DOMINANT * rest else None


def contrasted(person: KnownPerson, name: PersonName) -> bool:
    """Like "Miss Elizabeth Bennet" where Miss Bennet is well known, and "Captain Tilney" where Mr. Tilney or
    General Tilney is: a name that tells apart."""
    if name.title == "miss" and name.full and not person.given:
        return person.plain.get("miss", 0) >= ESTABLISHED
    if name.title in _APART and name.surname:
        own = person.titles & _APART
        same = bool(name.given) and same_given(name.given, person.given)
        return name.title not in own and not same if own else person.plain.get("mr", 0) >= ESTABLISHED
    ranked = name.title == "mr" and name.full and not person.given  # a captain's brother
    return ranked and any(person.plain.get(rank, 0) >= ESTABLISHED for rank in _OFFICERS)


def plainly_so(bearers: list[KnownPerson], word: str) -> KnownPerson | None:
    """Of the bearers of a surname, who goes by it bare: no Mrs, Miss or Lady, and no woman beside a man;
    no Sir beside another man; of these, then, the one far more often named, or the one of whom no given
    name is known."""
    bearers = [p for p in bearers if p.marital not in ("mrs", "miss", "lady")]
    bearers = [p for p in bearers if KNIGHTED.isdisjoint(p.titles)] or bearers
    if any(p.gender == "m" for p in bearers):
        bearers = [p for p in bearers if p.gender != "f"]
    found = preferred(bearers, word)
    if found is None and len(bearers) > 1:
        found = preferred([p for p in bearers if not p.given], word)
    return found
