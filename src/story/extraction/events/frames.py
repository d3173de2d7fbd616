"""Clauses whose verb no predicate fits, as events all the same: who did what to whom."""

from __future__ import annotations

from itertools import product

from ...lexicon.verbs_and_nouns import GOAL_VERBS, GOES_ON_SPEAKING, LIGHT_VERBS, SAY_VERBS
from ..clauses.arguments import Arguments, is_passive
from ..clauses.aspect import STATIVE
from ..clauses.fact_collector import FactCollector, fits
from ..clauses.modality import modality_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

_ALONE = frozenset("see hear watch notice find turn help start stop go try".split())
_HANDLED = frozenset("lead stretch extend hang sit wear hold sleep".split())
_STATES = (STATIVE | LIGHT_VERBS | frozenset(GOAL_VERBS)) - _ALONE - _HANDLED
_SPEECH = SAY_VERBS | GOES_ON_SPEAKING
_HEADS = frozenset("ROOT conj advcl ccomp xcomp relcl parataxis acl pcomp dep".split())
_GOVERNED = frozenset({"xcomp", "ccomp"})
# behind these stands somebody whom the deed concerns
_TOWARDS = frozenset(
    "to at with upon on for after against from toward towards beside behind over past".split()
)
_OFTEN = frozenset(
    """always often usually generally commonly habitually frequently sometimes occasionally seldom rarely
    constantly regularly whenever invariably""".split()
)
_SURE = 0.8


def read_frames(chapter: ParsedChapter, arguments: Arguments, facts: FactCollector) -> None:
    """Adds the happenings to ``facts``, as ``DOES`` with the verb's lemma, all then in order of the text.

    Read are the verbs of the narration that told nothing yet and tell no mere state, with at least one
    known person as agent (who does it) or patient (whom it is done to, or whom "at", "with" and such name).
    """
    for paragraph in chapter.paragraphs:
        number, quotes = paragraph.number, paragraph.prose.quotes
        for token in paragraph.words:
            if token.pos_ != "VERB" or (number, token.i) in facts.at or token.dep_ not in _HEADS:
                continue
            lemma = token.lemma_.lower()
            if lemma in _STATES or (quotes and (lemma in _SPEECH or paragraph.spoken(token))):
                continue
            if (
                len(lemma) < 2
                or not lemma[0].isalpha()
                or (lemma in _ALONE and _governs(token))
                or _habit(token, lemma)
            ):
                continue
            _frame(paragraph, token, arguments, facts)
    facts.in_text_order()


def _habit(verb: Word, lemma: str) -> bool:
    """Something done time and again is no event ("she often sang"); nor is what somebody looks like."""
    for child in verb.children:
        if child.dep_ == "advmod" and child.lower_ in _OFTEN:
            return True
        if child.dep_ == "npadvmod" and child.said() & {"every", "each"}:
            return True
        if child.dep_ == "mark" and child.lower_ == "whenever":
            return True
        if lemma == "look" and child.dep_ == "prep" and child.lower_ == "like":
            return True
    return False


def _governs(verb: Word) -> bool:
    return any(child.dep_ in _GOVERNED for child in verb.children)


def _frame(paragraph: ParsedParagraph, verb: Word, arguments: Arguments, facts: FactCollector) -> None:
    agents, patients = _roles(paragraph, verb, arguments)
    if not agents and not patients:
        return
    modality = modality_of(facts.chapter, paragraph, verb)
    if modality is None:
        return
    for agent, patient in product(agents or [None], patients or [None]):
        facts.tell(paragraph, verb, "DOES", (agent, patient), modality, _SURE)


def _roles(
    paragraph: ParsedParagraph, verb: Word, arguments: Arguments
) -> tuple[list[Reference | None], list[Reference | None]]:
    """Who does it and whom it concerns, the passive turned round; nobody is both."""
    subjects = _people(arguments, arguments.subjects(paragraph, verb))
    if is_passive(verb):
        agents = _people(arguments, arguments.agents(paragraph, verb))
        others = subjects
    else:
        agents = subjects
        others = _people(arguments, _concerned(paragraph, verb, arguments))
    doing = {arguments.name(agent) for agent in agents}
    return [*agents], [other for other in others if arguments.name(other) not in doing]


def _people(arguments: Arguments, references: list[Reference]) -> list[Reference]:
    return [reference for reference in references if fits(arguments, reference, "person")]


def _concerned(paragraph: ParsedParagraph, verb: Word, arguments: Arguments) -> list[Reference]:
    """Whoever is the object, receives it, or stands behind a preposition; the first that names somebody."""
    for child in verb.children:
        dep = child.dep_
        if dep in ("dobj", "dative") and child.pos_ != "ADP":
            found = arguments.resolve(paragraph, child)
        elif dep in ("prep", "dative") and child.lower_ in _TOWARDS:
            behind = [node for node in child.children if node.dep_ == "pobj"]
            found = arguments.resolve(paragraph, behind[0]) if behind else []
        else:
            continue
        if found and all(fits(arguments, one, "person") for one in found):
            return found
    return []
