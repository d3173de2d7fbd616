"""Scrivener projects: the order of the binder (``.scrivx``), the texts in ``Files``.

Version 3 keeps a text in ``Files/Data/UUID/content.rtf``, version 2 in ``Files/Docs/ID.rtf``. Read is what
stands under the draft folder and is meant to be compiled; research, notes, synopses and the trash are not.
"""

from __future__ import annotations

import re
from typing import Any

from ....errors import DocumentError
from ...text.encodings import normalized
from ...text.markdown import without_between
from ..archive import Archive
from ..blocks import Converted, TextBlock, block_of, clean_title, markdown_of
from ..sections import Section, sectioned
from ..xml_tree import decoded_markup, local, xml_tree

# A comment or a link is a field whose result is the text it hangs on; that text alone is kept.
_FIELD = re.compile(
    r'\{\\field\s*\{\\\*\\fldinst\s*\{?\s*HYPERLINK\s+"[^"{}]{0,2000}"\s*\}?\s*\}\s*\{\\fldrslt\b'
)
_STYLE_MARK = re.compile(r"<!?\$Scr_[A-Za-z]{1,8}::\d{1,6}>")
_UNFIT = re.compile("[\ufffc\x0b\x0c]")  # pictures' places, line and page breaks
_DEEPEST = 40


def scrivener_document(archive: Archive, binder: str, name: str) -> Converted:
    """The manuscript of the project whose binder is that member. Raises DocumentError where it is damaged or
    its draft holds no text."""
    root = xml_tree(archive.read(binder), name)
    drafts = [one for one in root.iter() if local(one) == "binderitem" and one.get("Type") == "DraftFolder"]
    if not drafts:
        raise DocumentError(f"{name} has no draft folder in its binder: open and save it in Scrivener 2 or 3")
    folder = binder.rpartition("/")[0]
    project = _Project(archive, f"{folder}/" if folder else "", name)
    project.compiled = any(_included(one) for one in drafts[0].iter() if local(one) == "binderitem")
    titles = [one.text for one in root.iter() if local(one) == "projecttitle"]
    found = sectioned(
        project.sections(drafts[0], 0), title=clean_title(titles[0] if titles else "") or _named(binder)
    )
    if not found.chapters:
        raise DocumentError(f"{name} has a draft without any text: write some, or index another file")
    return found


class _Project:
    """``compiled``: some documents are marked as part of the book, so those that are not are left out."""

    def __init__(self, archive: Archive, folder: str, name: str) -> None:
        self._archive, self._folder, self._name = archive, folder, name
        self.compiled = False

    def sections(self, item: Any, depth: int) -> list[Section]:
        children = next((one for one in item if local(one) == "children"), ())
        items = [one for one in children if local(one) == "binderitem"]
        return [self._section(one, depth) for one in items if depth < _DEEPEST]

    def _section(self, item: Any, depth: int) -> Section:
        left_out = self.compiled and not _included(item)
        text = "" if left_out else self._text(item)
        return Section(_child(item, "title") or "", text, tuple(self.sections(item, depth + 1)))

    def _text(self, item: Any) -> str:
        uuid, number = item.get("UUID") or "", item.get("ID") or ""
        tried = (
            f"Files/Data/{uuid}/content.rtf",
            f"Files/Data/{uuid}/content.txt",
            f"Files/Docs/{number}.rtf",
            f"Files/Docs/{number}.txt",
        )
        for place in tried:
            member = self._folder + place
            if member not in self._archive:
                continue
            data = self._archive.read(member)
            if member.endswith(".txt"):
                return normalized(decoded_markup(data, f"{self._name}, {place}"))
            return rtf_paragraphs(data, f"{self._name}, {place}")
        return ""


def _included(item: Any) -> bool:
    meta = next((one for one in item if local(one) == "metadata"), ())
    return any(local(one) == "includeincompile" and (one.text or "").strip() == "Yes" for one in meta)


def _child(item: Any, name: str) -> str | None:
    return next((one.text for one in item if local(one) == name), None)


def _named(binder: str) -> str | None:
    return clean_title(binder.rpartition("/")[2].removesuffix(".scrivx"))


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
