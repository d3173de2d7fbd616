"""Lines that could be headings: what kind, which number, where.

This module only proposes. Which of the proposals form the book's real sequence, and which belong to a
contents page, a list or a letter, is decided in ``sequences``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from .dates import is_date
from .numerals import MOST, MOST_CHAPTERS, number

_NEWLINE = re.compile(r"\r\n|\r|\n")
_LOOK = 200  # characters of a line that may hold a heading; longer lines are prose after it
DINGBATS = "★☆♥♡❤◆◇❖✦✧✿❀♦♠♣♪§◊●○■□►"
_DECOR = f" \t\f\v\xa0_*=~|[](){{}}<>#·•-\u2013\u2014\u2015{DINGBATS}"
_QUOTES = "\"'\u2018\u2019\u201c\u201d\u00ab\u00bb"


class Rank(Enum):
    """What a heading may be in a book's outline."""

    CONTAINER = "container"  # volume, book, part: holds chapters, or is one where there are none
    CHAPTER = "chapter"  # says that it is a chapter, letter, stave
    BARE = "bare"  # a numeral alone or with a title
    NAMED = "named"  # prologue, epilogue, preface
    APPARATUS = "apparatus"  # contents, notes, the end: no part of the story


@dataclass(frozen=True, slots=True)
class Heading:
    """A proposed heading. ``start`` to ``label_end`` is its label ("CHAPTER IV."), on line ``line``;
    ``value`` is its number, None where it names none that can be read. ``form`` tells numerals with a
    title on their line from those without."""

    kind: str
    rank: Rank
    value: float | None
    label: str
    line: int
    start: int
    label_end: int
    form: str = ""


class Page:
    """A text as lines: offsets, stripped text, blank lines before, words up to each line."""

    __slots__ = ("blanks", "dense", "ends", "starts", "strips", "text", "words")

    def __init__(self, text: str) -> None:
        breaks = [(found.start(), found.end()) for found in _NEWLINE.finditer(text)]
        self.text = text
        self.starts = [0, *(end for _, end in breaks)]
        self.ends = [*(start for start, _ in breaks), len(text)]
        self.strips = [text[a:b].strip() for a, b in zip(self.starts, self.ends, strict=True)]
        self.words = [0, *accumulate(len(line.split()) for line in self.strips)]
        self.blanks: list[int] = list(
            accumulate(self.strips, lambda run, line: 0 if line else run + 1, initial=99)
        )
        filled = sum(map(bool, self.strips))
        self.dense = len(self.strips) - filled < 0.02 * len(self.strips)  # one paragraph a line

    def __len__(self) -> int:
        return len(self.strips)

    def blank_before(self, line: int) -> bool:
        """Does a paragraph begin with this line: is the one above blank, or every line a paragraph?"""
        return self.dense or self.blanks[line] > 0

    def blank_after(self, line: int) -> bool:
        """Does a paragraph end with this line: is the one below blank, or every line a paragraph?"""
        return self.dense or line + 1 >= len(self) or not self.strips[line + 1]

    def paragraph_end(self, line: int, *, most: int = 12) -> int:
        """The line after the paragraph that holds ``line``, looking ahead at most ``most`` lines."""
        if self.dense:
            return line + 1
        stop = min(len(self), line + most)
        while line < stop and self.strips[line]:
            line += 1
        return line


# --- what titles look like -----------------------------------------------------------------------


def is_caps(text: str) -> bool:
    """Are its letters capitals, at least two of them (a stray small one, as in McGREGOR, is allowed)?"""
    upper, lower = sum(map(str.isupper, text)), sum(map(str.islower, text))
    return upper >= 2 and lower <= upper // 8


def is_title_case(text: str) -> bool:
    """Do its longer words, and its first, begin with capitals?"""
    words = [word.strip(_DECOR + _QUOTES + ".,;:!?") for word in re.split(r"[\s\u2014\u2013]+|--+", text)]
    words = [word for word in words if word[:1].isalpha()]
    if not words or not words[0][0].isupper():
        return False
    long = [word for word in words if len(word) > 4] or words
    capitals: int = sum(word[0].isupper() for word in long)
    return capitals >= 0.7 * len(long)


# --- the patterns --------------------------------------------------------------------------------

