"""People and towns made up for a book: none of them is named in it."""

from __future__ import annotations

import random
import re

from .prose import Manner
from .wording import Person

__all__ = ["Inventions"]

_SURNAMES = """Farrow Ashby Merrick Holloway Dunning Pritchard Langdon Prescott Radley Whitcombe Ellison
Barlow Cutler Gaskin Hobday Pettifer Haldane Croome Ansley Tolliver Braddock Lorrimer Wexham Dawlish Kemble
Stannard Thorley Winslow Fenner Garside Mottram Selwyn Tranter Verrall Yardley Beddoes Cheadle
Duckett""".split()
_GIVEN = {
    "m": """Ambrose Gilbert Walter Hugh Edmund Simon Julian Giles Bernard Adrian Lawrence Philip Martin Roland
    Matthew Stephen Clement Horace Oswald Reuben""".split(),
    "f": """Agnes Harriet Dorothea Beatrice Lavinia Winifred Ruth Martha Hester Cecily Rosamund Edith Judith
    Phoebe Susanna Philippa Marian Constance Ursula Deborah""".split(),
}
_CALLINGS = {
    "m": "sexton carrier miller gardener coachman ferryman blacksmith toll-keeper".split(),
    "f": "laundress housekeeper sempstress baker’s_widow dairywoman pew-opener midwife".split(),
}
_CITIES = """London Paris Edinburgh Dublin Bristol Liverpool Boston New_York Chicago Philadelphia Vienna Rome
Geneva Brussels Lyons Madrid Naples Hamburg Lisbon Leipzig""".split()


class Inventions:
    """Draws from the lists what the text does not hold yet, each thing once for as long as there are some."""

    def __init__(self, text: str, manner: Manner, rng: random.Random) -> None:
        self._words = set(re.findall(r"[A-Z]\w+", text))
        self._text, self._manner, self._rng = text, manner, rng
        self._used: set[str] = set()

    def person(self, *, gender: str = "", titled: str = "") -> Person:
        """Somebody new: "Mr. Farrow" (``titled`` is a woman's title), with the forms ``full``, ``given``,
        ``sur``, ``other`` (another surname) and ``calling``."""
        gender = gender or self._rng.choice("fm")
        sur, other = self._new(_SURNAMES), self._new(_SURNAMES)
        given = self._new(_GIVEN[gender])
        title = "Mr." if gender == "m" else titled or self._rng.choice(("Mrs.", "Miss"))
        calling = self._rng.choice(_CALLINGS[gender]).replace("_", " ")
        parts = {"full": f"{given} {sur}", "given": given, "sur": sur, "other": other, "calling": calling}
        return Person(f"{given} {sur}", f"{title} {sur}", gender, parts)

    def given_name(self, gender: str) -> str:
        """A new given name of that ``gender``, ``"f"`` or ``"m"``."""
        return self._new(_GIVEN[gender])

    def cities(self, count: int, *, without: str) -> tuple[str, ...]:
        """Towns far apart, those that the book speaks of first; none stands in ``without``."""
        towns = [city.replace("_", " ") for city in _CITIES]
        free = [town for town in towns if town not in without]
        known = [town for town in free if town in self._text]
        pool = known if len(known) >= count + 1 else free
        return tuple(self._rng.sample(pool, count))

    def _new(self, names: list[str]) -> str:
        free = [name for name in names if name not in self._words and name not in self._used]
        name = self._rng.choice(free or [name for name in names if name not in self._used] or names)
        self._used.add(name)
        return name
