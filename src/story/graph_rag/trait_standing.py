"""What somebody is in the world: years of age, place and year of birth, and trade."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .modality import modality_of
from .parsed import ParsedParagraph
from .teller import Teller
from .time_amounts import NUMBER, number_of
from .time_grammar import TimeExpression
from .trait_looks import Look
from .trait_owners import Owner, Owners
from .trait_words import FIELDS

__all__ = ["STANDING_WORDS", "read_age", "read_standing"]

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
_ORIGIN = frozenset({"in", "at", "near"})
_RAISED = frozenset({"bred", "raised", "reared", "educated"})
_BECOMING = frozenset("become appoint ordain promote apprentice".split())
_DEPTH = 6
_NOT_A_TRADE = frozenset(
    """no any like former old late good bad great famous excellent poor better best fair pretty perfect born
    capital first little only quite much such rather""".split()
)
_PRACTICE = frozenset("work serve practise practice earn labour toil".split())
_BY = frozenset({"trade", "profession", "calling", "occupation"})

_HAILING = frozenset("hails hailed light".split())
STANDING_WORDS = frozenset({"born", "native", "birthplace", *_HAILING, *FIELDS})


def read_age(owners: Owners, paragraph: ParsedParagraph, teller: Teller) -> Iterator[tuple[Any, Look]]:
    """(token, look) for each age in whole years that is said of somebody as it is then: no age of long ago
    ("when she was ten"), no guess ("about forty")."""
    for expression in (*teller.times(paragraph), *_turned(paragraph)):
        if expression.kind not in ("age", "bare age", "aside"):
            continue
        years = _YEARS.match(expression.value)
        if years is None or not _YOUNGEST <= int(years.group(1)) <= _OLDEST:
            continue
        if _LONG_AGO.search(paragraph.prose.text[: expression.end]):
            continue
        if expression.kind != "aside" and _guessed(paragraph, expression):
            continue
        found = paragraph.doc.char_span(expression.start, expression.end, alignment_mode="expand")
        if found is None or not len(found):
            continue
        told = _aged(owners, paragraph, found.root) if expression.kind != "aside" else None
        owner = told or _aside(owners, paragraph, expression, found.root)
        if owner is not None:
            yield found.root, Look("age", years.group(1), owner)


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
    before = text[max(0, expression.start - 40) : expression.start]
    return bool(_LOOSE.search(before) or _OR_SO.match(text[expression.end :]))


def _aged(owners: Owners, paragraph: ParsedParagraph, root: Any) -> Owner | None:
    node = root
    for _ in range(_DEPTH):
        if node.pos_ in _CLAUSES and node.dep_ not in ("acl", "amod"):
            return _aged_by(owners, paragraph, node)
        if node.pos_ in ("NOUN", "PROPN", "PRON"):
            owner = owners.described(paragraph, node)
            if owner is not None:
                return owner
            if node.dep_ in (*_SUBJECTS, "dobj", "dative", "pobj"):
                return None
        if node.head.i == node.i:
            return None
        node = node.head
    return None


def _aged_by(owners: Owners, paragraph: ParsedParagraph, verb: Any) -> Owner | None:
    if verb.lemma_ not in _TURNED:
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


def _aside(owners: Owners, paragraph: ParsedParagraph, expression: TimeExpression, root: Any) -> Owner | None:
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


def read_standing(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """What ``token``, one of ``STANDING_WORDS``, tells of birth or trade."""
    word = token.lower_
    if word in FIELDS:
        yield from _trade(owners, paragraph, token)
    elif word == "native":
        yield from _native(owners, paragraph, token)
    elif word == "birthplace":
        yield from _birthplace(owners, paragraph, token)
    elif word in _HAILING:
        yield from _hailed(owners, paragraph, token)
    elif token.i > 1 and token.doc[token.i - 1].text == "-":
        place = token.doc[token.i - 2]  # "the Leeds-born Anna"
        if place.text[0].isupper() and place.lower_ not in ("first", "low", "high"):
            yield from _look(owners.of_adjective(paragraph, token), "birthplace", place.lower_)
    else:
        yield from _born(owners, paragraph, token)


def _look(owner: Owner | None, aspect: str, value: str, *, change: bool = False) -> Iterator[Look]:
    if owner is not None and value:
        yield Look(aspect, value, owner, change)


def _born(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "she was born in Leeds", "born in 1802 in Leeds, Anna"."""
    if token.tag_ not in ("VBN", "VBD", "JJ"):
        return
    owner = owners.subject(paragraph, token, 0.95)
    places = list(token.children)
    if token.dep_ in ("ccomp", "relcl", "advcl", "acl", "attr") and token.head.lemma_ == "be":
        places += token.head.children  # "it was in Leeds that she was born"
    if owner is None and token.dep_ in ("acl", "advcl") and token.head.i != token.i:
        owner = owners.described(paragraph, token.head)
    if owner is None:
        return
    if token.dep_ == "relcl" and any(c.lower_ == "where" for c in token.children) and _named(token.head):
        yield Look("birthplace", _place(token.head), owner)
        return
    joined = (child for other in token.conjuncts if other.lower_ in _RAISED for child in other.children)
    for child in (*places, *joined):
        if child.dep_ == "prep" and child.lower_ in _ORIGIN:
            for noun in child.children:
                if noun.dep_ == "pobj":
                    yield from _of_birth(owner, noun)
                    yield from (
                        each
                        for deeper in noun.children
                        if deeper.dep_ == "prep" and deeper.lower_ in _ORIGIN
                        for last in deeper.children
                        for each in _of_birth(owner, last)
                    )


