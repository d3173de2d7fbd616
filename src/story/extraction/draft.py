"""A chapter's draft reading: all that is found so far, which readers add to and ask."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from ..model.chapter_reading import ChapterReading
from ..model.types import EntityKind
from .clauses.arguments import Arguments, FactCollector
from .parsing.chapter import ParsedChapter
from .pronouns import PronounReader


@dataclass(slots=True)
class Draft:
    """``collected`` holds statements and happenings, which verbs tell one by one; ``found`` holds all else by
    the field of ``ChapterReading`` that it goes to."""

    chapter: ParsedChapter
    arguments: Arguments
    collected: FactCollector
    found: dict[str, list[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, chapter: ParsedChapter) -> Self:
        """Of a chapter in which the mentions and the narrator are found, nothing else yet."""
        arguments = Arguments.of(chapter, PronounReader.of(chapter))
        return cls(chapter, arguments, FactCollector(chapter, arguments))

    def add(self, kind: str, records: Iterable[Any]) -> None:
        self.found.setdefault(kind, []).extend(records)

    def get(self, kind: str) -> tuple[Any, ...]:
        """What is found of a kind so far, in the order in which it was added."""
        return tuple(self.found.get(kind, ()))

    def reading(self) -> ChapterReading:
        """The whole, without the nameless places and things that nothing is said of; statements in order of
        the text."""
        statements = sorted(
            dict.fromkeys((*self.collected.statements, *self.get("statements"))),
            key=lambda s: (s.evidence[0], s.subject, s.object, s.predicate, s.modality),
        )
        tables: dict[str, Any] = {kind: tuple(records) for kind, records in self.found.items()}
        tables |= {"statements": tuple(statements), "happenings": tuple(self.collected.happenings)}
        mentions = tuple(self.chapter.mentions)
        return _pruned(ChapterReading(mentions=mentions, scenes=self.chapter.scenes, **tables))


def _pruned(reading: ChapterReading) -> ChapterReading:
    """Without the nameless places and things that nothing is said of; mentions in order of the text."""
    used, mentions = set(reading.referents()), reading.mentions
    kept = [
        i
        for i, mention in enumerate(mentions)
        if i in used
        or mention.strong
        or mention.surface[:4] != "the "
        or mention.kind is EntityKind.CHARACTER
    ]
    kept.sort(key=lambda i: mentions[i].span.start)
    return reading.renumbered({old: position for position, old in enumerate(kept)})
