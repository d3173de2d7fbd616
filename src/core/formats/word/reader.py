"""The text of a Word document (.docx): paragraphs, headings by their styles, scene breaks.

Read are the document's body, the names of its styles and the numbers of its headings, nothing else: no macro,
picture, note, comment, header or footer. Tracked deletions are left out, deleted ends of paragraphs too;
tracked insertions belong to the text; so do the cells of tables and text boxes, in paragraphs of their own.
Hidden text is left out. Where no style says what a heading is, short lines of one look are headings if three
of them begin a page.

The labels that Word sets before numbered paragraphs ("Chapter 3") stand in no paragraph's text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ....errors import DocumentError
from ...chapters.numerals import in_roman
from ..archive import Archive
from ..blocks import Converted, TextBlock, block_of, clean_title, markdown_of
from ..xml_tree import local, xml_tree

_BODY = "word/document.xml"
_STYLES = "word/styles.xml"
_NUMBERING = "word/numbering.xml"
_CORE = "docProps/core.xml"
_PAGE = "\f"  # stands for a page break among a paragraph's characters
_SHORT = 60  # characters of a line that may be a heading by its look
_HEADING = re.compile(r"heading ([1-9])\Z", re.IGNORECASE)
_PASSED = frozenset({"del", "movefrom", "drawing", "pict", "object", "fallback", "instrtext", "deltext"})
_TITLE = 0  # the level of a style called Title; headings are 1 to 9


def docx_document(data: bytes, name: str) -> Converted:
    """The document's text as Markdown. A first paragraph in the style Title is its title, else what its
    properties say.

    Raises DocumentError for an archive that is damaged, hostile or encrypted, and for one that is no Word
    document.
    """
    if data.startswith(b"\xd0\xcf\x11\xe0"):  # an OLE file: how Word encrypts, and its format before 2007
        raise DocumentError(f"{name} is encrypted or of an old format: save it as .docx without a password")
    archive = Archive(data, name)
    if _BODY not in archive:
        raise DocumentError(f"{name} is no Word document (it lacks {_BODY}): save the story as .docx or .txt")
    styles = xml_tree(archive.read(_STYLES), name) if _STYLES in archive else ()
    numbering = Numbering(xml_tree(archive.read(_NUMBERING), name) if _NUMBERING in archive else None)
    said: list[str] = []
    blocks: list[TextBlock] = []
    paragraphs = _read(
        xml_tree(archive.read(_BODY), name), _levels(styles), numbering, _numbered_styles(styles)
    )
    for one in _with_headings(list(paragraphs)):
        made = block_of(one.lines, level=min(one.level or 0, 6))
        if made is not None and one.level == _TITLE and not blocks:
            said.append(" ".join(made.text.split()))
        elif made is not None:
            blocks.append(made)
    title = clean_title(" ".join(said))
    if title:
        blocks = [TextBlock(one.text, min(6, one.level + 1)) if one.level else one for one in blocks]
    return Converted(markdown_of(blocks, title=title), title or _named_title(archive, name))


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """``look`` is how it and its first characters are laid out; ``on_top``: it begins a page."""

    lines: list[str]
    level: int | None
    look: tuple[str, ...]
    on_top: bool


def _read(
    root: Any, levels: dict[str, int], numbering: Numbering, numbered: dict[str, Any]
) -> Iterator[_Paragraph]:
    before = ""  # of paragraphs whose end is deleted
    on_top = True
    for paragraph in _paragraphs(root):
        properties = child_of(paragraph, "ppr")
        style = child_of(properties, "pstyle")
        key = (value_of(style, "val") or "") if style is not None else ""
        text = before + "".join(_pieces(paragraph))
        mark = child_of(properties, "rpr")
        if child_of(mark, "del") is not None or child_of(mark, "movefrom") is not None:
            before = text
            continue
        before = ""
        level = _level(properties, key, levels)
        own = child_of(properties, "numpr")
        numbers = numbered.get(key) if own is None else own
        label = numbering.label(numbers) if numbers is not None else ""
        lines = text.replace(_PAGE, "\n").split("\n")
        if level and label:
            lines = [f"{label} {text}".replace(_PAGE, " ")] if label[-1] in ".:)" else [label, *lines]
        first, _, last = text.partition(_PAGE)
        on_top = (
            on_top
            or (_PAGE in text and not first.strip())
            or child_of(properties, "pagebreakbefore") is not None
        )
        yield _Paragraph(lines, level, _look(paragraph, properties, key), on_top)
        ends = child_of(properties, "sectpr") is not None or (_PAGE in text and not last.strip())
        on_top = ends or (on_top and not text.strip())
    if before:
        yield _Paragraph(before.replace(_PAGE, "\n").split("\n"), None, (), False)


def _look(paragraph: Any, properties: Any, style: str) -> tuple[str, ...]:
    runs = (
        child_of(run, "rpr") for run in paragraph.iter() if _is(run, "r") and "".join(_pieces([run])).strip()
    )
    first = next(runs, None)
    parts = [
        child_of(properties, "jc"),
        *(child_of(first, name) for name in ("b", "i", "caps", "sz", "rfonts")),
    ]
    return (style, *("" if one is None else value_of(one, "val") or local(one) for one in parts))


def _with_headings(paragraphs: Sequence[_Paragraph]) -> Iterator[_Paragraph]:
    """The paragraphs, those on top of pages as headings where at least three short ones look alike and no
    style names any heading."""
    styled = any(one.level for one in paragraphs)
    looks = Counter(one.look for one in paragraphs if not styled and _may_be_heading(one))
    for one in paragraphs:
        heads = looks[one.look] >= 3 and _may_be_heading(one)
        yield replace(one, level=1) if heads else one


def _may_be_heading(paragraph: _Paragraph) -> bool:
    short = 0 < len("".join(paragraph.lines).strip()) <= _SHORT
    return paragraph.on_top and paragraph.level is None and short


def _numbered_styles(styles: Any) -> dict[str, Any]:
    """The numbering that styles carry, by the key of the style."""
    found = (
        (value_of(style, "styleId") or "", child_of(child_of(style, "ppr"), "numpr")) for style in styles
    )
    return {key: numbers for key, numbers in found if numbers is not None}


def _is(element: Any, name: str) -> bool:
    return isinstance(element.tag, str) and local(element) == name


def _levels(styles: Any) -> dict[str, int]:
    """The heading level of each style that has one, its own or that of the style it is based on."""
    own: dict[str, int] = {}
    based: dict[str, str] = {}
    for style in styles:
        if not isinstance(style.tag, str) or local(style) != "style":
            continue
        key = value_of(style, "styleId") or ""
        for child in style.iter():
            tag, value = local(child), value_of(child, "val") or ""
            if tag == "name" and (found := _HEADING.match(value)):
                own[key] = int(found[1])
            elif tag == "name" and value.lower() == "title":
                own[key] = _TITLE
            elif tag == "outlinelvl" and value.isdecimal() and int(value) < 9:
                own.setdefault(key, int(value) + 1)
            elif tag == "basedon":
                based[key] = value
    levels = dict(own)
    for key in based:
        seen, at = {key}, key
        while at not in own and at in based and based[at] not in seen:
            at = based[at]
            seen.add(at)
        if at in own:
            levels[key] = own[at]
    return levels


def _level(properties: Any, style: str, levels: dict[str, int]) -> int | None:
    outline = child_of(properties, "outlinelvl")
    own = (value_of(outline, "val") or "") if outline is not None else ""
    return levels.get(style, int(own) + 1 if own.isdecimal() and int(own) < 9 else None)


def _paragraphs(root: Any) -> Iterator[Any]:
    """In order of the text; those inside a text box follow the paragraph that holds it."""
    stack = [root]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str) or local(element) in _PASSED:
            continue
        if local(element) == "p":
            yield element
            stack.extend(reversed(list(_boxes(element))))
        else:
            stack.extend(reversed(element))


def _boxes(paragraph: Any) -> Iterator[Any]:
    stack = list(reversed(paragraph))
    while stack:
        element = stack.pop()
        tag = local(element) if isinstance(element.tag, str) else "fallback"
        if tag == "txbxcontent":
            yield element
        elif tag not in ("fallback", "del", "movefrom"):
            stack.extend(reversed(element))


def _pieces(paragraph: Any) -> Iterator[str]:
    stack = list(reversed(paragraph))
    while stack:
        element = stack.pop()
        tag = local(element) if isinstance(element.tag, str) else ""
        if not tag or tag in _PASSED or (tag == "r" and _is_hidden(element)):
            continue
        if tag == "t":
            yield element.text or ""
        elif tag in ("br", "cr"):
            kind = value_of(element, "type")
            yield "\n" if kind is None else _PAGE if kind == "page" else ""
        elif tag in ("tab", "ptab"):
            yield " "
        elif tag == "nobreakhyphen":
            yield "-"
        elif tag not in ("ppr", "rpr"):
            stack.extend(reversed(element))


def _is_hidden(run: Any) -> bool:
    hidden = child_of(child_of(run, "rpr"), "vanish")
    return hidden is not None and (value_of(hidden, "val") or "1") not in ("0", "false", "off")


def _named_title(archive: Archive, name: str) -> str | None:
    if _CORE not in archive:
        return None
    root = xml_tree(archive.read(_CORE), name)
    return next((clean_title(one.text) for one in root if local(one) == "title"), None)


_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_PLACE = re.compile(r"%([1-9])")
_MOST = 99_999  # the highest number; Word ends at 32,767


@dataclass(frozen=True, slots=True)
class _Level:
    text: str
    style: str
    start: int


class Numbering:
    """Counts the numbered paragraphs of a document, which have to come in order. ``root`` is its table of
    lists, None where it has none."""

    def __init__(self, root: Any) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._lists: dict[str, str] = {}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        for one in root if root is not None else ():
            tag = local(one) if isinstance(one.tag, str) else ""
            if tag == "abstractnum":
                self._levels[value_of(one, "abstractNumId") or ""] = dict(
                    _level_of(level) for level in one if isinstance(level.tag, str) and local(level) == "lvl"
                )
            elif tag == "num" and (found := child_of(one, "abstractnumid")) is not None:
                self._lists[value_of(one, "numId") or ""] = value_of(found, "val") or ""

    def label(self, properties: Any) -> str:
        """The label of the next paragraph, which these ``numPr`` belong to; "" for a bullet."""
        number, depth = child_of(properties, "numid"), child_of(properties, "ilvl")
        abstract = self._lists.get((value_of(number, "val") or "") if number is not None else "", "")
        levels = self._levels.get(abstract, {})
        at = _whole(depth, 0)
        if at not in levels:
            return ""
        counts = self._counts[abstract]
        counts[at] = min(counts.get(at, levels[at].start - 1) + 1, _MOST)
        for deeper in [level for level in counts if level > at]:
            del counts[deeper]

        def shown(place: re.Match[str]) -> str:
            level = levels.get(int(place[1]) - 1)
            if level is None:
                return ""
            count = counts.get(int(place[1]) - 1, level.start)
            said = in_roman(count) if "roman" in level.style else str(count)
            return said.lower() if level.style.startswith("lower") else said

        return _PLACE.sub(shown, levels[at].text) if _PLACE.search(levels[at].text) else ""


def _level_of(element: Any) -> tuple[int, _Level]:
    told = {local(one): one for one in element if isinstance(one.tag, str)}
    text, style = (value_of(told[key], "val") or "" if key in told else "" for key in ("lvltext", "numfmt"))
    depth = value_of(element, "ilvl") or ""
    at = int(depth) if depth.isdecimal() and len(depth) < 3 else 0
    return at, _Level(text, style.replace("Roman", "roman"), _whole(told.get("start"), 1))


def _whole(element: Any, missing: int) -> int:
    said = (value_of(element, "val") or "") if element is not None else ""
    return int(said) if said.isascii() and said.isdigit() and len(said) < 6 else missing


def child_of(element: Any, name: str) -> Any:
    """The first child of this name in small letters; None where there is none, or no element."""
    if element is None:
        return None
    return next((one for one in element if isinstance(one.tag, str) and local(one) == name), None)


def value_of(element: Any, name: str) -> str | None:
    """An attribute of Word's, in either of its name spaces."""
    found = element.get(f"{_W}{name}")
    value = element.get(f"{_STRICT}{name}") if found is None else found
    return None if value is None else str(value)