_CONTAINERS = "volume vol tome book part phase epoch period narrative act cycle"
DAYS = ("entry", "day", "night", "week", "year")
"""Kinds of headings that may stand within a chapter too."""
_ALIKE = "chap ch kapitel chapitre capítulo capitulo capitolo hoofdstuk rozdział kapitola глава"
_CHAPTERS = f"chapter stave letter canto episode adventure record scene section {_ALIKE} {' '.join(DAYS)}"
_SAME = {"vol": "volume"} | dict.fromkeys(_ALIKE.split(), "chapter")
_RANKS = dict.fromkeys(_CONTAINERS.split(), Rank.CONTAINER) | dict.fromkeys(_CHAPTERS.split(), Rank.CHAPTER)
_KINDS = "|".join(sorted(_RANKS, key=len, reverse=True))
_KIND_FIRST = re.compile(
    rf"({_KINDS})(?![^\W\d_])[.:]?\s{{0,16}}(?:(?:the|no\.?|number)\s{{1,8}}|#\s?)?", re.IGNORECASE
)
_KIND = re.compile(_KINDS, re.IGNORECASE)
_SPACED = re.compile(r"(?<!\w)(?:[^\W_][ \xa0]){2,}[^\W_](?!\w)")  # C H A P T E R
_ORDINAL = re.compile(r".*(?:st|nd|rd|th)\Z", re.IGNORECASE)
_KIND_LAST = re.compile(rf"\s{{1,8}}({_KINDS}|prologue|epilogue)\b", re.IGNORECASE)
_LAST = re.compile(r"(?:the\s)?last\b", re.IGNORECASE)
_UNREAD = re.compile(r"[IVXLC][IVXLCl1]{1,8}(?!\w)")
_SEPARATOR = re.compile(r"[\s.:;,)\]}_*\u2014\u2013-]{0,20}")
_NAMES = "prologue epilogue prolog epilog épilogue introduction preface foreword conclusion finale prelude \
interlude intermezzo afterword proem overture coda appendix side\\sstory \
(?:bonus|extra|final|last|special)\\schapter"
_NAMED = re.compile(
    rf"(?:(?:the|author['\u2019]?s)\s+){{0,2}}({'|'.join(_NAMES.split())})(?:\s+(?:\d{{1,3}}|[IVX]{{1,5}}))?(?P<rest>(?:\s+to\s+the\s+\w+\s+edition)?\W.*|)\Z",
    re.IGNORECASE | re.DOTALL,
)
_APPARATUS = re.compile(
    r"(?:the\s+)?(?:(?:table\s+of\s+)?contents|(?:list\s+of\s+)?illustrations|dedication|errata|foot-?notes|notes"
    r"|glossary|index|acknowledge?ments|bibliography|advertisements?"
    r"|about\s+the\s+(?:author|translator|illustrator|publisher)s?|by\s+the\s+same\s+author"
    r"|author['\u2019]?s['\u2019]?\s+notes?|an?\s+notes?\s+(?:from|by)\s+the\s+author"
    r"|(?:introductory|bibliographical|biographical|prefatory)\s+(?:note|notice)"
    r"|(?:original\s+)?(?:transcriber|translator|editor|publisher)['\u2019]?s?['\u2019]?\s+(?:end\s?)?"
    r"(?:notes?|preface|introduction|foreword)|the\s+end|finis|fin)\W*\Z",
    re.IGNORECASE,
)
_BOOKS_PARTS = re.compile(
    r"(?:(?:front |back )?cover(?: page)?|(?:half[ -]?)?title(?:[ -]?page)?|copyright(?:[ -]?page)?|imprint|"
    r"colophon|(?:also|other (?:books|novels|titles|works)) by\b.*|praise for\b.*|newsletter.*|"
    r"the full project gutenberg licen[sc]e)\W*\Z",
    re.IGNORECASE,
)
_TEASER = re.compile(
    r"(?:(?:keep|continue)\s+reading\s+for\s+)?(?:an?\s+)?(?:excerpt|(?:sneak\s+)?preview|sneak\s+peek)"
    r"(?:(?:\s+(?:from|of|at)\b|\s*:)(?!.*\b(?:diary|journal|letters?|log|notebook|papers)\b).{1,80})?\W*\Z",
    re.IGNORECASE,
)
TEASER = "teaser"
"""The kind of a heading over an excerpt of another book."""
_NUMBERED_TITLE = re.compile(
    r"(?P<point>\s?[.:)\u2014\u2013-]+\s{0,8}|\s{2,8}|\s)(?P<title>\S.*)\Z", re.DOTALL
)
_ILLUSTRATED = re.compile(r"\A\[Illustration:\s*")
_ITEM = re.compile(r"(\d{1,3}|[IVXLC]{1,8})[.):]?\s+\S")
_LETTERS = re.compile(r"[^\W\d_]")


