"""Times that cannot all be true: a weekday that the date does not have, "three days later" on a wrong day,
one birth in two years, winter in July, and who came before whom told both ways round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import ClassVar

from .....core.types import Evidence
from ....graph_rag.views.story_view import StoryView
from ....model.findings import Severity, Violation
from ....time.calendar import CalendarTime, Lapse, follows, weekday_fits
from ...background.per_view import once
from ...seams.rule import Fact
from .dated_story import DatedStory, Moment
from .life_dates import life_conflicts
from .order_conflicts import noun_order_conflicts, order_conflicts
from .told_dates import date_conflicts, stay_conflicts, wedding_conflicts
from .twice_dated import twice_dated

__all__ = ["TimelineConflict"]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_BESIDE = 12  # characters between "Monday" and its date
_MONTHS_OF = {21: range(2, 7), 22: range(5, 10), 23: range(8, 13), 24: (11, 12, 1, 2, 3)}
_SEASON = re.compile(
    r"\b(spring|summer|autumn|winter)(?:['’]s)? (?:day|morning|evening|night|afternoon|sun|dawn|weather)\b",
    re.IGNORECASE,
)
_SEASONS = {"spring": 21, "summer": 22, "autumn": 23, "winter": 24}
_FINENESS = {"year": 0, "month": 1, "weekday": 2, "clock": 3}
_FEW = 20  # days that a month is not told anew after
_WEEKS = 70  # days within which weekdays of dates without a year are set side by side


@dataclass(frozen=True, slots=True)
class _Pair:
    earlier: Evidence
    later: Evidence
    message: str
    suggestion: str
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimelineConflict:
    """Told times that contradict one another. It does sums, and only with what is told exactly:

    - a date with its year and, beside it, a weekday that it has in neither calendar (Gregorian, Julian);
    - two dates without a year, at most two chapters and ten weeks apart, each with its weekday, that no year
      agrees with;
    - "three days later" together with a day, date, hour, month or year that does not lie so far from the one
      told last before it, where narration tells no other time between (months and years may be out by one);
    - one birth, death or marriage dated twice, in different years, or in different months of one year or
      where no year is told; and how long ago it was, told as less later on;
    - how long somebody was at a place, or an illness, a marriage, a voyage lasted, told twice as a whole;
    - two short sentences that tell the same in nearly the same words, but for the month or the year;
    - an age and a year in one sentence that do not fit the year of birth, by more than one;
    - a season and a month in one sentence that are never together in the northern hemisphere;
    - of two acts of the same people, each told before the other, in one chapter or the next.

    Assumes that the phrase is of what its sentence tells. What is planned, habitual, "about" or "until"
    does not count. Cannot see times that are only implied, a day of the month alone ("the 9th"), nor that two
    scenes which name no time cannot lie as they do. Who goes by another calendar, writes from the southern
    hemisphere or misdates on purpose will be told of it all the same.
    """

    name: ClassVar[str] = "timeline_conflict"
    severity: ClassVar[Severity] = Severity.WARNING

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        story = once(DatedStory, view)
        pairs: list[_Pair] = [
            *_weekdays(story),
            *_weekdays_without_year(story),
            *_lapses(story),
            *_seasons(story),
            *(_Pair(*found) for found in life_conflicts(view, story)),
            *(_Pair(*found) for found in order_conflicts(view)),
            *(_Pair(*found) for found in noun_order_conflicts(view)),
            *(_Pair(*found) for found in date_conflicts(view, story)),
            *(_Pair(*found) for found in wedding_conflicts(view)),
            *(_Pair(*found) for found in stay_conflicts(view, story)),
            *(_Pair(*found) for found in twice_dated(story)),
        ]
        seen: set[tuple[Evidence, Evidence]] = set()
        for pair in pairs:
            if only_document in (None, pair.later.document_id) and (pair.earlier, pair.later) not in seen:
                seen.add((pair.earlier, pair.later))
                yield self._violation(pair)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Dates and lapses of time beside which another of the kind is told earlier."""
        seen: set[str] = set()
        found: set[Fact] = set()
        for moment in once(DatedStory, view).moments:
            kinds = _kinds(moment) or (("lapse",) if moment.lapse else ())
            if seen.intersection(kinds) and only_document in (None, moment.sentence.document_id):
                found.add(moment.told)
            seen.update(kinds)
        return frozenset(found)

    def _violation(self, pair: _Pair) -> Violation:
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=pair.message,
            entities=pair.people,
            evidence=tuple(dict.fromkeys((pair.earlier, pair.later))),
            suggestion=pair.suggestion,
            unless="another calendar or year is meant, or a time told between the two accounts for it",
        )


def _kinds(moment: Moment) -> tuple[str, ...]:
    """The parts that its time has, the coarsest first."""
    time = moment.time
    if time is None:
        return ()
    parts = {"year": time.year, "month": time.month, "weekday": time.weekday, "clock": time.minutes}
    return tuple(name for name, part in parts.items() if part is not None)


def _said(moment: Moment) -> str:
    return moment.told.evidence.line.strip(" ,")


# --- weekdays ------------------------------------------------------------------------------------


def _weekdays(story: DatedStory) -> Iterator[_Pair]:
    for date, weekday in _with_weekdays(story):
        if date.time and weekday_fits(date.time, _weekday(weekday)) is False:
            yield _Pair(
                date.sentence,
                weekday.sentence,
                f"{_said(date)} was no {_DAYS[_weekday(weekday) - 1]}.",
                "Take the weekday that the date had, or leave one of them out.",
            )


