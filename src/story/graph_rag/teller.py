"""What a clause says, written down: statements for what lasts, happenings for what takes place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ..predicates import PREDICATES
from ..reading import Happening, Statement
from ..types import EntityKind, Modality
from .arguments import Arguments
from .lexicon import LOCATIVE, NEGATED_AS
from .parsed import ParsedChapter, ParsedParagraph
from .pronouns import Reference

__all__ = ["LEAST_SURE", "Teller", "fits"]

LEAST_SURE = 0.35  # what is less sure than this is not said
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_TARGETS = {
    "person": _PEOPLE,
    "place": frozenset({EntityKind.LOCATION}),
    "thing": frozenset({EntityKind.OBJECT, EntityKind.LOCATION}),
}
_WHEN = re.compile(
    r"\b(?:(?:\w+ )?(?:years?|months?|weeks?|days?|hours?) (?:earlier|later|ago|before|after)"
    r"|(?:the )?(?:next|following|previous|same) (?:day|morning|evening|night|week|year)"
    r"|(?:last|that) (?:night|week|year|summer|winter|spring|autumn)|yesterday|tomorrow|in \d{4})\b",
    re.IGNORECASE,
)


def fits(arguments: Arguments, reference: Reference, target: str) -> bool:
    return arguments.kind(reference) in _TARGETS[target]


@dataclass(slots=True)
class Teller:
    """Collects statements and happenings; ``at`` gives the happening that a verb told, by paragraph and
    token."""

    chapter: ParsedChapter
    arguments: Arguments
    statements: list[Statement] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    at: dict[tuple[int, int], int] = field(default_factory=dict)

    def tell(
        self,
        paragraph: ParsedParagraph,
        verb: Any,
        predicate: str,
        pair: tuple[Reference | None, Reference | None],
        modality: Modality,
        confidence: float,
    ) -> None:
        one, other = pair
        if one is not None and other is not None and self._same(one, other):
            return
        for reference in (one, other):
            confidence *= reference.factor if reference is not None else 1.0
        if modality is Modality.NEGATED and predicate in NEGATED_AS:
            predicate, modality = NEGATED_AS[predicate], Modality.FACT
        confidence = round(confidence, 3)
        if confidence < LEAST_SURE:
            return
        evidence = self.arguments.support(paragraph, verb, one, other)
        when = _WHEN.search(paragraph.tokens(paragraph.sentence(verb)).text)
        hint = when.group() if when else ""
        genders = tuple((r.mention, r.gender) for r in pair if r is not None and r.gender)
        if not PREDICATES[predicate].lasting:
            agent, patient = (reference.mention if reference else None for reference in pair)
            place = self.place(paragraph, verb)
            told = Happening(
                predicate,
                agent,
                patient,
                place,
                evidence,
                modality,
                confidence,
                hint,
                verb.lemma_.lower(),
                paragraph.span(verb, verb),
                genders,
            )
            self._happen(paragraph, verb, told)
        elif one is not None and other is not None:
            self.statements.append(
                Statement(
                    predicate, one.mention, other.mention, evidence, modality, confidence, hint, genders
                )
            )

    def _happen(self, paragraph: ParsedParagraph, verb: Any, told: Happening) -> None:
        key = (paragraph.number, verb.i)
        last = self.happenings[self.at[key]] if key in self.at else None
        if last is not None and (last.predicate, last.agent, last.patient) == (
            told.predicate,
            told.agent,
            told.patient,
        ):
            return
        self.at[key] = len(self.happenings)
        self.happenings.append(told)
        taker = {"GIVES_TO": told.patient, "STEALS_FROM": told.agent}.get(told.predicate)
        if taker is not None:
            for thing in self.arguments.slot(paragraph, verb, "dobj"):
                if self.arguments.kind(thing) is EntityKind.OBJECT:
                    self.statements.append(
                        Statement(
                            "OWNS",
                            taker,
                            thing.mention,
                            told.evidence,
                            told.modality,
                            told.confidence,
                            told.when,
                        )
                    )

    def _same(self, one: Reference, other: Reference) -> bool:
        mentions = self.chapter.mentions
        return mentions[one.mention].surface.casefold() == mentions[other.mention].surface.casefold()

    def place(self, paragraph: ParsedParagraph, verb: Any) -> int | None:
        """The named place where it happens: "in X" or "at X" on the verb itself."""
        for child in verb.children:
            if child.dep_ == "prep" and child.lower_ in LOCATIVE:
                for reference in self.arguments.slot(paragraph, verb, f"prep:{child.lower_}"):
                    if fits(self.arguments, reference, "place"):
                        return reference.mention
        return None
