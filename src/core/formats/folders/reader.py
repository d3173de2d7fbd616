"""Folders packed as archives: a Scrivener project, Markdown with a file a scene, an EPUB kept as a folder."""

from __future__ import annotations

from ....errors import DocumentError
from ..archive import Archive
from ..blocks import Converted
from ..epub import container_of, epub_document
from .markdown import markdown_document
from .scrivener import scrivener_document


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
