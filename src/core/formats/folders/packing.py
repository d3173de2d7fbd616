"""A folder of a writer's program as one archive, which the reading process takes like any other file: a
project of Scrivener, novelWriter or Manuskript, Markdown with a file a scene, an EPUB kept as a folder.

Of Scrivener projects the order is that of the binder (``.scrivx``), and the texts lie in ``Files``: version 3
keeps a text in ``Files/Data/UUID/content.rtf``, version 2 in ``Files/Docs/ID.rtf``. Read is what stands under
the draft folder and is meant to be compiled; research, notes, synopses and the trash are not.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ....errors import DocumentError
from ...text.encodings import normalized
from ...text.markdown import without_between
from ..archive import MAX_MEMBERS, MAX_READ, Archive
from ..blocks import Converted, Section, TextBlock, block_of, clean_title, markdown_of, sectioned
from ..epub import container_of, epub_document
from ..xml_tree import decoded_markup, xml_tree
from . import manuskript, novelwriter
from .markdown import markdown_document

# A comment or a link is a field whose result is the text it hangs on; that text alone is kept.
_FIELD = re.compile(
    r'\{\\field\s*\{\\\*\\fldinst\s*\{?\s*HYPERLINK\s+"[^"{}]{0,2000}"\s*\}?\s*\}\s*\{\\fldrslt\b'
)
_STYLE_MARK = re.compile(r"<!?\$Scr_[A-Za-z]{1,8}::\d{1,6}>")
_UNFIT = re.compile("[\ufffc\x0b\x0c]")  # pictures' places, line and page breaks
_DEEPEST = 40


def scrivener_document(archive: Archive, binder: str, name: str) -> Converted:
    """The manuscript of the project whose binder is that member. Raises DocumentError where it is damaged or
    its draft holds no text. Where some documents are marked as part of the book, others are left out."""
    root = xml_tree(archive.read(binder), name)
    draft = root.find(".//BinderItem[@Type='DraftFolder']")
    if draft is None:
        raise DocumentError(f"{name} has no draft folder in its binder: open and save it in Scrivener 2 or 3")
    folder, _, file = binder.rpartition("/")
    are_marked = any(map(_included, draft.iter("BinderItem")))

    def sections(item: Any, depth: int) -> tuple[Section, ...]:
        inside = item.iterfind("Children/BinderItem") if depth < _DEEPEST else ()
        return tuple(
            Section(
                one.findtext("Title") or "",
                _text(archive, folder and f"{folder}/", one, name)
                if _included(one) or not are_marked
                else "",
                sections(one, depth + 1),
            )
            for one in inside
        )

    title = clean_title(root.findtext(".//ProjectTitle")) or clean_title(file.removesuffix(".scrivx"))
    found = sectioned(sections(draft, 0), title=title)
    if not found.chapters:
        raise DocumentError(f"{name} has a draft without any text: write some, or index another file")
    return found


def _text(archive: Archive, folder: str, item: Any, name: str) -> str:
    uuid, number = item.get("UUID") or "", item.get("ID") or ""
    for place in (f"Files/Data/{uuid}/content", f"Files/Docs/{number}"):
        for ending in (".rtf", ".txt"):
            if (member := f"{folder}{place}{ending}") in archive:
                data, called = archive.read(member), f"{name}, {place}{ending}"
                if ending == ".txt":
                    return normalized(decoded_markup(data, called))
                return rtf_paragraphs(data, called)
    return ""


def _included(item: Any) -> bool:
    return (item.findtext("MetaData/IncludeInCompile") or "").strip() == "Yes"


def rtf_paragraphs(data: bytes, name: str) -> str:
    """Rich text (RTF 1.9) as Scrivener keeps it, in Markdown: a paragraph each, without the author's comments
    and notes. Raises DocumentError for what is no RTF."""
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


READ = (".md", ".markdown", ".nwd", ".nwx", ".opml", ".rtf", ".scrivx", ".txt", manuskript.PROJECT.lower())
"""Endings of what is read in a folder,"""
READ_IN_EPUB = (".htm", ".html", ".ncx", ".opf", ".xhtml", ".xml")
"""and in one that is an EPUB."""
MARKS = (novelwriter.PROJECT, manuskript.PROJECT)
"""Files that mark their folder as a project."""
_NOTHING = "no Markdown files and no project of Scrivener, novelWriter or Manuskript"
_MOST_LOOKED_AT = 200_000  # files; a vault of notes has some thousands


def packed(folder: Path) -> bytes:
    """The folder's texts as a zip archive, its sub-folders' too. Left out are hidden files and folders,
    links, and files of other kinds.

    Raises DocumentError where nothing is left, or more than is read of one book.
    """
    target, size, count = io.BytesIO(), 0, 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for path in texts_in(folder):
            content = _content(path)
            size, count = size + len(content), count + 1
            if size > MAX_READ or count > MAX_MEMBERS:
                raise DocumentError(
                    f"{folder} holds more text than any book: name the folder of one book in it"
                )
            archive.writestr(path.relative_to(folder).as_posix(), content)
    if not count:
        raise DocumentError(f"{folder} holds {_NOTHING}: name a file in it")
    return target.getvalue()


def texts_in(folder: Path) -> Iterator[Path]:
    """The files of a folder that are read, in order. Raises DocumentError for too many."""
    looked_at = 0
    read = READ_IN_EPUB if (folder / "META-INF" / "container.xml").is_file() else READ
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(
            one for one in folders if not one.startswith((".", "__")) and not Path(at, one).is_symlink()
        )
        looked_at += len(files)
        if looked_at > _MOST_LOOKED_AT:
            raise DocumentError(f"{folder} holds too many files: name the folder of one book in it")
        for name in sorted(files):
            path = Path(at, name)
            plain = not name.startswith(".") and name.lower().endswith(read)
            if plain and not path.is_symlink() and path.is_file():
                yield path


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_READ:
            raise DocumentError(f"{path} is larger than any book: take it out of the folder")
        return path.read_bytes()
    except OSError as error:
        raise DocumentError(f"{path} cannot be read ({error.strerror}): check its permissions") from error


def folder_document(data: bytes, name: str) -> Converted:
    """The book in an archive of a folder. Raises DocumentError where there is none, or several."""
    archive = Archive(data, name)
    if container_of(archive) is not None:
        return epub_document(data, name)
    shown = [one for one in archive.names if not re.search(r"(?:\A|/)(?:\.|__MACOSX)", one)]
    found = [one for one in shown if one.lower().endswith(".scrivx") or one.rpartition("/")[2] in MARKS]
    found.sort(key=lambda one: one.count("/"))
    if len(found) > 1 and found[0].count("/") == found[1].count("/"):
        raise DocumentError(f"{name} holds {len(found)} projects: name the folder of one")
    if found and found[0].endswith(novelwriter.PROJECT):
        return novelwriter.novelwriter_document(archive, found[0], name)
    if found and found[0].endswith(manuskript.PROJECT):
        return manuskript.manuskript_document(archive, found[0].removesuffix(manuskript.PROJECT), name)
    if found:
        return scrivener_document(archive, found[0], name)
    notes = [one for one in shown if one.lower().endswith((".md", ".markdown"))]
    if not notes:
        raise DocumentError(f"{name} holds {_NOTHING}: index a file in it")
    return markdown_document(archive, notes, name)
