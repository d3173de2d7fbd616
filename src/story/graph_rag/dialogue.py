"""Who speaks and to whom: by the verb of saying beside the speech, by name called, and by turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..types import EntityKind
from .parsed import ParsedChapter, ParsedParagraph

__all__ = ["Dialogue", "Speech"]

Resolve = Callable[[ParsedParagraph, Any], "tuple[int, float] | None"]

_SAYING = frozenset(
    """say reply answer cry exclaim whisper ask murmur mutter shout remark observe add declare announce call
    continue return tell demand inquire enquire repeat explain begin agree admit growl sigh laugh snap
    suggest protest insist retort""".split()
)
TOLD, TURN = 0.9, 0.7


@dataclass(frozen=True, slots=True)
class Speech:
    """``speaker`` and ``hearer`` are mentions with a factor (0 to 1) for what is said through them; ``verb``
    is the verb of saying, None where the speaker is known by turns alone; ``called``: the hearer's name
    is called out in the speech."""

    speaker: tuple[int, float] | None = None
    hearer: tuple[int, float] | None = None
    verb: Any = None
    called: bool = False


@dataclass(slots=True)
class Dialogue:
    """One answer a paragraph; a paragraph with two speakers has none."""

    chapter: ParsedChapter
    _speeches: dict[int, Speech] = field(default_factory=dict)

    @classmethod
    def of(cls, chapter: ParsedChapter, resolve: Resolve) -> Dialogue:
        """``resolve`` says whom a subject outside the speech means."""
        dialogue = cls(chapter)
        for paragraph in chapter.paragraphs:
            if paragraph.prose.quotes:
                dialogue._speeches[paragraph.number] = dialogue._read(paragraph, resolve)
        dialogue._take_turns()
        return dialogue

    def speech(self, paragraph: ParsedParagraph) -> Speech:
        return self._speeches.get(paragraph.number, Speech())

    def _read(self, paragraph: ParsedParagraph, resolve: Resolve) -> Speech:
        found: dict[str, tuple[tuple[int, float], Any]] = {}
        for token in paragraph.doc:
            if token.lemma_ not in _SAYING or token.pos_ != "VERB" or paragraph.spoken(token):
                continue
            for child in token.children:
                if child.dep_ == "nsubj" and not paragraph.spoken(child) and self._beside(paragraph, token):
                    meant = resolve(paragraph, child)
                    if meant is not None and self._person(meant[0]):
                        found.setdefault(self._name(meant[0]), (meant, token))
        if len(found) != 1:
            return Speech(hearer=self._called(paragraph, ""))
        ((name, (meant, verb)),) = found.items()
        hearer = self._called(paragraph, name)
        return Speech((meant[0], TOLD * meant[1]), hearer, verb, hearer is not None)

    @staticmethod
    def _beside(paragraph: ParsedParagraph, verb: Any) -> bool:
        """Does speech end or begin within a few words of the verb?"""
        return any(
            -40 < verb.idx - end < 40 or 0 <= start - verb.idx < 60 for start, end in paragraph.prose.quotes
        )

    def _called(self, paragraph: ParsedParagraph, speaker: str) -> tuple[int, float] | None:
        """The one person called by name: "Count your pins, Miss Pellow", "Wilf, come here"."""
        called: dict[str, int] = {}
        for i, number in paragraph.mention_of.items():
            token = paragraph.doc[i]
            if not paragraph.spoken(token) or not self._person(number):
                continue
            if self._set_apart(paragraph, number, i) and self._name(number) != speaker:
                called.setdefault(self._name(number), number)
        return (next(iter(called.values())), TOLD) if len(called) == 1 else None

    def _set_apart(self, paragraph: ParsedParagraph, number: int, i: int) -> bool:
        """Between marks on both sides, one of them a comma, and in no list: neither joined nor apposed."""
        doc, end = paragraph.doc, i
        while end < len(doc) and paragraph.mention_of.get(end) == number:
            end += 1
        start = i
        while start > 0 and paragraph.mention_of.get(start - 1) == number:
            start -= 1
        if end - 1 != i:  # asked once a name, at its last word
            return False
        before = doc[start - 1].text if start else ""
        after = doc[end].text if end < len(doc) else ""
        opens, closes = before in ('"', "“", "‘", "'", "."), after in ('"', "”", "’", "'", ".", "!", "?")
        if doc[i].dep_ in ("appos", "conj") or list(doc[i].conjuncts):
            return False
        if before in ("‘", "'") and any(mark in paragraph.prose.text for mark in ('"', "“")):
            return False  # what somebody else said, quoted in the speech
        if opens and after in ("?", "!") and before != ".":  # "Gatsby?" asks, "Daisy! Daisy!" is a cry
            return self._length(paragraph) > 2 * len(doc[start:end].text) + 6
        return (before == "," and (closes or after == ",")) or (opens and after in (",", "!"))

    @staticmethod
    def _length(paragraph: ParsedParagraph) -> int:
        """Characters of direct speech."""
        return sum(end - start for start, end in paragraph.prose.quotes)

    def _take_turns(self) -> None:
        """Like A, B, then bare speech: A's turn; and who is spoken to is who spoke last."""
        before: list[ParsedParagraph] = []
        for paragraph in self.chapter.paragraphs:
            own = self._speeches.get(paragraph.number)
            if own is None:
                before.clear()
                continue
            last = self._turn(before, 1)
            if own.speaker is None and self._bare(paragraph):
                own = Speech(self._turn(before, 2), own.hearer, None, own.called)
            if own.hearer is None and own.speaker and last and not self._same(own.speaker, last):
                own = Speech(own.speaker, (last[0], TURN * last[1]), own.verb)
            if own.hearer is not None and own.speaker and self._same(own.speaker, own.hearer):
                own = Speech(own.speaker, None, own.verb)
            self._speeches[paragraph.number] = own
            before.append(paragraph)

    def _turn(self, before: list[ParsedParagraph], back: int) -> tuple[int, float] | None:
        if len(before) < back or before[-1].prose.scene != before[-back].prose.scene:
            return None
        speaker = self._speeches[before[-back].number].speaker
        return (speaker[0], round(TURN * speaker[1], 3)) if speaker and back == 2 else speaker

    @staticmethod
    def _bare(paragraph: ParsedParagraph) -> bool:
        quotes = paragraph.prose.quotes
        return len(quotes) == 1 and quotes[0][0] == 0 and quotes[0][1] >= len(paragraph.prose.text) - 1

    def _person(self, number: int) -> bool:
        return self.chapter.mentions[number].kind is EntityKind.CHARACTER

    def _name(self, number: int) -> str:
        return self.chapter.mentions[number].surface.casefold()

    def _same(self, one: tuple[int, float], other: tuple[int, float]) -> bool:
        return self._name(one[0]) == self._name(other[0])
