"""Somebody seen elsewhere: at a moment told of him twice, or in the middle of a scene that he plays in."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...lexicon.kinds_of_place import far_apart
from ...lexicon.stage_words import LEAVING
from ...model.trait_values import AWAY, NOW, SIGHTED, Sighting
from ...model.types import EntityKind, Modality, TraitTold

__all__ = ["away_and_here", "off_the_stage", "same_moment"]

_SAME_YEAR = 1  # chapters within which a date told again is surely the same one
_LITTLE = frozenset("the of a at in".split())
_AWAY = LEAVING | frozenset("go travel sail journey fly flee escape embark ride drive start set".split())
_IS = re.compile(r"\b(?:is|has)\b|\w[’']s (?:in|at|gone|off|away|on)\b")
_TODAY = re.compile(
    r"\b(?:(?:that|this) (?:very |same |self-?same )?(?:evening|night|afternoon|morning|day|noon)|"
    r"(?:the|on that|at that) (?:very )?same (?:evening|night|afternoon|morning|day|hour|moment)|"
    r"(?:a|the next) (?:moment|minute) (?:later|after\w*)|before the day was out|within the hour|"
    r"an hour (?:later|after\w*)|at (?:that|this) (?:very )?moment|just now|"
    r"(?:night|day|evening) of that week|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:between|night|evening|"
    r"of that week))\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:return\w*|came (?:back|home)|come (?:back|home)|arriv\w*|got back|reached|was back|"
    r"dream\w*|remember\w*|ghost|letter|wrote|telegra\w*|telephone\w*|had been|years?)\b",
    re.IGNORECASE,
)
_HOME = frozenset("return arrive reach alight land".split())


def same_moment(view: StoryView) -> Iterator[tuple[TraitTold, TraitTold]]:
    """(earlier, later) tellings of one person at one moment in places whose names share no word."""
    told: dict[tuple[str, str], list[TraitTold]] = {}
    for trait in _sighted(view):
        sighting = Sighting.parse(trait.value)
        moment, place = sighting.moment, sighting.place
        if moment in (NOW, AWAY):
            continue
        before = told.setdefault((trait.entity, moment), [])
        for earlier in before:
            if Modality.FACT not in (earlier.modality, trait.modality):
                continue
            far = sighting.whole_day and trait.told - earlier.told > _SAME_YEAR
            if not far and _apart(Sighting.parse(earlier.value).place, place):
                yield earlier, trait
                break
        before.append(trait)


def off_the_stage(view: StoryView, *, passage: int) -> Iterator[tuple[tuple[Evidence, ...], TraitTold]]:
    """(what shows him here, the telling that he is far off): he acts or speaks within ``passage`` characters
    before the telling or after it and is named on the other side of it too, leaves for nowhere, and nothing
    else around speaks of that place. Where somebody only says so, he must act under his name on both
    sides."""
    sighted = [trait for trait in _sighted(view) if _now(trait) or _said_to_be_away(trait)]
    if not sighted:
        return
    acts = _acts(view, {trait.entity for trait in sighted})
    places, named = _places(view), _named(view, {trait.entity for trait in sighted})
    for trait in sighted:
        quote = trait.evidence[0]
        place = Sighting.parse(trait.value).place
        starts = places.get((quote.document_id, place), [])
        low, high = quote.span.start - passage, quote.span.end + passage
        around = starts[bisect_left(starts, low) : bisect_right(starts, high)]
        if any(not quote.span.start <= start < quote.span.end for start in around):
            continue
        key = (quote.document_id, trait.entity)
        here = _on_both_sides(acts.get(key, []), named.get(key, []), quote, passage, by_name=not _now(trait))
        if here:
            shown = [one.evidence for one in view.on_stage(quote.chapter) if one.entity == trait.entity]
            near = [one for one in shown if _gap(one, quote) <= passage and not one.span.overlaps(quote.span)]
            yield tuple(dict.fromkeys((*near[:2], *here))), trait


def away_and_here(view: StoryView, *, passage: int) -> Iterator[tuple[TraitTold, Evidence]]:
    """(the telling that he is away for the time being, what he does here): the first act of his in the
    ``passage`` characters behind it is of "that same evening", names him, and is no coming back."""
    sighted = [trait for trait in _sighted(view) if Sighting.parse(trait.value).moment == AWAY]
    if not sighted:
        return
    people = {trait.entity for trait in sighted}
    acts, named = _acts(view, people), _named(view, people)
    for trait in sighted:
        quote, key = trait.evidence[0], (trait.evidence[0].document_id, trait.entity)
        for start, verb, act in sorted(acts.get(key, []), key=lambda each: (each[0], each[1])):
            if act.chapter != quote.chapter or not quote.span.end <= start <= quote.span.end + passage:
                continue
            spoken_of = any(one.span.overlaps(act.span) for one in named.get(key, []))
            if verb not in _HOME and spoken_of and _same_day(act.line):
                yield trait, act
            break


def _now(trait: TraitTold) -> bool:
    return Sighting.parse(trait.value).moment == NOW and trait.modality is Modality.FACT


def _said_to_be_away(trait: TraitTold) -> bool:
    """Said in the present: "is in Paris until Friday"."""
    away = Sighting.parse(trait.value).moment == AWAY and trait.modality is Modality.REPORTED
    return away and _IS.search(trait.evidence[0].line) is not None


def _on_both_sides(
    acts: list[tuple[int, str, Evidence]],
    named: list[Evidence],
    quote: Evidence,
    passage: int,
    *,
    by_name: bool,
) -> tuple[Evidence, ...]:
    """The acts nearest to the quote and the nearest under his name, where he is named or acts on both sides
    of it (``by_name``: where he acts on both under his name)."""
    start, end = quote.span.start, quote.span.end
    near = [act for act in acts if act[2].chapter == quote.chapter]
    before = [act for act in near if start - passage <= act[0] and act[2].span.end <= start]
    after = [act for act in near if end <= act[0] <= end + passage]
    spoken_of = [one.span for one in named if one.chapter == quote.chapter]
    under_name = [act for act in (*before, *after) if any(act[2].span.overlaps(span) for span in spoken_of)]
    before_named = [act for act in before if act in under_name][-1:]
    after_named = [act for act in after if act in under_name][:1]
    if before and before[-1][1] in _AWAY:
        return ()
    if by_name and not (before_named and after_named):
        return ()
    earlier = before or any(start - passage <= span.start and span.end <= start for span in spoken_of)
    later = after or any(end <= span.start <= end + passage for span in spoken_of)
    if not (before or after) or not (earlier and later):
        return ()
    shown = (*before_named, *before[-2:], *after[:2], *after_named)
    return tuple(dict.fromkeys(act[2] for act in shown))


def _gap(one: Evidence, other: Evidence) -> int:
    return max(other.span.start - one.span.end, one.span.start - other.span.end)


def _acts(view: StoryView, people: set[str]) -> dict[tuple[str, str], list[tuple[int, str, Evidence]]]:
    """What these people do and say in the story's present: place, verb and quote, in order."""
    found: dict[tuple[str, str], list[tuple[int, str, Evidence]]] = {}
    for event in view.events(untyped=True):
        if event.modality is not Modality.FACT or not event.evidence:
            continue
        quote = event.evidence[0]
        for role, who in event.participants:
            if role in ("agent", "patient") and who in people:
                found.setdefault((quote.document_id, who), []).append((quote.span.start, event.verb, quote))
    for quotation in view.quotations():
        quote = quotation.evidence[0]
        for heard in (quotation.speaker, *quotation.hearers):
            if heard is not None and heard in people:
                found.setdefault((quote.document_id, heard), []).append((quote.span.start, "say", quote))
    for acts in found.values():
        acts.sort(key=lambda act: (act[0], act[1]))
    return found


