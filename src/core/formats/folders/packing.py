"""A folder of a writer's program as one archive, which the reading process takes like any other file: a
Scrivener project, Markdown with a file a scene, an EPUB kept as a folder."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

from ....errors import DocumentError
from ..archive import MAX_MEMBERS, MAX_READ, Archive
from ..blocks import Converted
from ..epub import container_of, epub_document
from .markdown import markdown_document
from .scrivener import scrivener_document

READ = (".md", ".markdown", ".rtf", ".scrivx", ".txt")
"""Endings of what is read in a folder,"""
READ_IN_EPUB = (".htm", ".html", ".ncx", ".opf", ".xhtml", ".xml")
"""and in one that is an EPUB."""
_MOST_LOOKED_AT = 200_000  # files; a vault of notes has some thousands


def packed(folder: Path) -> bytes:
    """The folder's texts as a zip archive, its sub-folders' too. Left out are hidden files and folders,
    links, and files of other kinds.

    Raises DocumentError where nothing is left, or more than is read of one book.
    """
    target, size, count = io.BytesIO(), 0, 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for path in _texts(folder):
            content = _content(path)
            size, count = size + len(content), count + 1
            if size > MAX_READ or count > MAX_MEMBERS:
                raise DocumentError(
                    f"{folder} holds more text than any book: name the folder of one book in it"
                )
            archive.writestr(path.relative_to(folder).as_posix(), content)
    if not count:
        raise DocumentError(f"{folder} holds no Markdown files and no Scrivener project: name a file in it")
    return target.getvalue()


def _texts(folder: Path) -> Iterator[Path]:
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
            plain = not name.startswith(".") and path.suffix.lower() in read
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
    shown = [one for one in archive.names if not _is_hidden(one)]
    binders = sorted(
        (one for one in shown if one.lower().endswith(".scrivx")), key=lambda one: one.count("/")
    )
    if len(binders) > 1 and binders[0].count("/") == binders[1].count("/"):
        raise DocumentError(f"{name} holds {len(binders)} Scrivener projects: name the folder of one")
    if binders:
        return scrivener_document(archive, binders[0], name)
    notes = [one for one in shown if one.lower().endswith((".md", ".markdown"))]
    if not notes:
        raise DocumentError(f"{name} holds no Markdown files and no Scrivener project: index a file in it")
    return markdown_document(archive, notes, name)


def _is_hidden(member: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in member.split("/"))
