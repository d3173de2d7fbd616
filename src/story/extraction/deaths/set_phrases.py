"""Deaths told in set phrases: "was no more", "lay in the churchyard", "with her neck broken", "did not
survive the night", "a fever carried him off". Put together by hand; each
needs the whole phrase, not a word of it.
"""

from __future__ import annotations

from typing import Any

from ...lexicon.death_words import BURIED_IN, CARRYING_OFF, FATAL, FATAL_WOUNDS
from ..clauses.arguments import Arguments, is_passive
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word

__all__ = ["ends_by_denial", "foreseen", "told_otherwise"]

_CLAUSES = ("VERB", "AUX")
_DEPTH = 4
_NEAR = 3  # words between a neck and its being broken
_COMMITTING = frozenset("vow swear promise pledge resolve determine intend".split())
_LYING = frozenset("lie rest sleep repose".split())
_LAYING = frozenset("lay lower put".split())
_IN = frozenset("in under beneath into".split())
_AGAIN = frozenset("again more".split())
_SURVIVED = frozenset(
    "night day week month winter spring summer autumn year operation journey fever wound".split()
)
_TAKING = frozenset("carry take sweep".split())
_GRAVES = frozenset("grave tomb coffin".split())
_Found = tuple[list[Reference], Any | None]


def ends_by_denial(token: Word) -> bool:
    """Do the words deny life, not death: "was no more", "did not survive", "never woke again"?"""
    return token.lower_ == "more" or token.lemma_.lower() in ("survive", "wake", "awake", "rise")


def told_otherwise(paragraph: ParsedParagraph, token: Word, arguments: Arguments) -> _Found:  # noqa: PLR0911
    """Who is told to be dead by the phrase that ``token`` heads, and the verb whose modality it has."""
    word = token.lower_
    if word == "more" and _no_more(token):
        return arguments.subjects(paragraph, token.head), token.head
    if word in FATAL and _wounded(token):
        return _wounded_one(paragraph, token, arguments)
    lemma = token.lemma_.lower()
    if word == "heart" and _stopped(token):
        owners = [
            child for child in token.children if child.dep_ == "poss" and child.i in paragraph.mention_of
        ]
        return (arguments.resolve(paragraph, owners[0]) if owners else []), token.head
    if word in _GRAVES and _in_his_grave(token):
        return arguments.subjects(paragraph, token.head.head), token.head.head
    if token.pos_ != "VERB":
        return [], None
    if lemma == "follow" and _to_the_grave(token):
        return arguments.slot(paragraph, token, "dobj"), token
    if lemma == "toll":
        return arguments.slot(paragraph, token, "prep:for"), token
    if _denied_life(token, lemma) or _ceases(token, lemma) or (lemma in _LYING and _buried(token)):
        return arguments.subjects(paragraph, token), token
    passive = is_passive(token)
    if lemma in _LAYING and (_buried(token) or _to_rest(token)):
        return _done_to(paragraph, token, arguments), token
    if lemma == "lose" and passive and _at_sea(token):
        return arguments.subjects(paragraph, token), token
    if lemma in _TAKING and _carried_off(token, lemma):
        return _done_to(paragraph, token, arguments), token
    if lemma == "break" and _own_neck(token):
        return arguments.subjects(paragraph, token), token
    return [], None


def _done_to(paragraph: ParsedParagraph, verb: Word, arguments: Arguments) -> list[Reference]:
    return (
        arguments.subjects(paragraph, verb) if is_passive(verb) else arguments.slot(paragraph, verb, "dobj")
    )


def _no_more(token: Word) -> bool:
    """Like "was no more." at the end of a clause; none of "no more a fool than"."""
    doc, head = token.doc, token.head
    if token.i == 0 or doc[token.i - 1].lower_ != "no" or head.lemma_.lower() != "be" or head.i > token.i:
        return False
    return token.i + 1 == len(doc) or doc[token.i + 1].is_punct or doc[token.i + 1].lower_ in ("and", "when")


def _denied_life(verb: Word, lemma: str) -> bool:
    """Like "did not survive the night", "never woke again"."""
    denied = any(c.dep_ == "neg" or c.lower_ == "never" for c in verb.children)
    if not denied:
        return False
    if lemma == "survive":
        objects = [c for c in verb.children if c.dep_ == "dobj"]
        return not objects or any(noun.lemma_.lower() in _SURVIVED for noun in objects)
    again = any(c.lower_ in _AGAIN for c in verb.children)
    return lemma in ("wake", "awake", "rise") and again and any(c.lower_ == "never" for c in verb.children)


def _ceases(verb: Word, lemma: str) -> bool:
    """Like "ceased to breathe"."""
    return lemma == "cease" and any(
        c.dep_ == "xcomp" and c.lemma_.lower() in ("breathe", "live") for c in verb.children
    )


