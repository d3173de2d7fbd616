"""Places to look at, as data and in words: where else a story speaks of a passage, and pairs of sentences
that may contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.text.sentences import in_marks
from ..quotes import QuoteShown, quote_shown, quotes_shown
from .render import wrapped

if TYPE_CHECKING:
    from ...project.impact import Impact
    from ...story.continuity.suspects.suspects import Suspect


@dataclass(frozen=True, slots=True)
class ImpactShown:
    """The passage, in whole sentences, and the places, the nearest first, of what is told up to ``as_of``."""

    as_of: int | None
    passage: QuoteShown
    places: tuple[QuoteShown, ...]


def impact_shown(found: Impact, as_of: int | None) -> ImpactShown:
    return ImpactShown(as_of, quote_shown(found.passage), tuple(map(quote_shown, found.places)))


def impact_text(found: ImpactShown) -> str:
    """The passage, then each place."""
    head = "nearest mentions:" if found.places else "nothing else mentions it"
    places = [wrapped(_placed(one), indent="  ") for one in found.places]
    return "\n".join([wrapped(_placed(found.passage)), "", head, *places])


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
    """What they are; then each sentence with its place, below it the earlier ones."""
    if not found.pairs:
        return "No two sentences speak of the same."
    lines = [wrapped("Worth reading side by side, the likeliest contradictions first; most pairs agree:")]
    for number, pair in enumerate(found.pairs, start=1):
        lines.append(wrapped(f"{number}. {in_marks(pair.later.words)} ({pair.later.place})", indent="  "))
        lines += [wrapped(f"{in_marks(side.words)} ({side.place})", indent="      ") for side in pair.earlier]
    return "\n".join(lines)


def _placed(side: QuoteShown) -> str:
    place = "draft" if side.draft else f"ch. {side.chapter}"
    return f"{place}, {side.start}-{side.end}: {in_marks(side.text)}"
