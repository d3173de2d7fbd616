"""How much a passage matters to the story, 1 to 10, as a sum that a reader can check."""

from __future__ import annotations

__all__ = ["HIGHEST", "LOWEST", "importance"]

LOWEST, HIGHEST = 1, 10
REVELATION = 2
EVENT, GRAVE_EVENT = 1, 3


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
