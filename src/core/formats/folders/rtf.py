"""Rich text (RTF 1.9) as Scrivener keeps it: paragraphs, without the author's comments and notes."""

from __future__ import annotations

import re

from ....errors import DocumentError
from ..blocks import TextBlock, block_of, markdown_of

# A comment or a link is a field whose result is the text it hangs on; that text alone is kept.
_FIELD = re.compile(
    r'\{\\field\s*\{\\\*\\fldinst\s*\{?\s*HYPERLINK\s+"[^"{}]{0,2000}"\s*\}?\s*\}\s*\{\\fldrslt\b'
)
_NOTE = re.compile(r"\{\\Scrv_(annot|fn)\b")
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
    text = _STYLE_MARK.sub("", _without_notes(_UNFIT.sub("\n", text)))
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # halves that stand as two
    blocks: list[TextBlock] = [made for line in text.split("\n") if (made := block_of([line])) is not None]
    return markdown_of(blocks)


def _without_notes(text: str) -> str:
    """Without what stands from ``{\\Scrv_annot`` to ``\\end_Scrv_annot}``, which is the author's, not the
    story's; footnotes too."""
    kept, at = [], 0
    while found := _NOTE.search(text, at):
        closing = f"\\end_Scrv_{found[1]}}}"
        end = text.find(closing, found.end())
        if end < 0:
            break
        kept.append(text[at : found.start()])
        at = end + len(closing)
    return "".join([*kept, text[at:]])
