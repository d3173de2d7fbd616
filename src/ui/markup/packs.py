"""Items of packs as HTML. Their text is untrusted: escaped, every character of it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ...views.text.answer import how_sure

if TYPE_CHECKING:
    from ...core.answering.answered import Answered
    from ...packs.asking import PackSuggestions
    from ...packs.items import Found
    from ...packs.shelf import PackSummary


def summary(pack: PackSummary) -> str:
    """How much it holds."""
    items = f"{pack.items:,} item{'' if pack.items == 1 else 's'}"
    texts = f", {pack.texts:,} texts in {', '.join(pack.languages)}" if pack.languages else ""
    return f'<p class="f-verdict">{escape(f"{items}{texts}")}.</p>'


def item(number: int, found: Found) -> str:
    """An item with where it stands and its tags."""
    one = found.entry
    where = [one.section, one.language]
    where += [f"chapter {one.chapter}"] if one.chapter is not None else []
    where += [f"page {one.page}"] if one.page is not None else []
    where += [] if one.active else ["not active"]
    tags = " ".join(f'<span class="f-badge">{escape(f"{name}: {value}")}</span>' for name, value in one.tags)
    place = escape(", ".join(part for part in where if part))
    return (
        f'<article class="f-hit"><p class="f-place"><b>{number}</b><span dir="auto">{escape(one.key)}</span>'
        f'<span class="f-soft">{place}</span></p>'
        f'<div class="f-prose" dir="auto">{escape(one.text)}</div><p>{tags}</p></article>'
    )


def suggestions(found: PackSuggestions) -> str:
    """What could be said next, and by which items."""
    said = "".join(f'<li dir="auto">{escape(one)}</li>' for one in found.items)
    by = escape(", ".join(one.entry.key for one in found.sources))
    return f'<ol class="f-prose">{said}</ol><p class="f-verdict">By {escape(found.model)}, after {by}.</p>'


def answer(answered: Answered) -> str:
    """The sentences that answer, or what a model wrote, each with its item; or that none does."""
    if not answered.told:
        return '<div class="f-note" role="status">No item answers that.</div>'
    text = answered.text if answered.model and not answered.extractive else answered.short
    short = f'<div class="f-prose f-answer" dir="auto">{escape(text)}</div>' if text else ""
    quotes = "".join(
        f'<div class="f-source"><p class="f-tag">{escape(one.label)}</p>'
        f'<div class="f-prose" dir="auto">{escape(one.quote)}</div></div>'
        for one in answered.citations
    )
    notices = " ".join((how_sure(answered), *answered.notices)).strip()
    return f'{short}<div class="f-context">{quotes}</div><p class="f-verdict">{escape(notices)}</p>'
