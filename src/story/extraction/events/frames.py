"""Clauses whose verb no predicate fits, as events all the same: who did what to whom; and times."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ....core.types import Span
from ...lexicon.verbs_and_nouns import GOAL_VERBS, GOES_ON_SPEAKING, LIGHT_VERBS, SAY_VERBS
from ...lexicon.words import CLAUSE_WORDS
from ...model.types import PEOPLE, EntityKind, Time
from ...time.grammar import TimeExpression
from ..clauses.arguments import Arguments, FactCollector, fits, is_passive
from ..clauses.modality import STATIVE, modality_of
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word
from ..pronouns import Reference

_SUBJECTS = ("nsubj", "nsubjpass")
_SOMEBODY = frozenset({"he", "she", "i", "you", "who"})
_CLAUSES = ("VERB", "AUX")
_CLIMB = 6
_YOUNGEST = 2  # "was one" counts something else


def read_times(
    chapter: ParsedChapter, arguments: Arguments, facts: FactCollector
) -> Iterator[Time[int, Span]]:
    """In order of the text, direct speech included. ``event`` is what the clause of the expression told,
    ``entity`` whose age it is, where the clause names somebody."""
    for paragraph in chapter.paragraphs:
        for expression in facts.times(paragraph):
            found = paragraph.doc.covering(expression.start, expression.end)
            if found is None:
                continue
            mark = _mark(paragraph, arguments, facts, expression, found.root)
            if mark is not None:
                yield mark


def _mark(
    paragraph: ParsedParagraph,
    arguments: Arguments,
    facts: FactCollector,
    expression: TimeExpression,
    root: Word,
) -> Time[int, Span] | None:
    evidence, sentence = paragraph.prose.span(expression.start, expression.end), paragraph.sentence(root).span
    if expression.kind == "bare age":
        if not _counts_years(paragraph, arguments, root, expression):
            return None
    elif expression.kind != "age":
        verb = _governor(root)
        happening = facts.at.get((paragraph.number, verb.i)) if verb is not None else None
        return Time(expression.kind, expression.value, evidence, None, happening, sentence)
    return Time("age", expression.value, evidence, _whose(paragraph, arguments, root), None, sentence)


def _governor(token: Word) -> Word | None:
    """The verb whose clause the token stands in."""
    node = token
    for _ in range(_CLIMB):
        if node.pos_ in _CLAUSES:
            return node
        if node.head.i == node.i:
            return None
        node = node.head
    return None


def _counts_years(
    paragraph: ParsedParagraph, arguments: Arguments, verb: Word, expression: TimeExpression
) -> bool:
    """Is it of somebody, one person, that the bare number is said?"""
    if int(expression.value[1:-1]) < _YOUNGEST:
        return False
    for child in verb.children:
        if child.dep_ in _SUBJECTS:
            if child.lower_ in _SOMEBODY:
                return True
            meant = arguments.single(paragraph, child)
            return meant is not None and arguments.kind(meant) is EntityKind.CHARACTER
    return False


def _whose(paragraph: ParsedParagraph, arguments: Arguments, root: Word) -> int | None:
    """Whose age it is: who the noun phrase names, or the subject of the clause that tells it of somebody."""
    node = root
    for _ in range(_CLIMB):
        if node.pos_ in _CLAUSES and node.dep_ not in ("acl", "amod"):
            people = [r for r in arguments.subjects(paragraph, node) if arguments.kind(r) in PEOPLE]
            return people[0].mention if len(people) == 1 else None
        if node.pos_ in ("NOUN", "PROPN", "PRON"):
            meant = arguments.single(paragraph, node)
            if meant is not None and arguments.kind(meant) in PEOPLE:
                return meant.mention
            if node.dep_ in ("nsubj", "nsubjpass", "dobj", "dative"):
                return None
        if node.head.i == node.i:
            return None
        node = node.head
    return None


_ALONE = frozenset("see hear watch notice find turn help start stop go try".split())
_HANDLED = frozenset("lead stretch extend hang sit wear hold sleep".split())
_STATES = (STATIVE | LIGHT_VERBS | frozenset(GOAL_VERBS)) - _ALONE - _HANDLED
_SPEECH = SAY_VERBS | GOES_ON_SPEAKING
_HEADS = frozenset("ROOT conj advcl ccomp xcomp relcl parataxis acl pcomp dep".split())
_GOVERNED = frozenset({"xcomp", "ccomp"})
# behind these stands somebody whom the deed concerns
_TOWARDS = CLAUSE_WORDS.listed("towards")
_OFTEN = CLAUSE_WORDS.listed("often")
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
                or (lemma in _ALONE and any(child.dep_ in _GOVERNED for child in token.children))
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
        if lemma == "look" and child.dep_ == "prep" and child.lower_ == "like":
            return True
    return False


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
