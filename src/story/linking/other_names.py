"""Other names that a text gives somebody beside the first.

"John Dawkins, otherwise the Artful Dodger", "Hale, alias Vane", "Anne Hale, now Mrs. Vane,", "Lady Vane (Aunt
Charlotte)", "Lady Vane, your Aunt Charlotte,".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...core.types import Span
from ..model.chapter_reading import Mention
from ..model.types import EntityKind
from .state import KnownSoFar, ToldChapter

__all__ = ["other_names"]

_LONGEST = 40  # characters between the two names
_KNOWN = r"(?:(?:known|called|named)(?:\s+as)?|surnamed|nicknamed|styled)"
_SAYS_SO = re.compile(
    rf"\s?[,(]?\s*(?:otherwise|alias|(?:otherwise|better|also|commonly|generally|usually|familiarly)\s+{_KNOWN}"
    r"|nicknamed)\s+[\"“‘']?(?:the\s+)?"
)
_ONCE = re.compile(r"\s?[,(]\s*(?:late|formerly|née|nee|now|once|afterwards)\s+")
_WHOSE = r"(?:my|your|his|her|our|their)\s+"
_AUNT = r"(?:Aunt|Uncle)\s+\w+"
_TITLED = r"(?:Mrs|Mr|Lady|Sir|Miss)\b\.?\s+\w+(?:\s+\w+)?"
_KIN_TOO = re.compile(
    rf"(?:{_AUNT},\s+{_TITLED}|{_TITLED},\s+{_WHOSE}{_AUNT})(?=[.;:)!?]|,(?!\s+(?:and|or)\b))"
)
_BEFORE_KIN = re.compile(rf"(?i:\b{_WHOSE})$")
_CLOSES = frozenset(",.;:)!?")


def other_names(
    told: ToldChapter, mentions: Sequence[Mention], ids: Sequence[str | None], state: KnownSoFar
) -> Iterator[tuple[str, str, Span]]:
    """(entity, entity, the sentence) for each two names of people that only such words stand between, where
    the two are not one already."""
    text, start = told.document.text, told.chapter.body.start
    for i in range(1, len(mentions)):
        one, other = mentions[i - 1], mentions[i]
        if not 0 < other.span.start - one.span.end <= _LONGEST or one.sentence != other.sentence:
            continue
        first, second = ids[i - 1], ids[i]
        people = one.kind is EntityKind.CHARACTER and other.kind is EntityKind.CHARACTER
        if not people or first is None or second is None:
            continue
        between = text[start + one.span.end : start + other.span.start]
        after = text[start + other.span.end : start + other.span.end + 1]
        in_brackets = between == " (" and after == ")" and " " in one.surface and " " in other.surface
        whole = (start + one.span.start, start + other.span.end)
        told_so = (
            in_brackets
            or _of_their_kin(text, whole, between)
            or _SAYS_SO.fullmatch(between)
            or (_ONCE.fullmatch(between) and after in _CLOSES)
        )
        if told_so and state.root(first) != state.root(second):
            yield state.root(first), state.root(second), other.sentence


def _of_their_kin(text: str, whole: tuple[int, int], between: str) -> bool:
    """Like "his Aunt Charlotte, Lady Vane," and "Lady Vane, your Aunt Charlotte,": what she is to them and
    what she is to the world."""
    start, stop = whole
    found = _KIN_TOO.match(text, start) if "," in between else None
    if found is None or found.end() != stop:
        return False
    return text.startswith(("Mr", "Mrs", "Lady", "Sir", "Miss"), start) or bool(
        _BEFORE_KIN.search(text, max(0, start - _LONGEST), start)
    )
