"""Packs and their items."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ...views.text.answer import how_sure
from . import html

if TYPE_CHECKING:
    from ...core.answering.answered import Answered
    from ...packs.asking import PackSuggestions
    from ...packs.items import Found
    from ...packs.shelf import PackSummary

_html = partial(html, "packs")


def summary(pack: PackSummary) -> str:
    """How much it holds."""
    return _html("summary", pack)


def item(number: int, found: Found) -> str:
    """An item with where it stands and its tags."""
    return _html(
        "item",
        number,
        found.entry,
        ", ".join([*found.entry.where, *([] if found.entry.active else ["not active"])]),
    )


def suggestions(found: PackSuggestions) -> str:
    """What could be said next, and by which items."""
    return _html("suggestions", found)


def answer(answered: Answered) -> str:
    """The sentences that answer, or what a model wrote, each with its item; or that none does."""
    text = answered.text if answered.model and not answered.extractive else answered.short
    return _html("answer", answered, text, " ".join((how_sure(answered), *answered.notices)).strip())
