"""How much a passage matters to the story, 1 to 10, as a sum that a reader can check; and its key events."""

from __future__ import annotations

import re

from ...core.types import Span
from ..model.chapter_reading import ChapterReading, Happening

LOWEST, HIGHEST = 1, 10
REVELATION = 2
EVENT, GRAVE_EVENT = 1, 3
SURE = 0.5
"""With less confidence than this an event does not count."""

_GRAVE = frozenset({"DIES", "KILLS"})
_SUFFERED = _GRAVE | {"ATTACKS", "BETRAYS", "DECEIVES", "SAVES"}
_DONE = frozenset({"FORGIVES", "MARRIES", "LEAVES", "STEALS_FROM"})
_NEARLY = re.compile(
    r"\b(?:almost|nearly|all but|half) (?:\w+ )?(?:kill|murder|shot|dead|dying|died)", re.IGNORECASE
)


def importance(
    *,
    characters: int,
    revelation: bool = False,
    dialogue: bool = False,
    action: bool = False,
    events: int = 0,
    grave: bool = False,
) -> int:
    """From 1 (nobody, and nothing happens): +1 with a character, +1 more with more than two, +2 for a
    revelation, +1 for dialogue, +1 for action, +1 for a key event, or +3 where one is ``grave``: somebody
    dies. All of it together is 10."""
    points = LOWEST + (characters > 0) + (characters > 2) + dialogue + action
    points += REVELATION if revelation else 0
    points += GRAVE_EVENT if grave else EVENT if events else 0
    return min(points, HIGHEST)


def key_events(body: str, reading: ChapterReading) -> list[tuple[Span, bool]]:
    """Deaths, killings, attacks, betrayals, deceptions, rescues, pardons, weddings, partings and thefts that
    the text vouches for (what is planned, denied, reported or imagined is left out), in order: where in the
    body each is told, and whether it is grave."""
    return sorted(
        (happening.evidence[0], happening.predicate in _GRAVE)
        for happening in reading.happenings
        if happening.modality.happened and happening.confidence >= SURE and _befalls(happening)
        if not _NEARLY.search(" ".join(happening.evidence[0].of(body).split()))
    )


def _befalls(happening: Happening) -> bool:
    """Is it a key event of which enough is told: whom it befell, and who did it where that matters?"""
    if happening.patient is None:
        return False
    by_somebody = happening.agent is not None and happening.predicate in _DONE
    return by_somebody or happening.predicate in _SUFFERED
