"""Alias books that are asked name after name, as a narration uses them."""

from collections.abc import Mapping

from fabula.story.names.alias_book import AliasBook, Found
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_name import PersonName


def gender_of(name: str) -> str:
    """What title or given name say of it."""
    parsed = PersonName.parse(name)
    return TITLES.get(parsed.title, "") or GIVEN.get(parsed.given, "")


def meant(
    book: AliasBook,
    name: str,
    times: int = 1,
    *,
    gender: str = "",
    beside: Mapping[str, str] | None = None,
    narrated: bool = True,
) -> str:
    """The name, used so often; gives whom it means, by the name of who was first so called."""
    found = ""
    for _ in range(times):
        gender = gender or gender_of(name)
        found = book.resolve(name, gender, fresh_id=name, beside=dict(beside or {}), narrated=narrated).id
    return found


def resolved(book: AliasBook, name: str, times: int = 1, *, narrated: bool = True) -> Found:
    """Whom the name means the last time, and who is joined with whom; nobody new has the id of another."""
    for _ in range(times):
        fresh = f"{name}#{book.roster.clock}"
        found = book.resolve(name, gender_of(name), fresh_id=fresh, narrated=narrated)
    return found


def told_apart(*surfaces: tuple[str, str]) -> list[str]:
    """Whom each name of such a gender means, by the number of the name with which somebody came in."""
    book = AliasBook()
    return [book.resolve(name, gender, fresh_id=str(n)).id for n, (name, gender) in enumerate(surfaces)]


def merged(*surfaces: tuple[str, str]) -> list[tuple[str, str]]:
    """Who is found to be whom on the way."""
    book = AliasBook()
    found = [book.resolve(name, gender, fresh_id=str(n)) for n, (name, gender) in enumerate(surfaces)]
    return [(each.id, each.merged) for each in found if each.merged]


class Book:
    """An alias book with numbered people, merges followed."""

    def __init__(self, *names: str) -> None:
        self.book = AliasBook()
        self.into: dict[str, str] = {}
        self.number = 0
        self.tell(*names)

    def tell(self, *names: str, narrated: bool = True) -> str | None:
        """Whom the last of the names means."""
        found = None
        for name in names:
            self.number += 1
            found = self.book.resolve(name, gender_of(name), fresh_id=f"p{self.number}", narrated=narrated)
            if found.merged:
                self.into[found.merged] = found.id
        return found.id if found else None

    def means(self, name: str) -> str | None:
        root = self.tell(name)
        while root in self.into:
            root = self.into[root]
        return root
