"""Clauses to statements and happenings: a verb of the lexicon, its participants, its modality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ...lexicon.verbs_and_nouns import ADJECTIVES, IN_NOUNS, LOCATIVE, VERBS, VerbRule
from ...lexicon.words import ALMOST, CLAUSE_WORDS, NOT_QUITE, ONLY_LIKE, listed
from ...model.predicates import PREDICATES
from ...model.types import Modality
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word
from ..pronouns import Reference
from .arguments import Arguments, FactCollector, fits, is_passive
from .modality import modality_of, negated


def is_literally_dead(adjective: Word) -> bool:
    """Is somebody dead by this "dead": not "as good as dead", "half dead", "dead to the world"?"""
    if any(child.lower_ in NOT_QUITE | ALMOST for child in adjective.children):
        return False
    words = adjective.doc.words
    before = words[adjective.i - 1].lower_ if adjective.i else ""
    after = words[adjective.i + 1].lower_ if adjective.i + 1 < len(words) else ""
    return before not in NOT_QUITE and after not in ONLY_LIKE


_FACTOR = 0.95
_LIKE = frozenset("like would should".split())
_STRIKING = frozenset("strike beat shoot hit".split())  # "it struck him", "her heart beat"
_EXPERIENCE = frozenset("love hate fear dread like".split())
_PASSING_ON = frozenset("over back up out".split())
_ABLE = frozenset("can could ca".split())
_NOUN_SLOTS = frozenset("dobj attr oprd acomp".split())
_ENDS = frozenset("last breath life death".split())
# what is given only in a manner of speaking
_NOT_GIVEN = CLAUSE_WORDS.listed("not_given")
_TAUGHT = CLAUSE_WORDS.listed("taught")
_PARTICLES = frozenset("prt advmod acomp oprd advcl amod".split())  # "gave up", "shot him dead"
_TREATED = frozenset("as like to with well better badly worse so".split())
_OWN = frozenset("his her their its own".split())


def applies(verb: Word, rule: VerbRule) -> bool:  # noqa: PLR0911 (a frame a line)
    """Is this the frame of the rule, and no idiom that says something else?"""
    if not _particle(verb, rule):
        return False
    if rule.noun:
        noun = noun_of(verb, rule)
        owned = rule.noun in _ENDS or rule.predicate == "HARMS"
        return noun is not None and (not owned or rule.slot != "none" or _own_end(noun))
    if rule.unable:
        return negated(verb) and bool(verb.said("aux") & _ABLE)
    lemma = verb.lemma_.lower()
    inside = [noun for way in verb.by("prep") if way.lower_ == "in" for noun in way.by("pobj")]
    if lemma == "drown" and any(n.pos_ == "NOUN" and n.lemma_.lower() not in listed("water") for n in inside):
        return False  # in paperwork
    if rule.predicate == "DIES" and verb.tag_ not in ("VBD", "VBN", "VBZ"):
        slow = lemma in ("die", "expire", "drown")
        return not slow or verb.tag_ == "VB"  # "was dying" may take years; "men die"
    if rule.predicate == "GIVES_TO" and any(thing.lemma_ in _NOT_GIVEN for thing in verb.by("dobj")):
        return False
    if verb.tag_ == "VBG" and rule.predicate == "LOCATED_AT" and rule.slot in ("prep:to", "prep:into"):
        return False  # on the way, not there
    if lemma == "lie":
        lied = verb.lower_ in ("lied", "lying", "lies", "lie")
        return rule.predicate != "DECEIVES" or lied
    return not _idiom(verb, rule, lemma)


def noun_of(verb: Word, rule: VerbRule) -> Word | None:
    """The noun that the rule asks for: the verb's object, or behind its "in" or "to"."""
    for child in verb.children:
        if child.dep_ in _NOUN_SLOTS and _is(child, rule.noun):
            return child
        if child.dep_ in ("prep", "dative") and child.lower_ in ("in", "to", "into"):
            for behind in child.children:
                if behind.dep_ == "pobj" and _is(behind, rule.noun):
                    return behind
    return None


