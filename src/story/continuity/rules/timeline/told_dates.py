"""Weddings, births and deaths dated by their sentence, and how long somebody was at a place: each told twice,
in times that cannot both be true. Read in narration and speech alike, "which day?" with its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .....core.types import Evidence
from ....graph_rag.views.story_view import StoryView
from ....model.trait_values import PASSING, STAY, STRETCHES, Stay
from ....model.types import TraitTold
from ...background.per_view import once
from ...background.who_is_named import NamedPeople
from .dated_story import DatedStory, Moment
from .life_dates import different_dates

__all__ = ["date_conflicts", "stay_conflicts", "wedding_conflicts"]

Found = tuple[Evidence, Evidence, str, str, tuple[str, ...]]

_LIFE = {
    "wedding": re.compile(
        r"\b(?:married|wedded|wed|wedding(?:-day)?s?|marriage|nuptials|bride|bridegroom|took (?:a|his) "
        r"wife|(?:before|at|to) the altar|(?:became|become|been|made) (?:a (?:husband|wife|married \w+)|"
        r"man and wife|husband and wife)|made one|joined (?:together|in)|to wife|up the aisle|bachelor "
        r"days|wedding[- ]ring|ring (?:was |had been )?(?:put )?(?:up)?on (?:his|her|\w+[’']s|[\w. "
        r"]+[’']s) finger|changed her name|"
        r"gave [\w. ]+ away|given away|maiden name|honeymoon)\b",
        re.I,
    ),
    "birth": re.compile(
        r"\b(?:born|birth(?:day)?|came into the world|first saw the light|brought to bed of (?:him|her)|"
        r"(?:drew|drawn) (?:his|her) first breath)\b",
        re.I,
    ),
    "death": re.compile(r"\b(?:died|death|deathbed|expired|breathed (?:his|her) last|passed away)\b", re.I),
    "funeral": re.compile(r"\b(?:buried|burial|funeral|interred)\b", re.I),
    "christening": re.compile(r"\b(?:christened|christening|baptised|baptized|baptism)\b", re.I),
}
_HEARSAY = re.compile(
    r"\b(?:heard|hears?|wrote|writes?|letters?|news|announc\w+|talk\w*|till|until|if|would|should|could|"
    r"might|(?-i:may)|shall|will|to be|put off|postponed|a (?:wedding|funeral|christening|marriage|birth)|"
    r"fixed|hoped|expected|intended|anniversar\w+|every|"
    r"(?:years?|months?|weeks?|days?) (?:after|before))\b",
    re.I,
)
_NEAR_DATE = re.compile(r"\b(?:before|after|by|till|until|about|between|towards?|next|last)\s+$", re.I)
# another's day, though his name stands beside it
_OF_KIN = re.compile(
    r"(?:[’']s|\bhis|\bher|\bmy|\btheir) (?:\w+ )?(?:son|daughter|brother|sister|child|boy|girl|baby|"
    r"niece|nephew|cousin|friend|"
    r"wife|husband|aunt|uncle)\b[^.;,]*$",
    re.I,
)
_ASKED_WHEN = re.compile(
    r"\b(?:when|(?:which|what) (?:day|date|month|year)|how long (?:ago|"
    r"since))\b",
    re.I,
)
_ASKED_LONG = re.compile(r"\bhow (?:long|many (?:years|months|weeks|days))\b", re.I)
_STAYING = re.compile(
    r"\b(?:was|were|been|lived|stayed|spent|passed|dwelt|remained|resided|abroad|took|taken|served|"
    r"sojourned|worked)\b",
    re.I,
)
_PERFECT = re.compile(r"\b(?:has|have|had)\b|['’]ve\b", re.I)
_WHOLE = re.compile(
    r"\b(?:once|in all|altogether|neither more nor less|no more and no less|exactly|took|taken|no longer|"
    r"all told|never (?:but|more|longer)|just|precisely|to (?:a|the) day|whole|full)\b",
    re.I,
)
_ONE_OF_MANY = re.compile(
    r"\b(?:again|another|second|third|next|last|this time|already|now|here|there|still)\b", re.I
)
_PLACE = re.compile(
    r"\b(?:in|at|to|from) (?P<place>(?:the |St\.? )?(?-i:[A-Z][\w’'-]+(?: (?:of )?[A-Z][\w’'-]+)*))"
)
_STATE = re.compile(
    r"\b(?P<place>abroad|at sea|in (?:the )?(?:prison|gaol|jail|army|navy|asylum|hospital|convent|regiment|"
    r"workhouse|colonies|diggings|mines|bush|galleys|bank|church))\b",
    re.I,
)
_COUPLE = 2
_ANSWER = 160  # characters from a question to its answer
_BEFORE, _AROUND = 12, 40
_YEAR, _TIMES, _SURE = 360.0, 1.3, 0.55


@dataclass(frozen=True, slots=True)
class _Claim:
    what: tuple[str, tuple[str, ...]]
    moment: Moment


def wedding_conflicts(view: StoryView) -> Iterator[Found]:
    """(earlier quote, later quote, message, suggestion, people), in order of telling: two days of one
    wedding, as traits tell them."""
    told: dict[str, list[TraitTold]] = {}
    for trait in view.traits():
        if trait.aspect == "wedding" and trait.confidence >= _SURE:
            told.setdefault(trait.entity, []).append(trait)
    for who, traits in told.items():
        ordered = sorted(traits, key=lambda each: view.place(each.evidence[0]))
        for index, later in enumerate(ordered):
            earlier = next((each for each in ordered[:index] if each.value != later.value), None)
            if earlier is not None and earlier.evidence[0] != later.evidence[0]:
                where = f"chapters {earlier.told} and {later.told}"
                message = f"{view.name(who)} is married on two days, told in {where}."
                quotes = (earlier.evidence[0], later.evidence[0])
                yield (*quotes, message, "Date the wedding once.", (who,))
                break


def date_conflicts(view: StoryView, story: DatedStory) -> Iterator[Found]:
    """(earlier quote, later quote, message, suggestion, people), in order of telling."""
    people = once(NamedPeople, view)
    claims = (
        *(claim for moment in story.moments for claim in _dated(people, moment)),
        *(
            claim
            for moment, asked in _answered(view, story, _ASKED_WHEN)
            for claim in _dated(people, moment, asked)
        ),
    )
    for earlier, later in _pairs(claims):
        one, other = earlier.moment, later.moment
        if one.time and other.time and different_dates(one.time, other.time):
            yield _found(view, earlier, later, f"The {later.what[0]} of", f"Date the {later.what[0]} once.")


def stay_conflicts(view: StoryView, story: DatedStory) -> Iterator[Found]:
    """The same for stays: both told as the whole of it, or at least a year long."""
    people = once(NamedPeople, view)
    claims = (
        *(claim for moment in story.moments for claim in _stays(people, moment)),
        *(c for moment, asked in _answered(view, story, _ASKED_LONG) for c in _stays(people, moment, asked)),
    )
    stays = [_Stay(c.what[0], c.what[1][0], _days(c.moment), c.moment.sentence, True) for c in claims]
    stays += [
        _Stay(
            stay.place if stay.place in STRETCHES else f"in {stay.place}",
            trait.entity,
            stay.days,
            trait.evidence[0],
            trait.confidence > PASSING,
        )
        for trait in view.traits()
        if trait.aspect == STAY and trait.confidence >= _SURE
        for stay in (Stay.parse(trait.value),)
    ]
    told: dict[tuple[str, str], list[_Stay]] = {}
    for stay in sorted(stays, key=lambda stay: (view.place(stay.quote), stay.days)):
        before = told.setdefault((stay.where, stay.who), [])
        for earlier in before:
            apart = not earlier.quote.span.overlaps(stay.quote.span) and _differ(earlier.days, stay.days)
            if apart and (earlier.whole or stay.whole):
                yield _found_stays(view, earlier, stay)
                break
        before.append(stay)


@dataclass(frozen=True, slots=True)
class _Stay:
    where: str
    who: str
    days: float
    quote: Evidence
    whole: bool


def _differ(one: float, other: float) -> bool:
    short, long = sorted((one, other))
    return long > _TIMES * short and long - short > 1


def _found_stays(view: StoryView, earlier: _Stay, later: _Stay) -> Found:
    return (
        earlier.quote,
        later.quote,
        f"The {_stretch(later.where)} of {view.name(later.who)} is {_worded(earlier.days)} in chapter "
        f"{earlier.quote.chapter} and {_worded(later.days)} in chapter {later.quote.chapter}.",
        "Keep to one length of time.",
        (later.who,),
    )


def _stretch(where: str) -> str:
    return where if where in STRETCHES else f"time {where}"


def _worded(days: float) -> str:
    """Days as the largest unit that fits."""
    for length, unit in ((365.25, "year"), (30.4, "month"), (7.0, "week"), (1.0, "day")):
        if days >= length * 0.98:
            number = round(days / length)
            return f"{number} {unit}{'s' if number > 1 else ''}"
    return "less than a day"


def _pairs(claims: tuple[_Claim, ...]) -> Iterator[tuple[_Claim, _Claim]]:
    told: dict[tuple[str, tuple[str, ...]], list[_Claim]] = {}
    for claim in sorted(claims, key=lambda claim: claim.moment.place):
        for earlier in told.get(claim.what, ()):
            if earlier.moment.sentence != claim.moment.sentence:
                yield earlier, claim
                break
        told.setdefault(claim.what, []).append(claim)


def _found(view: StoryView, earlier: _Claim, later: _Claim, what: str, mend: str) -> Found:
    names = " and ".join(view.name(who) for who in later.what[1])
    one, other = earlier.moment, later.moment
    return (
        one.sentence,
        other.sentence,
        f"{what} {names} is “{_said(one)}” in chapter {one.place[0]} and “{_said(other)}” in chapter "
        f"{other.place[0]}.",
        mend,
        later.what[1],
    )


def _flat(quote: Evidence) -> str:
    """The quote with a blank for every line break, as long as before."""
    return quote.quote.replace("\n", " ").replace("\r", " ")


def _said(moment: Moment) -> str:
    return moment.told.evidence.line.strip(" ,")


# --- dates ---------------------------------------------------------------------------------------


def _dated(people: NamedPeople, moment: Moment, asked: Evidence | None = None) -> Iterator[_Claim]:
    if moment.time is None or not (moment.time.month or moment.time.year):
        return
    told = asked or moment.sentence
    kinds = [(noun, found) for noun, words in _LIFE.items() if (found := words.search(_flat(told)))]
    if len(kinds) != 1:
        return
    noun, word = kinds[0]
    if asked is None:
        at = moment.told.evidence.span.start - told.span.start
        between = _flat(told)[max(0, min(at, word.start()) - _AROUND) : max(at, word.end())]
        low, high = sorted((word.end(), at)) if word.end() <= at else (at, word.start())
        if re.search(r"[,;] (?:and|but)\b|;", _flat(told)[low:high]) or _OF_KIN.search(
            _flat(told)[: word.start()]
        ):
            return
        if _NEAR_DATE.search(_flat(told)[max(0, at - _BEFORE) : at]) or _HEARSAY.search(between):
            return
    who = people.told_of(
        told, told.span.start + word.start(), near=moment.told.evidence if asked is None else told
    )
    who = who or _who_answers(people, moment, asked)
    joined = noun == "wedding" and re.search(r"\band\b", _flat(told)[: word.start()])
    couple = people.named(told) if joined else ()
    for one in couple if len(couple) == _COUPLE else (who,) if who else ():
        yield _Claim((noun, (one,)), moment)


def _who_answers(people: NamedPeople, moment: Moment, asked: Evidence | None) -> str | None:
    """Whom "you" of the question means."""
    if asked is None or not re.search(r"\byou\b", asked.line, re.I):
        return None
    return people.speaker(moment.told.evidence)


def _answered(
    view: StoryView, story: DatedStory, asking: re.Pattern[str]
) -> Iterator[tuple[Moment, Evidence]]:
    """(time, question) where speech that opens with a time follows on a question."""
    questions = sorted(
        (view.place(piece), piece)
        for quotation in view.quotations()
        for piece in quotation.evidence[: quotation.pieces]
        if "?" in piece.quote and asking.search(_flat(piece))
    )
    for (chapter, document, start), piece in questions:
        for moment in story.moments:
            near = moment.place[:2] == (chapter, document)
            if near and 0 < moment.place[2] - (start + len(piece.quote)) < _ANSWER and moment.spoken:
                yield moment, piece
                break


# --- stays ---------------------------------------------------------------------------------------


def _stays(people: NamedPeople, moment: Moment, asked: Evidence | None = None) -> Iterator[_Claim]:
    if moment.told.kind != "duration" or moment.lapse is None:
        return
    told = asked or moment.sentence
    loose = (
        _HEARSAY.search(_flat(told)) or _ONE_OF_MANY.search(_flat(told)) or not _STAYING.search(_flat(told))
    )
    whole = asked is not None or _WHOLE.search(_flat(told)) is not None
    going_on = _PERFECT.search(_flat(told)) is not None and not whole
    if loose or going_on or not (whole or _days(moment) >= _YEAR):
        return
    places = {
        _key(found["place"]) for found in (*_PLACE.finditer(_flat(told)), *_STATE.finditer(_flat(told)))
    }
    who = people.told_of(told, None, near=moment.told.evidence if asked is None else told)
    who = who or _who_answers(people, moment, asked)
    if who:
        for place in sorted(places - people.words(told) - {"abroad"} or places):
            yield _Claim((f"in {place}", (who,)), moment)


def _key(place: str) -> str:
    return re.sub(r"^(?:in|at) ", "", " ".join(place.casefold().split())).removeprefix("the ")


def _days(moment: Moment) -> float:
    return abs(moment.lapse.in_years) * 365.25 if moment.lapse else 0.0
