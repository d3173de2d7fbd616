"""The text of an HTML page as a reader sees it: paragraphs, headings, scene breaks.

Scripts, styles, forms, navigation, page numbers and what the page itself hides are left out; so are marks of
notes. Pictures give nothing, but for a drop capital's letter. Emphasis leaves no trace.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from .blocks import Converted, TextBlock, block_of, clean_title, markdown_of
from .xml_tree import decoded_markup, html_tree, local

__all__ = ["blocks_of", "html_document"]

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main ol p pre section summary table tbody "
    "tfoot thead tr ul".split()
)
_UNSEEN = frozenset(
    "script style head template noscript svg math object embed iframe audio video canvas map button select "
    "textarea input datalist nav rt rp".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_APART = frozenset({"pagebreak", "noteref", "doc-pagebreak", "doc-noteref", "toc", "doc-toc", "page-list"})
_NOTE_MARK = re.compile(r"\s*(?:\[?\d{1,3}\]?|[*\u2020\u2021]{1,3})\s*\Z")
_EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
_LINE = "\0"  # a line's end that stays; nothing that was parsed holds one


def html_document(data: bytes, name: str, *, encoding: str | None = None) -> Converted:
    """A page's text as Markdown; its title is that of ``<title>``.

    The encoding is that of a byte order mark, else the page's own, else UTF-8, else ``encoding``. Raises
    DocumentError where none of them fits.
    """
    root = html_tree(decoded_markup(data, name, encoding=encoding))
    if root is None:
        return Converted("")
    found = next((one for one in root.iter("title") if one.text), None)
    return Converted(markdown_of(blocks_of(root)), clean_title(found.text if found is not None else None))


def blocks_of(root: Any) -> list[TextBlock]:
    """The blocks under an element of HTML or XHTML, in order. Depth costs no stack; time is linear."""
    flow = _Flow()
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        element, done = stack.pop()
        if done:
            flow.close(element)
        elif isinstance(element.tag, str) and not (_unseen(element) or flow.is_note_mark(element)):
            flow.open(element)
            stack.append((element, True))
            stack.extend((child, False) for child in reversed(element))
            continue
        flow.add(element.tail)
    flow.flush()
    return flow.blocks


class _Flow:
    """Text that runs on until a block begins or ends."""

    def __init__(self) -> None:
        self.blocks: list[TextBlock] = []
        self._parts: list[str] = []
        self._anchors: list[str] = []
        self._level = 0
        self._kept = 0  # depth of elements whose line breaks stay

    def add(self, text: str | None) -> None:
        if text:
            self._parts.append(text.replace("\n", _LINE) if self._kept else text)

    def open(self, element: Any) -> None:
        name = local(element)
        if name in _BLOCKS:
            self.flush()
        for anchor in (element.get("id"), element.get("name") if name == "a" else None):
            if anchor:
                self._anchors.append(anchor)
        if name in _HEADINGS:
            self._level = _HEADINGS[name]
        elif name == "br":
            self._parts.append(_LINE)
        elif name == "hr":
            self._parts.append("***")
            self.flush()
        elif name == "pre":
            self._kept += 1
        elif name in ("td", "th"):
            self._parts.append(" ")
        elif name == "img" and not self._level and len(alt := (element.get("alt") or "").strip()) == 1:
            self._parts.append(alt if alt.isalpha() else "")
        self.add(element.text)

    def close(self, element: Any) -> None:
        name = local(element)
        if name in _BLOCKS:
            self.flush()
        if name in _HEADINGS:
            self._level = 0
        elif name == "pre":
            self._kept -= 1

    def is_note_mark(self, element: Any) -> bool:
        """Is this a link that shows no more than a note's number? In a heading it may be the chapter's."""
        if self._level or local(element) != "a" or "#" not in (element.get("href") or ""):
            return False
        said = "".join(islice(element.itertext(), 8))[:16]
        return bool(_NOTE_MARK.match(said)) and any(part.strip() for part in reversed(self._parts))

    def flush(self) -> None:
        """Ends the block. Two line ends in a row part paragraphs; verse keeps its single ones."""
        lines = [line.strip() for line in "".join(self._parts).split(_LINE)]
        self._parts.clear()
        pieces: list[list[str]] = [[]]
        for line in lines:
            if line:
                pieces[-1].append(line)
            elif pieces[-1]:
                pieces.append([])
        if self._level:
            pieces = [[line for piece in pieces for line in piece]]
        for piece in pieces:
            made = block_of(piece, level=self._level, anchors=self._anchors)
            if made is not None:
                self.blocks.append(made)
                self._anchors.clear()


def _unseen(element: Any) -> bool:
    if local(element) in _UNSEEN or element.get("hidden") is not None:
        return True
    if _HIDDEN.search(element.get("style") or ""):
        return True
    said = f"{element.get(_EPUB_TYPE) or ''} {element.get('epub:type') or ''} {element.get('role') or ''}"
    return not _APART.isdisjoint(said.split())
