"""Story text to be read on a page: its lines flowing, with marks; and the hits of a search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from markupsafe import Markup, escape

from ...core.types import Span
from ...views.chapter import ChapterShown
from ...views.quotes import Surroundings
from ...views.search import HitShown, SearchShown
from ...views.text.render import counted
from . import html

_NAMED = Markup('<span class="f-named f-{kind}" title="{name}">{text}</span>')
_MARK = Markup("<mark>{}</mark>")
_HARD_WRAP = re.compile(r"(?<=[^\n]{45})\n(?=[^\n\s])")


def chapter_words(number: int, title: str) -> str:
    """What to call a chapter: its own title, where that says which one it is."""
    flat = " ".join(title.split())
    if not flat or str(number) in flat or flat.casefold().startswith("chapter"):
        return flat or f"Chapter {number}"
    return f"Chapter {number}: {flat}"


def flowing(text: str) -> str:
    """As long as before, so that offsets hold: the line breaks of a hard-wrapped paragraph become blanks;
    short lines (verse, letter heads) keep theirs."""
    return _HARD_WRAP.sub(" ", text.replace("\r\n", " \n").replace("\r", "\n"))


def marked(text: str, marks: Sequence[Span]) -> Markup:
    """The text with each of ``marks`` (in order, not overlapping) in ``<mark>``."""
    shown, pieces, place = flowing(text), [], 0
    for mark in marks:
        pieces += [escape(shown[place : mark.start]), Markup("<mark>{}</mark>").format(mark.of(shown))]
        place = mark.end
    return Markup("").join([*pieces, escape(shown[place:])])


def chapter(shown: ChapterShown, at: tuple[int, int] | None) -> str:
    """A chapter: everybody and everything named in it underlined. With a place ``at``, that is marked, and
    what comes before the paragraphs round it is folded away."""
    text, quoted = flowing(shown.text), at or (0, 0)
    first = text.rfind("\n\n", 0, max(0, text.rfind("\n\n", 0, quoted[0]))) + 1
    named = {one.start: one for one in shown.named}
    ends = {one.end for one in shown.named}
    parts: tuple[list[Markup], list[Markup]] = ([], [])
    around = None
    for start, end in pairwise(sorted({0, first, len(text), *quoted, *named, *ends})):
        around = named.get(start) or (None if start in ends else around)
        piece: Markup = escape(text[start:end])
        if around is not None:
            piece = _NAMED.format(kind=around.kind, name=around.name, text=piece)
        if quoted[0] <= start and end <= quoted[1]:
            piece = _MARK.format(piece)
        parts[start >= first].append(piece)
    before, after = (Markup("").join(pieces) for pieces in parts)
    return html("reading", "chapter", chapter_words(shown.number, shown.title), before, after)


def in_context(around: Surroundings) -> Markup:
    """A quote among the paragraphs round it."""
    before = ("… " if around.more_before else "") + around.before.lstrip()
    after = around.after.rstrip() + (" …" if around.more_after else "")
    quote = Span(len(before), len(before) + len(around.quote))
    told = marked(before + around.quote + after, [quote])
    return Markup('<div class="f-prose f-around" dir="auto">{}</div>').format(told)


_html = partial(html, "search")


def summary(shown: SearchShown) -> str:
    """How many, and how they were weighed."""
    words = counted(len(shown.hits), "passage")
    if shown.semantic is not None:
        words += f", weighed {100 * shown.semantic:.3g}% meaning and {100 - 100 * shown.semantic:.3g}% words"
    if shown.answered and shown.answered != shown.asked.query:
        words += f"; cached from a search for “{shown.answered}”"
    return _html("summary", words)


def why(shown: SearchShown) -> str:
    """How the query was read, and why its hits are weighed as they are; folded away."""
    return _html("why", shown)


def nothing_found(shown: SearchShown) -> str:
    """That nothing was found up to the horizon, and what to try."""
    fewer = "" if shown.asked.wanted.is_empty else ", or fewer filters"
    return _html("nothing_found", shown, f"Try other words{fewer}")


def hit(one: HitShown) -> str:
    """A passage with the query's words marked, its place, and what found it."""
    place = chapter_words(one.chapter, one.title)
    return _html("hit", one, place, marked(one.text, one.marks), in_context(one.around))
