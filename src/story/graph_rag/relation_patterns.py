"""Clauses to statements and happenings: a verb of the lexicon, its participants, its modality."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ..predicates import PREDICATES
from ..reading import Cause, Happening, Statement
from ..types import EntityKind, Modality
from .arguments import Arguments, is_passive
from .lexicon import ADJECTIVES, LOCATIVE, NEGATED_AS, VERBS, VerbRule
from .modality import modality_of
from .parsed import ParsedChapter, ParsedParagraph
from .pronouns import Reference

__all__ = ["ClauseReader", "fits"]

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_TARGETS = {
    "person": _PEOPLE,
    "place": frozenset({EntityKind.LOCATION}),
    "thing": frozenset({EntityKind.OBJECT, EntityKind.LOCATION}),
}
_BOTH_SIDES = frozenset("MEETS TELLS LEAVES HELPS DECEIVES GIVES_TO".split())  # say little without agent
_WHEN = re.compile(
    r"\b(?:(?:\w+ )?(?:years?|months?|weeks?|days?|hours?) (?:earlier|later|ago|before|after)"
    r"|(?:the )?(?:next|following|previous|same) (?:day|morning|evening|night|week|year)"
    r"|(?:last|that) (?:night|week|year|summer|winter|spring|autumn)|yesterday|tomorrow|in \d{4})\b",
    re.IGNORECASE,
)
_REASONS = frozenset({"because", "since"})
_LIKE = frozenset("like would should".split())
_STRIKING = frozenset("strike beat shoot".split())  # "it struck him", "her heart beat", "he shot a glance"
_EXPERIENCE = frozenset("love hate fear dread".split())


def fits(arguments: Arguments, reference: Reference, target: str) -> bool:
    return arguments.kind(reference) in _TARGETS[target]


@dataclass(slots=True)
class ClauseReader:
    """Collects while ``read`` goes through the chapter; ``_at`` remembers which happening a verb told."""

    chapter: ParsedChapter
    arguments: Arguments
    statements: list[Statement] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    _at: dict[tuple[int, int], int] = field(default_factory=dict)

    def read(self) -> None:
        for paragraph in self.chapter.paragraphs:
            for token in paragraph.doc:
                if token.pos_ == "VERB" or token.tag_[:2] == "VB":
                    for rule in VERBS.get(token.lemma_.lower(), ()):
                        if not self._idiom(token, rule):
                            self._verb(paragraph, token, rule)
                if token.lemma_ in ("be", "fall", "become", "grow"):
                    self._copula(paragraph, token)
            self._causes(paragraph)

    # --- verbs -------------------------------------------------------------------------------------

    def _verb(self, paragraph: ParsedParagraph, verb: Any, rule: VerbRule) -> None:
        pairs = list(self._pairs(paragraph, verb, rule))
        if not pairs:
            return
        modality = modality_of(self.chapter, paragraph, verb)
        if modality is None:
            return
        for one, other in pairs:
            self._tell(paragraph, verb, rule.predicate, (one, other), modality, rule.confidence)

    def _pairs(
        self, paragraph: ParsedParagraph, verb: Any, rule: VerbRule
    ) -> Iterator[tuple[Reference | None, Reference | None]]:
        """(agent, patient) pairs, the passive turned round."""
        arguments = self.arguments
        subjects = [r for r in arguments.subjects(paragraph, verb) if fits(arguments, r, "person")]
        if rule.slot == "none":
            if not is_passive(verb) and not any(child.dep_ == "dobj" for child in verb.children):
                yield from ((None, one) for one in subjects)
        elif rule.slot == "clause":
            if any(child.dep_ == "ccomp" for child in verb.children) and not is_passive(verb):
                yield from ((one, None) for one in subjects)
        elif is_passive(verb):
            yield from self._passive_pairs(paragraph, verb, rule, subjects)
        else:
            others = [
                r for r in arguments.slot(paragraph, verb, rule.slot) if fits(arguments, r, rule.target)
            ]
            if rule.predicate == "KILLS" and not subjects:
                yield from ((None, other) for other in others)
            yield from product(subjects, others)

    def _passive_pairs(
        self, paragraph: ParsedParagraph, verb: Any, rule: VerbRule, subjects: list[Reference]
    ) -> Iterator[tuple[Reference | None, Reference | None]]:
        if rule.target != "person" or rule.slot not in ("dobj", "dative"):
            return
        agents = [r for r in self.arguments.agents(paragraph, verb) if fits(self.arguments, r, "person")]
        if agents:
            yield from product(agents, subjects)
        elif not PREDICATES[rule.predicate].lasting and rule.predicate not in _BOTH_SIDES:
            yield from ((None, subject) for subject in subjects)

    def _idiom(self, verb: Any, rule: VerbRule) -> bool:  # noqa: PLR0911 (an idiom a line)
        """Figures of speech and other frames in which the verb does not say the predicate."""
        children = list(verb.children)
        lemma = verb.lemma_.lower()
        if any(child.dep_ == "prt" for child in children) and lemma not in (
            "give",
            "hand",
            "come",
            "go",
            "march",
        ):
            return True
        if lemma == "die" and any(child.dep_ == "xcomp" or child.lower_ == "for" for child in children):
            return True
        if lemma == "strike" and is_passive(verb):  # by a thought, as a rule
            return True
        if verb.tag_ == "VBG" and rule.predicate == "LOCATED_AT" and rule.slot in ("prep:to", "prep:into"):
            return True  # on the way, not there
        if lemma == "lie":
            lied = verb.lower_ in ("lied", "lying", "lies", "lie")
            return rule.predicate == "DECEIVES" and not (lied and rule.slot == "prep:to")
        if lemma in _EXPERIENCE and any(c.dep_ == "aux" and c.lower_ in _LIKE for c in children):
            return True
        if lemma in _STRIKING and any(
            c.dep_ in ("prep", "nsubj") and c.lower_ in ("as", "it") for c in children
        ):
            return True
        if rule.slot == "dobj" and rule.target == "person":
            # "told him a story" has its person in the dative; "saw him die" hangs the person on a clause
            return any(c.dep_ in ("ccomp",) and c.pos_ == "VERB" and self._inside(c) for c in children)
        return False

    @staticmethod
    def _inside(clause: Any) -> bool:
        return clause.tag_ == "VB" and not any(c.dep_ == "mark" for c in clause.children)

    # --- be ----------------------------------------------------------------------------------------

    def _copula(self, paragraph: ParsedParagraph, verb: Any) -> None:
        """Like "X was afraid of Y", "was in love with Y", "was dead", "was at Y"."""
        for child in verb.children:
            if child.dep_ in ("acomp", "attr", "oprd"):
                self._adjective(paragraph, verb, child)
            elif child.dep_ == "prep":
                if child.lower_ == "in" and any(c.lower_ == "love" for c in child.children):
                    (love,) = [c for c in child.children if c.lower_ == "love"][:1]
                    self._adjective(paragraph, verb, love, (child,))
                elif child.lower_ in LOCATIVE and verb.lemma_ == "be":
                    self._state(paragraph, verb, child, ("LOCATED_AT", 0.8), "place")
        if verb.dep_ == "auxpass" and (verb.head.lower_, "to") in ADJECTIVES:
            self._adjective(paragraph, verb.head, verb.head)

    def _adjective(
        self, paragraph: ParsedParagraph, verb: Any, word: Any, also: tuple[Any, ...] = ()
    ) -> None:
        if word.lower_ == "dead" and verb.lemma_ == "be" and word.dep_ == "acomp":
            modality = modality_of(self.chapter, paragraph, verb)
            for subject in self.arguments.subjects(paragraph, verb):
                if modality is not None and fits(self.arguments, subject, "person"):
                    self._tell(paragraph, verb, "DIES", (None, subject), modality, 0.8)
            return
        for node in (word, *also, *(() if word is verb else (verb,))):
            for child in node.children:
                found = ADJECTIVES.get((word.lower_, child.lower_)) if child.dep_ == "prep" else None
                if found is not None:
                    self._state(paragraph, verb, child, found, "person")
                    return

    def _state(
        self, paragraph: ParsedParagraph, verb: Any, preposition: Any, said: tuple[str, float], target: str
    ) -> None:
        arguments = self.arguments
        others = [
            r
            for child in preposition.children
            if child.dep_ == "pobj"
            for r in arguments.resolve(paragraph, child)
        ]
        others = [other for other in others if fits(arguments, other, target)]
        if not others:
            return
        subjects = [r for r in arguments.subjects(paragraph, verb) if fits(arguments, r, "person")]
        modality = modality_of(self.chapter, paragraph, verb)
        if modality is not None:
            for one, other in product(subjects, others):
                self._tell(paragraph, verb, said[0], (one, other), modality, said[1])

    # --- telling -----------------------------------------------------------------------------------

    def _tell(
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
        evidence = self.arguments.support(paragraph, verb, one, other)
        when = _WHEN.search(paragraph.tokens(paragraph.sentence(verb)).text)
        hint = when.group() if when else ""
        if not PREDICATES[predicate].lasting:
            agent, patient = (reference.mention if reference else None for reference in pair)
            place = self._place(paragraph, verb)
            told = Happening(predicate, agent, patient, place, evidence, modality, confidence, hint)
            self._happen(paragraph, verb, told)
        elif one is not None and other is not None:
            self.statements.append(
                Statement(predicate, one.mention, other.mention, evidence, modality, confidence, hint)
            )

    def _happen(self, paragraph: ParsedParagraph, verb: Any, told: Happening) -> None:
        key = (paragraph.number, verb.i)
        last = self.happenings[self._at[key]] if key in self._at else None
        if last is not None and (last.predicate, last.agent, last.patient) == (
            told.predicate,
            told.agent,
            told.patient,
        ):
            return
        self._at[key] = len(self.happenings)
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

    def _place(self, paragraph: ParsedParagraph, verb: Any) -> int | None:
        """The named place where it happens: "in X" or "at X" on the verb itself."""
        for child in verb.children:
            if child.dep_ == "prep" and child.lower_ in LOCATIVE:
                for reference in self.arguments.slot(paragraph, verb, f"prep:{child.lower_}"):
                    if fits(self.arguments, reference, "place"):
                        return reference.mention
        return None

    def _causes(self, paragraph: ParsedParagraph) -> None:
        """Like "A because B": the happening of the main clause came about through that of the other."""
        here = [key for key in self._at if key[0] == paragraph.number]
        for key in here:
            verb = paragraph.doc[key[1]]
            head = self._at.get((paragraph.number, verb.head.i))
            reason = any(c.dep_ == "mark" and c.lower_ in _REASONS for c in verb.children)
            if head is not None and verb.dep_ == "advcl" and reason and head != self._at[key]:
                span = paragraph.sentence(verb).span
                self.causes.append(Cause(head, self._at[key], span, 0.75))