def _weekday(moment: Moment) -> int:
    return moment.time.weekday or 1 if moment.time else 1


def _with_weekdays(story: DatedStory) -> Iterator[tuple[Moment, Moment]]:
    """(date, weekday) that stand side by side."""
    for group in story.sentences():
        for one, other in pairwise(group):
            gap = one.gap(other)
            if gap is None or gap > _BESIDE or one.time is None or other.time is None:
                continue
            for date, weekday in ((one, other), (other, one)):
                if date.time and date.time.day is not None and weekday.time and weekday.time.weekday:
                    yield date, weekday


def _weekdays_without_year(story: DatedStory) -> Iterator[_Pair]:
    dated = [
        (date, weekday) for date, weekday in _with_weekdays(story) if date.time and date.time.year is None
    ]
    for (one, its_day), (other, other_day) in combinations(dated, 2):
        near = abs(one.place[0] - other.place[0]) <= 2 and one.place[1] == other.place[1]
        if near and not _agree(one.time, _weekday(its_day), other.time, _weekday(other_day)):
            yield _Pair(
                its_day.sentence,
                other_day.sentence,
                f"If {_said(one)} is a {_DAYS[_weekday(its_day) - 1]}, {_said(other)} of that year is no "
                f"{_DAYS[_weekday(other_day) - 1]}.",
                "Count the days between the two dates, and change one of the weekdays.",
            )


def _agree(one: CalendarTime | None, its_day: int, other: CalendarTime | None, other_day: int) -> bool:
    """True as well where the two are too far apart to lie in one year for sure."""
    if one is None or other is None:
        return True
    gaps = [gap for year in (1801, 1804) if (gap := _days_between(one, other, year)) is not None]
    if not gaps or min(abs(gap) for gap in gaps) > _WEEKS:
        return True
    return any((its_day + gap - other_day) % 7 == 0 for gap in gaps)


def _days_between(one: CalendarTime, other: CalendarTime, year: int) -> int | None:
    import datetime

    try:
        first = datetime.date(year, one.month or 1, one.day or 1)
        second = datetime.date(year, other.month or 1, other.day or 1)
    except ValueError:
        return None
    return (second - first).days


# --- so long after -------------------------------------------------------------------------------


def _lapses(story: DatedStory) -> Iterator[_Pair]:
    """A lapse and a time in one sentence of narration, against the time of its kind told last before it."""
    anchors: dict[str, Moment] = {}
    for group in story.sentences():
        told = [moment for moment in group if not moment.spoken]
        lapses = [moment for moment in told if moment.told.kind == "shift"]
        times = [moment for moment in told if moment.told.kind == "date"]
        if len(lapses) == 1 and lapses[0].sure:
            yield from _too_far(anchors, lapses[0], times)
        for lapse in lapses:
            _forget(anchors, _reach(lapse))
        for time in times:
            kinds = _kinds(time)
            _forget(anchors, _FINENESS[kinds[0] if kinds else "weekday"])
            for kind in kinds if time.sure else ():
                if sum(kind in _kinds(other) for other in times) == 1:
                    anchors[kind] = time


def _reach(lapse: Moment) -> int:
    """The coarsest kind of time that so long a lapse changes, as a rank of ``_FINENESS``."""
    if lapse.lapse is None:
        return 0
    units = (lapse.lapse.years, lapse.lapse.months or abs(lapse.lapse.days) > _FEW, lapse.lapse.days)
    return next((rank for rank, unit in enumerate(units) if unit), 3)


def _forget(anchors: dict[str, Moment], least: int) -> None:
    for kind in [kind for kind in anchors if _FINENESS[kind] >= least]:
        del anchors[kind]


def _too_far(anchors: dict[str, Moment], lapse: Moment, times: list[Moment]) -> Iterator[_Pair]:
    for moment in times:
        anchor = next((anchors[kind] for kind in reversed(_kinds(moment)) if kind in anchors), None)
        if anchor is None or anchor.place[1] != lapse.place[1] or lapse.place[0] - anchor.place[0] > 1:
            continue
        if anchor.before != lapse.before or not moment.sure:
            continue
        if anchor.time and lapse.lapse and moment.time and not _fits(anchor.time, lapse.lapse, moment.time):
            yield _Pair(
                anchor.sentence,
                lapse.sentence,
                f"The time before is told as “{_said(anchor)}”; “{_said(lapse)}” is not “{_said(moment)}”.",
                "Count again from the time told before, or tell what time has passed between.",
            )


def _fits(anchor: CalendarTime, lapse: Lapse, time: CalendarTime) -> bool:
    return follows(anchor, lapse, time) is not False


# --- seasons -------------------------------------------------------------------------------------


def _seasons(story: DatedStory) -> Iterator[_Pair]:
    for group in story.sentences():
        months = [m for m in group if m.time and m.time.month is not None]
        if len(months) != 1 or not months[0].sure:
            continue
        month = months[0].time.month if months[0].time else None
        quote = months[0].sentence.line
        named = {_SEASONS[found.lower()] for found in _SEASON.findall(quote)}
        named |= {m.time.season for m in group if m.time and m.time.season is not None}
        if len(named) == 1 and month is not None and month not in _MONTHS_OF[next(iter(named))]:
            season = next(word for word, number in _SEASONS.items() if number in named)
            yield _Pair(
                months[0].sentence,
                months[0].sentence,
                f"It is {season} here and, in the same sentence, “{_said(months[0])}”.",
                "Change the season or the month.",
            )
