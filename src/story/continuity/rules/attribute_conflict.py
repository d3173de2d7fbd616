"""Attributes that cannot both be: other eyes, another hand, a lost thing in use, what somebody cannot do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...graph_rag.views.story_view import StoryView
from ...lexicon.verbs_and_nouns import EATING, RESTORING, USING
from ...lexicon.words import TRADES, listed
from ...model.aspects import ASPECTS, fact_of, fact_words
from ...model.findings import Violation
from ...model.types import EventTold, FactTold, Modality
from .rule import Record, counts, finding, in_document, names, weighs
from .values import cannot_both

_OF_SOMEBODY = r"\b(?:the|this|that|his|her|my|your|our|their|\w+['’]s)"
_AS_IT_IS = re.compile(r"\b(?:broken|cracked|torn|burnt|smashed|ruined|shattered)\b")  # "her cracked slate"
_WORD = re.compile(r"[^\W_]+")
_LEARNT = re.compile(
    r"\b(?:learn\w*|taught|lessons?|cured|healed|new|another|replac\w+|passed|licen[cs]e|"
    r"classes|ha(?:d|s|ve) (?:\w+ ){1,3}(?:again|back)|put (?:\w+ ){1,4}back)\b",
    re.IGNORECASE,
)
_WORN = re.compile(r"\b(?:on|at|round|around) (?:his|her|\w+['’]s) (?:finger|wrist|neck|throat|head|arm)\b")
_HELPING = re.compile(r"\b(?:helpings?|slices?|bites?|mouthfuls?|portions?|plateful|(?:him|her)self to)\b")
_MEATLESS = frozenset({"vegetarian", "vegan"})
_ELSEWHERE = frozenset({"age", "where_at", "date"})  # other rules compare these, or nothing can
_OF_HAIR = r"\b{0} hair\b|\bhair (?:\w+ )?{0}\b"
_BEHIND = re.compile(r"(?<=\w) (?:of|in|on|at|from|with|for|to) ")
_PASSING_BY = frozenset({"home", "hair", "trade"})
_SAID = 0.6  # of the confidence of what the narration tells
_PASSING = 0.7  # of what may have changed without a word


def attribute_conflict(view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
    """A typed fact of somebody against an earlier one (``model.aspects``).

    - Two values of an aspect that has one at a time (``rules.values``), with no change told between or with
      the second. What may pass without a word (home, hair, age) weighs less; ages are for
      ``rules.timeline_conflict``.
    - Marks and limbs of the other side ("the left leg", "the right leg").
    - What somebody cannot do, and does; what somebody is allergic to, and eats; meat, of a vegetarian; a
      thing that is lost, broken, burnt or given away, and in use, with nothing told between that mends it.

    Only what happened by the text's own word counts, or what somebody says of what never changes. Assumes
    that the names and pronouns are read rightly. Cannot see values in other words than the table's.
    """

    for earlier, later in _pairs(view):
        if not in_document(later, draft):
            continue
        yield later
        if cannot_both(earlier.aspect, earlier.value, later.value) or _other_trade(earlier, later):
            sure = min(earlier.confidence, later.confidence)
            for each in (earlier, later):
                sure *= _SAID if each.modality is Modality.REPORTED else 1.0
            row = ASPECTS[earlier.aspect]
            sure *= 1.0 if row.constant or row.kind == "side" else _PASSING
            yield finding(
                "attribute_conflict",
                f"{fact_of(view.name(later.entity), earlier)} (chapter {earlier.told}), then "
                f"{fact_words(later).removeprefix(': ')} (chapter {later.told}).",
                [later.entity],
                [earlier.evidence[0], later.evidence[0]],
                confidence=sure,
                suggestion="Make the two agree, or narrate the change between them.",
                unless="the text narrates a change between the two, or one of them is somebody else's",
            )
    for fact, event in _undone(view):
        if in_document(event, draft):
            yield finding(
                "attribute_conflict",
                f"{fact_of(view.name(fact.entity), fact)} (chapter {fact.told}); chapter "
                f"{event.told} says otherwise.",
                [fact.entity],
                [fact.evidence[0], event.evidence[0]],
                confidence=min(fact.confidence, event.confidence) * 0.9,
                suggestion="Explain between the two how it became possible, or change one of them.",
                unless="it is repaired, found, replaced, learnt or healed between the two",
            )


def _pairs(view: StoryView) -> Iterator[tuple[FactTold, FactTold]]:
    """Each fact with the last one before it of the same aspect, between which no change is told; a fact with
    every earlier one where the aspect has several values at a time."""
    before: dict[tuple[str, str], list[FactTold]] = {}
    for fact in sorted(filter(weighs, view.facts()), key=view.place):
        if fact.aspect not in ASPECTS or fact.aspect in _ELSEWHERE:
            continue
        if fact.aspect == "life" and not names(view, fact.entity, fact.evidence[0]):
            continue  # "he was dead": whom a pronoun means is not sure enough
        key = (fact.entity, fact.aspect)
        told = before.setdefault(key, [])
        row = ASPECTS[fact.aspect]
        if fact.change:
            told.clear()
        else:
            for earlier in told[-1:] if row.single else told:
                in_one = fact.evidence[0] == earlier.evidence[0]  # "of his four children, of his two sons"
                told_of = in_one or _grown(view, earlier, fact) or _turned(earlier, fact)
                if not (told_of or _set_right(earlier, fact)):
                    yield earlier, fact
        told.append(fact)


def _grown(view: StoryView, earlier: FactTold, later: FactTold) -> bool:
    """More children in a later chapter: some were born, if not in the next one, without a word of it."""
    more = earlier.value.isdigit() and later.value.isdigit() and int(later.value) > int(earlier.value)
    between = (one for one in view.events(untyped=True) if earlier.told < one.told <= later.told)
    born = later.told > earlier.told + 1 or any(one.verb in ("bear", "adopt", "christen") for one in between)
    return more and earlier.aspect == "children" and later.told > earlier.told and born


def _other_trade(earlier: FactTold, later: FactTold) -> bool:
    """Another trade, where one of the two is said to be lifelong."""
    if earlier.aspect != "trade" or later.when != "always":
        return False
    words = [one.value.split()[-1] for one in (earlier, later)]
    known = all(word in TRADES or word in listed("trade") for word in words)
    return known and TRADES.get(words[0], words[0]) != TRADES.get(words[1], words[1])


def _set_right(earlier: FactTold, later: FactTold) -> bool:
    """What somebody said and the narration tells otherwise was a lie; what was so once may have passed."""
    said = earlier.modality is Modality.REPORTED and later.modality.happened
    return said or (later.modality is Modality.FLASHBACK and later.aspect in _PASSING_BY)


def _turned(earlier: FactTold, later: FactTold) -> bool:
    """Does a sentence tell of what may change that it was so and is otherwise ("his black hair dyed red",
    "I've sold the house in Bristol")? "Brown eyes and red hair" tells nothing of brown hair."""
    if ASPECTS[later.aspect].constant:
        return False
    return any(
        re.search(
            _OF_HAIR.format(other) if later.aspect == "hair" else rf"\b{other}\b", quote.quote.casefold()
        )
        for fact, other in ((earlier, re.escape(later.value)), (later, re.escape(earlier.value)))
        for quote in fact.evidence[:1]
    )


def _undone(view: StoryView) -> Iterator[tuple[FactTold, EventTold]]:
    """What a fact rules out, and somebody does later; the first such event of each fact."""
    for fact in view.facts():
        row = ASPECTS.get(fact.aspect)
        if row is None or not weighs(fact) or not (row.thing or fact.aspect in ("cannot", "allergy", "diet")):
            continue
        place, value = view.place(fact), _thing(fact.value) if row.thing else fact.value
        words = frozenset(word for word in _WORD.findall(value.casefold()) if len(word) > 2)
        for event in view.events(fact.entity, untyped=True):
            if view.place(event) <= place or not event.evidence or not counts(event):
                continue
            said = event.evidence[0].quote
            doing = event.modality is Modality.FACT or fact.aspect == "cannot"  # "had been driving for years"
            does = ("agent", fact.entity) in event.participants
            if (does or fact.aspect == "cannot") and _restores(fact, event, words, said):
                break
            if not doing or not does:
                continue
            if _against(fact, event, words, said):
                yield fact, event
                break


def _thing(value: str) -> str:
    """The noun: "bulb" of "the bulb of the lamp in the hall"."""
    return _BEHIND.split(value)[0].split()[-1]


def _names(words: frozenset[str], said: str) -> bool:
    there = {word.removesuffix("s") for word in _WORD.findall(said.casefold())}
    return bool(words) and {word.removesuffix("s") for word in words} <= there


def _kinds(value: str) -> Iterator[frozenset[str]]:
    """The foods of a kind: prawns, of shellfish."""
    for kind in value.split():
        yield from (frozenset({food}) for food in listed(kind) | listed(f"{kind}s"))


def _restores(fact: FactTold, event: EventTold, words: frozenset[str], said: str) -> bool:
    if fact.aspect == "cannot":
        return _LEARNT.search(said) is not None
    about = _names(words, said) or "another one" in said
    return about and (event.verb in RESTORING or _LEARNT.search(said) is not None)


def _eats(event: EventTold, said: str) -> bool:
    return event.verb in EATING or (event.verb in ("take", "have", "help") and bool(_HELPING.search(said)))


def _against(fact: FactTold, event: EventTold, words: frozenset[str], said: str) -> bool:
    if fact.aspect == "cannot":
        return (
            bool(event.verb)
            and fact.value.split()[0] == event.verb
            and _names(words - {event.verb}, said) >= (len(words) > 1)
        )
    if fact.aspect == "diet":
        meat = fact.value in _MEATLESS and listed("meats") & set(_WORD.findall(said.casefold()))
        return _eats(event, said) and bool(meat)
    if fact.aspect == "allergy":
        return _eats(event, said) and any(_names(food, said) for food in (words, *_kinds(fact.value)))
    thing = rf"{_OF_SOMEBODY} ((?:[\w'’-]+ ){{0,3}}){re.escape(_thing(fact.value))}s?\b"
    worn = event.verb in USING or _WORN.search(said) is not None
    found = re.search(thing, said, re.IGNORECASE) if worn else None  # not "I rose"
    return found is not None and _AS_IT_IS.search(found[1]) is None
