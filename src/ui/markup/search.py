"""Hits as HTML. Story text is untrusted: escaped, every character of it."""

from __future__ import annotations

from html import escape

from ...views.search import HitShown, SearchShown
from .reading import chapter_words, in_context, marked


def summary(shown: SearchShown) -> str:
    """How many, and how they were weighed."""
    count = len(shown.hits)
    words = f"{count} passage{'' if count == 1 else 's'}"
    if shown.semantic is not None:
        words += f", weighed {100 * shown.semantic:.3g}% meaning and {100 - 100 * shown.semantic:.3g}% words"
    if shown.answered and shown.answered != shown.asked.query:
        words += f"; kept from a search for “{shown.answered}”"
    return f'<p class="f-verdict" role="status">{escape(words)}</p>'


def why(shown: SearchShown) -> str:
    """How the query was read, and why its hits are weighed as they are; folded away."""
    items = "".join(f"<li>{escape(reason)}</li>" for reason in shown.why)
    return (
        '<details class="f-cited"><summary>Why weighed like this</summary><div class="f-why">'
        f"<p>The query reads as <b>{escape(shown.kind)}</b>.</p><ul>{items}</ul></div></details>"
    )


def nothing_found(shown: SearchShown) -> str:
    """That nothing was found up to the horizon, and what to try."""
    advice = "Try other words"
    if not shown.asked.wanted.is_empty:
        advice += ", or fewer filters"
    return f'<div class="f-note" role="status">Nothing up to chapter {shown.as_of}. {advice}.</div>'


def hit(one: HitShown) -> str:
    """A passage with the query's words marked, its place, and what found it."""
    place = f'<span class="f-soft">{one.printed}</span>' if one.printed else ""
    return (
        f'<article class="f-hit"><p class="f-place"><b>{one.number}</b>'
        f'<span dir="auto">{escape(chapter_words(one.chapter, one.title))}</span>'
        f"{place}</p>"
        f'<div class="f-prose" dir="auto">{marked(one.text, one.marks)}</div>{_shares(one)}'
        '<details class="f-cited"><summary>In its context</summary>'
        f"{in_context(one.around)}</details></article>"
    )


def _shares(one: HitShown) -> str:
    if not one.shares:
        return ""
    bars = "".join(
        f'<i class="f-by-{escape(share.retriever)}" style="flex-grow:{share.part:.4f}"></i>'
        for share in one.shares
        if share.part > 0
    )
    keys = "".join(
        f'<li class="f-by-{escape(share.retriever)}">{escape(share.label)} '
        f"<b>{share.part:.0%}</b> rank {share.rank}</li>"
        for share in one.shares
    )
    return (
        f'<div class="f-shares"><div class="f-bar" aria-hidden="true">{bars}</div>'
        f'<ul>{keys}<li class="f-score">score {one.score:.3f}</li></ul></div>'
    )
