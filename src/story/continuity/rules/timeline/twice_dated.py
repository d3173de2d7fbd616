"""One happening dated twice: two sentences that tell nearly the same in other words of time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .....core.types import Evidence
from ...background.word_traces import stems_of
from .dated_story import DatedStory, Moment
from .life_dates import different_dates

__all__ = ["twice_dated"]

Found = tuple[Evidence, Evidence, str, str, tuple[str, ...]]
_LEAST = 2  # telling words that both sentences have
_MOST = 9  # telling words of a sentence that is about one thing
_SHARE = 0.6  # of the telling words of either
_AGAIN = re.compile(
    r"\b(?:again|every|each|always|often|usually|whenever|next|another|second|third|once more|as usual|"
    r"annual\w*|anniversar\w*|yearly|birthday|to be|was to|were to|will|would|shall|should|if|"
    r"letter|dated|wrote|heard|news)\b",
    re.IGNORECASE,
)
_TIMES = stems_of(
    """january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday spring summer autumn winter morning evening night afternoon noon
    midnight christmas easter michaelmas midsummer year month week eve century date first second third fourth
    fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
    seventeenth
    eighteenth nineteenth twentieth thirtieth thirty early late earlier later"""
)


@dataclass(frozen=True, slots=True)
class _Dated:
    moment: Moment
    stems: frozenset[str]


def twice_dated(story: DatedStory) -> Iterator[Found]:
    """(earlier quote, later quote, message, suggestion, nobody), in order of telling, once a later quote.
    Both are short sentences, one of them at least of narration, that tell one time each and share most of
    their
    telling words."""
    by_stem: dict[str, list[_Dated]] = {}
    for group in story.sentences():
        here = _dated(group)
        if here is None:
            continue
        near = {id(each): each for stem in sorted(here.stems) for each in by_stem.get(stem, ())}
        for before in near.values():
            if _same(before, here):
                yield _found(before, here)
                break
        for stem in here.stems:
            by_stem.setdefault(stem, []).append(here)


def _dated(group: tuple[Moment, ...]) -> _Dated | None:
    dated = [moment for moment in group if moment.time is not None]
    if len(dated) != 1 or len(group) != 1 or not dated[0].sure:
        return None
    moment = dated[0]
    if moment.time is None or not (moment.time.month or moment.time.year or moment.time.season):
        return None
    text = moment.sentence.line
    at = moment.told.evidence.span.start - moment.sentence.span.start
    said = text.replace(moment.told.evidence.line, " ") if at >= 0 else text
    stems = frozenset(stems_of(said) - _TIMES)
    return _Dated(moment, stems) if _LEAST <= len(stems) <= _MOST and not _AGAIN.search(said) else None


def _same(one: _Dated, other: _Dated) -> bool:
    shared = one.stems & other.stems
    if len(shared) < max(_LEAST, _SHARE * max(len(one.stems), len(other.stems))):
        return False
    if one.moment.spoken and other.moment.spoken:
        return False
    first, second = one.moment.time, other.moment.time
    return first is not None and second is not None and different_dates(first, second)


def _found(before: _Dated, here: _Dated) -> Found:
    one, other = before.moment, here.moment
    return (
        one.sentence,
        other.sentence,
        f"What is told as “{_said(one)}” in chapter {one.place[0]} is “{_said(other)}” in chapter "
        f"{other.place[0]}.",
        "Date it once, or say that it happened twice.",
        (),
    )


def _said(moment: Moment) -> str:
    return moment.told.evidence.line.strip(" ,")