def _of_birth(owner: Owner, noun: Any) -> Iterator[Look]:
    if noun.text.isdigit() and len(noun.text) == 4:
        yield Look("born", noun.text, owner)
    elif _named(noun):
        yield Look("birthplace", _place(noun), owner)


def _named(noun: Any) -> bool:
    """ "Leeds" is taken for a plural now and then."""
    return bool(noun.text[0].isupper() and noun.tag_ in ("NNP", "NNPS", "NNS", "NN"))


def _place(noun: Any) -> str:
    """The words of a place's name, lower case: "new york", "st. petersburg"."""
    words = [c.lower_ for c in noun.children if c.dep_ == "compound" and c.text[0].isupper() and c.i < noun.i]
    return " ".join((*words, noun.lower_))


def _hailed(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "he hailed from Leeds", "she first saw the light in Leeds"."""
    wanted = "from" if token.lemma_ == "hail" else "in"
    for child in token.head.children if token.lower_ in ("light", "world") else token.children:
        if child.dep_ == "prep" and child.lower_ == wanted:
            clause = token if token.pos_ == "VERB" else token.head
            for noun in child.children:
                if noun.dep_ == "pobj" and _named(noun) and clause.lemma_ in ("hail", "see"):
                    yield from _look(owners.subject(paragraph, clause, 0.8), "birthplace", _place(noun))


def _native(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "a native of Leeds"."""
    if token.pos_ not in ("NOUN", "PROPN", "ADJ"):
        return
    if token.dep_ == "amod" and token.head.tag_ in ("NNP", "NNPS"):  # "his native Leeds"
        yield from _look(owners.of_part(paragraph, token.head), "birthplace", _place(token.head))
    for child in token.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            for noun in child.children:
                if noun.dep_ == "pobj" and _named(noun):
                    yield from _look(owners.described(paragraph, token), "birthplace", _place(noun))


def _birthplace(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "Leeds was her birthplace", "her birthplace was Leeds", "Leeds, her birthplace"."""
    names: list[Any] = []
    head = token.head
    if token.dep_ == "attr" and head.lemma_ == "be":
        names = [c for c in head.children if c.dep_ == "nsubj"]
    elif token.dep_ == "nsubj" and head.lemma_ == "be":
        names = [c for c in head.children if c.dep_ == "attr"]
    elif token.dep_ == "appos":
        names = [head]
    names += [c for c in token.children if c.dep_ == "appos"]
    for name in names:
        if _named(name):
            yield from _look(owners.of_part(paragraph, token), "birthplace", _place(name))


def _trade(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "was a baker", "Tom Hale, the baker,", "a baker by trade", "worked as a baker"."""
    if token.tag_ not in ("NN", "NNP") or token.i in paragraph.mention_of:
        return
    if any(child.dep_ == "poss" or child.lower_ in _NOT_A_TRADE for child in token.children):
        return  # "his baker" bakes for him, "a good sailor" is not seasick
    field, head = FIELDS[token.lower_], token.head
    if token.dep_ == "attr" and head.lemma_ in ("be", "become", "remain"):
        if _of_kind(token):
            change = head.lemma_ == "become"
            yield from _look(owners.subject(paragraph, head, 0.9), "profession", field, change=change)
    elif token.dep_ == "appos":
        if paragraph.spoken(token) or _others_between(paragraph, token):
            return
        token = token.head if token.head.dep_ == "appos" else token  # "the village blacksmith"
        yield from _look(owners.described(paragraph, token, 0.85), "profession", field)
    elif token.dep_ == "pobj" and head.lower_ == "as" and head.is_sent_start:
        owner = owners.granted(paragraph, token, owners.subject(paragraph, head.head, 0.8))
        yield from _look(owner, "profession", field)
    elif token.dep_ == "pobj" and head.lower_ == "as" and head.head.lemma_ in _PRACTICE:
        owner = owners.subject(paragraph, head.head, 0.85)
        if any(word.lower_ in ("these", "since", "still") for word in head.head.subtree):
            owner = owners.granted(paragraph, token, owner)  # "had worked as a baker these ten years"
        yield from _look(owner, "profession", field)
    elif token.dep_ in ("oprd", "dobj", "pobj") and head.lemma_ in _BECOMING:
        modality = modality_of(owners.chapter, paragraph, head)
        if modality is not None and modality.happened:
            yield from _look(owners.subject(paragraph, head, 0.8), "profession", field, change=True)


def _others_between(paragraph: ParsedParagraph, token: Any) -> bool:
    """Does another name stand between the name and the trade, which is then likelier of that one?"""
    own = paragraph.mention_of.get(token.head.i)
    return any(
        paragraph.mention_of.get(i) not in (None, own)
        or (paragraph.doc[i].tag_ == "NNP" and i > token.head.i + 2)
        for i in range(min(token.head.i, token.i) + 1, max(token.head.i, token.i))
    )


def _of_kind(noun: Any) -> bool:
    """With "a" or "the", or "by trade" behind it."""
    by = any(c.lower_ == "by" and any(d.lower_ in _BY for d in c.children) for c in noun.children)
    return by or any(child.lower_ in ("a", "an", "the") for child in noun.children)
