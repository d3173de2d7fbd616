"""How long a recap may be."""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["LENGTHS", "Length"]

Length = Literal["short", "medium", "long"]
LENGTHS: tuple[Length, ...] = get_args(Length)
