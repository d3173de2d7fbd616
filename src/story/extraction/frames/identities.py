"""Names that are one: "X was really Y", "X's real name was Y", "X, also known as Y"; and nicknames: `Paul
"Rabbit" Olsen`, "William Gates (Trey)", "the Duke was called Edmund Vane"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ...model.chapter_reading import Identity
from ...model.types import EntityKind
from ..parsing.chapter import ParsedChapter

SURE = 0.9  # confidence
_SET_IN = {' "': '"', " “": "”", " ‘": "’", " '": "'", " (": ")", " «": "»"}
_CALLED = re.compile(
    r"(?:,? (?:who )?(?:was|is) (?:\w+ )?|, |, also |, better )(?:called|named|nicknamed|known as|really) "
    r"|,? alias |, whom (?:\w+ )?\w+ called |,? known (?:to|among|in|by) [^.;“\"]{1,60} as [“‘\"']?"
)


def nicknames(chapter: ParsedChapter) -> Iterator[Identity]:
    """Each two mentions of people, one after the other in a paragraph, that its words make one person's."""
    for paragraph in chapter.paragraphs:
        doc, text, set_in = paragraph.doc, paragraph.prose.text, False
        numbers = list(dict.fromkeys(paragraph.mention_of[i] for i in sorted(paragraph.mention_of)))
        tokens = {n: [i for i, other in paragraph.mention_of.items() if other == n] for n in numbers}
        for one, other in pairwise(numbers):
            first, second = chapter.mentions[one], chapter.mentions[other]
            start, end = max(tokens[one]), max(tokens[other])
            between = text[doc[start].idx + len(doc[start]) : doc[min(tokens[other])].idx]
            behind = text[doc[end].idx + len(doc[end]) :]
            surname = set_in and between[1:] == " "
            set_in = between in _SET_IN and behind.startswith(_SET_IN[between])
            marked = between[-1:] in ("“", "‘", '"')  # "known to her friends as “Pip”"
            called = _CALLED.fullmatch(between) is not None and (marked or first.spoken == second.spoken)
            called = called and behind[1:2] != "s"
            if called and doc[start + 1].text == "," and doc[start + 2].tag_ in ("VBD", "VBN"):
                called = doc[start + 2].head.i in tokens[one]  # not "the boy with Ned, called Peter over"
            if first.kind is second.kind is EntityKind.CHARACTER and (set_in or surname or called):
                yield Identity(one, other, second.sentence, SURE)
