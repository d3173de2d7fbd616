"""What a command answers: plain data for programs, text for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Answer"]


@dataclass(frozen=True, slots=True)
class Answer:
    """``data`` is plain JSON data, ``text`` the same for a terminal."""

    data: Any
    text: str
