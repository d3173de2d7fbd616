"""The story bible as a document: Markdown, Word; and what all files share: escapes, archives."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator

from ...core.text.sentences import in_marks
from ...story.model.types import WORLD
from ..bible import BibleShown, EntryShown, LineShown
from ..text.render import harmless

_ACTS = re.compile(r"[\\`*_{}\[\]<>#|!~$^=&%]|(?<=:)//|^[-+]")  # in Markdown
_NUMBERED = re.compile(r"^(\d+)(?=[.)])")
_NOT_IN_XML = re.compile("[\ufffe\uffff]")


def flat(text: str) -> str:
    """One line that moves no cursor."""
    return " ".join(harmless(text).split())


def escaped(line: str) -> str:
    """One line of Markdown that is read as these very words."""
    return _NUMBERED.sub(r"\1\\", _ACTS.sub(r"\\\g<0>", line))


def markdown_line(text: str) -> str:
    """The same of any text."""
    return escaped(flat(text))


def markdown(shown: BibleShown) -> bytes:
    """One page."""
    lines = [f"# {markdown_line(shown.title)}: story bible", "", shown.until, ""]
    for section, entries in shown.sections:
        lines += [f"## {section}", ""]
        for entry in entries:
            lines += [] if entry.kind == WORLD else [f"### {markdown_line(entry.name)}", ""]
            lines += entry_lines(entry, markdown_line)
    return "\n".join(lines).encode()


def entry_lines(entry: EntryShown, worded: Callable[[str], str]) -> list[str]:
    """Of one entry what stands under its heading."""
    return [
        *([f"*{markdown_line(entry.told)}*", ""] if entry.told else []),
        *listed_lines(entry.lines, worded),
        "",
    ]


def listed_lines(lines: Iterable[LineShown], worded: Callable[[str], str]) -> list[str]:
    """A point a line, with its quotes below."""
    told = []
    for line in lines:
        told.append(f"- {worded(line.text)} *({line.place})*")
        told += [f"    > {markdown_line(in_marks(quote.words))} ({quote.place})" for quote in line.quotes]
    return told


def word(shown: BibleShown) -> bytes:
    """A .docx file."""
    import docx

    def fit(text: str) -> str:
        return _NOT_IN_XML.sub("", flat(text))

    made = docx.Document()
    made.add_heading(fit(f"{shown.title}: story bible"), level=0)
    made.add_paragraph(shown.until)
    for section, entries in shown.sections:
        made.add_heading(section, level=1)
        for entry in entries:
            if entry.kind != WORLD:
                made.add_heading(fit(entry.name), level=2)
                made.add_paragraph().add_run(fit(entry.told)).italic = True
            for line in entry.lines:
                made.add_paragraph(fit(f"{line.text} ({line.place})"), style="List Bullet")
                for quote in line.quotes:
                    made.add_paragraph(fit(f"{in_marks(quote.words)} ({quote.place})"), style="Quote")
    held = io.BytesIO()
    made.save(held)
    with zipfile.ZipFile(held) as archive:  # once more, since it holds the time of day
        return b"".join(zipped((name, archive.read(name)) for name in archive.namelist()))


class _Forward(io.BytesIO):
    def tell(self) -> int:
        raise io.UnsupportedOperation  # so that nothing is written to a place that is sent already


def zipped(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """An archive of these files, without the time of day: a piece for each file, as it comes."""
    held = _Forward()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
            yield held.getvalue()
            held.truncate(held.seek(0))
    yield held.getvalue()
