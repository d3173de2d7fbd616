"""Pairs of passages to set side by side, as data and in words, for every door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.text.sentences import in_marks
from ..quotes import QuoteShown, quote_shown, quotes_shown
from .answer import wrapped

if TYPE_CHECKING:
    from ...story.continuity.suspects.suspects import Suspect

__all__ = ["SuspectShown", "SuspectsShown", "suspects_shown", "suspects_text"]


@dataclass(frozen=True, slots=True)
class SuspectShown:
    """A sentence and the earlier ones that it may contradict, the likeliest first; ``odds`` (0 to 1) rank
    such and mean nothing more."""

    earlier: tuple[QuoteShown, ...]
    later: QuoteShown
    odds: float


@dataclass(frozen=True, slots=True)
class SuspectsShown:
    """The likeliest first, of what is told up to ``as_of``."""

    as_of: int | None
    pairs: tuple[SuspectShown, ...]


def suspects_shown(found: Sequence[Suspect], as_of: int | None) -> SuspectsShown:
    """The list as data."""
    pairs = (SuspectShown(quotes_shown(one.earlier), quote_shown(one.later), one.odds) for one in found)
    return SuspectsShown(as_of, tuple(pairs))


def suspects_text(found: SuspectsShown) -> str:
    """Each sentence with its place, below it the earlier ones; what they are, last."""
    lines = []
    for number, pair in enumerate(found.pairs, start=1):
        lines.append(wrapped(f"{number}. {_placed(pair.later)}"))
        lines += [wrapped(f"beside {_placed(side)}", indent="    ") for side in pair.earlier]
        lines.append("")
    lines.append(
        "A list to read, no findings: what is likeliest to contradict something earlier comes first."
    )
    return "\n".join(lines)


def _placed(side: QuoteShown) -> str:
    place = "draft" if side.draft else f"ch. {side.chapter}"
    return f"{place}, {side.start}-{side.end}: {in_marks(side.text)}"
