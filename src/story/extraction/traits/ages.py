"""How old somebody is, in whole years."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...time.amounts import NUMBER, number_of
from ...time.grammar import TimeExpression
from ..clauses.aspect import TIMES, dates_another
from ..clauses.fact_collector import FactCollector
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from .looks import TraitClaim
from .owners import Owner, Owners
from .years import read_years

__all__ = ["read_age"]

_SET_ASIDE = re.compile(rf"(?<=, )(?:at|now|aged) ({NUMBER})(?=,)", re.IGNORECASE)
_TURNED_AGE = re.compile(
    rf"\b(?:turned|reached|entered on) ({NUMBER})\b(?! *(?:times|pages|miles))", re.IGNORECASE
)
_YEARS = re.compile(r"P(\d+)Y$")
_LOOSE = re.compile(
    r"\b(about|nearly|almost|some|perhaps|over|under|least|past|hardly|scarcely|barely|than|around|"
    r"looks?|looked|seem\w*|might|could|would|should|may|must|say|between|or|nor|not|no|approach\w*|if|when|"
    r"since|till|until|before|after|from|by|every|each|like|though|apparently|possibly|probably|child|at|"
    r"turning|for)\W+(?:\w+\W+)?$",
    re.IGNORECASE,
)
_FOR_A = re.compile(r"\bfor an? $", re.IGNORECASE)  # "for a man of forty"
_LONG_AGO = re.compile(
    r"\b(ago|in those days|at that time|(?:years?|winters?|summers?) (?:before|earlier|back)|once|"
    r"as a (?:boy|girl|child|lad)|remember\w*|recall\w*|memor\w+|dream\w*|long since|thought of the)\b",
    re.IGNORECASE,
)
_OR_SO = re.compile(
    r"^\W*(or so|or more|or thereabouts|when|while|at the time|as|and more|and over|or \w+-?\w*)\b",
    re.IGNORECASE,
)
_UNTIMED = frozenset("when since till until before after if as while once though".split())
_SUBJECTS = ("nsubj", "nsubjpass")
_CLAUSES = ("VERB", "AUX")
_TURNED = frozenset("be turn reach attain".split())
_LAST_HOUR = 12  # "at ten," he went to bed
_LEAST_TURNED = 10  # "turned two" pages
_YOUNGEST, _OLDEST = 2, 110
_NEAR = 24  # characters
_DEPTH = 6


def read_age(
    owners: Owners, paragraph: ParsedParagraph, facts: FactCollector
) -> Iterator[tuple[Word, TraitClaim]]:
    """(token, look) for each age in whole years that is said of somebody as it is then: no age of long ago
    ("when she was ten"), no guess ("about forty")."""
    for expression in (*facts.times(paragraph), *_turned(paragraph)):
        if expression.kind not in ("age", "bare age", "aside"):
            continue
        years = _YEARS.match(expression.value)
        if years is None or not _YOUNGEST <= int(years.group(1)) <= _OLDEST:
            continue
        if _LONG_AGO.search(paragraph.prose.text[: expression.end]):
            continue
        if expression.kind != "aside" and _guessed(paragraph, expression):
            continue
        found = paragraph.doc.covering(expression.start, expression.end)
        if found is None:
            continue
        told = _aged(owners, paragraph, found.root) if expression.kind != "aside" else None
        owner = told or _aside(owners, paragraph, expression, found.root)
        if owner is not None:
            yield found.root, TraitClaim("age", years.group(1), owner)
    yield from read_years(owners, paragraph)


def _turned(paragraph: ParsedParagraph) -> Iterator[TimeExpression]:
    """Like "had lately turned thirty"."""
    text = paragraph.prose.text
    for found in _SET_ASIDE.finditer(text):
        years = number_of(found.group(1))
        if years is not None and years > _LAST_HOUR:
            yield TimeExpression("aside", f"P{years}Y", found.start(), found.end())
    if "turned" in text or "reached" in text:
        for found in _TURNED_AGE.finditer(text):
            years = number_of(found.group(1))
            if years is not None and years >= _LEAST_TURNED:
                yield TimeExpression("age", f"P{years}Y", found.start(1), found.end(1))


def _guessed(paragraph: ParsedParagraph, expression: TimeExpression) -> bool:
    text = paragraph.prose.text
    inside = text[expression.start : expression.end]
    if re.search(r"\b(about|some|past|the age of|not)\b", inside, re.IGNORECASE):
        return True
    before = _FOR_A.sub("", text[max(0, expression.start - 40) : expression.start])
    return bool(_LOOSE.search(before) or _OR_SO.match(text[expression.end :]))


def _aged(owners: Owners, paragraph: ParsedParagraph, root: Word) -> Owner | None:
    node = root
    for _ in range(_DEPTH):
        if node.pos_ in _CLAUSES and node.dep_ not in ("acl", "amod"):
            return _aged_by(owners, paragraph, node)
        if node.pos_ in ("NOUN", "PROPN", "PRON"):
            owner = owners.described(paragraph, node) or _likened(owners, paragraph, node)
            if owner is not None:
                return owner
            if node.dep_ in (*_SUBJECTS, "dobj", "dative", "pobj"):
                return None
        if node.head.i == node.i:
            return None
        node = node.head
    return None


def _likened(owners: Owners, paragraph: ParsedParagraph, noun: Word) -> Owner | None:
    """Like "for a man of forty, Tom knew little"."""
    above = noun.head
    if noun.dep_ != "pobj" or above.lower_ != "for" or above.head.pos_ not in _CLAUSES:
        return None
    return owners.granted(paragraph, noun, owners.subject(paragraph, above.head, 0.85))


def _aged_by(owners: Owners, paragraph: ParsedParagraph, verb: Word) -> Owner | None:
    if verb.lemma_ not in _TURNED or dates_another(verb) or _for_a_while(verb):
        return None
    if any(child.lower_ == "then" and child.dep_ == "advmod" for child in verb.children):
        return None  # in a story of long ago
    near = [*verb.children, *(d for c in verb.children if c.dep_ == "advcl" for d in c.children)]
    words = {child.lower_ for child in near if child.dep_ in ("mark", "advmod")}
    if paragraph.spoken(verb) and verb.tag_ == "VBD":
        return None  # "I was sixteen then"
    perfect = any(child.lower_ in ("had", "'d", "have") for child in verb.children)
    if words & _UNTIMED or (perfect and verb.lemma_ == "be"):
        return None
    own = next((c for c in verb.children if c.dep_ in _SUBJECTS), None)
    owner = owners.subject(paragraph, verb, 0.95) if own is not None else None
    return owners.granted(paragraph, verb, owner) if perfect else owner  # "had turned thirty" and is


def _for_a_while(verb: Word) -> bool:
    """Like "for a moment he was nine": who is so old is so for a year."""
    return any(
        noun.lemma_.lower() in TIMES
        for child in verb.children
        if child.dep_ == "prep" and child.lower_ == "for"
        for noun in child.children
    )


def _aside(
    owners: Owners, paragraph: ParsedParagraph, expression: TimeExpression, root: Word
) -> Owner | None:
    """Like "Anna, at this time forty years of age, was not moved": set between commas behind the subject."""
    text = paragraph.prose.text
    before = text.rfind(",", max(0, expression.start - _NEAR), expression.start)
    if before < 0 or not text[expression.end :].startswith(","):
        return None
    verb = root
    while verb.pos_ not in _CLAUSES and verb.head.i != verb.i:
        verb = verb.head
    own = next((c for c in verb.children if c.dep_ in _SUBJECTS), None)
    if own is None or not own.idx < before <= own.idx + len(own) + 1:
        return None
    return owners.granted(paragraph, verb, owners.subject(paragraph, verb, 0.85))
