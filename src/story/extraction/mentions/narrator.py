"""Who tells the chapter, and what the text tells of that person's name.

"My name is X", "Call me X", "I, X,", "me, X,", "I am X."; or others keep calling X by name in their speech,
whom the narration itself never names, since nobody speaks so of himself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...model.chapter_reading import Identity, Mention
from ...model.types import EntityKind
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Words

SHARE = 0.012  # of the words of the narration; a narrator who only comments ("I shall not say") has less
LEAST = 4
SHORT = 200  # words of narration, in which one "I" is enough
_FIRST = frozenset("i me my mine myself".split())
_WITH_OTHERS = frozenset("we us our ours ourselves".split())  # "we found a cave": told by one of them
TOLD, CALLED = 0.9, 0.7  # confidence: by the narrator, by those who speak
CALLED_MIN = 3
_I_AM = (["i", "am"], ["i", "'m"], ["i", "’m"])
_ENDS = frozenset(", . ; : ! — – --".split())
_OPENING = frozenset("\" “ ‘ ' , ! ? . — --".split())
_CLOSING = frozenset("\" ” ’ ' , ! ? . — --".split())


def find_narrator(chapter: ParsedChapter) -> None:
    """Where the narration says "I" often enough, adds a mention "I" at its first use and sets
    ``chapter.narrator``. Direct speech does not count."""
    words, said, joined = 0, 0, 0
    first: tuple[ParsedParagraph, Any] | None = None
    for paragraph in chapter.paragraphs:
        spoken = paragraph.prose.quotes
        for token in paragraph.words:
            if spoken and paragraph.spoken(token):
                continue
            words += 1
            if token.lower_ in _FIRST:
                said += 1
                named = token.i in paragraph.mention_of
                if not named and (first is None or (token.text == "I" and first[1].text != "I")):
                    first = paragraph, token
            elif token.lower_ in _WITH_OTHERS:
                joined += 1
    if first is None or (words > SHORT and (said < LEAST or first[1].text != "I")):
        return
    if said + joined < SHARE * words:
        return
    paragraph, token = first
    chapter.narrator = len(chapter.mentions)
    paragraph.mention_of[token.i] = chapter.narrator
    span, sentence = paragraph.span(token, token), paragraph.sentence(token).span
    chapter.mentions.append(
        Mention(span, "I", EntityKind.CHARACTER, "", paragraph.prose.scene, sentence, True)
    )


def narrator_names(chapter: ParsedChapter) -> Iterator[Identity]:
    """What the chapter says of the narrator's name: each an identity of the mention of the narrator and one
    of the name. Nothing where the chapter has no narrator."""
    own = chapter.narrator
    if own is None:
        return
    for paragraph in chapter.paragraphs:
        for i, number in paragraph.mention_of.items():
            if chapter.mentions[number].kind is EntityKind.CHARACTER and _says_own_name(paragraph, i, number):
                yield Identity(own, number, chapter.mentions[number].sentence, TOLD)
    called = _only_called(chapter)
    if called is not None:
        yield Identity(own, called, chapter.mentions[called].sentence, CALLED)


def _says_own_name(paragraph: ParsedParagraph, i: int, number: int) -> bool:
    """Like "my name is X", "call me X", "I, X,", "I am X.", outside speech."""
    doc = paragraph.doc
    if i < 2 or paragraph.mention_of.get(i - 1) == number or paragraph.spoken(doc[i]):
        return False
    before = [doc[k].lower_ for k in range(max(0, i - 3), i)]
    apart = before[-2:] in (["i", ","], ["me", ","]) and _followed(doc, paragraph, i, number)
    if before[-2:] == ["call", "me"] or apart:
        return True
    if before[-2:] in _I_AM and _followed(doc, paragraph, i, number, marks=_ENDS):
        return True
    return before[:2] == ["my", "name"] and before[2] in ("is", "was", "'s", "’s")


def _followed(
    doc: Words, paragraph: ParsedParagraph, i: int, number: int, *, marks: frozenset[str] = frozenset(",")
) -> bool:
    end = i
    while end < len(doc) and paragraph.mention_of.get(end) == number:
        end += 1
    return end < len(doc) and doc[end].text in marks


def _only_called(chapter: ParsedChapter) -> int | None:
    """The one name by which people are spoken to three times and that the narration never uses."""
    narrated, called, first = set[str](), dict[str, int](), dict[str, int]()
    for paragraph in chapter.paragraphs:
        numbers = sorted(set(paragraph.mention_of.values()))
        at = {number: [i for i, n in paragraph.mention_of.items() if n == number] for number in numbers}
        for number in numbers:
            mention = chapter.mentions[number]
            if mention.kind is not EntityKind.CHARACTER or number == chapter.narrator:
                continue
            word = mention.surface.split()[-1].casefold()
            if not mention.spoken:
                narrated.update(part.casefold() for part in mention.surface.split())
            elif _addressed(paragraph.doc, min(at[number]), max(at[number])):
                called[word] = called.get(word, 0) + 1
                first.setdefault(word, number)
    fits = sorted((-count, word) for word, count in called.items() if word not in narrated)
    if not fits or -fits[0][0] < CALLED_MIN or (len(fits) > 1 and -fits[1][0] * 2 > -fits[0][0]):
        return None
    return first[fits[0][1]]


def _addressed(doc: Words, start: int, last: int) -> bool:
    """Set apart by marks on both sides, one of them a comma."""
    before = doc[start - 1].text if start else ""
    after = doc[last + 1].text if last + 1 < len(doc) else ""
    return before in _OPENING and after in _CLOSING and "," in (before, after)
