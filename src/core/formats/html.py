"""The text of an HTML page as a reader sees it: paragraphs, headings, scene breaks.

Scripts, styles, forms, navigation, page numbers and what the page itself hides are left out; so are notes
and their marks, and what sites of fan fiction put around a chapter. Pictures give nothing, but for a drop
capital's letter and the words of a heading that is one. Emphasis leaves no trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..chapters.headings import Rank, read_as
from .blocks import SCENE_BREAK, Converted, TextBlock, block_of, clean_title, markdown_of
from .xml_tree import decoded_markup, html_tree, local

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
_FILE = re.compile(r"\.\w{3,4}\Z|\b(?:image|picture|ornament|decoration|cover)\b", re.IGNORECASE)
_EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
_APART = re.compile(r"(?:doc-)?(?:pagebreak|noteref|toc|page-list|(?:foot|end|rear)notes?)")
_NOTES = re.compile(
    r"(?:mso)?(?:foot|end|rear)-?_?notes?(?:-?_?(?:text|list|item|body|block|area|section|sep))?"
)
_NOTE_MARK = re.compile(r"\s*(?:\[?\d{1,3}\]?\.?|[*\u2020\u2021]{1,3})\s*\Z")
_LABEL = re.compile(r"\s*(?:chapter\s+)?(?:end\s+)?(?:notes?|summary)\s*:?\s*\Z", re.IGNORECASE)
_ELSEWHERE = re.compile(r"\s*\(?see the end of the (?:chapter|work) for\b.{0,40}\Z", re.IGNORECASE)
_PARAGRAPHS = ("p", "li", "div", "dd", "td", "blockquote")
_BESIDE = ("aside", "footer", "label")
_ARCHIVE = ("preface", "afterword")
_LINE = "\0"  # a line's end that stays; nothing that was parsed holds one


def html_document(data: bytes, name: str, *, encoding: str | None = None) -> Converted:
    """A page's text as Markdown; its title is that of ``<title>``.

    ``encoding`` is for pages that do not fit the one they declare. Raises DocumentError for what is no text.
    """
    root = html_tree(decoded_markup(data, name, encoding=encoding))
    if root is None:
        return Converted("")
    told = next(root.iter("main", "article"), None)
    for beside in () if told is None else set(root.iter(*_BESIDE)).difference(told.iter(*_BESIDE)):
        beside.set("hidden", "")
    found = next((one for one in root.iter("title") if one.text), None)
    return Converted(markdown_of(blocks_of(root)), clean_title(found.text if found is not None else None))


def blocks_of(root: Any) -> list[TextBlock]:
    """The blocks under an element of HTML or XHTML, in order. Depth costs no stack; time is linear."""
    flow = _Flow()
    apart = _asides(root)
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        element, done = stack.pop()
        if done:
            flow.close(element)
        elif isinstance(element.tag, str):
            noted = element in apart or _is_apart(element)
            if noted and local(element) in _BLOCKS:
                flow.leave_out()
            elif not (noted or _unseen(element) or flow.is_note_mark(element)):
                flow.open(element)
                stack.append((element, True))
                stack.extend((child, False) for child in reversed(element))
                continue
            elif local(element) == "svg":
                flow.draw(element)
        flow.add(element.tail)
    flow.flush()
    return flow.blocks[:-1] if flow.ends_with_line else flow.blocks


class _Flow:
    """Text that runs on until a block begins or ends."""

    def __init__(self) -> None:
        self.blocks: list[TextBlock] = []
        self._parts: list[str] = []
        self._anchors: list[str] = []
        self._pictures: list[str] = []
        self._noted = -1  # how many blocks stood before the last note
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
        elif name in ("img", "image"):
            alt = (element.get("alt") or element.get("title") or "").strip()
            if len(alt) != 1:
                self._pictures.append(alt)
            elif not self._level and alt.isalpha():
                self._parts.append(alt)
        self.add(element.text)

    def draw(self, svg: Any) -> None:
        """What a drawing is called, or else says."""
        drawn = [one for one in svg.iter() if isinstance(one.tag, str)]
        called = (
            "".join(one.itertext()) for name in ("title", "text") for one in drawn if local(one) == name
        )
        self._pictures.append(next((" ".join(words.split()) for words in called if words.strip()), ""))

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
        within = not self._level and any(part.strip() for part in reversed(self._parts))
        return within and _shows_note_mark(element)

    def leave_out(self) -> None:
        """A note stands here, which ends the block."""
        self.flush()
        self._noted = len(self.blocks)

    @property
    def ends_with_line(self) -> bool:
        """Is the last thing a line above notes?"""
        return self._noted == len(self.blocks) > 0 and self.blocks[-1].text == SCENE_BREAK

    def flush(self) -> None:
        """Ends the block. Two line ends in a row part paragraphs; verse keeps its single ones."""
        lines = [line.strip() for line in "".join(self._parts).split(_LINE)]
        self._parts.clear()
        level = self._level
        if not any(lines) and (alt := " ".join(filter(None, self._pictures))) and not _FILE.search(alt):
            heading = read_as(alt)
            level = level or (2 if heading and heading.rank in (Rank.CHAPTER, Rank.CONTAINER) else 0)
            lines = [alt] if level else lines
        self._pictures.clear()
        pieces: list[list[str]] = [[]]
        for line in lines:
            if line:
                pieces[-1].append(line)
            elif pieces[-1]:
                pieces.append([])
        if level:
            pieces = [[line for piece in pieces for line in piece]]
        for piece in pieces:
            made = block_of(piece, level=level, anchors=self._anchors)
            if made is not None:
                self.blocks.append(made)
                self._anchors.clear()


def _unseen(element: Any) -> bool:
    if local(element) in _UNSEEN or element.get("hidden") is not None:
        return True
    return bool(_HIDDEN.search(element.get("style") or ""))


# --- asides ------------------------------------------------------------------------------------------


def _is_apart(element: Any) -> bool:
    """Does the element call itself a note, a mark of one, a page number or a table of contents?"""
    said = f"{element.get(_EPUB_TYPE) or ''} {element.get('epub:type') or ''} {element.get('role') or ''}"
    called = f"{element.get('class') or ''} {element.get('id') or ''}".lower().split()
    return any(map(_APART.fullmatch, said.split())) or any(map(_NOTES.fullmatch, called))


def _shows_note_mark(element: Any) -> bool:
    """Is this a link within the book that shows no more than a note's number?"""
    if local(element) != "a" or "#" not in (element.get("href") or ""):
        return False
    return bool(_NOTE_MARK.match(_beginning(element)))


