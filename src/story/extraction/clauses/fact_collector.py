"""What a clause says, written down: statements for what lasts, happenings for what takes place."""

from __future__ import annotations

from dataclasses import dataclass, field

from ....core.types import Span
from ...lexicon.verbs_and_nouns import LOCATIVE, NEGATED_AS
from ...model.chapter_reading import Happening, Statement
from ...model.predicates import PREDICATES, calibrated
from ...model.types import PEOPLE, EntityKind, Modality
from ...time.grammar import TimeExpression, time_expressions
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word
from ..pronouns import Reference
from .arguments import Arguments

LEAST_SURE = 0.35  # what is less sure than this is not said
_DATING = frozenset({"date", "shift"})
_TARGETS = {
    "person": PEOPLE,
    "place": frozenset({EntityKind.LOCATION}),
    "thing": frozenset({EntityKind.OBJECT, EntityKind.LOCATION}),
}


def fits(arguments: Arguments, reference: Reference, target: str) -> bool:
    return arguments.kind(reference) in _TARGETS[target]


@dataclass(slots=True)
class FactCollector:
    """Collects statements and happenings; ``at`` gives the happening that a verb told, by paragraph and
    token."""

    chapter: ParsedChapter
    arguments: Arguments
    statements: list[Statement] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    at: dict[tuple[int, int], int] = field(default_factory=dict)
    _times: dict[int, tuple[TimeExpression, ...]] = field(default_factory=dict)

    def times(self, paragraph: ParsedParagraph) -> tuple[TimeExpression, ...]:
        """The expressions of time in a paragraph, by offsets in its text; read once."""
        if paragraph.number not in self._times:
            self._times[paragraph.number] = time_expressions(paragraph.prose.text)
        return self._times[paragraph.number]

    def in_text_order(self) -> None:
        """Sorts the happenings by where their verbs stand. Call it before anything holds their numbers."""
        order = sorted(range(len(self.happenings)), key=lambda i: (_place(self.happenings[i]), i))
        new = {old: position for position, old in enumerate(order)}
        self.happenings[:] = [self.happenings[old] for old in order]
        self.at.update({key: new[old] for key, old in self.at.items()})

    def tell(
        self,
        paragraph: ParsedParagraph,
        verb: Word,
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
        hint = self._when(paragraph, verb)
        genders = tuple(gender for r in pair if r is not None for gender in r.genders)
        if not PREDICATES[predicate].lasting:
            agent, patient = (reference.mention if reference else None for reference in pair)
            place = self.place(paragraph, verb)
            how = evidence, modality, confidence, hint
            at = verb.lemma_.lower(), paragraph.span(verb, verb), genders
            self._happen(paragraph, verb, Happening(predicate, agent, patient, place, *how, *at))
        elif one is not None and other is not None:
            sure = calibrated(predicate, confidence)
            self.statements.append(
                Statement(predicate, one.mention, other.mention, evidence, modality, sure, hint, genders)
            )

    def _when(self, paragraph: ParsedParagraph, verb: Word) -> str:
        """The time phrase of the verb's sentence in its own words, the nearest to the verb where there are
        several; empty for none."""
        found = self.times(paragraph)
        if not found:
            return ""
        sentence = paragraph.sentence(verb)
        doc = paragraph.doc
        low, last = doc[sentence.start].idx, doc[sentence.end - 1]
        near = [
            (abs(each.start - verb.idx), each.start, each.end)
            for each in found
            if each.kind in _DATING and low <= each.start and each.end <= last.idx + len(last)
        ]
        if not near:
            return ""
        _, start, end = min(near)
        return paragraph.prose.text[start:end]

    def _happen(self, paragraph: ParsedParagraph, verb: Word, told: Happening) -> None:
        key = (paragraph.number, verb.i)
        last = self.happenings[self.at[key]] if key in self.at else None
        if last is not None and all(
            getattr(last, name) == getattr(told, name) for name in ("predicate", "agent", "patient")
        ):
            return
        self.at[key] = len(self.happenings)
        self.happenings.append(told)
        taker = {"GIVES_TO": told.patient, "STEALS_FROM": told.agent}.get(told.predicate)
        if taker is not None:
            for thing in self.arguments.slot(paragraph, verb, "dobj"):
                if self.arguments.kind(thing) is EntityKind.OBJECT:
                    how = told.evidence, told.modality, told.confidence, told.when
                    self.statements.append(Statement("OWNS", taker, thing.mention, *how))

    def _same(self, one: Reference, other: Reference) -> bool:
        return self.chapter.name(one.mention) == self.chapter.name(other.mention)

    def place(self, paragraph: ParsedParagraph, verb: Word) -> int | None:
        """The named place where it happens: "in X" or "at X" on the verb itself."""
        for child in verb.children:
            if child.dep_ == "prep" and child.lower_ in LOCATIVE:
                for reference in self.arguments.slot(paragraph, verb, f"prep:{child.lower_}"):
                    if fits(self.arguments, reference, "place"):
                        return reference.mention
        return None


def _place(happening: Happening) -> Span:
    return happening.at or happening.evidence[0]
