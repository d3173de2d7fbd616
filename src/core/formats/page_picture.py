"""Pages of a PDF as pictures, drawn in a process of their own: the file comes from outside."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from ..types import Box
from .converting import PAGE, ReadingLimits, in_process


def draw_page(
    data: bytes,
    name: str,
    *,
    page: int,
    marked: Sequence[Box],
    shown: Sequence[Box] | None = None,
    limits: ReadingLimits | None = None,
) -> bytes:
    """The page (from 1) as PNG, see :func:`.pdf.picture.page_png`. Raises DocumentError where it cannot be
    drawn within the limits; costs the start of a process."""
    picture = {"page": page, "marked": list(marked), "shown": None if shown is None else list(shown)}
    said = in_process(data, name, {"kind": PAGE, "picture": picture}, limits=limits)
    return base64.b64decode(said["png"])
