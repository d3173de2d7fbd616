"""How much an event turns a story, by its predicate."""

from __future__ import annotations

from types import MappingProxyType

GRAVITY: MappingProxyType[str, float] = MappingProxyType(
    {
        "KILLS": 1.0,
        "DIES": 1.0,
        "BETRAYS": 0.8,
        "ATTACKS": 0.7,
        "SAVES": 0.7,
        "MARRIES": 0.7,
        "FORGIVES": 0.5,
        "LEAVES": 0.5,
        "LEARNS": 0.5,
        "DECEIVES": 0.5,
        "STEALS_FROM": 0.5,
        "HARMS": 0.5,
        "MEETS": 0.4,
        "EMBRACES": 0.3,
        "HELPS": 0.3,
        "INSULTS": 0.3,
    }
)
"""0 (nothing) to 1 (a death), set by hand; predicates not listed weigh nothing."""
