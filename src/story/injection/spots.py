"""Where a wording can stand: paragraph and sentence borders at which it follows from what is told there."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.types import Document, Span
from .cast import Actor, Stage
from .prose import Manner, sentence_ends

__all__ = ["Draft", "Spots"]

_APART = 2  # paragraphs between two insertions
_ENOUGH = 8  # quiet spots of a person
_NEAR = 4  # paragraphs in which somebody named is still about
_OPENS_WITH_PRONOUN = re.compile(
    r"\s*(?:He|She|It|They|This|That|These|Those|His|Her|Their|Its|Such|But|And)\b"
)
_OWN_PARAGRAPH, _MID_PARAGRAPH = 0.25, 0.5


@dataclass(frozen=True, slots=True)
class Draft:
    """An edit before it is made: ``replaced`` gives way to ``before + words + after``."""

    chapter: int
    replaced: Span
    before: str
    words: str
    after: str
    side: str
    phrasing: str


class Spots:
    """The paragraphs of one book, which of them are taken, and who is about in each."""

    def __init__(self, document: Document, stage: Stage, manner: Manner, rng: random.Random) -> None:
        self.document, self.stage, self._manner, self._rng = document, stage, manner, rng
        self._taken: set[int] = set()
        self._pairs: list[tuple[tuple[Actor, Actor], int]] | None = None
        self._actors = {actor.id: actor for actor in stage.actors}
        self._of: dict[str, list[int]] = defaultdict(list)
        self._narrative: list[int] = []
        for index, paragraph in enumerate(stage.paragraphs):
            if not paragraph.narrative:
                continue
            self._narrative.append(index)
            named = stage.named[index]
            if named and self._on(named[-1], index):
                self._of[named[-1]].append(index)
            if stage.narrator and len(re.findall(r"\bI\b", self._text(index))) >= 2:
                self._of[stage.narrator.id].append(index)

    def chapter(self, index: int) -> int:
        """The chapter of the paragraph of that index."""
        return self.stage.paragraphs[index].chapter

    def count(self, actor: str) -> int:
        """How many paragraphs lead up to that person."""
        return len(self._of[actor])

    def of(self, actors: Sequence[Actor]) -> list[int]:
        """Free paragraphs that end on one of these persons and have the others about, in order of the text;
        all free narrative paragraphs where nobody is named."""
        if not actors:
            return self._quiet([index for index in self._narrative if self._free(index)])
        ids = {actor.id for actor in actors}
        found = sorted({index for actor in actors for index in self._of[actor.id]})
        return self._quiet([i for i in found if self._free(i) and ids <= self._about(i, ids)])

    def _quiet(self, found: list[int]) -> list[int]:
        """Without those that lead up to speech, where enough are left: what is put in would part a speech
        from its speaker."""
        opening = self._manner.opening
        after = self.stage.paragraphs[1:]
        quiet = [i for i in found if i >= len(after) or not self._starts(after[i].span, opening)]
        return quiet if len(quiet) >= _ENOUGH else found

    def _starts(self, span: Span, mark: str) -> bool:
        return self.document.text.startswith(mark, span.start)

    def pairs(self) -> list[tuple[tuple[Actor, Actor], int]]:
        """Persons who share no word of a name, and in how many paragraphs one is named last and the other is
        about; those with one such paragraph only are left out."""
        if self._pairs is None:
            self._pairs = self._count_pairs()
        return list(self._pairs)

    def _count_pairs(self) -> list[tuple[tuple[Actor, Actor], int]]:
        counts: Counter[tuple[str, str]] = Counter()
        for actor in self.stage.actors:
            for index in self._of[actor.id]:
                near = {name for each in self._around(index) for name in self.stage.named[each]}
                about = {name for name in near if self._on(name, index) and name != actor.id}
                counts.update(tuple(sorted((actor.id, name))) for name in about)  # type: ignore[misc]
        found = []
        for (one, other), count in sorted(counts.items()):
            pair = self._actors[one], self._actors[other]
            if count >= 2 and pair[0].words.isdisjoint(pair[1].words):
                found.append((pair, count))
        return found

    def bystander(self, index: int, others: Sequence[Actor]) -> Actor | None:
        """Somebody else who is about there, the most often named first; None where nobody is."""
        out = {actor.id for actor in others}
        words = {word for actor in others for word in actor.words}
        counts: Counter[str] = Counter()
        for near in self._around(index):
            counts.update(self.stage.named[near])
        for found in sorted(counts, key=lambda each: (-counts[each], each)):
            actor = self._actors.get(found)
            if actor is None or found in out or not self._on(found, index):
                continue
            if words.isdisjoint(actor.words):
                return actor
        return None

    def take(self, index: int) -> None:
        """Nothing else is put into this paragraph or the next to it."""
        self._taken.update(range(index - _APART, index + _APART + 1))

    def draft(self, index: int, words: str, *, spoken: bool, side: str, phrasing: str) -> Draft:
        """Puts the words behind that paragraph or, where they are narration, at its end or between two of its
        sentences; the paragraph is taken then."""
        self.take(index)
        paragraph = self.stage.paragraphs[index]
        draw = self._rng.random()
        middle = None if spoken or draw > _OWN_PARAGRAPH + _MID_PARAGRAPH else self._middle(index)
        manner, newline = self._manner, self._manner.newline
        if spoken or draw < _OWN_PARAGRAPH:
            at = Span(paragraph.span.end, paragraph.span.end)
            told = manner.broken(words)
            return Draft(paragraph.chapter, at, self._border(index), told, "", side, phrasing)
        if middle is not None:
            after = newline if manner.width else " "
            told = manner.broken(words, column=self._column(middle.start) + 1)
            return Draft(paragraph.chapter, middle, " ", told, after, side, phrasing)
        at = Span(paragraph.span.end, paragraph.span.end)
        told = manner.broken(words, column=self._column(at.start) + 1)
        return Draft(paragraph.chapter, at, " ", told, "", side, phrasing)

    def _middle(self, index: int) -> Span | None:
        """The blank behind a sentence that names only whom the paragraph ends on, before one that stands by
        itself."""
        said, start = self._text(index), self.stage.paragraphs[index].span.start
        named = self.stage.named[index]
        actor = self._actors.get(named[-1]) if len(named) == 1 else None
        if actor is None:
            return None
        begin = 0
        for end in sentence_ends(said):
            inside = Span(start + begin, start + end)
            if any(inside.contains(place) for place in actor.places):
                rest = said[end:]
                if not _OPENS_WITH_PRONOUN.match(rest):
                    blank = len(rest) - len(rest.lstrip())
                    return Span(start + end, start + end + blank)
            begin = end
        return None

    def _border(self, index: int) -> str:
        here = self.stage.paragraphs[index]
        following = self.stage.paragraphs[index + 1] if index + 1 < len(self.stage.paragraphs) else None
        if following is not None and following.chapter == here.chapter:
            between = self.document.text[here.span.end : following.span.start]
            if not between.strip() and between.count("\n") <= 3:
                return between
        return self._manner.newline * 2

    def _column(self, at: int) -> int:
        return at - (self.document.text.rfind("\n", 0, at) + 1)

    def _text(self, index: int) -> str:
        return self.stage.paragraphs[index].span.of(self.document.text)

    def _free(self, index: int) -> bool:
        return index not in self._taken

    def _on(self, actor: str, index: int) -> bool:
        found = self._actors.get(actor)
        return found is not None and self.chapter(index) in found.chapters

    def _around(self, index: int) -> range:
        chapter = self.chapter(index)
        low, high = index, index
        while low > 0 and index - low < _NEAR and self.chapter(low - 1) == chapter:
            low -= 1
        last = len(self.stage.paragraphs) - 1
        while high < last and high - index < _NEAR and self.chapter(high + 1) == chapter:
            high += 1
        return range(low, high + 1)

    def _about(self, index: int, ids: set[str]) -> set[str]:
        if len(ids) == 1:
            return ids
        near = {found for each in self._around(index) for found in self.stage.named[each]}
        return {each for each in ids & near if self._on(each, index)}
