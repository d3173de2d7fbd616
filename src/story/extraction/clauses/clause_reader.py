"""Clauses to statements and happenings: a verb of the lexicon, its participants, its modality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ...lexicon.verbs_and_nouns import ADJECTIVES, IN_NOUNS, LOCATIVE, VERBS, VerbRule
from ...lexicon.words import DYING, KILLING
from ...model.predicates import PREDICATES
from ...model.types import Modality
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word
from ..pronouns import Reference
from .arguments import Arguments, is_passive
from .fact_collector import FactCollector, fits
from .modality import modality_of, modality_of_death
from .verb_frames import (
    applies,
    is_literal_death,
    is_literally_dead,
    name_after,
    name_before,
    noun_of,
    plain_lemma,
)

_BOTH_SIDES = frozenset("MEETS TELLS LEAVES HELPS DECEIVES GIVES_TO".split())  # say little without agent
_WHEREABOUTS = frozenset("LOCATED_AT LIVES_IN COMES_FROM".split())
_AWAY = frozenset("be have believe trust rejoice delight hear read think look point laugh own know".split())
_DEGREES = frozenset("LOVES TRUSTS ADMIRES HATES DISTRUSTS FEARS".split())
_MORE = frozenset("more further farther better".split())
_DEATHS = frozenset({"KILLS", "DIES"})
_MUTUAL = frozenset("meet marry wed fight part".split())  # of two subjects without an object


def _misread_root(token: Word) -> bool:
    """The head of a sentence that has a subject and a verb's lemma, whatever it is tagged as."""
    return bool(token.dep_ == "ROOT" and token.lemma_ in VERBS and token.has("nsubj", "nsubjpass"))


def _hardly(verb: Word) -> bool:
    """Like "trusted him no more than a snake", "nobody she trusted less"."""
    far = [c for c in verb.children if c.dep_ in ("advmod", "npadvmod", "dobj") and c.i > verb.i]
    words = [(c.lower_, {d.lower_ for d in c.children}) for c in far]
    return any(
        word in ("less", "least") or (word in _MORE and not own.isdisjoint(("no", "any")))
        for word, own in words
    )


