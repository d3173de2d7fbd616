"""What stands apart from the main line by how it opens: a flashback, a dream, a letter."""

from __future__ import annotations

import re

from ..time.amounts import NUMBER

_OPENING = 240  # characters
_COUNT = rf"(?:{NUMBER}|an?|many|several|some|a few|long)"
_SPAN = r"(?:years?|months?|weeks?|days?|decades?|winters?|summers?)"
_YOUNG = r"(?:little |small |young |mere )?(?:boy|girl|child|lad|lass|baby|infant|youth|student)"
_EARLIER = re.compile(
    rf"\W*(?:(?:{_COUNT}\s+)?{_SPAN}"
    r"\s+(?:earlier|before|previously|ago)\b(?!\s+(?:he|she|they|i|we|it|the)\b))",
    re.IGNORECASE,
)
# cues that also open a chapter which then goes on: they count where a scene break sets the scene apart
_BACK = re.compile(
    rf"\W*(?:(?:it (?:was|had been|had happened|happened) |about |some |nearly ){{1,2}}"
    rf"(?:{_COUNT}\s+)?{_SPAN}"
    r"\s+(?:earlier|before|previously|ago)\b(?!\s+(?:he|she|they|i|we|it|the)\b)"
    r"|long (?:ago|before)\b|once,? (?:long|many years) ago\b"
    r"|(?:once,? )?when (?:he|she|i|they|we|\w+) (?:was|were|had been) (?:still |yet |only )?"
    rf"(?:an? )?{_YOUNG}\b"
    r"|in (?:his|her|my|their) (?:youth|childhood|boyhood|girlhood|infancy|early (?:days|years))\b"
    r"|\w+ (?:remembered|recalled) (?:the (?:day|night|time|summer|winter|morning|evening|first|last)"
    r"|how|when)\b)",
    re.IGNORECASE,
)
_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = re.compile(
    r"\b(?:of|in|late|early|mid) (" + "|".join(_MONTHS) + r")\b|\b(" + "|".join(_MONTHS) + r") \d"
)
_DREAM = re.compile(
    r"\b(?:dreamed|dreamt|had a (?:\w+ )?(?:dream|nightmare)|in (?:his|her|my|the) (?:dream|nightmare)s?)\b",
    re.IGNORECASE,
)
_NO_DREAM = re.compile(r"\b(?:never|not|n't|n’t|hardly|little|scarcely) (?:\w+ )?dream", re.IGNORECASE)
_WOKE = re.compile(r"\b(?:woke|awoke|awakened|wakened|waked)\b", re.IGNORECASE)

_DEAR = re.compile(
    r"\s*(?:my |our )?(?:own )?(?:dear(?:est)?|beloved) [^.!?\n]{1,50}[,:;!—–-]", re.IGNORECASE
)
_YOURS = re.compile(
    r"\b(?:yours,? (?:\w+,? )?(?:truly|sincerely|faithfully|affectionately|respectfully|ever|obediently|"
    r"etc|&c)|(?:ever|always|sincerely|truly|faithfully|affectionately|respectfully|very truly) yours|your "
    r"(?:\w+,? (?:and )?){0,3}(?:friend|servant|son|daughter|brother|sister|mother|father|nephew|niece"
    r"|cousin|aunt|uncle|wife|husband|well-wisher))\b",
    re.IGNORECASE,
)
_CLOSING = 240  # characters at a paragraph's end
_MARKS = re.compile('["“”«»]')
_LONGEST = 30  # paragraphs of a letter


def opens_as_flashback(text: str, start: int, end: int) -> bool:
    """Does the scene ``[start, end)`` open with a step back: "Ten years earlier"? One that a scene break
    sets apart from what was told before may say it otherwise: "When she was a child", "He remembered how"."""
    stop = min(end, start + _OPENING)
    return bool(_EARLIER.match(text, start, stop) or (start > 0 and _BACK.match(text, start, stop)))


def months_opened_with(text: str, start: int, end: int) -> frozenset[int]:
    """The months (0 to 11) that the scene's opening dates itself by: "on the first of May"."""
    found = _MONTH.finditer(text, start, min(end, start + _OPENING))
    return frozenset(_MONTHS.index(match[1] or match[2]) for match in found)


def opens_as_dream(text: str, start: int, end: int) -> bool:
    """Does the scene, set apart by a break, open as a dream from which nobody wakes before its last part?"""
    opening = min(end, start + _OPENING)
    if start == 0 or not _DREAM.search(text, start, opening) or _NO_DREAM.search(text, start, opening):
        return False
    woken = _WOKE.search(text, start, end)
    return woken is None or woken.start() - start > 0.8 * (end - start)


def letter_paragraphs(paragraphs: list[str]) -> frozenset[int]:
    """Which paragraphs are a letter set into the text: from "Dear ...," to one that ends in "Yours truly" or
    the like, no more than 30. What opens as a letter and is never signed is none, nor is one in quotation
    marks, which is direct speech already."""
    found: set[int] = set()
    for first, text in enumerate(paragraphs):
        if first in found or _DEAR.match(text) is None:
            continue
        for last in range(first, min(len(paragraphs), first + _LONGEST)):
            body = paragraphs[last]
            if _MARKS.search(body) is not None:
                break
            if _YOURS.search(body, max(0, len(body) - _CLOSING)) is not None:
                found.update(range(first, last + 1))
                break
    return frozenset(found)
