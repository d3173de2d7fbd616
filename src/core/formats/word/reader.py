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

_WORDS = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
_NAMES = {"w": _WORDS.decode()}
_W = f"{{{_NAMES['w']}}}"
_VAL, _STYLE = f"{_W}val", f"{_W}styleId"
_BODY = "word/document.xml"
_STYLES = "word/styles.xml"
_NUMBERING = "word/numbering.xml"
_CORE = "docProps/core.xml"
_PAGE = "\f"  # stands for a page break among a paragraph's characters
_SHORT = 60  # characters of a line that may be a heading by its look
_HEADING = re.compile(r"heading ([1-9])\Z", re.IGNORECASE)
_PASSED = frozenset({"del", "movefrom", "drawing", "pict", "object", "fallback", "instrtext", "deltext"})
_RUNS_ON = ("w:pPr/w:rPr/w:del", "w:pPr/w:rPr/w:moveFrom", "w:pPr/w:framePr[@w:dropCap]")
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

    def tree(part: str) -> Any:  # its words in the older of Word's two name spaces
        return xml_tree(archive.read(part).replace(_STRICT, _WORDS), name) if part in archive else None

    body, styles, numbering = map(tree, (_BODY, _STYLES, _NUMBERING))
    said: list[str] = []
    blocks: list[TextBlock] = []
    for one in _with_headings(list(_read(body, styles, Numbering(numbering)))):
        made = block_of(one.lines, level=min(one.level or 0, 6))
        if made is not None and one.level == _TITLE and not blocks:
            said.append(" ".join(made.text.split()))
        elif made is not None:
            blocks.append(made)
    title = clean_title(" ".join(said))
    if title:
        blocks = [TextBlock(one.text, min(6, one.level + 1)) if one.level else one for one in blocks]
    markdown = markdown_of(blocks, title=title)
    title = title or next((clean_title(x.text) for x in _all(tree(_CORE), "*") if local(x) == "title"), None)
    return Converted(markdown, title)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """``look`` is how it and its first characters are laid out; ``on_top``: it begins a page."""

    lines: list[str]
    level: int | None
    look: tuple[str, ...]
    on_top: bool


def _read(root: Any, styles: Any, numbering: Numbering) -> Iterator[_Paragraph]:
    levels = _levels(styles)
    numbered = {style.get(_STYLE, ""): _find(style, "w:pPr/w:numPr") for style in _all(styles, "w:style")}
    before = ""  # of paragraphs whose end is deleted, and initials that are dropped
    on_top = True
    for paragraph in _paragraphs(root):
        key = _value(paragraph, "w:pPr/w:pStyle")
        text = before + "".join(_pieces(paragraph))
        if _find(paragraph, *_RUNS_ON) is not None:
            before = text
            continue
        before = ""
        level = levels.get(key, _outline(paragraph, "w:pPr/w:outlineLvl"))
        own = _find(paragraph, "w:pPr/w:numPr")
        label = numbering.label(numbered.get(key) if own is None else own)
        lines = text.replace(_PAGE, "\n").split("\n")
        if level and label:
            lines = [f"{label} {text}".replace(_PAGE, " ")] if label[-1] in ".:)" else [label, *lines]
        first, _, last = text.partition(_PAGE)
        on_top = (
            on_top
            or (_PAGE in text and not first.strip())
            or _find(paragraph, "w:pPr/w:pageBreakBefore") is not None
        )
        yield _Paragraph(lines, level, _look(paragraph, key), on_top)
        ends = _find(paragraph, "w:pPr/w:sectPr") is not None or (_PAGE in text and not last.strip())
        on_top = ends or (on_top and not text.strip())
    if before:
        yield _Paragraph(before.replace(_PAGE, "\n").split("\n"), None, (), False)


def _look(paragraph: Any, style: str) -> tuple[str, ...]:
    runs = (run for run in paragraph.iter(f"{_W}r") if "".join(_pieces([run])).strip())
    first = next(runs, None)
    parts = [_find(paragraph, "w:pPr/w:jc")]
    parts += [_find(first, f"w:rPr/w:{name}") for name in ("b", "i", "caps", "sz", "rFonts")]
    return (style, *("" if one is None else one.get(_VAL) or local(one) for one in parts))


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


def _levels(styles: Any) -> dict[str, int]:
    """The heading level of each style that has one, its own or that of the style it is based on."""
    own: dict[str, int] = {}
    based: dict[str, str] = {}
    for style in _all(styles, "w:style"):
        key, said = style.get(_STYLE, ""), _value(style, "w:name")
        named = _HEADING.match(said)
        level = int(named[1]) if named else _outline(style, "w:pPr/w:outlineLvl")
        level = _TITLE if said.lower() == "title" else level
        own |= {} if level is None else {key: level}
        based[key] = _value(style, "w:basedOn")
    levels = dict(own)
    for key in based:
        seen, at = {key}, key
        while at not in own and at in based and based[at] not in seen:
            at = based[at]
            seen.add(at)
        if at in own:
            levels[key] = own[at]
    return levels


def _outline(element: Any, path: str) -> int | None:
    said = _value(element, path)
    return int(said) + 1 if said.isdecimal() and int(said) < 9 else None


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
            kind = element.get(f"{_W}type")
            yield "\n" if kind is None else _PAGE if kind == "page" else ""
        elif tag in ("tab", "ptab"):
            yield " "
        elif tag == "nobreakhyphen":
            yield "-"
        elif tag not in ("ppr", "rpr"):
            stack.extend(reversed(element))


def _is_hidden(run: Any) -> bool:
    hidden = _find(run, "w:rPr/w:vanish")
    return hidden is not None and hidden.get(_VAL, "1") not in ("0", "false", "off")


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
        for one in _all(root, "w:abstractNum"):
            levels = dict(map(_level_of, _all(one, "w:lvl")))
            self._levels[one.get(f"{_W}abstractNumId", "")] = levels
        for one in _all(root, "w:num"):
            self._lists[one.get(f"{_W}numId", "")] = _value(one, "w:abstractNumId")

    def label(self, properties: Any) -> str:
        """The label of the next paragraph, which these ``numPr`` belong to; "" for a bullet, and for None."""
        abstract = self._lists.get(_value(properties, "w:numId"), "")
        levels = self._levels.get(abstract, {})
        at = _whole(_value(properties, "w:ilvl"), 0)
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
    text, style = _value(element, "w:lvlText"), _value(element, "w:numFmt")
    depth = element.get(f"{_W}ilvl", "")
    at = int(depth) if depth.isdecimal() and len(depth) < 3 else 0
    return at, _Level(text, style.replace("Roman", "roman"), _whole(_value(element, "w:start"), 1))


def _whole(said: str, missing: int) -> int:
    return int(said) if said.isascii() and said.isdigit() and len(said) < 6 else missing


def _all(element: Any, path: str) -> Iterator[Any]:
    return iter(()) if element is None else element.iterfind(path, _NAMES)


def _find(element: Any, *paths: str) -> Any:
    """What stands first at one of the paths; None where nothing does, or there is no element."""
    return next((found for path in paths for found in _all(element, path)), None)


def _value(element: Any, path: str) -> str:
    found = _find(element, path)
    return "" if found is None else str(found.get(_VAL, ""))
