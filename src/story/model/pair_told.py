"""What a chapter shows of two characters: the record that a reader of pairs adds up."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.types import Evidence


@dataclass(frozen=True, slots=True)
class Ground:
    """A quote speaks for two being ``what`` to each other, so strongly (log-odds); ``turned``: seen from the
    second."""

    what: str
    turned: bool
    weight: float


@dataclass(frozen=True, slots=True)
class PairTold:
    """What a chapter showed of two characters, ``one`` the lesser id: what ``pairs.pair_model`` adds up.

    ``meetings`` counts by ``pairs.windows.KINDS``, seen from ``one``; ``words`` are (feature, count) of these
    windows; ``nouns`` are (noun, so many sixtieths as ``one``'s with ``other`` near, and as ``other``'s);
    ``near`` the same of any noun. ``grounds`` says of each quote what it speaks for.
    """

    one: str
    other: str
    told: int
    meetings: tuple[int, ...]
    words: tuple[tuple[int, int], ...]
    nouns: tuple[tuple[int, int, int], ...]
    near: tuple[int, int]
    evidence: tuple[Evidence, ...]
    grounds: tuple[tuple[Ground, ...], ...]
