"""Where else a story speaks of a passage, as data and in words, for every door."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.text.sentences import in_marks
from ..quotes import QuoteShown, quote_shown
from .answer import wrapped

if TYPE_CHECKING:
    from ...project.impact import Impact

__all__ = ["ImpactShown", "TouchedShown", "impact_shown", "impact_text"]


@dataclass(frozen=True, slots=True)
class TouchedShown:
    """A place, and the fact that both tell; empty where they only speak of the same."""

    quote: QuoteShown
    why: str


@dataclass(frozen=True, slots=True)
class ImpactShown:
    """The passage, in whole sentences, and the places, of what is told up to ``as_of``."""

    as_of: int | None
    passage: QuoteShown
    places: tuple[TouchedShown, ...]


def impact_shown(found: Impact, as_of: int | None) -> ImpactShown:
    """As data."""
    places = (TouchedShown(quote_shown(one.evidence), one.why) for one in found.places)
    return ImpactShown(as_of, quote_shown(found.passage), tuple(places))


def impact_text(found: ImpactShown) -> str:
    """The passage, then each place with why it is one."""
    facts = [one for one in found.places if one.why]
    others = [one for one in found.places if not one.why]
    lines = [wrapped(_placed(found.passage)), ""]
    if facts:
        lines.append("the same is told in:")
        lines += [wrapped(f"{_placed(one.quote)} ({one.why})", indent="  ") for one in facts]
    if others:
        lines.append("the nearest that speak of it:")
        lines += [wrapped(_placed(one.quote), indent="  ") for one in others]
    if not found.places:
        lines.append("nothing else speaks of it")
    return "\n".join(lines)


def _placed(quote: QuoteShown) -> str:
    return f"ch. {quote.chapter}, {quote.start}-{quote.end}: {in_marks(quote.text)}"
