"""Ages that do not add up: younger later, or years older with no years told between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ....graph_rag.views.story_view import Place, StoryView
from ....model.types import TimeTold, TraitTold

__all__ = ["ages_that_clash"]

_SPAN = re.compile(r"P(?:(\d+|X)Y)?(?:(\d+|X)M)?(?:(\d+|X)W)?(?:(\d+|X)D)?")
SLACK = 1  # years that rounding and birthdays allow
LEAP = 5  # years more than were told to have passed, so that the later age is too high


def ages_that_clash(view: StoryView, told: Sequence[TraitTold]) -> Iterator[tuple[TraitTold, TraitTold]]:
    """Pairs (earlier, later) of one character's ages, given in order of the text.

    A later age may not be lower by more than ``SLACK``. It may be higher by the years that are told to pass
    between the two (shifts forward, an untold number of years accounting for everything, and the years
    between the dates told), by one for what is left unsaid, a month a chapter, and ``LEAP``.
    """
    for index, later in enumerate(told):
        for earlier in told[:index]:
            first, second = int(earlier.value), int(later.value)
            start, end = view.place(earlier.evidence[0]), view.place(later.evidence[0])
            if first - second > SLACK:
                yield earlier, later
            elif second - first >= LEAP:
                passed = _years_between(view, start, end)
                if passed is not None and second - first > passed + LEAP:
                    yield earlier, later


def _years_between(view: StoryView, start: Place, end: Place) -> float | None:
    """At most so many years pass, as far as it is told; None where that is open. A year for the unsaid
    where chapters lie between."""
    total = 1.0
    dates: list[int] = []
    for time in _between(view, start, end):
        if time.kind == "shift" and not time.value.startswith("-"):
            years = _years(time.value)
            if years is None:
                return None
            total += years
        elif time.kind == "date" and time.value[:4].isdigit():
            dates.append(int(time.value[:4]))
    if dates and max(dates) > min(dates):
        total += max(dates) - min(dates)
    return total + (end[0] - start[0]) / 12


def _between(view: StoryView, start: Place, end: Place) -> Iterator[TimeTold]:
    return (time for time in view.times() if start <= view.place(time.evidence) <= end)


def _years(value: str) -> float | None:
    """Years of an ISO 8601 duration, weeks and days left out; None where the number is not told."""
    found = _SPAN.match(value)
    if found is None:
        return 0.0
    years, months = found.group(1), found.group(2)
    if years == "X":
        return None
    return int(years or 0) + (0.5 if months == "X" else int(months or 0) / 12)
