"""What every converter makes of a file: paragraphs and headings in order, and the Markdown they give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..text.breaks import is_scene_break
from ..text.encodings import normalized
from ..types import Chapter

SCENE_BREAK = "***"
_MARKDOWN = re.compile(r"(#{1,6}[ \t]|```|~~~)")
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph (``level`` 0; its lines parted by newlines) or a heading (``level`` 1 to 6, one line).
    ``anchors`` are the names by which links point to it."""

    text: str
    level: int = 0
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Converted:
    """A file's story as Markdown, and the title that the file itself gives, if any. ``chapters`` are those
    that its own outline names; none where they are to be found by their headings. ``places`` is the table of
    where its words are printed (see :mod:`.pdf.places`), empty where it has no pages; ``warning`` one line on
    what may be read wrongly, if anything."""

    text: str
    title: str | None = None
    chapters: tuple[Chapter, ...] = ()
    places: bytes = b""
    warning: str = ""


def block_of(lines: Iterable[str], *, level: int = 0, anchors: Sequence[str] = ()) -> TextBlock | None:
    """A block of lines as they came, white space evened out; None where nothing is left.

    A line of nothing but ornaments becomes a scene break; a heading's lines become one.
    """
    said = [flat for line in lines if (flat := " ".join(_UNFIT.sub("", normalized(line)).split()))]
    if not said:
        return None
    if level:
        return TextBlock(_joined(said), level, tuple(anchors))
    if len(said) == 1 and is_scene_break(said[0]):
        return TextBlock(SCENE_BREAK, 0, tuple(anchors))
    return TextBlock("\n".join(said), 0, tuple(anchors))


def markdown_of(blocks: Iterable[TextBlock], *, title: str | None = None) -> str:
    """The blocks as Markdown, a blank line between them, under ``# title`` if one is given.

    A paragraph's line that Markdown would take for a heading or a fence gets a backslash. Ends with a newline
    unless there is nothing at all.
    """
    parts = [f"# {title}"] if title else []
    parts += [_prefix(block) + _body(block) for block in blocks]
    return "\n\n".join(parts) + "\n" if parts else ""


def text_starts(blocks: Iterable[TextBlock], *, title: str | None = None) -> list[int]:
    """Where the text of each block, of one line each, begins in what :func:`markdown_of` makes of them."""
    found, at = [], len(f"# {title}\n\n") if title else 0
    for block in blocks:
        rendered = _prefix(block) + _body(block)
        found.append(at + len(rendered) - len(block.text))
        at += len(rendered) + 2
    return found


def printable(text: str) -> str:
    """Without control characters, and halves of characters."""
    return _UNFIT.sub("", text)


def _prefix(block: TextBlock) -> str:
    return f"{'#' * min(block.level, 6)} " if block.level else ""


def _body(block: TextBlock) -> str:
    return block.text if block.level else "\n".join(map(_escaped, block.text.split("\n")))


def clean_title(said: str | None) -> str | None:
    """A title as one line of at most 200 characters without anything unseen; None for a blank one."""
    flat = " ".join(_UNFIT.sub(" ", normalized(said or "")).split())
    return flat[:_LONGEST_TITLE].rstrip() or None


def _joined(lines: Sequence[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        text += f" {line}" if text[-1] in ".:;,!?\u2014\u2013-" else f": {line}"
    return text


def _escaped(line: str) -> str:
    return f"\\{line}" if _MARKDOWN.match(line) else line
