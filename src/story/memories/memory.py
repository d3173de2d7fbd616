"""Semantic memory of a story: what is known of one character, one thing that the codex lays down, or
the caption of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from ...core.types import Evidence

Collection = Literal["chapters", "characters", "codex", "pictures"]
"""What is searched: passages of the chapters, profiles of the characters, what the codex lays down, captions
of pictures."""
COLLECTIONS: tuple[Collection, ...] = get_args(Collection)
MemoryKind = Literal["profile", "rule", "description", "fact", "picture"]


@dataclass(frozen=True, slots=True)
class Memory:
    """``text`` is what is searched; ``now``, which changes with every chapter, is only shown beside it.

    ``key`` is the entity's id, for a rule its place in the codex (``"rule:1"``, from 1), for
    a picture its id. ``evidence`` are quotes of the book, or of the codex (see
    :data:`..codex.codex.CODEX_ID`), told up to the horizon that the memory was made at; a picture has none:
    its caption is the author's word.
    """

    kind: MemoryKind
    key: str
    name: str
    text: str
    evidence: tuple[Evidence, ...]
    now: str = ""

    @property
    def words(self) -> str:
        """All of it."""
        return f"{self.text} {self.now}".strip()
