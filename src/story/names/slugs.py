"""Ids made of names."""

from __future__ import annotations

import re
from collections import Counter


def slug_of(name: str) -> str:
    """The name in lower case with dashes."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "entity"


class Slugs:
    """Ids made of names (lower case and dashes), each given once: numbered from 2 where another has it."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._given: Counter[str] = Counter()

    def fresh(self, name: str) -> str:
        """An id of this name that was not given before."""
        base = found = slug_of(name)
        while found in self._taken:
            self._given[base] += 1
            found = f"{base}-{self._given[base] + 1}"
        self._taken.add(found)
        return found
