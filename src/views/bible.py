"""The story bible as a reader is shown it: plain data for pages, files (``bible_files``) and the terminal."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.text.sentences import in_marks
from ..errors import UnknownName
from ..story.bible import AUTHOR, Bible, Line
from ..story.model.predicates import PREDICATES
from ..story.model.types import WORLD, gathered
from .cards import read_by_model, trusted
from .chapter import chapter_words
from .quotes import QuoteShown, quotes_shown, told_quotes
from .text.render import wrapped
from .wording import as_written

if TYPE_CHECKING:
    from ..engine import Project


_OUTLINE = frozenset("life age born birthplace home trade eyes hair height looks died called".split())


@dataclass(frozen=True, slots=True)
class LineShown:
    """``text`` is told in ``chapter`` (0: before the story) and is ``sure`` (0 to 1); ``says`` is who says
    so, ``kind`` what sort of thing it is; what is ``over`` does not hold any more. ``sign``: of a relation,
    how the first of ``about`` stands to the second, -1, 0 or 1."""

    text: str
    chapter: int
    kind: str
    sure: float
    says: str
    over: bool
    about: tuple[str, ...]
    quotes: tuple[QuoteShown, ...]
    sign: int = 0

    @property
    def place(self) -> str:
        """Who says so, or where."""
        spoken = f"{self.says}, " if self.says not in (AUTHOR, "the text") else ""
        return self.says if self.says == AUTHOR else f"{spoken}ch. {self.chapter}"


@dataclass(frozen=True, slots=True)
class EntryShown:
    """A person, group, place, thing, the world or a thread, under the heading ``section``; ``first`` is its
    first chapter, ``state`` that of a thread (overdue, open, advanced or resolved), else empty."""

    id: str
    name: str
    kind: str
    section: str
    also: tuple[str, ...]
    first: int
    state: str
    lines: tuple[LineShown, ...]

    @property
    def told(self) -> str:
        """What it is, in words."""
        if self.kind == WORLD:
            return ""
        if self.state:
            whose = f" of {self.also[0]}" if self.also else ""
            since = f", since ch. {self.first}"
            when = f" in ch. {self.lines[-1].chapter}" if self.state == "resolved" else since
            return f"{self.kind}{whose}, {self.state}{when}"
        also = f"also {', '.join(self.also)}; " if self.also else ""
        return f"{also}{f'first in ch. {self.first}' if self.first else 'laid down by the author'}"


@dataclass(frozen=True, slots=True)
class ChapterListed:
    """A chapter up to the horizon; ``present`` are the ids of those whom it names, in that order."""

    number: int
    title: str
    present: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BibleShown:
    """At chapter ``as_of`` (None: the whole story), in the order of a bible. ``chapters`` are those up to
    there, where they were asked for."""

    title: str
    as_of: int | None
    entries: tuple[EntryShown, ...]
    chapters: tuple[ChapterListed, ...] = ()

    @property
    def until(self) -> str:
        """How far it was read."""
        return "The whole story." if self.as_of is None else f"Up to chapter {self.as_of}."

    @property
    def sections(self) -> Collection[tuple[str, Collection[EntryShown]]]:
        """The entries under their headings."""
        return gathered((entry.section, entry) for entry in self.entries).items()

    def told_in(self, chapter: int) -> list[LineShown]:
        """The lines that this chapter tells, each once."""
        lines = (line for one in self.entries for line in one.lines if line.chapter == chapter)
        return list({line.text: line for line in lines}.values())


def bible_at(
    project: Project, as_of: int | None = None, about: str | None = None, *, careful: bool = False
) -> BibleShown:
    """The project's bible at a chapter, with its chapters. ``careful``: without what the offline reader takes
    from single sentences (see ``cards.trusted``). Raises as :func:`bible_shown`."""
    view = project.view(as_of)
    bible = as_written(project.bible(as_of), view)
    if careful:
        bible = trusted(bible, by_model=read_by_model(view))
    known = ((one.number, one.title) for one in project.document.chapters[:as_of])
    chapters = tuple(ChapterListed(n, chapter_words(n, title), view.presence(n)) for n, title in known)
    return bible_shown(bible, title=project.document.title, about=about, chapters=chapters)


def bible_shown(
    bible: Bible, *, title: str, about: str | None = None, chapters: tuple[ChapterListed, ...] = ()
) -> BibleShown:
    """As plain data; only the entries of that name, where one is given. Raises UnknownName where there is
    none."""
    entries = bible.entries if about is None else bible.about(about)
    if about is not None and not entries:
        raise UnknownName(f"the story so far has nothing about {about!r}: the whole bible lists all entries")
    shown = (
        EntryShown(
            *(one.id, one.name, one.kind, one.section, one.also, one.first, one.state),
            tuple(
                LineShown(
                    *(line.text, line.chapter, line.kind, round(line.sure, 3), line.says, line.over),
                    line.about,
                    quotes_shown(told_quotes(line)),
                    PREDICATES[line.row].sign if line.kind == "relation" and line.row in PREDICATES else 0,
                )
                for line in sorted(one.lines, key=_rank)
            ),
        )
        for one in entries
    )
    return BibleShown(title, bible.as_of, tuple(shown), chapters)


def _rank(line: Line) -> int:
    """Who somebody is before what else is so: the author's word, a life in outline, ties, what happens."""
    if line.kind == "description" or line.row == "role":
        return 0
    if line.kind == "fact":
        return 1 if line.row in _OUTLINE else 4
    return 2 if line.kind == "relation" else 3


def with_links(text: str, names: Collection[str]) -> list[str]:
    """The text in parts, each second of which is one of the names, as whole words, the longest first."""
    found = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    return re.split(rf"(?<!\w)({found})(?!\w)", text) if found else [text]


def bible_text(shown: BibleShown) -> str:
    """For a terminal: a line a sentence, its first quote below."""
    lines = []
    for section, entries in shown.sections:
        lines.append(section)
        for entry in entries:
            lines.append(wrapped(f"{entry.name} ({entry.told})" if entry.told else entry.name, indent="  "))
            for line in entry.lines:
                lines.append(wrapped(f"{line.text} [{line.place}]", indent="    "))
                lines += [wrapped(in_marks(one.words), indent="      ") for one in line.quotes[:1]]
        lines.append("")
    return "\n".join(lines).rstrip() or "Nothing is established yet."
