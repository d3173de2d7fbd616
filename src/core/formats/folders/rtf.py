"""Rich text (RTF 1.9) as Scrivener keeps it: paragraphs, without the author's comments and notes."""

from __future__ import annotations

import re

from ....errors import DocumentError
from ...text.markdown import without_between
from ..blocks import TextBlock, block_of, markdown_of

# A comment or a link is a field whose result is the text it hangs on; that text alone is kept.
_FIELD = re.compile(
    r'\{\\field\s*\{\\\*\\fldinst\s*\{?\s*HYPERLINK\s+"[^"{}]{0,2000}"\s*\}?\s*\}\s*\{\\fldrslt\b'
)
_STYLE_MARK = re.compile(r"<!?\$Scr_[A-Za-z]{1,8}::\d{1,6}>")
_UNFIT = re.compile("[\ufffc\x0b\x0c]")  # pictures' places, line and page breaks


def rtf_paragraphs(data: bytes, name: str) -> str:
    """The text as Markdown, a paragraph each. Raises DocumentError for what is no RTF."""
    from striprtf.striprtf import rtf_to_text

    said = data.decode("cp1252", "replace")
    if not said.lstrip("\ufeff \r\n\t").startswith("{\\rtf"):
        raise DocumentError(f"{name} is damaged (no rich text): get a whole copy of it")
    try:
        text: str = rtf_to_text(_FIELD.sub("{{", said), errors="replace")
    except (ValueError, IndexError, LookupError, OverflowError) as error:
        raise DocumentError(f"{name} is damaged ({error}): get a whole copy of it") from None
    text = _UNFIT.sub("\n", text)
    for kind in ("annot", "fn"):  # comments and footnotes, which are the author's, not the story's
        text = without_between(text, f"{{\\Scrv_{kind}", f"\\end_Scrv_{kind}}}", lines=False)
    text = _STYLE_MARK.sub("", text)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # halves that stand as two
    blocks: list[TextBlock] = [made for line in text.split("\n") if (made := block_of([line])) is not None]
    return markdown_of(blocks)
