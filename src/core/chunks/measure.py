"""How long a piece of text is: in characters, or in the tokens of an embedding model."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Protocol


class Measure(Protocol):
    """Lengths inside one text, of the stretch from ``start`` to ``end`` (offsets in characters)."""

    def length(self, start: int, end: int) -> int:
        """How long the stretch is."""
        ...

    def back(self, end: int, most: int) -> int:
        """Where the longest stretch begins that ends at ``end`` and is at most ``most`` long."""
        ...

    def ahead(self, start: int, most: int) -> int:
        """Where the longest stretch ends that begins at ``start`` and is at most ``most`` long."""
        ...


class Characters:
    """A character is one."""

    def length(self, start: int, end: int) -> int:
        """Characters."""
        return end - start

    def back(self, end: int, most: int) -> int:
        """So many before ``end``."""
        return end - most

    def ahead(self, start: int, most: int) -> int:
        """So many after ``start``."""
        return start + most


CHARACTERS = Characters()


class Tokens:
    """Tokens that begin in the stretch. ``starts`` are the offsets at which the text's tokens begin,
    ascending."""

    def __init__(self, starts: Sequence[int], end: int) -> None:
        self._starts = starts
        self._end = end

    @classmethod
    def of(cls, text: str, start: int, end: int, *, offsets: Callable[[str], Sequence[int]]) -> Tokens:
        """Those of ``text[start:end]``; ``offsets`` gives where the tokens of a text begin in it."""
        return cls([start + at for at in offsets(text[start:end])], end)

    def length(self, start: int, end: int) -> int:
        """Tokens."""
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)

    def back(self, end: int, most: int) -> int:
        """The beginning of the ``most``-th token before ``end``."""
        at = bisect_left(self._starts, end) - most
        return self._starts[at] if 0 <= at < len(self._starts) else end if at > 0 else 0

    def ahead(self, start: int, most: int) -> int:
        """The beginning of the token after so many."""
        at = bisect_left(self._starts, start) + most
        return self._starts[at] if at < len(self._starts) else self._end