def _is(noun: Word, wanted: str) -> bool:
    return wanted in (noun.lemma_.lower(), noun.lower_)


def _own_end(noun: Word) -> bool:
    """Like "his life", "their death", "his last", "bled to death"; a breath must be the last one."""
    words = noun.said()
    if noun.lower_ == "death" and noun.head.lower_ == "to":
        return True
    return bool(words & _OWN) and (noun.lower_ != "breath" or bool(words & {"last", "final"}))


def _particle(verb: Word, rule: VerbRule) -> bool:
    if rule.particle:
        return rule.particle in verb.said(*_PARTICLES)
    found = verb.said("prt")
    if not found or rule.predicate == "LOCATED_AT":
        return True
    return rule.predicate == "GIVES_TO" and found <= _PASSING_ON


def _idiom(verb: Word, rule: VerbRule, lemma: str) -> bool:  # noqa: PLR0911 (an idiom a line)
    words = verb.said()
    if lemma == "know" and verb.has("ccomp"):  # "knew Frank was surly"
        return True
    if lemma == "teach":  # "taught her to read", not "taught her to swear"
        return any(clause.lemma_ not in _TAUGHT for clause in verb.by("xcomp", "ccomp"))
    if lemma == "treat":  # "treated her twice a week", not "badly", "like a fool", "to lunch"
        healing = verb.tag_ == "VBG" or verb.has("aux", "npadvmod") or "for" in words
        return not healing or any(word in _TREATED or word.endswith("ly") for word in words)
    if lemma == "strike" and verb.has("auxpass"):  # by a thought, as a rule
        return True
    if lemma in _EXPERIENCE and verb.said("aux") & _LIKE:
        return True
    if lemma in _STRIKING and verb.said("prep", "nsubj") & {"as", "it"}:
        return True
    # "told him a story" has its person in the dative; "saw him die" hangs the person on a clause
    clauses = verb.by("ccomp") if rule.slot == "dobj" and rule.target == "person" else ()
    return any(one.pos_ == "VERB" and one.tag_ == "VB" and not one.has("mark") for one in clauses)


_BOTH_SIDES = frozenset("MEETS TELLS LEAVES HELPS DECEIVES GIVES_TO".split())  # say little without agent
_DEATHS = frozenset({"KILLS", "DIES"})
_MUTUAL = frozenset("meet marry wed fight part".split())  # of two subjects without an object


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
                root = token.dep_ == "ROOT" and token.lemma_ in VERBS and token.has("nsubj", "nsubjpass")
                if root or token.pos_ == "VERB" or token.tag_[:2] == "VB":  # a root, whatever it is tagged as
                    for rule in VERBS.get(token.lemma_.lower(), ()):
                        if applies(token, rule):
                            self._verb(token, rule)
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
        if rule.predicate in _DEATHS and verb.said() & ALMOST:
            return
        if rule.unable:  # "could not bear him" denies the bearing, not the hatred
            modality = Modality.REPORTED if self.paragraph.spoken(verb) else Modality.FACT
        for one, other in pairs:
            self.facts.tell(self.paragraph, verb, rule.predicate, (one, other), modality, rule.confidence)

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
            number = self.paragraph.mention_of.get(verb.i + 1)  # "taught Anna English", read otherwise
            if not others and rule.slot == "dobj" and not (rule.noun or rule.particle) and number is not None:
                after = self.paragraph.words[verb.i + 1]
                owns = "poss" in (after.dep_, after.head.dep_)
                others = [Reference(number, _FACTOR)] if not owns and rule.target == "person" else []
                others = [one for one in others if fits(arguments, one, rule.target)]
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

    def _adjective(self, verb: Word, word: Word, also: tuple[Any, ...] = ()) -> None:
        if word.lower_ == "dead" and verb.lemma_ == "be" and word.dep_ == "acomp":
            if not is_literally_dead(word):
                return
            modality = modality_of(self.chapter, self.paragraph, verb)
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