def scan(page: Page, first: int, last: int) -> list[Heading]:
    """Every proposed heading on the lines ``first`` to ``last`` (half-open), in order of the text."""
    found: list[Heading] = []
    previous = -2
    for line in range(first, last):
        if not page.strips[line]:
            continue
        joined = page.blank_before(line) or line == first or previous == line - 1
        new = list(_propose(page, line, joined=joined))
        if new:
            previous = line
            found += new
    return found


def names_apparatus(label: str) -> bool:
    """Is this what a part of a book is called that is no part of its story, and nothing else?"""
    own = read_as(f"# {label}")
    doubtful = ("the end", "fin", TEASER)
    return own is not None and own.rank is Rank.APPARATUS and not own.kind.startswith(doubtful)


def read_as(title: str) -> Heading | None:
    """What a heading of these words would be in a book."""
    page = Page(title)
    return next(iter(scan(page, 0, len(page))), None) if title.strip() else None


def _propose(page: Page, line: int, *, joined: bool) -> Iterator[Heading]:
    raw = page.strips[line][:_LOOK]
    core = _ILLUSTRATED.sub("", raw).lstrip(_DECOR)
    if not core or not core[0].isalnum():
        return
    if (core[0].isdigit() or core[0] in "IVXLC") and _in_list(page, line):
        start = page.starts[line]
        yield Heading("contents", Rank.APPARATUS, None, raw, line, start, start + len(raw))
        return
    if not joined and not core[:4].isupper():
        return
    at = page.starts[line] + page.text[page.starts[line] : page.ends[line]].find(core[:40])
    core = _SPACED.sub(_closed, core.rstrip(_DECOR))
    keyed = list(_keyed(core, page, line, at))
    if keyed:
        if joined or is_caps(core):
            yield from keyed
    elif joined and (other := _named(core, page, line, at) or _bare(core, page, line, at)):
        yield other


def _closed(spaced: re.Match[str]) -> str:
    """A word that is printed with spaces between its letters, without them but as long: the first of a
    line has them behind it, others before."""
    word, length = spaced[0][::2], len(spaced[0])
    if spaced.start():
        return word.rjust(length)
    kind = _KIND.match(word)
    end = kind.end() if kind else len(word)
    return word[:end] + word[end:].rjust(length - end)


def _in_list(page: Page, line: int) -> bool:
    """Does a numbered line stand beside the next or the last number, no blank line between?"""
    here = _numbered(page.strips[line])
    if here is None:
        return False
    for way in (-1, 1):
        for at in range(line + way, line + way * (2 if page.dense else 4), way):
            if not 0 <= at < len(page) or not page.strips[at]:
                break
            if _numbered(page.strips[at]) == here + way:
                return True
    return False


def _numbered(said: str) -> float | None:
    found = _ITEM.match(said)
    read = number(found[1]) if found else None
    return read[0] if read else None


def _keyed(core: str, page: Page, line: int, at: int) -> Iterator[Heading]:
    """CHAPTER IV, Part the Second, THE FIRST BOOK; a container and a chapter on one line give two."""
    parsed = _kind_first(core) or _kind_last(core)
    if not parsed:
        return
    kind, value, used = parsed
    gap = _SEPARATOR.match(core, used)
    stop = gap.end() if gap else used
    point, rest = core[used:stop].strip(), core[stop:]
    if not _may_follow(rest, point) or not (core[0].isupper() or (not rest and page.blank_after(line))):
        return
    if kind in DAYS and rest and (not is_title_case(rest) or rest[-1] in ".!?" or len(core) > 80):
        return  # words of a diary, on the line of its day
    kind = _SAME.get(kind, kind)
    rank = _RANKS.get(kind, Rank.NAMED)
    label = core[:used].rstrip(_DECOR + ".:")
    inner = list(_keyed(rest, page, line, at + stop)) if rest and rank is Rank.CONTAINER else []
    yield Heading(kind, rank, value, label, line, at, at + used + len(point), "")
    yield from inner


