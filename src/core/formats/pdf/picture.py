"""The picture of a PDF's page with words highlighted, as PNG."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....errors import DocumentError
from .reader import opened_pdf

if TYPE_CHECKING:
    from PIL.Image import Image

SCALE = 2.0
"""Pixels a point, of pages that are not too large."""
_LONGEST = 3000  # pixels of a side
_YELLOW = (255, 236, 102)


def page_png(
    data: bytes,
    *,
    page: int,
    marked: Sequence[Sequence[float]],
    shown: Sequence[Sequence[float]] | None = None,
) -> bytes:
    """The page (from 1) with the boxes ``marked`` in yellow, text staying as dark as it is. Boxes are points
    from the top left of the page as it is shown. Where ``shown`` is given, all but those boxes is blank.

    Raises DocumentError where there is no such page, or it cannot be drawn.
    """
    from PIL import Image, ImageChops, ImageDraw
    from pypdfium2 import PdfiumError

    document = opened_pdf(data, "the book")
    try:
        if not 1 <= page <= len(document):
            raise DocumentError(f"the book has pages 1 to {len(document)}, not {page}: choose one of those")
        opened = document[page - 1]
        scale = min(SCALE, _LONGEST / max(*opened.get_size(), 1.0))
        drawn: Image.Image = opened.render(scale=scale, may_draw_forms=False).to_pil().convert("RGB")
    except PdfiumError as error:
        raise DocumentError(f"page {page} cannot be drawn ({error}): get a whole copy of the book") from None
    finally:
        document.close()
    if shown is not None:
        blank = Image.new("RGB", drawn.size, "white")
        for box in shown:
            left, top, right, bottom = (side * scale for side in box)
            where = (max(0, int(left)), max(0, int(top)), round(right), round(bottom))
            blank.paste(drawn.crop(where), where[:2])
        drawn = blank
    marks = Image.new("RGB", drawn.size, "white")
    pen = ImageDraw.Draw(marks)
    for left, top, right, bottom in marked:
        pen.rectangle((left * scale, top * scale, right * scale, bottom * scale), fill=_YELLOW)
    target = io.BytesIO()
    ImageChops.multiply(drawn, marks).save(target, "PNG")
    return target.getvalue()
