"""Who is who within one chapter: names that can be one person's are one, and each has a gender where told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...model.chapter_reading import Mention
from ...model.types import EntityKind
from ...names.alias_book import AliasBook

NOBODY = -1


@dataclass(slots=True)
class ChapterCast:
    """``who[i]`` is a number for whom mention ``i`` names, ``NOBODY`` where it is no person."""

    who: list[int] = field(default_factory=list)
    _gender: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, mentions: Iterable[Mention]) -> ChapterCast:
        book, known, merged = AliasBook(), {}, {}
        drafts: list[str] = []
        told: dict[str, str] = {}
        for i, mention in enumerate(mentions):
            if mention.kind is not EntityKind.CHARACTER:
                drafts.append("")
                continue
            key = (mention.surface, mention.gender)
            if key not in known:
                found = book.resolve(mention.surface, mention.gender, fresh_id=str(i))
                if found.merged:
                    merged[found.merged] = found.id
                known[key] = found.id
            drafts.append(known[key])
            if mention.gender:
                told.setdefault(known[key], mention.gender)
            if mention.hint:
                book.hint(known[key], mention.hint)
        numbers: dict[str, int] = {}
        cast = cls()
        for draft in drafts:
            root = draft
            while root in merged:
                root = merged[root]
            cast.who.append(numbers.setdefault(root, len(numbers)) if root else NOBODY)
        for draft, number in zip(drafts, cast.who, strict=True):
            if draft and (gender := told.get(draft) or book.gender(draft)):
                cast._gender.setdefault(number, gender)
        return cast

    def gender(self, who: int) -> str:
        """``"f"``, ``"m"``, or ``""`` where the chapter does not tell."""
        return self._gender.get(who, "")

    def another(self, gender: str) -> int:
        """The number of somebody new, whose mentions the caller adds to ``who``."""
        number = max(self.who, default=NOBODY) + 1
        if gender:
            self._gender[number] = gender
        return number

    def learn(self, who: int, gender: str) -> None:
        """Keeps a gender that the chapter's pronouns tell; a name or title that tells one goes before."""
        self._gender.setdefault(who, gender)
