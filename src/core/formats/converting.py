"""Files that have to be converted to text are read in a process of their own, which limits end.

A small file can be made so that reading it takes hours, or all memory: then it is the process that goes, with
one line to say so, and whoever asked goes on. ``python -m fabula.core.formats.converting`` is that process:
it takes its order and the file on stdin, and answers on stdout with one JSON object.

Pictures come from outside as well: those that are given are drawn no larger than a page shows and without
metadata (a photograph may say where it was taken).
"""

from __future__ import annotations

import base64
import io
import json
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...errors import DocumentError
from ..types import Box, Chapter, Span
from .blocks import AuthorNote, Converted

PAGE = "page"
"""The kind of an order for the picture of a PDF's page, where others are endings of files."""
IMAGE = "image"
"""The kind of an order for a picture, drawn anew."""
_LARGEST_SIDE = 1600  # pixels
_MOST_PIXELS = 64_000_000
_READ = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """``seconds`` of computing (twice as many may pass) and ``memory_mb`` for one file."""

    seconds: float = 60.0
    memory_mb: int = 1200


def convert(
    data: bytes, name: str, *, kind: str, encoding: str | None = None, limits: ReadingLimits | None = None
) -> Converted:
    """The text of a file of the ``kind`` ``.epub``, ``.docx``, ``.fdx``, ``.pdf``, ``.html``, or ``.zip``.
    Raises DocumentError where it cannot be read within the limits, or at all; costs the start of a process.
    """
    said = in_process(data, name, {"kind": kind, "encoding": encoding}, limits=limits)
    chapters = (
        Chapter(one["number"], one["title"], Span(**one["heading"]), Span(**one["body"]))
        for one in said["chapters"]
    )
    places, notes = base64.b64decode(said["places"]), (AuthorNote(**one) for one in said["notes"])
    return Converted(said["text"], said["title"], tuple(chapters), places, said["warning"], tuple(notes))


def in_process(
    data: bytes, name: str, order: Mapping[str, Any], *, limits: ReadingLimits | None = None
) -> dict[str, Any]:
    """What the process answers to an order about a file. Raises DocumentError as :func:`convert`."""
    most = limits or ReadingLimits()
    whole = {**order, "name": name, "seconds": most.seconds, "memory": most.memory_mb * 1024**2}
    sent = json.dumps(whole).encode() + b"\n" + data
    command = [sys.executable, "-P", "-m", __name__]
    try:
        ran = subprocess.run(  # noqa: S603 (our own interpreter and module)
            command, input=sent, stdout=subprocess.PIPE, timeout=2 * most.seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise _too_long(name, most) from None
    if ran.returncode in _ENDED:
        raise _too_long(name, most)
    if ran.returncode:
        problem = f"is damaged, or takes more than {most.memory_mb:,} MB of memory to read"
        raise DocumentError(f"{name} {problem}: {_WAY_OUT}")
    said: dict[str, Any] = json.loads(ran.stdout)
    if "wrong" in said:
        raise DocumentError(said["wrong"])
    return said


_ENDED = (-24, -9)  # SIGXCPU, and SIGKILL where that was not enough
_WAY_OUT = "take the book as .txt, or give more in the settings [documents]"


def _too_long(name: str, most: ReadingLimits) -> DocumentError:
    return DocumentError(f"{name} takes more than {most.seconds:g} s to read: {_WAY_OUT}")


# --- the process -------------------------------------------------------------------------------------


def main() -> None:
    """The process itself: gives what was ordered, or ``wrong`` with what is wrong with the file. It does
    not return: it exits with 0, and with 1 where memory ran out or whoever started it is gone."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no answer
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    order = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    _limit(order["seconds"], order["memory"])
    try:
        said = _answer(data, order)
    except DocumentError as error:
        said = {"wrong": str(error)}
    except MemoryError:
        os._exit(1)
    json.dump(said, out)
    out.close()
    os._exit(0)


def _answer(data: bytes, order: Mapping[str, Any]) -> dict[str, Any]:
    if order["kind"] == PAGE:
        from .pdf.reader import page_png

        return {"png": base64.b64encode(page_png(data, **order["picture"])).decode()}
    if order["kind"] == IMAGE:
        return _drawn(data, order["name"])
    found = _read(data, order["name"], order["kind"], order["encoding"])
    return {**asdict(found), "places": base64.b64encode(found.places).decode()}


def _drawn(data: bytes, name: str) -> dict[str, Any]:
    """The fields of a :class:`.images.DrawnImage`, its data in base64."""
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(data), formats=_READ) as opened:
            width, height = opened.size
            if width * height > _MOST_PIXELS:
                raise DocumentError(f"{name} has {width} × {height} pixels: save it smaller")
            shown = ImageOps.exif_transpose(opened)
            clear = shown.mode in ("RGBA", "LA", "PA") or "transparency" in shown.info
            shown = shown.convert("RGBA" if clear else "RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        kinds = ", ".join(_READ)
        raise DocumentError(f"{name} is no picture that can be read ({kinds}): {error}") from error
    shown.thumbnail((_LARGEST_SIDE, _LARGEST_SIDE))
    out = io.BytesIO()
    if clear:
        shown.save(out, "PNG")
    else:
        shown.save(out, "JPEG", quality=88)
    return {
        "data": base64.b64encode(out.getvalue()).decode(),
        "ending": ".png" if clear else ".jpg",
        "width": shown.width,
        "height": shown.height,
    }


def _read(data: bytes, name: str, kind: str, encoding: str | None) -> Converted:
    """Each kind's reader is loaded when such a file comes."""
    if kind == ".epub":
        from .epub import epub_document

        return epub_document(data, name, encoding=encoding)
    if kind == ".docx":
        from .word.reader import docx_document

        return docx_document(data, name)
    if kind == ".pdf":
        from .pdf.reader import pdf_document

        return pdf_document(data, name)
    if kind == ".fdx":
        from .final_draft import final_draft_document

        return final_draft_document(data, name)
    if kind == ".zip":
        from .folders.packing import folder_document

        return folder_document(data, name)
    from .html import html_document

    return html_document(data, name, encoding=encoding)


def _limit(seconds: float, memory: int) -> None:
    """Where the system has such limits; the clock of whoever started this holds everywhere."""
    with suppress(ImportError):
        import resource

        cpu = max(1, math.ceil(seconds))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


if __name__ == "__main__":
    main()


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
