"""A person as the alias book knows one, and whether a name could be this person's."""

from __future__ import annotations

from dataclasses import dataclass, field

from .lexicon import GIVEN, NOBLE, RANKS
from .person_name import PersonName, first_name, same_given

WIVES = ("mrs", "lady")
KNIGHTED = frozenset({"sir", "lord"})
_APART = RANKS - {"rev"}  # a clergyman is called Mr. all the same
DOMINANT = 4  # so many times as often named as all others that fit together: it is this one
ESTABLISHED = 3  # so many times called "Mr. Bennet": "Mr. John Bennet" is somebody else


@dataclass(slots=True)
class KnownPerson:
    """``surnames`` are all that the person has borne, the newest last; ``bare`` a word that may be either;
    ``keys`` and ``words`` count the names used and their words; ``plain`` the uses of title and surname
    alone by title, ``formal`` the titles used before the full name; ``young`` counts those of "Miss Anne",
    as younger daughters are called; ``hints`` what pronouns say of the gender; ``narrated`` the times
    named outside speech, ``said`` those within; ``last`` when last named; ``told`` counts
    the names that the narration used; ``generation`` is that of the names (see ``PersonName``)."""

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
    young: int = 0
    hints: dict[str, int] = field(default_factory=dict)
    narrated: int = 0
    said: int = 0
    count: int = 0
    last: int = 0
    told: dict[str, int] = field(default_factory=dict)
    generation: str = ""

    @property
    def surname(self) -> str:
        """The newest surname; empty where none is known."""
        return self.surnames[-1] if self.surnames else ""

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

    def called_by(self, title: str) -> int:
        """How often a name with this title was used, or the title alone."""
        forms = (f"{title} ", f"the {title}")
        return sum(count for key, count in self.keys.items() if key.startswith(forms))

    def named_by(self, title: str) -> int:
        """How often a name with this title was used."""
        return sum(count for key, count in self.keys.items() if key.startswith(f"{title} "))

    @property
    def of_somebodys_kin(self) -> bool:
        """Mostly called Aunt or Uncle, as only some of the others may."""
        return 2 * sum(map(self.called_by, ("aunt", "uncle"))) >= self.count > 0

    @property
    def elder(self) -> bool:
        """May the person be the father or mother of a namesake: noble, or more often Mr. Vane than Giles?"""
        plain = max(self.plain.get("mr", 0), self.plain.get("mrs", 0))
        return self.noble or (plain >= ESTABLISHED and plain > self.told.get(self.given, 0))

    @property
    def lent(self) -> bool:
        """Is the given name her husband's, as in Mrs. Orrin Vale?"""
        called = any(key.startswith(f"mrs {self.given} ") for key in self.keys)
        return called and self.given not in self.keys and GIVEN.get(self.given) != "f"

    @property
    def noble(self) -> bool:
        """Has the person borne a title of ``NOBLE``, such as Sir, Lady or Prince?"""
        return not NOBLE.isdisjoint(self.titles)


def clash(one: str, other: str) -> bool:
    """Two genders, or two generations, that cannot be one person's."""
    return bool(one and other and one != other)


def could_be(person: KnownPerson, name: PersonName, gender: str) -> bool:
    """Does nothing that is known of the person speak against the name?"""
    if clash(person.gender, gender) or another_generation(person, name):
        return False
    if name.marital and person.marital and name.marital != person.marital:
        return False
    if name.surname and person.surnames and not (person.bears(name.surname) or extends(person, name)):
        return False
    if _wrong_style(person, name) or _husbands(person, name):
        return False
    return _given_agree(person, name)


def another_generation(person: KnownPerson, name: PersonName) -> bool:
    """Like Tom Hale senior and Tom Hale, Jr.; or Tom Hale, who was so called without a word behind it."""
    if person.generation or not name.full or name.epithet:
        return clash(person.generation, name.generation)
    return name.generation not in ("", "sr") and f"{name.given} {name.surname}" in person.keys


def extends(person: KnownPerson, name: PersonName) -> bool:
    """Like "Moody Spurgeon MacPherson" for who is known as Moody Spurgeon, and the other way round."""
    if not name.full or name.given != person.given:
        return False
    if not set(person.surnames).isdisjoint(name.key.split()[1:-1]):
        return True
    return any(name.surname in key.split()[1:-1] and key.split()[0] == name.given for key in person.keys)


def _wrong_style(person: KnownPerson, name: PersonName) -> bool:
    """A Mr who is a Sir; a Miss or Mrs who is known as "Thorpe" alone, as men are."""
    if name.title == "mr":
        return not KNIGHTED.isdisjoint(person.titles)
    if name.title == "mrs" and name.full and person.given and person.gender != "f":
        return True  # Mrs. Orrin Vale is the wife of Orrin Vale
    lady = name.title in (*WIVES, "miss")
    return lady and bool(person.bare) and not person.titles and person.gender != "f"


def _husbands(person: KnownPerson, name: PersonName) -> bool:
    """The "Orrin" of Mrs. Orrin Vale is her husband's: she is not Orrin Vale."""
    word = name.given or name.bare
    if person.marital != "mrs" or name.title == "mrs" or not same_given(word, person.given):
        return False
    own = [key for each in (word, person.given) for key in (each, f"{each} {name.surname}")]
    lent = any(key.startswith(f"mrs {person.given}") for key in person.keys)
    return lent and GIVEN.get(word) != "f" and person.keys.keys().isdisjoint(own)


def _given_agree(person: KnownPerson, name: PersonName) -> bool:
    if not (name.given and person.given):
        return True
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
    """Like "Miss Elizabeth Bennet" where Miss Bennet is well known, "Captain Tilney" where Mr. Tilney or
    General Tilney is, and "Miss Bennet" where she is Miss Elizabeth: a name that tells apart."""
    if name.title == "miss" and name.full and not person.given:
        return person.plain.get("miss", 0) >= ESTABLISHED
    if name.title in _APART and name.surname:
        own = person.titles & _APART
        same = bool(name.given) and same_given(name.given, person.given)
        return name.title not in own and not same if own else person.plain.get("mr", 0) >= ESTABLISHED
    return name.title == "miss" and bool(name.surname) and not name.given and person.young > 0


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
