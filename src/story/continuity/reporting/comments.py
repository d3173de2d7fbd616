"""A check's findings as comments in a copy of the author's own Word document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ....core.documents import read_document
from ....core.formats.word.comments import Comment, docx_of, squeezed, with_comments
from ....core.types import Document, Evidence
from ....errors import DocumentError, UsageError
from ...model.findings import Violation, sureness

_AUTHOR = "fabula"
_WORD = ".docx"


def commented(violations: Sequence[Violation], document: Document, *, file: Path | None) -> tuple[bytes, int]:
    """A copy of ``file``, the text that was checked, with a comment on each side of each finding that stands
    in it, and how many comments. Where the file is no Word document (or None), one is made of the text.
    ``document`` is the book or the draft, as it was checked.

    Raises UsageError where the file is not the text that was checked any more, DocumentError where it cannot
    be opened.
    """
    if file is not None and file.suffix.lower() == _WORD:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise DocumentError(f"{file} cannot be read ({error.strerror})") from error
        if read_document(file).text != document.text:
            raise UsageError(f"{file} is not the text that was checked: index it again, then check")
    else:
        data = docx_of(document)
    return with_comments(data, _comments(violations, document), author=_AUTHOR)


def _comments(violations: Sequence[Violation], document: Document) -> list[Comment]:
    flat = squeezed(document.text)
    comments: list[Comment] = []
    for violation in violations:
        for quote in dict.fromkeys(violation.evidence):
            if quote.document_id == document.id:
                before = flat[: len(squeezed(document.text[: quote.span.start]))]
                nth = _times(before, squeezed(quote.quote))
                comments.append(Comment(quote.quote, nth, _worded(violation, quote)))
    return comments


def _worded(violation: Violation, here: Evidence) -> str:
    parts = [" ".join(violation.message.split())]
    others = (one for one in violation.evidence if one != here)
    parts += [f"Chapter {one.chapter}: “{' '.join(one.quote.split())}”" for one in others]
    parts.append(f"How sure: {sureness(violation)}.")
    if violation.suggestion:
        parts.append(f"To fix: {violation.suggestion}")
    if violation.unless:
        parts.append(f"It is none where {violation.unless}.")
    return "\n".join(parts)


def _times(text: str, words: str) -> int:
    """How often the words stand in the text, those that overlap too."""
    count, at = 0, text.find(words)
    while at >= 0 and words:
        count, at = count + 1, text.find(words, at + 1)
    return count
