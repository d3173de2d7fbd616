"""Story time against telling time: what happened in which order, and where the telling leaves it."""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ..story.graph_rag.views.story_view import StoryView
from ..story.graph_rag.views.timeline import fabula_order
from ..story.model.predicates import PREDICATES
from ..story.model.types import EventTold, Modality
from .found import found_entity
from .quotes import QuoteShown, ToldShown, quote_shown, quotes_shown

_LONGEST_LABEL = 80  # characters
_RUN = 3  # events told as past in a row make a flashback; one pluperfect alone is background
_FLASHBACK, _DATED, _TYPED, _KEY = 0.25, 0.2, 0.15, 0.5  # what an event is worth, beside its gravity
_MONTHS = ("January February March April May June July August September October November December").split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_UNITS = {"Y": "year", "M": "month", "W": "week", "D": "day"}
_CLOCK = {"H": "hour", "M": "minute", "S": "second"}
_PARTS = {"MO": "morning", "MI": "midday", "AF": "afternoon", "EV": "evening", "NI": "night"}
_SEASONS = {"SP": "spring", "SU": "summer", "FA": "autumn", "WI": "winter"}
_SEASONS |= {"21": "spring", "22": "summer", "23": "autumn", "24": "winter"}  # EDTF, ISO 8601-2

_LENGTH = re.compile(r"(-?)P(?=.)((?:(?:X|\d+)[YMWD])*)(?:T((?:(?:X|\d+)[HMS])+))?")
_AMOUNT = re.compile(r"(X|\d+)([YMWDHS])")
_DATE = re.compile(r"(\d{4}|XXXX)(?:-(\d\d|XX|SP|SU|FA|WI))?(?:-(\d\d))?")
_WEEKDAY = re.compile(r"(?:\d{4}|XXXX)-WXX-([1-7])(?:T([A-Z]{2}))?")
_TIME = re.compile(rf"T(?:(\d\d:\d\d)|({'|'.join(_PARTS)}))")


@dataclass(frozen=True, slots=True)
class EventShown:
    """Something that happened. ``told`` is the chapter that tells it, ``start`` the character of the text
    where.

    ``position`` counts in order of telling, ``rank`` in the order of the story, both from 0 over all events
    up to the horizon; where nothing tells otherwise they run alike. ``when`` is the text's own time phrase;
    ``who`` and ``place`` are names.
    """

    id: str
    label: str
    told: int
    start: int
    position: int
    rank: int
    when: str
    modality: str
    predicate: str
    who: tuple[str, ...]
    place: str
    confidence: float
    quote: QuoteShown | None


@dataclass(frozen=True, slots=True)
class OrderShown:
    """``earlier`` happened before ``later`` (event ids), told in that chapter."""

    earlier: str
    later: str
    told: int
    confidence: float
    quotes: tuple[QuoteShown, ...]


@dataclass(frozen=True, slots=True)
class AnachronyShown:
    """An event told after something that it precedes: Genette's analepsis (Narrative Discourse, 1972). The
    telling dwells in the past there, or a link of order leads back over a chapter; a single clause in the
    past perfect is the background of what goes on and none.

    ``reach`` counts the events between, ``back_to`` is the chapter that tells the first of those it precedes.
    """

    event: str
    told: int
    back_to: int
    reach: int
    sentence: str


@dataclass(frozen=True, slots=True)
class TimeShown:
    """An expression of time: ``kind`` is ``"date"``, ``"age"``, ``"duration"`` or ``"shift"``,
    ``value`` normalised (ISO 8601, see TimeTold) and ``words`` the same for a reader; ``who`` is whose age it
    is, or empty."""

    kind: str
    value: str
    told: int
    who: str
    event: str | None
    quote: QuoteShown
    words: str = ""


@dataclass(frozen=True, slots=True)
class TimesShown:
    """Events in order of telling; ``left_out`` counts those beyond the limit. Orders are those between events
    shown; times are all there are (of the entity)."""

    as_of: int | None
    events: tuple[EventShown, ...]
    orders: tuple[OrderShown, ...]
    anachronies: tuple[AnachronyShown, ...]
    times: tuple[TimeShown, ...]
    left_out: int


