"""What can happen to the same people only once, dated more than once; and ages against years of birth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .....core.types import Evidence
from ....graph_rag.views.story_view import StoryView
from ....model.types import EntityKind, EventTold
from ....time.calendar import CalendarTime
from .dated_story import DatedStory, Moment

__all__ = ["different_dates", "life_conflicts"]

_ONCE = {"DIES": "death", "MARRIES": "wedding"}
_BORN = "bear"
_SOME_YEARS = 1.0
_MONTHS_OF = {21: (3, 4, 5, 6), 22: (6, 7, 8, 9), 23: (9, 10, 11, 12), 24: (11, 12, 1, 2, 3)}

Found = tuple[Evidence, Evidence, str, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Life:
    """``noun`` is what happened, to ``people``; ``moment`` what dates it."""

    noun: str
    people: tuple[str, ...]
    moment: Moment


def life_conflicts(view: StoryView, story: DatedStory) -> Iterator[Found]:
    """(earlier quote, later quote, message, suggestion, people), in order of telling."""
    dated = [life for moment in story.moments if (life := _life(view, moment)) is not None]
    told: dict[tuple[str, tuple[str, ...]], list[Moment]] = {}
    for life in dated:
        told.setdefault((life.noun, life.people), []).append(life.moment)
    for (noun, people), moments in told.items():
        yield from _twice(view, noun, people, moments)
    births = {people[0]: moments for (noun, people), moments in told.items() if noun == "birth"}
    yield from _ages(view, story, births)


def _life(view: StoryView, moment: Moment) -> _Life | None:
    event = moment.event
    if event is None or not event.modality.happened or moment.spoken:
        return None
    noun = "birth" if event.verb == _BORN and event.predicate == "DOES" else _ONCE.get(event.predicate, "")
    people = tuple(sorted({view.resolve(who) for role, who in event.participants if role != "place"}))
    if not noun or not people or not all(_person(view, who) for who in people):
        return None
    if noun == "birth" and not _patient_only(event):
        return None
    return _Life(noun, people, moment) if moment.time or moment.lapse else None


def _patient_only(event: EventTold) -> bool:
    return [role for role, _ in event.participants if role != "place"] == ["patient"]


def _person(view: StoryView, who: str) -> bool:
    entity = view.entity(who)
    return entity is not None and entity.kind is EntityKind.CHARACTER


def _twice(view: StoryView, noun: str, people: tuple[str, ...], moments: list[Moment]) -> Iterator[Found]:
    names = " and ".join(view.name(who) for who in people)
    for index, later in enumerate(moments):
        for earlier in moments[:index]:
            if earlier.sentence == later.sentence or not _apart(earlier, later):
                continue
            yield (
                earlier.sentence,
                later.sentence,
                f"The {noun} of {names} is “{_said(earlier)}” in chapter {earlier.place[0]} and "
                f"“{_said(later)}” in chapter {later.place[0]}.",
                f"Date the {noun} once, and keep to it.",
                people,
            )
            break


def _apart(earlier: Moment, later: Moment) -> bool:
    if earlier.time and later.time:
        return different_dates(earlier.time, later.time)
    if earlier.sure and later.sure:
        ago, then = _ago(earlier), _ago(later)
        if min(ago, then) < _SOME_YEARS:
            return False
        together = later.place[0] - earlier.place[0] <= 1
        return then <= ago - _SOME_YEARS or (together and abs(then - ago) > _SOME_YEARS)
    return False


def _ago(moment: Moment) -> float:
    """How many years before; 0 where it tells none."""
    lapse, event = moment.lapse, moment.event
    if lapse is None:
        return 0.0
    dead = event is not None and event.verb == "be" and moment.told.kind == "duration"  # "had been dead for"
    return lapse.in_years if dead else max(0.0, -lapse.in_years) if moment.told.kind == "shift" else 0.0


def different_dates(one: CalendarTime, other: CalendarTime) -> bool:
    """Can the two not be one time? False where one tells a year and the other none."""
    if one.year is not None and other.year is not None and one.year != other.year:
        return True
    if (one.year is None) != (other.year is None):
        return False
    if one.month and other.month:
        return one.month != other.month or (None not in (one.day, other.day) and one.day != other.day)
    season, month = one.season or other.season, one.month or other.month
    if one.season and other.season:
        return one.season != other.season
    return bool(season and month and month not in _MONTHS_OF[season])


def _ages(view: StoryView, story: DatedStory, births: dict[str, list[Moment]]) -> Iterator[Found]:
    """An age and a year told in one sentence, or an age at a dated death, against the year of birth."""
    for group in story.sentences():
        years = [m for m in group if m.time and m.time.year is not None]
        ages = [m for m in group if m.told.kind == "age" and m.told.entity and m.lapse and m.lapse.years]
        if len(years) != 1 or len(ages) != 1 or years[0].spoken != ages[0].spoken:
            continue
        who, year = str(ages[0].told.entity), years[0].time.year if years[0].time else None
        for birth in births.get(view.resolve(who), ()):
            born = birth.time.year if birth.time else None
            if born is None or year is None or birth.sentence == years[0].sentence or ages[0].lapse is None:
                continue
            if abs(year - born - ages[0].lapse.years) > 1:
                first, second = sorted((birth, years[0]), key=lambda moment: moment.place)
                yield (
                    first.sentence,
                    second.sentence,
                    f"{view.name(who)}, born in {born}, is {ages[0].lapse.years} in {year}.",
                    "Change the age, or one of the years.",
                    (view.resolve(who),),
                )


def _said(moment: Moment) -> str:
    return moment.told.evidence.line.strip(" ,")
