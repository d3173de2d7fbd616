"""How well a character acts by others, and whether they come to act better or worse."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from ..views.acts import Act
from .measures import strength_of

MORAL: MappingProxyType[str, int] = MappingProxyType(
    {
        "HELPS": 1,
        "SAVES": 1,
        "FORGIVES": 1,
        "GIVES_TO": 1,
        "KILLS": -1,
        "ATTACKS": -1,
        "BETRAYS": -1,
        "DECEIVES": -1,
        "STEALS_FROM": -1,
    }
)
"""What is done to another's good (1) or harm (-1). Partings and weddings are neither."""


def deed_change(entity: str, happened: Iterable[Act], *, since: int) -> float:
    """-1 to 1: half of how much better the entity's own deeds are after chapter ``since`` than those up to
    it; 0 where it does neither good nor harm after it.

    Each side is ``strength_of`` the signs weighed by confidence, so one deed is no character: a first
    killing gives ``-1 / 1.5 / 2``. What a flashback tells is left out.
    """
    before: list[float] = []
    after: list[float] = []
    for act in happened:
        sign = MORAL.get(act.predicate, 0)
        if sign and entity in act.agents and not act.flashback:
            (before if act.record.told <= since else after).append(sign * act.record.confidence)
    return (strength_of(after) - strength_of(before)) / 2 if after else 0.0
