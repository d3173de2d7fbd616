"""How two events of a text lie in story time: by the word that joins them, by tense, by aspect.

Rules in this order: a conjunction of time or reason between the two clauses; what hangs on what (a
complement, a participle, a relative clause); the aspects of both (see ``aspect_of``); and where nothing
tells, the order of telling, which is the order of the story (Labov and Waletzky 1967: narrative clauses are
told in the order of what happened).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..clauses.modality import MENTAL, REACTIONS, STATIVE, Aspect, aspect_of, clause_of
from ..parsing.words import Word


class Lies(StrEnum):
    """Of the one told first, to the one told second; ``INCLUDES``: the second happens while it lasts."""

    BEFORE = "before"
    AFTER = "after"
    INCLUDES = "includes"
    INCLUDED = "is_included"


@dataclass(frozen=True, slots=True)
class Relative:
    """``by`` is what tells: ``"word"`` (a connective), ``"tense"``, ``"clause"`` (what hangs on what),
    ``"aspect"``, or ``"telling"``, nothing but the order of the text."""

    lies: Lies
    by: str


_BACKGROUND = frozenset({Aspect.STATE, Aspect.PROGRESS})
_CLAUSES = ("VERB", "AUX")
_PERCEIVING = frozenset(
    "see hear watch notice observe perceive feel find catch spy discover behold smell sight".split()
)
_COMPLEMENTS = frozenset("ccomp xcomp dobj acl advcl prep".split())
_STIRRING = frozenset({"at", "by", "with"})
_MOVING = frozenset("then afterwards afterward later next thereupon presently finally suddenly soon".split())
_NEXT = frozenset({"one", "next", "following"})
_SAYING = frozenset("say cry exclaim add reply remark observe answer ask call shout whisper beg".split())
_FINITE = ("VBD", "VBZ", "VBP")
_CLIMB = 5
_AFTER = frozenset({"after", "once"})
_UNTIL = frozenset({"before", "until", "till", "ere"})
_WHILE = frozenset({"while", "whilst", "whenever"})
_REASON = frozenset({"because", "since", "for"})
_WHEN = frozenset({"when"})


def lies(one: Word, other: Word) -> Relative:
    """How the event of token ``one`` lies to that of ``other``, told later in the text. Tokens of one
    document are also compared by syntax, those of two by tense and aspect alone."""
    if one.doc is other.doc and one.sent == other.sent:
        found = _joined(one, other) or _hanging(one, other)
        if found is not None:
            return found
    return _by_aspect(one, other)


def subordinator(verb: Word) -> str:
    """The conjunction that opens the adverbial clause of ``verb``, "as soon as" as one; empty for none."""
    if verb.dep_ != "advcl":
        return ""
    for child in verb.children:
        word = child.lower_
        if child.dep_ in ("mark", "advmod", "prep", "cc") and child.i < verb.i:
            if word in _AFTER | _UNTIL | _WHILE | _REASON | _WHEN:
                return str(word)
            if word == "as" and child.dep_ in ("mark", "advmod"):
                before = child.nbor(-1).lower_ if child.i else ""
                return {"soon": "as soon as", "long": "as long as"}.get(before, "as")
    return ""


def _above(verb: Word, target: Any) -> Word | None:
    """The clause that hangs on ``target`` (or on a clause joined with it) and holds ``verb``; itself at
    the most, None where ``target`` is not above."""
    node = verb
    for _ in range(_CLIMB):
        head = node.head
        if head is node or head.i == node.i:
            return None
        if head.i == target.i:
            return node
        node = head
    return None


def _joined(one: Word, other: Word) -> Relative | None:
    """By a conjunction of time or reason that makes one of the clauses hang on the other."""
    first, second = clause_of(one), clause_of(other)
    below = _subordinate(second, first)
    if below:
        found = _subordinate_last(below, one, other)
        return Relative(found, "word") if found else None
    below = _subordinate(first, second)
    if below:
        found = _subordinate_first(below, one)
        return Relative(found, "word") if found else None
    return None


def _subordinate(verb: Word, main: Any) -> str:
    """The conjunction by which the clause of ``verb`` hangs on that of ``main``, straight or joined, with
    the conjunction's clause on the side of ``verb``."""
    node = verb
    for _ in range(_CLIMB):
        word, head = subordinator(node), node.head
        if word:
            while head.pos_ not in _CLAUSES and head.head.i != head.i:  # "as soon as" hangs on "soon"
                head = head.head
            if (node.i < head.i) != (verb.i < main.i):  # "he fell, and when he rose, they laughed"
                return ""
            over = head
            while head.dep_ == "conj" and head.i not in (main.i, head.head.i):
                head = head.head
            below = _above(main, over)
            beside = below is not None and below.i != node.i
            return word if main.i in (head.i, over.i) or beside else ""
        if node.dep_ not in ("conj", "xcomp", "ccomp") or head.i in (node.i, main.i):
            return ""
        node = head
    return ""


def _subordinate_last(  # noqa: PLR0911 (a conjunction a line)
    word: str, one: Word, other: Word
) -> Lies | None:
    """``one`` is the main clause, ``other`` behind it the subordinate one."""
    if word in _UNTIL:
        return Lies.BEFORE
    if word in _AFTER or word == "as soon as":
        return Lies.AFTER
    background = aspect_of(one) in _BACKGROUND
    inside = aspect_of(other) in _BACKGROUND
    if word in _WHEN:
        if background or _about(one):
            return Lies.INCLUDES
        if _set_off(other):
            return Lies.BEFORE
        return Lies.INCLUDED if inside else Lies.AFTER
    if word in _WHILE or word in ("as", "as long as"):
        return Lies.INCLUDED
    if word in _REASON:
        return Lies.INCLUDED if inside else Lies.AFTER
    return None