def _buried(verb: Word) -> bool:
    """Like "lay in the churchyard"; who hides or reads there is alive."""
    if any(c.dep_ in ("xcomp", "advcl", "conj", "acomp") for c in verb.children):
        return False
    return any(
        noun.dep_ == "pobj" and noun.lower_ in BURIED_IN and not _indefinite(noun)
        for c in verb.children
        if c.dep_ == "prep" and c.lower_ in _IN
        for noun in c.children
    )


def _stopped(heart: Any) -> bool:
    """Like "Marcus's heart stopped in the night"; none that stops at a sight or for a moment."""
    verb = heart.head
    if heart.dep_ != "nsubj" or verb.lemma_.lower() not in ("stop", "fail", "cease"):
        return False
    return not any(c.dep_ == "advcl" or c.lower_ in ("for", "at", "almost", "nearly") for c in verb.children)


def _in_his_grave(noun: Word) -> bool:
    """Like "had been three years in his grave"."""
    inside = noun.dep_ == "pobj" and noun.head.lower_ == "in" and noun.head.dep_ == "prep"
    verb = noun.head.head
    return (
        inside
        and verb.lemma_.lower() == "be"
        and verb.pos_ in _CLAUSES
        and any(p.dep_ == "poss" for p in noun.children)
    )


def _to_the_grave(verb: Word) -> bool:
    """Like "followed Marcus to the grave"."""
    return any(
        noun.lower_ in BURIED_IN
        for c in verb.children
        if c.dep_ == "prep" and c.lower_ == "to"
        for noun in c.children
    )


def _indefinite(noun: Word) -> bool:
    return any(c.lower_ in ("no", "every") for c in noun.children)


def _to_rest(verb: Word) -> bool:
    """Like "was laid to rest"."""
    return any(c.lower_ == "rest" and c.i > verb.i and c.nbor(-1).lower_ == "to" for c in verb.subtree)


def _at_sea(verb: Word) -> bool:
    """Like "was lost at sea", "was lost with all hands"."""
    for c in verb.children:
        if c.dep_ == "prep" and (c.lower_, next((n.lower_ for n in c.children), "")) in (
            ("at", "sea"),
            ("with", "hands"),
        ):
            return True
        if c.dep_ == "advmod" and c.lower_ == "overboard":
            return True
    return False


def _carried_off(verb: Word, lemma: str) -> bool:
    """Like "the fever carried her off", "was carried off by a fever", "cholera took him"."""
    by = [c for c in verb.children if c.dep_ == "nsubj"]
    by += [n for c in verb.children if c.dep_ == "agent" for n in c.children]
    if verb.dep_ == "acl" and verb.tag_ == "VBD":  # the parser's idea of "A fever carried him off"
        by.append(verb.head)
    ill = any(noun.lower_ in CARRYING_OFF for noun in by)
    off = any(c.lower_ in ("off", "away") for c in verb.children)
    elsewhere = any(c.dep_ == "prep" and c.lower_ in ("to", "into", "from") for c in verb.children)
    return ill and not elsewhere and (off or lemma == "take")


def _own_neck(verb: Word) -> bool:
    return any(
        c.dep_ == "dobj" and c.lower_ == "neck" and any(p.dep_ == "poss" for p in c.children)
        for c in verb.children
    ) and verb.tag_ in ("VBD", "VBN")


def _wounded(part: Word) -> bool:
    """Like "her neck broken", behind the noun."""
    if not any(c.dep_ == "poss" for c in part.children):
        return False
    behind = part.doc[part.i + 1 : part.i + 1 + _NEAR]
    return any(token.lower_ in FATAL_WOUNDS and token.tag_ == "VBN" for token in behind)


def _wounded_one(paragraph: ParsedParagraph, part: Word, arguments: Arguments) -> _Found:
    """Who "was found with her neck broken", whom they "found with his throat cut"."""
    node = part.head
    for _ in range(_DEPTH):
        if node.pos_ in _CLAUSES and node.lower_ not in FATAL_WOUNDS:
            whom = [] if is_passive(node) else arguments.slot(paragraph, node, "dobj")
            return whom or arguments.subjects(paragraph, node), node
        if node.head is node:
            break
        node = node.head
    return [], None


def foreseen(verb: Word) -> bool:
    """Like "had vowed to build it before he died", "would tell nobody till she died"."""
    marks = {child.lower_ for child in verb.children if child.dep_ in ("mark", "advmod")}
    if verb.dep_ != "advcl" or not marks & {"before", "till", "until", "when", "ere"}:
        return False
    over = verb.head
    for _ in range(_DEPTH):
        helped = any(child.lower_ in ("to", "would", "should", "will") for child in over.children)
        if helped or over.lemma_.lower() in _COMMITTING:
            return True
        if over.head is over:
            return False
        over = over.head
    return False
