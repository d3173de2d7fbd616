"""Pictures from outside, drawn anew in a process of their own: no larger than a page shows, without metadata
(a photograph may say where it was taken)."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path

from ...errors import DocumentError
from .converting import IMAGE, ReadingLimits, in_process

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
