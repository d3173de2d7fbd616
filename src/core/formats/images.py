"""Pictures, drawn in a process of their own as their files come from outside: those that are given, no larger
than a page shows and without metadata (a photograph may say where it was taken), and pages of a PDF."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import DocumentError
from ..types import Box
from .converting import IMAGE, PAGE, ReadingLimits, in_process

MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class DrawnImage:
    """``data`` is PNG where the picture has transparent parts, else JPEG; ``ending`` is ``.png`` or ``.jpg``.
    ``width`` and ``height`` are pixels."""

    data: bytes
    ending: str
    width: int
    height: int


def image_file(path: Path) -> bytes:
    """What is in a file. Raises DocumentError where it cannot be read, or is too large for a picture."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _too_large(path.name, path.stat().st_size)
        return path.read_bytes()
    except OSError as error:
        raise DocumentError(f"{path} cannot be read ({error.strerror or error}): name a picture") from error


def _too_large(name: str, size: int) -> DocumentError:
    most = MOST_BYTES / 1e6
    return DocumentError(f"{name} has {size / 1e6:,.0f} MB, at most {most:,.0f} are taken: save it smaller")


def draw_image(data: bytes, name: str, *, limits: ReadingLimits | None = None) -> DrawnImage:
    """The first picture of a file. Raises DocumentError where it is none that can be read within the limits;
    costs the start of a process."""
    if len(data) > MOST_BYTES:
        raise _too_large(name, len(data))
    said = in_process(data, name, {"kind": IMAGE}, limits=limits)
    return DrawnImage(base64.b64decode(said["data"]), said["ending"], said["width"], said["height"])


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