def _kind_first(core: str) -> tuple[str, float | None, int] | None:
    found = _KIND_FIRST.match(core)
    if not found:
        return None
    counts_chapters = _SAME.get(found[1].lower(), found[1].lower()) == "chapter"
    read = number(core[found.end() :], most=MOST_CHAPTERS if counts_chapters else MOST)
    if read:
        return found[1].lower(), read[0], found.end() + read[2]
    final = _LAST.match(core, found.end()) or (_UNREAD.match(core, found.end()))
    return (found[1].lower(), None, final.end()) if final else None


def _kind_last(core: str) -> tuple[str, float | None, int] | None:
    skip = 4 if core[:4].lower() == "the " else 0
    read = number(core[skip:])
    if not read or not _ORDINAL.match(core[skip : skip + read[2]]):
        return None
    found = _KIND_LAST.match(core, skip + read[2])
    if not found or not found[1][0].isupper():
        return None
    return found[1].lower(), read[0], found.end()


def _may_follow(rest: str, point: str) -> bool:
    """May ``rest`` stand after a label, or does the line go on as a sentence ("Chapter two of the")?"""
    first = _LETTERS.search(rest)
    if not rest or not first or first[0].isupper():
        return True
    return bool(point) and point[-1] in ".:\u2014\u2013-)"


def _named(core: str, page: Page, line: int, at: int) -> Heading | None:
    if not core[0].isupper():
        return None
    apart = _APPARATUS.match(core) or (page.strips[line][0] == "#" and _BOOKS_PARTS.match(core))
    if apart and page.blank_before(line):
        kind = " ".join(core.lower().strip(_DECOR + ".:").split())
        return Heading(kind, Rank.APPARATUS, None, core, line, at, at + len(core))
    if _TEASER.match(core) and page.blank_before(line) and (is_title_case(core) or is_caps(core)):
        return Heading(TEASER, Rank.APPARATUS, None, core, line, at, at + len(core))
    found = _NAMED.match(core)
    if not found or not page.blank_before(line):
        return None
    rest = found["rest"].strip(_DECOR + ".:")
    whole = "edition" in rest.lower() or not rest
    if not whole and (
        found["rest"].lstrip()[:1] not in (":", ".", "-", "\u2014", "\u2013") or len(core) > 90
    ):
        return None
    used = len(core) if whole else found.start("rest") + 1
    label = core[: used if whole else found.start("rest")].rstrip(_DECOR + ".:")
    return Heading(found[1].lower(), Rank.NAMED, None, label, line, at, at + used)


def _bare(core: str, page: Page, line: int, at: int) -> Heading | None:
    """A numeral alone on its line, or one before a title: IV, 12., XII. THE FERRY, Twelve."""
    read = number(core)
    if not read or read[0] < 1 or read[0] % 1 or not page.blank_before(line):
        return None
    value, style, used = read
    rest = core[used:]
    is_day = rest[:1] not in (".", ":", ")") and is_date(core)  # 3 May, but not 3. May
    if not rest.strip(".:) "):
        if style == "word" and not core[0].isupper():
            return None
        return Heading(style, Rank.BARE, value, core.rstrip(".:) "), line, at, at + len(core), "alone")
    found = _NUMBERED_TITLE.match(rest)
    if is_day or style in ("lower", "word") or not found:
        return None
    if not _titles(found["title"], pointed=found["point"] != " ") or page.paragraph_end(line) - line > 3:
        return None
    end = at + used + len(found["point"].rstrip())
    return Heading(style, Rank.BARE, value, core[:used], line, at, end, "titled")


def _titles(title: str, *, pointed: bool) -> bool:
    """Does what follows a numeral read as a title? A point or a wide gap between them helps."""
    if title[-1] in ",;" or not title.lstrip(_QUOTES + _DECOR)[:1].isupper():
        return False
    return pointed or is_caps(title) or is_title_case(title)