def _asides(root: Any) -> set[Any]:
    """The elements of a page that are asides by what stands around them: notes that link back to their mark,
    remarks in a quotation under their label, and the first and last part of a page of the Archive of Our Own
    but for the title. Linear in the page's length."""
    found = set(_notes_linked_back(root))
    archived = any(
        "userstuff" in (one.get("class") or "") or "archiveofourown.org" in (one.get("href") or "")
        for one in root.iter()
    )
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        name, next_ = local(element), element.getnext()
        if name in ("p", "h3", "h4") and _LABEL.match(_beginning(element)):
            if next_ is not None and local(next_) == "blockquote":
                found |= {element, next_}
        elif name in ("p", "div") and _ELSEWHERE.match(_beginning(element)):
            found.add(element)
        elif archived and element.get("id") in _ARCHIVE:
            title = next((one for one in element.iter() if local(one) == "h1"), None)
            kept = () if title is None else (*title.iter(), *title.iterancestors())
            found.update(set(element.iter()).difference(kept))
    return found


def _notes_linked_back(root: Any) -> Iterator[Any]:
    """The paragraphs of notes that link to a mark before them which links to them."""
    marks: dict[str, Any] = {}
    for link in root.iter():
        if not isinstance(link.tag, str) or local(link) != "a":
            continue
        own = set(_names(link))
        mark = marks.get((link.get("href") or "").rpartition("#")[2])
        if mark is not None and mark.get("href").rpartition("#")[2] in own:
            block = next((one for one in link.iterancestors() if local(one) in _PARAGRAPHS), None)
            whole = block is not None and block not in mark.iterancestors()
            if whole and not _NOTE_MARK.match(_beginning(block)):
                yield block
        elif _shows_note_mark(link):
            marks.update(dict.fromkeys(own, link))


def _names(link: Any) -> Iterator[str]:
    """What a link to it may call it: its own name, that of an anchor before it, of what it stands in."""
    before = link.getprevious()
    for one in (link, before, *islice(link.iterancestors(), 3)):
        if one is not None:
            yield from filter(None, (one.get("id"), one.get("name")))


def _beginning(element: Any) -> str:
    return "".join(islice(element.itertext(), 8))[:99]
