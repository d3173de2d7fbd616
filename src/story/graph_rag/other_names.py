"""Other names that a text gives somebody beside the first.

"John Dawkins, otherwise the Artful Dodger", "Hale, alias Vane", "Anne Hale, now Mrs. Vane,".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...core.types import Span
from ..reading import Mention
from ..types import EntityKind
from .telling import KnownSoFar, ToldChapter

__all__ = ["other_names"]

_LONGEST = 40  # characters between the two names
_KNOWN = r"(?:(?:known|called|named)(?:\s+as)?|surnamed|nicknamed|styled)"
_SAYS_SO = re.compile(
    rf"\s?[,(]?\s*(?:otherwise|alias|(?:otherwise|better|also|commonly|generally|usually|familiarly)\s+{_KNOWN}"
    r"|nicknamed)\s+[\"“‘']?(?:the\s+)?"
)
_ONCE = re.compile(r"\s?[,(]\s*(?:late|formerly|née|nee|now|once|afterwards)\s+")
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
        told_so = _SAYS_SO.fullmatch(between) or (_ONCE.fullmatch(between) and after in _CLOSES)
        if told_so and state.root(first) != state.root(second):
            yield state.root(first), state.root(second), other.sentence