def times_at(view: StoryView, *, entity: str | None = None, limit: int = 300) -> TimesShown:
    """What happened (of the entity, by name or id), typed or not, at most ``limit`` of it: the gravest, the
    flashbacks and the dated first; what one sentence tells of the same people, and no type fits, once.
    Raises UsageError where nobody has that name. Costs the story order of all events once."""
    who = found_entity(view, entity).id if entity is not None else None
    told = sorted(view.events(untyped=True), key=lambda event: (view.place(event), event.id))
    positions = {event.id: i for i, event in enumerate(told)}
    ranks = {event: i for i, event in enumerate(fabula_order(view))}
    concerned = [e for e in told if who is None or any(part == who for _, part in e.participants)]
    best = sorted(concerned, key=lambda event: (-_interest(event), positions[event.id]))[:limit]
    chosen = _said_once(sorted(best, key=lambda event: positions[event.id]))
    shown = {event.id for event in chosen}
    return TimesShown(
        view.horizon.chapter,
        tuple(_event(view, event, positions[event.id], ranks[event.id]) for event in chosen),
        tuple(
            OrderShown(o.earlier, o.later, o.told, round(o.confidence, 3), quotes_shown(o.evidence))
            for o in view.orders()
            if o.earlier in shown and o.later in shown
        ),
        _anachronies(view, told, ranks, shown),
        tuple(
            TimeShown(
                *(one.kind, one.value, one.told, view.name(one.entity) if one.entity else "", one.event),
                *(quote_shown(one.evidence), time_words(one.value, one.kind)),
            )
            for one in view.times()
            if who is None or one.entity == who
        ),
        len(concerned) - len(best),
    )


def _said_once(events: Sequence[EventTold]) -> list[EventTold]:
    """Without those that no type fits and that the same words tell of the same people: shown in these words,
    they would be the same line again."""
    first: dict[object, EventTold] = {}
    for event in events:
        words = (event.evidence[0].span, event.participants) if event.evidence else ()
        first.setdefault(words if words and event.predicate == "DOES" else event.id, event)
    return list(first.values())


def _interest(event: EventTold) -> float:
    row = PREDICATES.get(event.predicate)
    weight = (row.gravity if row is not None else 0.0) + _TYPED * (event.predicate != "DOES")
    weight += _KEY * ("model" in event.origin)  # it was asked for the key events of a chapter
    weight += _FLASHBACK * (event.modality is Modality.FLASHBACK) + _DATED * bool(event.when)
    return weight * event.confidence


def _event(view: StoryView, event: EventTold, position: int, rank: int) -> EventShown:
    people = tuple(dict.fromkeys(view.name(part) for role, part in event.participants if role != "place"))
    places = [view.name(part) for role, part in event.participants if role == "place"]
    first = event.evidence[0] if event.evidence else None
    return EventShown(
        event.id,
        event_label(view, event),
        event.told,
        first.span.start if first else -1,
        position,
        rank,
        event.when,
        event.modality.value,
        event.predicate,
        people,
        ", ".join(places),
        round(event.confidence, 3),
        quote_shown(first) if first else None,
    )


def event_told(view: StoryView, event: EventTold, kind: str) -> ToldShown:
    """The event in a few words with its first quotes."""
    return ToldShown(event.told, kind, event_label(view, event), quotes_shown(event.evidence, most=2))


