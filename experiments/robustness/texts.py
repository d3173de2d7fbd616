"""Texts and files of any size for ``growth``: ordinary ones, and those made to be slow."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from fabula.demo import story_text

__all__ = ["HOSTILE", "contents", "garbled", "headings", "marked_up", "names"]

_CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
    'full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
_OPF = (
    '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="n" '
    'href="n.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="p" href="p.xhtml" '
    'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="p"/></spine></package>'
)
_HEAD = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>'


def garbled(words: int, *, seed: int = 0) -> str:
    """The demo story's sentences over and over, the words of each in another order."""
    chance, told, count = random.Random(seed), list[str](), 0
    sentences = [line for line in story_text().replace("\n", " ").split(". ") if line.strip()]
    while count < words:
        for sentence in sentences:
            said = sentence.split()
            chance.shuffle(said)
            told.append(" ".join(said) + ".")
            count += len(said)
    return " ".join(" ".join(told).split()[:words])


def name(number: int) -> str:
    """A name of two letters or more, another for every number."""
    said, left = "", number + 7
    while left:
        said += "bcdfglmnprstvz"[left % 14] + "aeiou"[left // 14 % 5]
        left //= 70
    return said.capitalize()


def names(count: int) -> str:
    return " ".join(f"{name(one)} walked to the house." for one in range(count))


def headings(count: int) -> str:
    return "".join(f"CHAPTER {one}\n\nAnna rowed to island {one}.\n\n" for one in range(1, count + 1))


def marked_up(count: int) -> str:
    many = " ".join(f'a{one}="b"' for one in range(count))
    return f"<html><body><p {many}>Anna went home.</p></body></html>"


def contents(file: Path, entries: int) -> None:
    """An EPUB of one page with so many headings, all of them in its navigation."""
    told = "Anna went home. " * 20
    page = "".join(f'<h2 id="c{one}">Part {one}</h2><p>{told}</p>' for one in range(entries))
    links = "".join(f'<li><a href="p.xhtml#c{one}">Part {one}</a></li>' for one in range(entries))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", _CONTAINER)
        archive.writestr("b.opf", _OPF)
        archive.writestr("p.xhtml", f"{_HEAD}{page}</body></html>")
        archive.writestr("n.xhtml", f'{_HEAD}<nav epub:type="toc"><ol>{links}</ol></nav></body></html>')


def _book(suffix: str, text: Callable[[], str]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        file = folder / f"book{suffix}"
        file.write_text(text(), encoding="utf-8")
        return file

    return write


def _epub(folder: Path) -> Path:
    contents(folder / "book.epub", 20_000)
    return folder / "book.epub"


def _pairs(count: int) -> str:
    return " ".join(f"{name(one)} met {name(one + 1)}." for one in range(0, count, 2))


_ENDLESS = "the boat went over a brown sea while many small birds came near to an old house and "
HOSTILE: Mapping[str, Callable[[Path], Path]] = {
    "a sentence of 20,000 words": _book(".txt", lambda: _ENDLESS * 1_112),
    "1 MB of quotation marks": _book(".txt", lambda: '" ' * 500_000),
    "1 MB of speech that nothing closes": _book(".txt", lambda: "“Go on, he said. " * 52_600),
    "a sentence of 3,000 names": _book(".txt", lambda: f"Anna met {', '.join(map(name, range(3_000)))}."),
    "6,000 sentences of unique names": _book(".txt", lambda: names(6_000)),
    "60,000 names": _book(".txt", lambda: _pairs(60_000)),
    "8,000 headings": _book(".txt", lambda: headings(8_000)),
    "20,000 headings": _book(".txt", lambda: headings(20_000)),
    "4,000 headings": _book(".txt", lambda: headings(4_000)),
    "1,200 headings": _book(".txt", lambda: headings(1_200)),
    "an EPUB navigation of 20,000 entries": _epub,
    "one line of 49 MB": _book(".txt", lambda: "the boat " * 5_440_000),
    "200,000 attributes": _book(".html", lambda: marked_up(200_000)),
    "1 MB of ampersands": _book(".html", lambda: f"<p>{'&' * 1_000_000}</p>"),
    "a codex of 40,000 brackets": _book(".txt", lambda: "Anna went home."),
}
"""By name, what writes such a book into a folder; the last one has a codex as well, see ``growth``."""
