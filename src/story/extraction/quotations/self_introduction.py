"""Self-introductions: direct speech that says its speaker's name, "My name is Gabriel Vane."."""

from __future__ import annotations

import re

from ..parsing.chapter import ParsedParagraph

__all__ = ["OWN_NAME", "name_of_the_speaker"]

OWN_NAME = 0.95  # that who says so speaks
REACH = 80  # characters from the opening of the sentence to the name
_ANSWER = r"(?i:(?:yes|no|well|oh|why|and|sir|ma'am|madam|miss)\b[\s,;!-]*)*"
_NAME_IS = (
    r"(?i:my\s+name\s+is|my\s+name['’]s|(?:they|people|folks)\s+call\s+me|I\s+am\s+called|I['’]m\s+called)"
)
_I_AM = r"I\s+am|I['’]m"
_SAYS_SO = re.compile(
    rf"(?:(?:\A|[.!?;:,—-]|\band)[\s\"“‘']*{_NAME_IS}|(?:\A|[.!?;:—]|--)[\s\"“‘']*{_ANSWER}(?:{_I_AM}))\s+\Z"
)
_ENDS = re.compile(r"[.,;:!\"”—)]|--|['’](?!s\b)|\s+of\b|\Z")


def name_of_the_speaker(paragraph: ParsedParagraph, start: int, end: int) -> int | None:
    """The mention that the speech ``[start, end)`` (characters of the paragraph) says to be its speaker's
    name; None where it says nothing of the kind."""
    text, doc = paragraph.prose.text, paragraph.doc
    taken = sorted(i for i in paragraph.mention_of if start <= doc[i].idx < end)
    for i in taken:
        number = paragraph.mention_of[i]
        if paragraph.mention_of.get(i - 1) == number:
            continue
        last = i
        while paragraph.mention_of.get(last + 1) == number:
            last += 1
        at, stop = doc[i].idx, doc[last].idx + len(doc[last])
        if _SAYS_SO.search(text[max(start, at - REACH) : at]) and _ENDS.match(text, stop, end):
            return number
    return None