def event_label(view: StoryView, event: EventTold) -> str:
    """The event in a few words: as its reader worded it, else who, what, whom; what no predicate fits in the
    story's own words."""
    if event.what:
        return f"{event.what[:1].upper()}{event.what[1:]}".rstrip(".")
    sides = {
        role: " and ".join(dict.fromkeys(view.name(part) for r, part in event.participants if r == role))
        for role in ("agent", "patient", "place")
    }
    if event.predicate == "DOES" or event.predicate not in PREDICATES:
        said = event.evidence[0].line if event.evidence else event.verb
        return textwrap.shorten(said, _LONGEST_LABEL, placeholder=" …")
    does = PREDICATES[event.predicate].phrase
    if event.predicate == "DIES":
        return f"{sides['patient'] or sides['agent'] or 'somebody'} {does}"
    return " ".join(word for word in (sides["agent"] or "somebody", does, sides["patient"]) if word)


def _anachronies(
    view: StoryView, told: Sequence[EventTold], ranks: dict[str, int], shown: set[str]
) -> tuple[AnachronyShown, ...]:
    """Events whose rank is below that of something told in an earlier chapter, or that stand in a stretch
    told as past."""
    past = _stretches_of_past(told)
    found: list[AnachronyShown] = []
    highest: list[int] = []  # ranks, each the highest so far when it was told, and the chapters of these
    chapters: list[int] = []
    for event in told:
        rank = ranks[event.id]
        first = bisect_right(highest, rank)
        later_told = first < len(highest)
        back = chapters[first] if later_told else event.told
        if event.id in shown and (back < event.told or event.id in past):
            reach = highest[-1] - rank if later_told else 0
            found.append(AnachronyShown(event.id, event.told, back, reach, _said(view, event, back)))
        if not later_told:
            highest.append(rank)
            chapters.append(event.told)
    return tuple(found)


def _stretches_of_past(told: Sequence[EventTold]) -> set[str]:
    """The events of each run of at least ``_RUN`` events, told one after the other in one chapter, that
    are all told as past."""
    found: set[str] = set()
    runs = groupby(told, key=lambda event: (event.told, event.modality is Modality.FLASHBACK))
    for (_, past), run in runs:
        ids = [event.id for event in run]
        if past and len(ids) >= _RUN:
            found.update(ids)
    return found


def _said(view: StoryView, event: EventTold, back_to: int) -> str:
    what = f"Ch. {event.told}: {event_label(view, event)}"
    if back_to == event.told:
        return f"{what} (had happened before)"
    return f"{what} (happened before something in ch. {back_to})"


def time_words(value: str, kind: str = "") -> str:
    """What an ISO 8601 value (or TIMEX3's for what ISO cannot say) is called: ``"P26Y"`` 26 years (of the
    ``kind`` shift: 26 years later), ``"XXXX-08"`` August, ``"TEV"`` evening, ``"-P1D"`` 1 day before. A value
    of another form comes back as it is."""
    if found := _LENGTH.fullmatch(value):
        back, days, hours = found.groups()
        if kind == "shift" and value == "P0D":
            return "the same day"
        amounts = [*_amounts(days, _UNITS), *_amounts(hours or "", _CLOCK)]
        return f"{' and '.join(amounts)}{' before' if back else ' later' if kind == 'shift' else ''}"
    if found := _WEEKDAY.fullmatch(value):
        part = _PARTS.get(found[2] or "", "")
        return f"{_DAYS[int(found[1]) - 1]} {part}".rstrip()
    if found := _TIME.fullmatch(value):
        return found[1] or _PARTS[found[2]]
    return _date(value) or value


def _amounts(value: str, units: Mapping[str, str]) -> Iterator[str]:
    for count, unit in _AMOUNT.findall(value):
        many = "some" if count == "X" else count
        yield f"{many} {units[unit]}{'' if count == '1' else 's'}"


def _date(value: str) -> str:
    found = _DATE.fullmatch(value)
    if found is None:
        return ""
    year, middle, day = found.groups()
    name = _SEASONS.get(middle or "", "")
    if middle and middle.isdigit() and 1 <= int(middle) <= len(_MONTHS):
        name = _MONTHS[int(middle) - 1]
    elif not name and (middle or day):
        return ""
    words = [str(int(day))] if day else []
    words += [name] if name else []
    words += [year] if year != "XXXX" else []
    return " ".join(words)
