"""Alias books that are asked name after name, as a narration uses them."""

import re

from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_record import PersonName

STEP = re.compile(r"(?P<said>~?)(?P<name>.*?)(?:\*(?P<times>\d+))?(?: \((?P<gender>[mf?])\))?")


class Book:
    """An alias book with numbered people, merges followed.

    A name is told as ``Name*3 (m)``: so often, of such a gender (``?``: of none that is known, whatever title
    or given name say); with ``~`` before it where it is only spoken.
    """

    def __init__(self, *names: str) -> None:
        self.book = AliasBook()
        self.into: dict[str, str] = {}
        self.number = 0
        for name in names:
            self.means(name)

    def means(self, told: str, **how) -> str:
        """Whom the name means."""
        step = STEP.fullmatch(told)
        parsed = PersonName.parse(step["name"])
        gender = TITLES.get(parsed.title, "") or GIVEN.get(parsed.given, "")
        if step["gender"]:
            gender = step["gender"].strip("?")
        for _ in range(int(step["times"] or 1)):
            self.number += 1
            fresh = f"p{self.number}"
            found = self.book.resolve(step["name"], gender, fresh_id=fresh, narrated=not step["said"], **how)
            if found.merged:
                self.into[found.merged] = found.id
        return self.root(found.id)

    def root(self, one: str) -> str:
        while one in self.into:
            one = self.into[one]
        return one


def met(names: str) -> str:
    """Whom each name of a list means: the place of the first name of that person, merges applied."""
    book = Book()
    people = [book.means(name) for name in names.split("; ")]
    people = [book.root(one) for one in people]
    return " ".join(str(people.index(one)) for one in people)
