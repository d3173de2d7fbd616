"""A picture drawn anew: what :mod:`.images` asks of a process of its own."""

from __future__ import annotations

import base64
import io

from ...errors import DocumentError

LARGEST_SIDE = 1600
"""Pixels of the longer side."""
_MOST_PIXELS = 64_000_000
_READ = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")


def drawn(data: bytes, name: str) -> dict[str, str | int]:
    """What the process answers: the fields of a :class:`.images.DrawnImage`, its data in base64."""
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
    shown.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
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
