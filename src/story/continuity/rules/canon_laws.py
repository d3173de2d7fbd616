"""Acts that go against a law of the world (``LawTold``): what is never, only or always done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ....core.text.term_evidence import FUNCTION_WORDS
from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...lexicon.verbs_and_nouns import VERBS, base_form
from ...model.types import EntityKind, EventTold, LawTold, Modality
from ...passages.scenes_and_tones import stem

_SURE = 0.5
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Breach:
    """``who`` did, or failed to do, what the law is about."""

    law: LawTold
    who: str
    event: EventTold


def breaches(view: StoryView) -> Iterator[Breach]:
    """In order of the laws, then of telling. An act is what a law names where its verb is the law's, or one
    of the same meaning in the table of verbs, and its sentence has all the other telling words."""
    laws = view.log.laws
    told = view.events(happened=False, untyped=True) if laws else ()
    for law in laws:
        bound = frozenset(map(view.resolve, law.who))
        is_told = _is_told_by(law.does)
        seen: set[tuple[str, Evidence]] = set()
        for record in told:
            wanted = Modality.NEGATED if law.kind == "always" else Modality.FACT
            sure = record.modality is wanted and bool(record.evidence) and record.confidence >= _SURE
            holds = law.told <= record.told and (law.until is None or record.told <= law.until)
            if not (sure and holds and is_told(record)):
                continue
            for who in _doers(view, record):
                within = who in bound or not law.who
                if within != (law.kind == "only") and (who, record.evidence[0]) not in seen:
                    seen.add((who, record.evidence[0]))
                    yield Breach(law, who, record)


def _doers(view: StoryView, record: EventTold) -> list[str]:
    people = (EntityKind.CHARACTER, EntityKind.GROUP)
    wanted = "patient" if record.predicate == "DIES" else "agent"
    acting = [who for role, who in record.participants if role == wanted]
    known = (view.entity(who) for who in acting)
    return [entity.id for entity in known if entity is not None and entity.kind in people]


def _is_told_by(does: str) -> Callable[[EventTold], bool]:
    """Is an event the act of a law? Its verb is the law's, or of a predicate that the table of verbs gives a
    law of a bare verb, and its sentence has all the other words of the law."""
    head, _, rest = does.strip().casefold().partition(" ")
    verb, words = _stem(head), stems_of(rest)
    rules = [] if words else [rule for rule in VERBS.get(head, ()) if not rule.particle and not rule.noun]
    predicates = {rule.predicate for rule in rules} - {"DOES"}

    def is_told(event: EventTold) -> bool:
        done = _stem(event.verb) == verb or event.predicate in predicates
        return done and words <= stems_of(event.evidence[0].quote)

    return is_told


@lru_cache(maxsize=60_000)  # a draft is checked beside the same story again and again
def stems_of(text: str) -> frozenset[str]:
    """The stems of the words of a text that are no function words; irregular verbs by their base."""
    words = (word for word in _WORD.findall(text.casefold()) if len(word) > 2 and word not in FUNCTION_WORDS)
    return frozenset(_stem(word) for word in words)


@lru_cache(maxsize=60_000)
def _stem(verb: str) -> str:
    return stem(base_form(verb))
