"""What a person's place in a clause says of his being there: acting, met, or only spoken and thought of.

Each sign is a weight, 0 to 1: how likely somebody is on stage of whom nothing else is told. They are
rounded shares of right verdicts among the chapters in which a sign stood alone (novels with the speakers
marked, and one with the encounters of every chapter; none of them held out).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..types import Modality
from .modality import modality_of
from .parsed import ParsedChapter, ParsedParagraph
from .stage_words import BODY, DISTANT, FACING, NEAR, SPEAKING, THINKING, TOGETHER

__all__ = ["WEIGHTS", "SignReader"]

WEIGHTS = {
    "says": 0.9,
    "acts": 0.6,
    "is": 0.4,
    "denied": 0.4,
    "before": 0.2,
    "unreal": 0.1,
    "told to": 0.8,
    "done to": 0.5,
    "near": 0.5,
    "with": 0.5,
    "body": 0.6,
    "thought of": 0.1,
    "owner": 0.1,
    "other": 0.15,
    "spoken of": 0.05,
    "called": 0.8,
}
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_CLAUSES = frozenset({"VERB", "AUX"})
_DEPTH = 4


@dataclass(slots=True)
class SignReader:
    chapter: ParsedChapter
    _modality: dict[tuple[int, int], Modality | None] = field(default_factory=dict)

    def sign(self, paragraph: ParsedParagraph, token: Any) -> str:
        """A key of ``WEIGHTS`` for the head word of a name, or a pronoun, of the narration."""
        for _ in range(_DEPTH):
            if token.dep_ not in ("conj", "appos", "compound") or token.head is token:
                break
            token = token.head
        dep, head = token.dep_, token.head
        if dep in _SUBJECTS:
            return self._subject(paragraph, dep, head)
        if dep == "poss":
            return self._met(paragraph, head, "body") if head.lower_ in BODY else "owner"
        if dep in ("dobj", "dative") and head.pos_ in _CLAUSES:
            return self._object(paragraph, head)
        if dep == "pobj":
            return self._behind(paragraph, head)
        return "other"

    def _subject(self, paragraph: ParsedParagraph, dep: str, verb: Any) -> str:
        if verb.pos_ not in _CLAUSES:
            return "other"
        modality = self._of(paragraph, verb)
        if modality is Modality.NEGATED:
            return "denied"
        if modality is Modality.FLASHBACK:
            return "before"
        if modality is not Modality.FACT:
            return "unreal"
        if verb.lemma_ in SPEAKING:
            return "says"
        if dep == "nsubjpass" or verb.lemma_ in THINKING or verb.pos_ == "AUX":
            return "is"
        return "acts"

    def _object(self, paragraph: ParsedParagraph, verb: Any) -> str:
        if verb.lemma_ in THINKING or verb.lemma_ in DISTANT:
            return "thought of"
        return self._met(paragraph, verb, "told to" if verb.lemma_ in SPEAKING else "done to")

    def _behind(self, paragraph: ParsedParagraph, preposition: Any) -> str:
        word, head = preposition.lower_, preposition.head
        if head.lemma_ in DISTANT or head.lemma_ in THINKING:
            return "thought of"
        if word in FACING and head.pos_ in _CLAUSES:
            return self._met(paragraph, head, "told to" if head.lemma_ in SPEAKING else "near")
        if word in NEAR and head.pos_ in _CLAUSES:
            return self._met(paragraph, head, "near")
        if word in TOGETHER:
            return self._met(paragraph, head, "with")
        return "other"

    def _met(self, paragraph: ParsedParagraph, verb: Any, sign: str) -> str:
        """``sign`` where the clause around is vouched for."""
        for _ in range(_DEPTH):
            if verb.pos_ in _CLAUSES or verb.head is verb:
                break
            verb = verb.head
        modality = self._of(paragraph, verb)
        if modality in (Modality.FACT, Modality.NEGATED):
            return sign
        return "before" if modality is Modality.FLASHBACK else "unreal"

    def _of(self, paragraph: ParsedParagraph, verb: Any) -> Modality | None:
        key = (paragraph.number, verb.i)
        if key not in self._modality:
            self._modality[key] = modality_of(self.chapter, paragraph, verb)
        return self._modality[key]