def _subordinate_first(word: str, one: Word) -> Lies | None:
    """``one`` is the subordinate clause, before the main one."""
    if word in _UNTIL:
        return Lies.AFTER
    if word in _AFTER or word == "as soon as":
        return Lies.BEFORE
    if word in _WHILE or word == "as long as":
        return Lies.INCLUDES
    if word in _WHEN or word in _REASON:
        return Lies.INCLUDES if aspect_of(one) in _BACKGROUND else Lies.BEFORE
    return Lies.INCLUDES


def _set_off(token: Word) -> bool:
    """Like "he set out, when it began to rain": behind a comma "when" goes on with the story."""
    node = clause_of(token)
    while subordinator(node) == "" and node.head.i != node.i:
        node = node.head
    opens = next((child for child in node.children if child.lower_ in _WHEN), None)
    return opens is not None and opens.i > 0 and opens.nbor(-1).lower_ == ","


def _about(token: Word) -> bool:
    """Like "was about to leave", "was going to be killed"."""
    return token.lower_ in ("about", "going") and any(
        child.dep_ == "xcomp" or child.lower_ == "to" for child in token.children
    )


def _hanging(one: Word, other: Word) -> Relative | None:
    """By what hangs on what: complements, participles, relative clauses."""
    first, second = clause_of(one), clause_of(other)
    below = _above(second, first)
    if below is not None:
        found = _stirred(one, second) or _complement(one, below, other) or _trailing(other)
    else:
        over = _above(first, second)
        found = _leading(one, over) if over is not None else None
    return Relative(found, "clause") if found else None


def _stirred(one: Word, second: Any) -> Lies | None:
    """A feeling comes after what stirs it: "terrified at the sight", "annoyed at being asked"."""
    if one.lower_ not in REACTIONS or second.head.pos_ != "ADP":
        return None
    return Lies.AFTER if second.head.lower_ in _STIRRING and second.dep_ in ("pobj", "pcomp") else None


def _complement(one: Word, below: Any, other: Word) -> Lies | None:
    aspect = aspect_of(other)
    if aspect is Aspect.PERFECT:
        return Lies.AFTER
    second = clause_of(other)
    if one.lemma_.lower() in _PERCEIVING and below.dep_ in _COMPLEMENTS:
        return Lies.INCLUDED if second.tag_ == "VBG" or aspect in _BACKGROUND else None
    if below.dep_ == "ccomp" and aspect in _BACKGROUND:
        return Lies.INCLUDED
    return None


def _trailing(other: Word) -> Lies | None:
    """A participle or a relative clause behind the main verb."""
    second = clause_of(other)
    if second.dep_ == "advcl" and second.tag_ == "VBG" and _bare(second):
        return Lies.BEFORE if second.lemma_.lower() in _SAYING else Lies.INCLUDES
    if second.dep_ in ("advcl", "acl") and second.tag_ == "VBN" and aspect_of(other) is not Aspect.PERFECT:
        return Lies.INCLUDED
    if second.dep_ == "relcl" and aspect_of(other) in _BACKGROUND:
        return Lies.INCLUDED
    return None


def _leading(one: Word, over: Any) -> Lies | None:
    """A participle or a relative clause before the main verb; ``over`` hangs on that and holds it."""
    first, aspect = clause_of(one), aspect_of(one)
    if aspect is Aspect.PERFECT or (aspect is Aspect.REACTION and first.dep_ == "advcl"):
        return Lies.BEFORE
    if first.tag_ == "VBG" and first.dep_ in ("advcl", "acl", "csubj") and _bare(first):
        lasting = first.lemma_.lower() in STATIVE | MENTAL
        return Lies.INCLUDES if lasting else Lies.BEFORE
    if over.pos_ in ("NOUN", "PROPN", "PRON") and (aspect in _BACKGROUND or first.tag_ == "VBN"):
        return Lies.INCLUDES
    return None


def _bare(verb: Word) -> bool:
    return not verb.has("aux", "auxpass")


def _by_aspect(one: Word, other: Word) -> Relative:
    first, second = aspect_of(one), aspect_of(other)
    if second is Aspect.PERFECT and first is not Aspect.PERFECT:
        if _resumes(clause_of(other)):
            return Relative(Lies.BEFORE, "telling")
        return Relative(Lies.AFTER, "tense")
    if first is Aspect.PERFECT:
        return Relative(Lies.BEFORE, "tense" if second is not Aspect.PERFECT else "telling")
    if (first in _BACKGROUND or first is Aspect.REACTION) and not _moves_on(one, other):
        return Relative(Lies.INCLUDES, "aspect")
    return Relative(Lies.BEFORE, "word" if _moves_on(one, other) else "telling")


def _resumes(verb: Word) -> bool:
    """Like "when he had picked up his hands full, he ...": over by the time that comes next."""
    return bool(subordinator(verb)) and verb.i < verb.head.i


def _moves_on(one: Word, other: Word) -> bool:
    """Does a word between the two close what was going on ("one day", "at last", "then")?"""
    verb = clause_of(other)
    for node in (verb, verb.head):
        for child in node.children:
            if child.i <= one.i and child.doc is one.doc:
                continue
            if child.dep_ in ("advmod", "prep", "npadvmod") and child.lower_ in _MOVING:
                return bool(child.i < 2 or child.nbor(-2).lower_ != "now")  # "now and then"
            if child.dep_ == "npadvmod" and child.said() & _NEXT:
                return True
    return False
