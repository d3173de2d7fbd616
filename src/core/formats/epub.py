"""EPUB 2 and 3: the spine's pages in order, cut into chapters by the book's own table of contents.

Where there is no usable table, the headings of the pages part the book; where there are none either, every
page with a text of its own is a chapter. Left out are covers, title pages, contents, copyright pages and
advertisements, pages that the spine calls non-linear, and what :mod:`.formats.html` leaves out of a page.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from ...errors import DocumentError
from ..chapters.headings import names_apparatus
from .archive import Archive
from .blocks import Converted, clean_title, markdown_of
from .epub_contents import APART_WORDS, Page, TocEntry, chaptered
from .html import blocks_of
from .xml_tree import decoded_markup, local, xhtml_tree, xml_tree

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = ("application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/xml")
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_NCX = "application/x-dtbncx+xml"
_APART = re.compile(
    r"cover|title-?page|half-?title|toc|copyright|colophon|imprint|loi|lot|index|other\.|notes|bibliography|"
    r"(?:foot|end|rear)notes|acknowledge?ments|dedication|glossary|errata|contributors|seriespage"
)
_TYPE = "{http://www.idpf.org/2007/ops}type"


@dataclass(frozen=True, slots=True)
class _Item:
    path: str
    kind: str
    properties: tuple[str, ...]


def epub_document(data: bytes, name: str, *, encoding: str | None = None) -> Converted:
    """The book's text as Markdown: its title, then a heading for each chapter and part.

    ``encoding`` is for pages that are not in the encoding they declare. Raises DocumentError for an archive
    that is damaged, hostile or protected, one that is no EPUB, and one that lacks pages its spine names.
    """
    archive = Archive(data, name)
    package = _package_path(archive, name)
    root = xml_tree(archive.read(package), name)
    items = _manifest(archive, root, package)
    spine = _spine(root, items)
    _check_protection(archive, name, {item.path for item in spine})
    apart = _apart(archive, root, package)
    title = next((said for one in _named(root, "title") if (said := clean_title(one.text))), None)
    pages = [_page(archive, item.path, name, encoding, title, apart=item.path in apart) for item in spine]
    if not any(page.blocks for page in pages):
        raise DocumentError(f"{name} holds no text, only pictures perhaps: take an edition with text")
    toc = _contents(archive, root, items, name)
    return Converted(markdown_of(chaptered(pages, toc), title=title), title)


def _package_path(archive: Archive, name: str) -> str:
    container = container_of(archive)
    if container is None:
        raise DocumentError(f"{name} is no EPUB (it lacks {_CONTAINER}): save the story as .epub or .txt")
    folder = container[: -len(_CONTAINER)]
    for element in _named(xml_tree(archive.read(container), name), "rootfile"):
        path = archive.find(posixpath.normpath(folder + unquote(element.get("full-path") or "")))
        if path is not None:
            return path
    raise DocumentError(f"{name} names no package that it holds: get a whole copy of the file")


def container_of(archive: Archive) -> str | None:
    """The member that makes the archive an EPUB; it may lie in a folder, where one was packed."""
    return min((one for one in archive.names if f"/{one}".endswith(f"/{_CONTAINER}")), key=len, default=None)


def _manifest(archive: Archive, root: Any, package: str) -> dict[str, _Item]:
    found: dict[str, _Item] = {}
    for element in _named(root, "item"):
        path = _inside(archive, package, element.get("href") or "")
        if path is not None and element.get("id"):
            properties = tuple((element.get("properties") or "").split())
            found.setdefault(element.get("id"), _Item(path, element.get("media-type") or "", properties))
    return found


def _spine(root: Any, items: dict[str, _Item]) -> list[_Item]:
    """The pages in reading order, each once; names of no item are passed over, as readers do."""
    found: dict[str, _Item] = {}
    for element in _named(root, "itemref"):
        item = items.get(element.get("idref") or "")
        if item is None or (element.get("linear") or "").lower() == "no" or "nav" in item.properties:
            continue
        if item.kind.lower() in _PAGES or item.path.lower().endswith((".xhtml", ".html", ".htm")):
            found.setdefault(item.path, item)
    return list(found.values())


def _check_protection(archive: Archive, name: str, pages: set[str]) -> None:
    """Fonts may be scrambled; pages may not."""
    folder = (container_of(archive) or "")[: -len(_CONTAINER)]
    if folder + _ENCRYPTION not in archive:
        return
    for element in _named(xml_tree(archive.read(folder + _ENCRYPTION), name), "EncryptedData"):
        method = next((one.get("Algorithm") for one in _named(element, "EncryptionMethod")), None)
        hidden = {
            archive.find(posixpath.normpath(folder + unquote(one.get("URI") or "")))
            for one in _named(element, "CipherReference")
        }
        if method not in _FONTS and hidden & pages:
            raise DocumentError(f"{name} is protected against copying (DRM): index an unprotected copy")


def _apart(archive: Archive, root: Any, package: str) -> set[str]:
    """Pages that the guide of the package calls a cover, a title page and the like."""
    guided = (
        _inside(archive, package, element.get("href") or "")
        for element in _named(root, "reference")
        if _APART.match((element.get("type") or "").lower())
    )
    return {path for path in guided if path is not None}


def _page(
    archive: Archive, path: str, name: str, encoding: str | None, title: str | None, *, apart: bool
) -> Page:
    """The page's blocks, without the book's title above another heading; none of a short one that says
    itself, or of which the guide says, that it is no part of the text."""
    if path not in archive:
        raise DocumentError(f"{name} lacks its page {path[:60]!r}: get a whole copy of the file")
    root = xhtml_tree(decoded_markup(archive.read(path), f"{name} ({path[:60]!r})", encoding=encoding))
    if root is None:
        return Page(path, ())
    body = next(_named(root, "body"), root)
    inner = [child for child in body if isinstance(child.tag, str)]
    said = [body.get(_TYPE) or "", (inner[0].get(_TYPE) or "") if len(inner) == 1 else ""]
    apart = apart or any(_APART.match(kind) for kind in " ".join(said).lower().split())
    blocks = blocks_of(body)
    headings = [block.text for block in blocks if block.level]
    repeated = len(headings) > 1 and blocks[0].level > 0 and headings[0] == title
    page = Page(path, tuple(blocks[repeated:]))
    apart = apart or (len(headings) == 1 and page.blocks[0].level > 0 and names_apparatus(headings[0]))
    return Page(path, ()) if apart and page.words < APART_WORDS else page


def _contents(archive: Archive, root: Any, items: dict[str, _Item], name: str) -> list[TocEntry]:
    """The table of contents of EPUB 3, else that of EPUB 2; empty where neither can be read."""
    for item in items.values():
        if "nav" in item.properties and item.path in archive:
            tree = xhtml_tree(decoded_markup(archive.read(item.path), name))
            found = list(_nav_entries(archive, tree, item.path))
            if found:
                return found
    named = next((element.get("toc") for element in _named(root, "spine")), None)
    tables = [items[named]] if named in items else [one for one in items.values() if one.kind == _NCX]
    for item in tables:
        if item.path in archive:
            tree = xhtml_tree(decoded_markup(archive.read(item.path), name))
            return list(_ncx_entries(archive, tree, item.path))
    return []


def _nav_entries(archive: Archive, root: Any, path: str) -> Iterator[TocEntry]:
    if root is None:
        return
    tables = list(_named(root, "nav"))
    chosen = next((nav for nav in tables if "toc" in (nav.get(_TYPE) or nav.get("role") or "").split()), None)
    chosen = chosen if chosen is not None or len(tables) != 1 else tables[0]
    if chosen is None:
        return
    for element in chosen.iter():
        if not isinstance(element.tag, str) or local(element) not in ("a", "span"):
            continue
        parent = element.getparent()
        if parent is None or local(parent) != "li":
            continue
        depth = sum(local(one) in ("ol", "ul") for one in element.iterancestors()) - 1
        href = element.get("href")
        yield from _entry(archive, "".join(element.itertext()), href, path, max(0, depth))


def _ncx_entries(archive: Archive, root: Any, path: str) -> Iterator[TocEntry]:
    if root is None:
        return
    for point in _named(root, "navPoint"):
        label = next((child for child in point if local(child) == "navlabel"), None)
        content = next((child for child in point if local(child) == "content"), None)
        if label is not None and content is not None:
            depth = sum(local(one) == "navpoint" for one in point.iterancestors())
            yield from _entry(archive, "".join(label.itertext()), content.get("src"), path, depth)


def _entry(archive: Archive, said: str, href: str | None, path: str, depth: int) -> Iterator[TocEntry]:
    label = clean_title(said)
    target = _inside(archive, path, href) if href else None
    if label and (target is not None or href is None):
        fragment = unquote(href.partition("#")[2]) if href else ""
        yield TocEntry(label, target, fragment, depth)


def _inside(archive: Archive, base: str, href: str) -> str | None:
    """The member that a link names, or would name; None for one that leads out of the archive."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    if parts.scheme or parts.netloc:
        return None
    if not parts.path:
        return base
    path = posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(parts.path)))
    return archive.find(path.lstrip("/")) or (None if path.startswith(("..", "/")) else path)


def _named(root: Any, name: str) -> Iterator[Any]:
    """The elements of that name, of any namespace, in order."""
    wanted = name.lower()
    return (one for one in root.iter() if isinstance(one.tag, str) and local(one) == wanted)
