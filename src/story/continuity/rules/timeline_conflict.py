"""Ages and dates that cannot all be: younger than before, too old for the year of birth, aged too fast."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from ...graph_rag.views.story_view import StoryView
from ...model.findings import Violation
from ...model.types import CODEX_ID, FactTold, Modality, TimeTold
from ...time.amounts import lapse_of
from .rule import LEAST_SURE, Record, counts, finding, in_document

_YEAR = re.compile(r"\b(1\d{3}|2\d{3})\b")
_BEFORE = re.compile(rf"{_YEAR.pattern}|\b(?:since|ago|had been)\b")  # of an earlier time
_SLACK = 1  # years: a birthday may lie between
_CHILD, _APART = 18, 12  # years
_OFF = 2  # years by which an age and a year of birth may differ and both be meant


def timeline_conflict(view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
    """A person's ages against each other and against the year of birth.

    - An age lower than one told before, in the story's present and with no year or "since" beside it.
    - An age higher than one told before by more than the time that is said to pass between (durations and
      shifts of time, summed); only where some time is told to pass, or both stand in one chapter.
    - An age, a year of birth and the year in which the chapter is set that do not add up, by more than two
      years.

    Ages told from before (FLASHBACK) and by the codex are left out, and a child's beside that of somebody
    long grown. Assumes that the age is that person's.
    """

    told = [fact for fact in view.facts() if fact.aspect in ("age", "born") and counts(fact)]
    people = Counter(fact.entity for fact in told)
    yield from (fact for fact in told if people[fact.entity] > 1 and in_document(fact, draft))
    for earlier, later, said in (*_ages(view), *_births(view)):
        if in_document(later, draft):
            yield finding(
                "timeline_conflict",
                said,
                [later.entity],
                [earlier.evidence[0], later.evidence[0]],
                confidence=min(earlier.confidence, later.confidence) * 0.9,
                suggestion="Make the ages and dates agree.",
                unless="one of them is from an earlier time, or is somebody else's",
            )


def _present(view: StoryView, aspect: str) -> dict[str, list[FactTold]]:
    found: dict[str, list[FactTold]] = {}
    for fact in sorted(view.facts(), key=view.place):
        of_now = aspect != "age" or (fact.modality is not Modality.FLASHBACK and fact.value.isdigit())
        told = counts(fact) or (fact.modality is Modality.REPORTED and fact.confidence >= LEAST_SURE)
        if fact.aspect == aspect and fact.origin != CODEX_ID and told and of_now:
            found.setdefault(fact.entity, []).append(fact)
    return found


def _ages(view: StoryView) -> Iterator[tuple[FactTold, FactTold, str]]:
    for who, told in _present(view, "age").items():
        name = view.name(who)
        for earlier, later in pairwise(told):
            first, second = int(earlier.value), int(later.value)
            remembered = min(first, second) < _CHILD and abs(first - second) > _APART
            words = f"{name} is {first} (chapter {earlier.told}), then {second} (chapter {later.told})"
            if second < first and not remembered and not _BEFORE.search(later.evidence[0].quote):
                yield earlier, later, f"{words}."
            elif second > first + _SLACK:
                passed = _years_between(view, earlier, later)
                if passed is None or (remembered and not passed):
                    continue
                if second - first > passed + _SLACK:
                    yield earlier, later, f"{words}, though at most {passed:.0f} years have passed."


def _years_between(view: StoryView, one: FactTold, other: FactTold) -> float | None:
    """The years that are said to pass between the two; None where nothing is said and a chapter lies
    between."""
    places = view.place(one), view.place(other)
    shifts = [
        time
        for time in view.times()
        if time.kind in ("shift", "duration") and places[0] < view.place(time) < places[1]
    ]
    years = _year_of(view, one.told), _year_of(view, other.told)
    if years[0] is not None and years[1] is not None:
        return float(max(0, years[1] - years[0]))
    if not shifts:
        return 0.0 if one.told == other.told else None
    lapses = [lapse_of(time.value) for time in shifts]
    return sum(abs(one.in_years) for one in lapses if one is not None)


def _births(view: StoryView) -> Iterator[tuple[FactTold, FactTold, str]]:
    ages = _present(view, "age")
    for who, births in _present(view, "born").items():
        year = _YEAR.search(births[0].value)
        for age in ages.get(who, ()) if year else ():
            now = _year_of(view, age.told)
            if year and now is not None and abs(now - int(year[0]) - int(age.value)) > _OFF:
                earlier, later = sorted((births[0], age), key=view.place)
                born = f"{view.name(who)} was born {births[0].value}"
                yield earlier, later, f"{born}, which does not make {age.value} in {now}."


def _year_of(view: StoryView, chapter: int) -> int | None:
    """The one year in which a chapter is dated."""
    dated: list[TimeTold] = [time for time in view.times() if time.kind == "date" and time.told == chapter]
    years = {int(found[0]) for time in dated if (found := _YEAR.search(time.value))}
    return years.pop() if len(years) == 1 else None
