"""The text of a Word document (.docx): paragraphs, headings by their styles, scene breaks.

Read are the document's body and the names of its styles, nothing else: no macro, picture, note, comment,
header or footer. Tracked deletions are left out, tracked insertions belong to the text; so do the cells of
tables, one paragraph each. Hidden text is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...errors import DocumentError
from .archive import Archive
from .blocks import Converted, TextBlock, block_of, clean_title, markdown_of
from .xml_tree import local, xml_tree

__all__ = ["docx_document"]

_BODY = "word/document.xml"
_STYLES = "word/styles.xml"
_CORE = "docProps/core.xml"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
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
    levels = _levels(xml_tree(archive.read(_STYLES), name)) if _STYLES in archive else {}
    said: list[str] = []
    blocks: list[TextBlock] = []
    for paragraph in _paragraphs(xml_tree(archive.read(_BODY), name)):
        level = _level(paragraph, levels)
        lines = "".join(_pieces(paragraph)).split("\n")
        made = block_of(lines, level=min(level or 0, 6))
        if made is not None and level == _TITLE and not blocks:
            said.append(" ".join(made.text.split()))
        elif made is not None:
            blocks.append(made)
    title = clean_title(" ".join(said))
    if title:
        blocks = [TextBlock(one.text, min(6, one.level + 1)) if one.level else one for one in blocks]
    return Converted(markdown_of(blocks, title=title), title or _named_title(archive, name))


def _levels(styles: Any) -> dict[str, int]:
    """The heading level of each style that has one, its own or that of the style it is based on."""
    own: dict[str, int] = {}
    based: dict[str, str] = {}
    for style in styles:
        if not isinstance(style.tag, str) or local(style) != "style":
            continue
        key = _value(style, "styleId") or ""
        for child in style.iter():
            tag, value = local(child), _value(child, "val") or ""
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


def _level(paragraph: Any, levels: dict[str, int]) -> int | None:
    for properties in paragraph:
        if isinstance(properties.tag, str) and local(properties) == "ppr":
            for one in properties:
                tag, value = local(one), _value(one, "val") or ""
                if tag == "pstyle" and value in levels:
                    return levels[value]
                if tag == "outlinelvl" and value.isdecimal() and int(value) < 9:
                    return int(value) + 1
    return None


def _paragraphs(root: Any) -> Iterator[Any]:
    """In order of the text; those inside text boxes are passed over with their drawings."""
    stack = [root]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str) or local(element) in _PASSED:
            continue
        if local(element) == "p":
            yield element
        else:
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
            yield "\n" if _value(element, "type") is None else ""
        elif tag in ("tab", "ptab"):
            yield " "
        elif tag == "nobreakhyphen":
            yield "-"
        elif tag not in ("ppr", "rpr"):
            stack.extend(reversed(element))


def _is_hidden(run: Any) -> bool:
    for properties in run:
        if isinstance(properties.tag, str) and local(properties) == "rpr":
            return any(
                local(one) == "vanish" and (_value(one, "val") or "1") not in ("0", "false", "off")
                for one in properties
            )
    return False


def _named_title(archive: Archive, name: str) -> str | None:
    if _CORE not in archive:
        return None
    root = xml_tree(archive.read(_CORE), name)
    return next((clean_title(one.text) for one in root if local(one) == "title"), None)


def _value(element: Any, name: str) -> str | None:
    found = element.get(f"{_W}{name}")
    value = element.get(f"{_STRICT}{name}") if found is None else found
    return None if value is None else str(value)