def _places(view: StoryView) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for mention in view.log.mentions:
        if mention.kind is EntityKind.LOCATION:
            quote = mention.evidence
            found.setdefault((quote.document_id, mention.surface.casefold()), []).append(quote.span.start)
    for starts in found.values():
        starts.sort()
    return found


def _named(view: StoryView, people: set[str]) -> dict[tuple[str, str], list[Evidence]]:
    found: dict[tuple[str, str], list[Evidence]] = {}
    for mention in view.log.mentions:
        who = view.resolve(mention.entity)
        if who in people:
            found.setdefault((mention.evidence.document_id, who), []).append(mention.evidence)
    return found


def _sighted(view: StoryView) -> list[TraitTold]:
    return [
        trait
        for trait in view.traits()
        if trait.aspect == SIGHTED and trait.evidence and _one_person(view, trait.entity)
    ]


def _one_person(view: StoryView, who: str) -> bool:
    entity = view.entity(who)
    return entity is not None and entity.kind is EntityKind.CHARACTER


def _apart(one: str, other: str) -> bool:
    if one.startswith("the ") or other.startswith("the "):
        return far_apart(one, other)
    return not (set(one.split()) & set(other.split())) - _LITTLE


def _same_day(quote: str) -> bool:
    """Does a sentence tell what happens on the very day that was spoken of, and no coming back?"""
    return _TODAY.search(quote) is not None and _BACK.search(quote) is None
