"""Expressions of story time: dates, ages, durations, and shifts from one time to another."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.chapter_reading import TimeMark
from ...model.types import EntityKind
from ...time.grammar import TimeExpression
from ..clauses.arguments import Arguments
from ..clauses.fact_collector import FactCollector
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_SUBJECTS = ("nsubj", "nsubjpass")
_SOMEBODY = frozenset({"he", "she", "i", "you", "who"})
_CLAUSES = ("VERB", "AUX")
_CLIMB = 6
_YOUNGEST = 2  # "was one" counts something else


def read_times(chapter: ParsedChapter, arguments: Arguments, facts: FactCollector) -> Iterator[TimeMark]:
    """In order of the text, direct speech included. ``happening`` is what the clause of the expression told,
    ``character`` whose age it is, where the clause names somebody."""
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
) -> TimeMark | None:
    evidence, sentence = paragraph.prose.span(expression.start, expression.end), paragraph.sentence(root).span
    if expression.kind == "bare age":
        if not _counts_years(paragraph, arguments, root, expression):
            return None
    elif expression.kind != "age":
        verb = _governor(root)
        happening = facts.at.get((paragraph.number, verb.i)) if verb is not None else None
        return TimeMark(expression.kind, expression.value, evidence, None, happening, sentence)
    return TimeMark("age", expression.value, evidence, _whose(paragraph, arguments, root), None, sentence)


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
            people = [r for r in arguments.subjects(paragraph, node) if arguments.kind(r) in _PEOPLE]
            return people[0].mention if len(people) == 1 else None
        if node.pos_ in ("NOUN", "PROPN", "PRON"):
            meant = arguments.single(paragraph, node)
            if meant is not None and arguments.kind(meant) in _PEOPLE:
                return meant.mention
            if node.dep_ in ("nsubj", "nsubjpass", "dobj", "dative"):
                return None
        if node.head.i == node.i:
            return None
        node = node.head
    return None
