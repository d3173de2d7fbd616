"""Story text to be read on a page: its lines flowing, with marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from markupsafe import Markup, escape

from ...core.types import Span
from ...views.chapter import ChapterShown, Named, chapter_words
from ...views.findings_shown import FindingShown
from . import html
from .filters import flowing

_piece = partial(html, "reading")
_KINDS = {"character": "People", "location": "Places", "object": "Things", "group": "Groups"}
_MOST_NAMED = 24  # of a kind, beside a chapter
_MARK = Markup('<mark class="f-at">{}</mark>')
_EM = Markup("<em>{}</em>")
_SLIP = Markup('<span class="f-slip">{}</span>')
_BREAK = Markup('<span class="f-break">{}</span>')
_EMPHASIS = re.compile(r"(?<![\w*_\\])(\*{1,2}|_{1,2})(?=[^\s*_])([^*_\n]*[^\s*_])\1(?![\w*_])")
_SCENE_BREAK = re.compile(r"^[ \t]*(?:[*_#~\u2022-][ \t]*){3,}$", re.MULTILINE)
_GONE = "\0"  # stands for a blank that is not shown
_INDENTED = re.compile(r"^([ \t]+)\S[^\n]{34,}(?:\n\1\S[^\n]*)+", re.MULTILINE)


def _joined(block: re.Match[str]) -> str:
    """Lines of a paragraph that is indented as a whole, in one; as long as before."""
    indent = f"\n{block[1]}"
    return block[0].replace(indent, " " + _GONE * len(block[1]))


@dataclass(frozen=True, slots=True)
class Slip:
    """A finding of the critic. ``here`` are its quotes in this chapter, in offsets of the chapter's text;
    ``sides`` all of them as (words, place, address)."""

    number: int
    finding: FindingShown
    here: tuple[Span, ...]
    sides: tuple[tuple[str, str, str], ...]


def chapter(shown: ChapterShown, at: Span | None, slips: Sequence[Slip] = ()) -> str:
    """A chapter. A name opens who that is, a finding what is wrong, and the place ``at`` is marked. Words
    between asterisks or underscores are in italics, a line of such signs is a scene break."""
    text = _INDENTED.sub(_joined, flowing(shown.text))
    signs: list[Span] = []
    layers: list[list[tuple[Span, Callable[[Markup], str]]]] = [[], [], [], [], []]
    for found in _EMPHASIS.finditer(text):
        inner = Span(found.start() + len(found[1]), found.end() - len(found[1]))
        signs += [Span(found.start(), inner.start), Span(inner.end, found.end())]
        layers[1].append((inner, _EM.format))
    layers[1] += [(Span(*found.span()), _BREAK.format) for found in _SCENE_BREAK.finditer(text)]
    layers[2] += [(Span(one.start, one.end), partial(_piece, "name", one)) for one in shown.named]
    here = [(span, slip) for slip in slips for span in slip.here]
    layers[3] += [(span, _SLIP.format) for span, _ in here]
    flags = {span.end: slip for span, slip in here}
    layers[4] += [(at, _MARK.format)] if at is not None else []
    layers[0] = [(span, lambda _: "") for span in signs]
    for layer in layers:
        layer.sort(key=lambda one: one[0].start)
    cuts = {place for layer in layers for span, _ in layer for place in (span.start, span.end)}
    pieces = []
    for start, end in pairwise(sorted(cuts | {0, len(text)})):
        piece: Markup = escape(text[start:end].replace(_GONE, ""))
        for layer in layers:
            turn = bisect_right(layer, start, key=lambda one: one[0].start) - 1
            if turn >= 0 and end <= layer[turn][0].end and piece:
                piece = Markup(layer[turn][1](piece))  # noqa: S704 (made of escaped text)
        pieces.append(piece)
        if end in flags:
            pieces.append(Markup(_piece("flag", flags[end])))  # noqa: S704 (as above)
    return _piece("chapter", chapter_words(shown.number, shown.title), Markup("").join(pieces))


def margin(shown: ChapterShown, cards: Mapping[str, str], slips: Sequence[Slip], *, findings: str) -> str:
    """Beside a chapter: what to check in it, and who and what is named there, those named most often first;
    with what opens at a click. ``cards`` are HTML made here, by entity, ``findings`` the address of all."""
    counts = Counter((one.entity, one.name, one.kind) for one in shown.named)
    kinds: dict[str, list[Named]] = {}
    for (entity, name, kind), _ in counts.most_common():
        kinds.setdefault(_KINDS.get(kind, "Also"), []).append(Named(0, 0, entity, kind, name))
    shown_kinds = [
        (kind, kinds[kind][:_MOST_NAMED])
        for kind in dict.fromkeys([*_KINDS.values(), "Also"])
        if kind in kinds
    ]
    opened = [
        _piece("who", entity, Markup(card))  # noqa: S704 (made here)
        for entity, card in cards.items()
    ]
    opened += [_piece("finding", one, findings) for one in slips]
    return _piece("margin", shown_kinds, slips) + "".join(opened)