@dataclass(slots=True)
class ClauseReader:
    """Goes through the chapter; what it finds lies with its ``facts`` afterwards."""

    chapter: ParsedChapter
    arguments: Arguments
    facts: FactCollector
    paragraph: ParsedParagraph = field(init=False)

    def read(self) -> None:
        for paragraph in self.chapter.paragraphs:
            self.paragraph = paragraph
            for token in paragraph.words:
                if token.pos_ == "VERB" or token.tag_[:2] == "VB" or _misread_root(token):
                    for rule in VERBS.get(token.lemma_.lower(), ()):
                        if applies(token, rule):
                            self._verb(token, rule)
                    self._scene(token)
                elif token.is_alpha:
                    self._plain(token)
                if token.lemma_ in ("be", "fall", "become", "grow"):
                    self._copula(token)
            self._address()

    # --- verbs -------------------------------------------------------------------------------------

    def _verb(self, verb: Word, rule: VerbRule) -> None:
        pairs = list(self._pairs(verb, rule))
        if not pairs:
            return
        modality = modality_of(self.chapter, self.paragraph, verb)
        if modality is None:
            return
        if rule.predicate in _DEGREES and _hardly(verb):
            return
        deadly = rule.predicate in _DEATHS and not rule.noun and verb.lemma_.lower() in DYING | KILLING
        if deadly:
            if not is_literal_death(verb):
                return
            modality = modality_of_death(self.chapter, self.paragraph, verb) or modality
        if rule.unable:  # "could not bear him" denies the bearing, not the hatred
            modality = Modality.REPORTED if self.paragraph.spoken(verb) else Modality.FACT
        for one, other in pairs:
            self.facts.tell(self.paragraph, verb, rule.predicate, (one, other), modality, rule.confidence)

    def _plain(self, token: Word) -> None:
        """A name, a verb that the parser took for something else, a name."""
        lemma = plain_lemma(self.chapter, self.paragraph, token)
        for rule in VERBS.get(lemma, ()):
            modality = modality_of(self.chapter, self.paragraph, token) if rule.plain else None
            if modality is not None:
                one = name_before(self.chapter, self.paragraph, token)
                other = name_after(self.chapter, self.paragraph, token)
                pair = one, other
                self.facts.tell(self.paragraph, token, rule.predicate, pair, modality, rule.confidence)

    def _scene(self, verb: Word) -> None:
        """Whoever does something at a named place is there, whatever the deed."""
        if verb.tag_ != "VBD" or verb.lemma_ in _AWAY or is_passive(verb) or self.paragraph.spoken(verb):
            return
        rules = VERBS.get(verb.lemma_, ())
        if any(rule.predicate in _WHEREABOUTS for rule in rules):
            return
        place = self.facts.place(self.paragraph, verb)
        if place is None or not self.chapter.mentions[place].strong:
            return
        modality = modality_of(self.chapter, self.paragraph, verb)
        if modality is Modality.FACT:
            for one in self.arguments.subjects(self.paragraph, verb):
                if fits(self.arguments, one, "person"):
                    self.facts.tell(
                        self.paragraph, verb, "LOCATED_AT", (one, Reference(place)), modality, 0.65
                    )

    def _address(self) -> None:
        """Whoever says something and calls somebody by name tells that person something."""
        speech = self.arguments.dialogue.speech(self.paragraph)
        if speech.verb is None or not speech.called or speech.speaker is None or speech.hearer is None:
            return
        if speech.verb.doc is not self.paragraph.doc:  # told where the verb stands
            return
        pair = (Reference(*speech.speaker), Reference(*speech.hearer))
        modality = modality_of(self.chapter, self.paragraph, speech.verb)
        if modality is not Modality.FLASHBACK:  # it was said, whatever is planned or supposed in the speech
            modality = Modality.FACT
        self.facts.tell(self.paragraph, speech.verb, "TELLS", pair, modality, 0.85)

    def _pairs(self, verb: Word, rule: VerbRule) -> Iterator[tuple[Reference | None, Reference | None]]:
        """(agent, patient) pairs, the passive turned round."""
        arguments = self.arguments
        subjects = [r for r in arguments.subjects(self.paragraph, verb) if fits(arguments, r, "person")]
        if rule.slot == "none":
            if not is_passive(verb) and (rule.noun or not verb.has("dobj")):
                yield from ((None, one) for one in subjects)
        elif rule.slot == "clause":
            if verb.has("ccomp") and not is_passive(verb):
                yield from ((one, None) for one in subjects)
        elif is_passive(verb):
            yield from self._passive_pairs(verb, rule, subjects)
        else:
            others = [r for r in self._others(verb, rule) if fits(arguments, r, rule.target)]
            if not others and rule.plain:
                after = name_after(self.chapter, self.paragraph, verb)
                others = [after] if after is not None else []
            if others and rule.plain and not subjects and not verb.has("nsubj", "nsubjpass"):
                before = name_before(self.chapter, self.paragraph, verb)
                subjects = [before] if before is not None else []
            if rule.predicate == "KILLS" and not subjects:
                yield from ((None, other) for other in others)
            yield from product(subjects, others)
            if not others and len(subjects) == 2 and self._mutual(verb, rule):
                yield subjects[0], subjects[1]
                if not PREDICATES[rule.predicate].symmetric:
                    yield subjects[1], subjects[0]

    def _others(self, verb: Word, rule: VerbRule) -> list[Reference]:
        """What stands in the slot; behind the noun of a set phrase as well as behind its verb."""
        noun = noun_of(verb, rule) if rule.noun else None
        if noun is None:
            return self.arguments.slot(self.paragraph, verb, rule.slot)
        if rule.slot == "poss":
            owners = noun.by("poss")
            return self.arguments.resolve(self.paragraph, owners[0]) if owners else []
        nodes = (verb, noun, noun.head)
        found = (self.arguments.slot(self.paragraph, node, rule.slot) for node in nodes)
        return next((references for references in found if references), [])

    @staticmethod
    def _mutual(verb: Word, rule: VerbRule) -> bool:
        """Like "X and Y loved each other", "X and Y met"."""
        if rule.slot != "dobj" or rule.noun or is_passive(verb):
            return False
        objects = verb.by("dobj")
        if objects:
            return objects[0].lower_ in ("other", "another")
        return verb.lemma_ in _MUTUAL and verb.tag_ != "VBG"

    def _passive_pairs(
        self, verb: Word, rule: VerbRule, subjects: list[Reference]
    ) -> Iterator[tuple[Reference | None, Reference | None]]:
        if rule.target != "person" or rule.slot not in ("dobj", "dative"):
            return
        agents = [r for r in self.arguments.agents(self.paragraph, verb) if fits(self.arguments, r, "person")]
        if agents:
            yield from product(agents, subjects)
        elif not PREDICATES[rule.predicate].lasting and rule.predicate not in _BOTH_SIDES:
            yield from ((None, subject) for subject in subjects)

    # --- be ----------------------------------------------------------------------------------------

    def _copula(self, verb: Word) -> None:
        """Like "X was afraid of Y", "was in love with Y", "was dead", "was at Y"."""
        for child in verb.children:
            if child.dep_ in ("acomp", "attr", "oprd"):
                self._adjective(verb, child)
            elif child.dep_ == "prep":
                nouns = [c for c in child.children if c.lower_ in IN_NOUNS] if child.lower_ == "in" else []
                if nouns:
                    self._adjective(verb, nouns[0], (child,))
                elif child.lower_ in LOCATIVE and verb.lemma_ == "be":
                    self._state(verb, child, ("LOCATED_AT", 0.8), "place")
        head = verb.head
        if verb.dep_ == "auxpass" and any((head.lower_, word) in ADJECTIVES for word in head.said()):
            self._adjective(head, head)

    def _adjective(self, verb: Word, word: Word, also: tuple[Any, ...] = ()) -> None:
        if word.lower_ == "dead" and verb.lemma_ == "be" and word.dep_ == "acomp":
            if not is_literally_dead(word):
                return
            modality = modality_of_death(self.chapter, self.paragraph, verb)
            for subject in self.arguments.subjects(self.paragraph, verb):
                if modality is not None and fits(self.arguments, subject, "person"):
                    self.facts.tell(self.paragraph, verb, "DIES", (None, subject), modality, 0.8)
            return
        for node in (word, *also, *(() if word is verb else (verb,))):
            for child in node.children:
                found = ADJECTIVES.get((word.lower_, child.lower_)) if child.dep_ == "prep" else None
                if found is not None:
                    self._state(verb, child, found, "person")
                    return

    def _state(self, verb: Word, preposition: Word, said: tuple[str, float], target: str) -> None:
        arguments = self.arguments
        nouns = preposition.by("pobj")
        others = [one for noun in nouns for one in arguments.resolve(self.paragraph, noun)]
        others = [other for other in others if fits(arguments, other, target)]
        if not others:
            return
        subjects = [r for r in arguments.subjects(self.paragraph, verb) if fits(arguments, r, "person")]
        modality = modality_of(self.chapter, self.paragraph, verb)
        if modality is not None:
            for one, other in product(subjects, others):
                self.facts.tell(self.paragraph, verb, said[0], (one, other), modality, said[1])
