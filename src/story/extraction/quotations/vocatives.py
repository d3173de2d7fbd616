"""Who is called by name in direct speech: "Count your pins, Miss Pellow", "Wilf, come here"."""

from __future__ import annotations

import re

from ...model.types import EntityKind
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word, Words

_ASKS_WHO = re.compile(r"\b(?:who|whom|whose|names?)\b[^.!?]*\?", re.IGNORECASE)
_SHORT = 4  # words

_OPENS = frozenset({'"', "“", "‘", "'", ".", "!", "?"})
_CLOSES = frozenset({'"', "”", "’", "'", ".", "!", "?", ";", "--", "—"})
_CRIES = frozenset("oh o ah yes no well dear poor but and so now why come my".split())


def called_in(chapter: ParsedChapter, paragraph: ParsedParagraph, start: int, end: int) -> tuple[int, ...]:
    """The mentions that stand set apart by marks within the speech ``[start, end)`` (characters of the
    paragraph), in order of the text."""
    found: dict[int, None] = {}
    doc = paragraph.doc
    for i, number in paragraph.mention_of.items():
        token = doc[i]
        if not start <= token.idx < end or chapter.mentions[number].kind is not EntityKind.CHARACTER:
            continue
        if number not in found and _set_apart(paragraph, number, i, end - start):
            found[number] = None
    return tuple(found)


def answers_who(asked: str, said: str) -> bool:
    """Is a name, all that is said, an answer ("Your name?" / "Athos.") and no call?"""
    if len(said.split()) > _SHORT or "!" in said or "?" in said:
        return False
    return _ASKS_WHO.search(asked) is not None


def _set_apart(paragraph: ParsedParagraph, number: int, i: int, length: int) -> bool:
    """Between marks on both sides, one of them a comma, and in no list: neither joined nor apposed."""
    doc, end = paragraph.doc, i + 1
    if end < len(doc) and paragraph.mention_of.get(end) == number:
        return False  # asked once a name, at its last word
    start = i
    while start > 0 and paragraph.mention_of.get(start - 1) == number:
        start -= 1
    before = _mark(doc, start - 1)
    if before in _CRIES and start > 1:  # "my dear Anne", "Oh Anne!"
        left = start - 1
        while left > 0 and doc[left - 1].lower_ in _CRIES:
            left -= 1
        before = _mark(doc, left - 1)
    after = _mark(doc, end)
    if _apposed(doc[i]) or _listed(doc, end):
        return False
    if before in ("‘", "'") and any(mark in paragraph.prose.text for mark in ('"', "“")):
        return False  # what somebody else said, quoted in the speech
    opens, closes = before in _OPENS, after in _CLOSES
    if opens and after in ("?", "!") and before not in (".", "!", "?"):
        return length > 2 * len(doc[start:end].text) + 6  # "Gatsby?" asks, "Daisy! Daisy!" is a cry
    return (before == "," and (closes or after == ",")) or (opens and after in (",", "!"))


def _apposed(token: Word) -> bool:
    """Does the name tell more of a noun: "my brother, Tom"? In "let us be friends, Tom" it does not."""
    if token.dep_ != "appos":
        return False
    head = token.head
    return head.pos_ == "PROPN" or head.has("det", "poss")


def _mark(doc: Words, i: int) -> str:
    return str(doc[i].lower_) if 0 <= i < len(doc) else '"'


def _listed(doc: Words, end: int) -> bool:
    """Like "Anne, Diana and Ruby": an "and" close by, with another name behind it."""
    if doc[end - 1].dep_ == "conj" and doc[end - 1].head.pos_ == "PROPN":
        return True
    return any(other.pos_ == "PROPN" for other in doc[end - 1].conjuncts)
