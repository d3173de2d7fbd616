"""Who tells the chapter: a mention for the "I" of a narration in the first person."""

from __future__ import annotations

from typing import Any

from ...model.chapter_reading import Mention
from ...model.types import EntityKind
from ..parsing.chapter import ParsedChapter, ParsedParagraph

__all__ = ["find_narrator"]

SHARE = 0.012  # of the words of the narration; a narrator who only comments ("I shall not say") has less
LEAST = 4
SHORT = 200  # words of narration, in which one "I" is enough
_FIRST = frozenset("i me my mine myself".split())
_WITH_OTHERS = frozenset("we us our ours ourselves".split())  # "we found a cave": told by one of them


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
