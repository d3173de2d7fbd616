"""The dead who walk: somebody is told to be dead, and later acts or speaks as if nothing had happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...graph_rag.views.timeline import act_of
from ...model.aspects import ALIVE, DEAD
from ...model.findings import Violation
from ...model.types import EntityKind, EventTold, FactTold, Modality, QuotationTold, gathered
from .rule import Record, counts, finding, in_document, names

_APART = 300  # characters within a chapter: a death is told in more than one sentence
_SURE = 0.8
_MOST_CHAPTERS = 2  # who acts on in more was perhaps never dead
_NO_ACTS = frozenset("be have seem lie die kill bury mourn".split())
_UNREAL = re.compile(
    r"\b(?:remember\w*|recall\w*|memor(?:y|ies)|dream\w*|ghost\w*|imagin\w+|photograph\w*|portrait|used to|"
    r"would have|once|years? ago|(?:day|night|week|month|year)s? before|had been|letter|voice ?mail|"
    r"recording|on (?:the )?(?:tape|film|video|screen)|funeral|grave|coffin)\b",
    re.IGNORECASE,
)


def dead_then_acts(view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
    """A death told as a fact, and afterwards an act or a word of the same person, told as a fact by the
    narration in a sentence that names them.

    Left alone: sentences with a word of memory, dream, letters or earlier times; what they say in a chapter
    that tells of them in a flashback; whoever is told after the death to be alive, or to die again after the
    act (the first was told ahead of its time). Who acts on in more than two chapters was perhaps never dead,
    so that finding is less sure, and there is none where the death is told without a name or in passing.

    Assumes that linking is right. Cannot see a death that is only implied, acts that only a pronoun tells,
    nor a namesake whom linking took for the same.
    """

    alive = {fact.entity: view.place(fact) for fact in view.facts() if _says(fact, ALIVE)}
    for who, deaths in _deaths(view).items():
        death, signs = deaths[0], _signs(view, who)
        yield from (sign for sign in signs if in_document(sign, draft))
        found = [sign for sign in signs if _after(view, death, sign)]
        shown = [sign for sign in found if in_document(sign, draft)]
        if not shown or alive.get(who, (0, 0, 0)) > view.place(death):
            continue
        last = max(view.place(sign) for sign in found)
        if any(view.place(other) > last for other in deaths[1:]):
            continue
        lives_on = len({sign.told for sign in found}) > _MOST_CHAPTERS
        if lives_on and (death.confidence < _SURE or not names(view, who, death.evidence[0])):
            continue  # "the late Mr. Hale", "he was dead": it was another
        sure = min(death.confidence, max(sign.confidence for sign in shown))
        name = view.name(who)
        yield finding(
            "dead_then_acts",
            f"{name} is dead (chapter {death.told}), yet acts or speaks in chapter {shown[0].told}.",
            [who],
            [death.evidence[0], *filter(None, (_naming(view, who, one) for one in shown[:3]))],
            confidence=sure * (0.6 if lives_on else 1.0),
            suggestion=f"Give it to somebody else, move it before the death, or let {name} live.",
            unless="it is remembered, dreamt or from an earlier time, the death proves false, or "
            f"somebody else has the name {name}",
        )


def _says(fact: FactTold, value: str) -> bool:
    return fact.aspect == "life" and fact.value == value and bool(fact.evidence)


def _deaths(view: StoryView) -> dict[str, list[FactTold | EventTold]]:
    """The tellings of each character's death, in order of telling."""
    facts = ((fact.entity, fact) for fact in view.facts() if _says(fact, DEAD) and counts(fact))
    ends = (event for event in view.events() if event.predicate in ("DIES", "KILLS") and counts(event))
    events = ((who, event) for event in ends for who in act_of(view, event).dead)
    people = {entity.id for entity in view.entities(EntityKind.CHARACTER)}
    found = sorted(gathered(chain[tuple[str, FactTold | EventTold]](facts, events)).items())
    return {who: sorted(told, key=view.place) for who, told in found if who in people}


def _signs(view: StoryView, who: str) -> list[EventTold | QuotationTold]:
    """What somebody does or says by the narration's own word, in sentences that name them."""
    acts = [
        event
        for event in view.events(who, untyped=True)
        if ("agent", who) in event.participants
        and event.modality is Modality.FACT
        and counts(event)
        and event.verb not in _NO_ACTS
    ]
    back = {one.told for one in view.events(who, untyped=True) if one.modality is Modality.FLASHBACK}
    words = [one for one in view.quotations(who) if one.kind == "explicit" and one.evidence]
    words = [one for one in words if one.told not in back]
    found: list[EventTold | QuotationTold] = [*acts, *words]
    kept = [one for one in found if (quote := _naming(view, who, one)) and not _UNREAL.search(quote.quote)]
    return sorted(kept, key=view.place)


def _naming(view: StoryView, who: str, sign: EventTold | QuotationTold) -> Evidence | None:
    """The quote that has a name of theirs in it: of an act its own sentence, not one that says whom its "he"
    means."""
    quotes = sign.evidence[:1] if isinstance(sign, EventTold) else sign.evidence
    return next((one for one in quotes if names(view, who, one)), None)


def _after(view: StoryView, death: FactTold | EventTold, sign: EventTold | QuotationTold) -> bool:
    if view.place(sign) <= view.place(death):
        return False
    one, other = death.evidence[0], sign.evidence[0]
    return sign.told != death.told or other.span.start - one.span.end >= _APART
