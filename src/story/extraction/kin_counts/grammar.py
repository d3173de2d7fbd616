"""How many brothers, sisters or children somebody has, where the text counts them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...model.types import Modality
from ...time.amounts import number_of
from ..clauses.modality import modality_of
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from ..traits.looks import TraitClaim, look_of
from ..traits.owners import Owner, Owners
from .families import FAMILY_WORDS, born_last, number_of_them, read_bare_number, whose_kin

__all__ = ["COUNT_WORDS", "read_count"]

_KIN = {
    "brother": "brother", "brothers": "brother", "sister": "sister", "sisters": "sister",
    "sibling": "sibling", "siblings": "sibling", "son": "son", "sons": "son", "daughter": "daughter",
    "daughters": "daughter", "child": "child", "children": "child", "uncle": "uncle", "uncles": "uncle",
    "aunt": "aunt", "aunts": "aunt", "cousin": "cousin", "cousins": "cousin", "nephew": "nephew",
    "nephews": "nephew", "niece": "niece", "nieces": "niece", "grandchild": "grandchild",
    "grandchildren": "grandchild", "grandson": "grandson", "grandsons": "grandson",
    "granddaughter": "granddaughter", "granddaughters": "granddaughter",
    "boy": "son", "boys": "son", "girl": "daughter", "girls": "daughter",
}  # fmt: skip
_MEANT = frozenset({"boy", "boys", "girl", "girls"})  # children only with "have"
# words that leave the number a total; any other may pick some out ("his two elder brothers")
_NEUTRAL = frozenset(
    """dear poor good handsome pretty beautiful fine strong strapping stalwart lovely charming own beloved
    tall devoted loving noisy brave clever""".split()
)
_PACKS = {"pair": 2, "couple": 2, "brace": 2, "trio": 3, "quartet": 4, "quartette": 4, "dozen": 12}
_PUPILS = frozenset(
    """class school schoolroom schoolmaster master masters teacher tutor form crew regiment company team
    village
    factory shop dancing choir band club gang office lessons desks ward""".split()
)
_HAVING = frozenset("have possess own rear raise beget father breed bring keep feed support maintain".split())
_PARENTS = frozenset("father mother parent".split())
_BEARING = frozenset("bear deliver".split())
_HEARSAY = frozenset({Modality.REPORTED, Modality.IMAGINED, Modality.PLANNED})
_TIDINGS = frozenset("hear say report suppose believe think tell understand imagine fancy claim".split())
_DREAMT = frozenset("wish hope dream imagine suppose pretend think believe fancy".split())
_RAISING = frozenset("grow bring raise rear".split())
_INEXACT = frozenset({"advmod", "quantmod", "amod"})
_EXACT = frozenset({"but", "only", "just", "exactly", "all", "as", "many", "fewer"})
_RANKS = frozenset("one first second third fourth fifth eldest oldest youngest last middle".split())
_SINGLE = frozenset("single solitary".split())
_THEN = re.compile(
    r"\b(?:at (?:that|the|this) time|in those days|by then|as yet|so far|up to then|in (?:his|her|my|the) "
    r"(?:class|school|charge|care|form|parish|company|ward|employ)|in (?:arms|law|christ|god|the faith))\b"
)
_MOST = 20

COUNT_WORDS = frozenset(_KIN) | FAMILY_WORDS


def read_count(  # noqa: PLR0911, PLR0912 (a construction a branch)
    owners: Owners, paragraph: ParsedParagraph, token: Word
) -> Iterator[TraitClaim]:
    """The counts that ``token``, one of ``COUNT_WORDS``, tells of somebody's kin: "her three brothers", "had
    two sons", "an only child". The value is a number; ``"1+"`` where one is told and more may be; with a sign
    where the number changes."""
    word = token.lower_
    if word in FAMILY_WORDS:
        yield from read_bare_number(owners, paragraph, token)
        return
    noun = _KIN[word]
    if word in _MEANT and not (token.dep_ == "dobj" and token.head.lemma_ in _HAVING) and not _own(token):
        yield from _boys(owners, paragraph, token, noun)
        return
    if _in_law(token):
        return
    many = _many(token)
    borne = token.head.lemma_ == "bear" and many is not None and many.isdigit() and int(many) > 1
    if not borne:
        yield from _changed(owners, paragraph, token, noun)
    of = token.dep_ == "pobj" and token.head.lower_ == "of"
    if of and not _many_before(token) and (pack := _PACKS.get(token.head.head.lower_)) is not None:
        owner = _owner(owners, paragraph, token.head.head, str(pack))
        yield from look_of(owner, f"count:{noun}", str(pack))
        return
    owned = any(child.dep_ == "poss" for child in token.children)
    if of and not owned and token.head.head.lower_ in (*_RANKS, *(_PARENTS if word == "children" else ())):
        yield from _among(owners, paragraph, token, noun)
        return
    only = any(child.lower_ in ("only", "sole") for child in token.children)
    if only and token.tag_ == "NN":
        yield from _only(owners, paragraph, token, noun)
        return
    if many is None:
        if owned and token.tag_ == "NNS":
            yield from number_of_them(owners, paragraph, token, noun)
        return
    owner = _owner(owners, paragraph, token, many)
    if owner is None and many.isdigit() and int(many) > 0 and not owned:
        found = whose_kin(owners, paragraph, token, noun)
        if found is not None:
            yield TraitClaim(f"count:{found[0]}", many, found[1], settled=borne)
            return
    times = {word.lower_ for word in token.head.children} | {word.lower_ for word in token.children}
    if (
        "then" in times
        or (token.dep_ == "dobj" and _THEN.search(token.sent.text.lower()))
        or _another_s(token)
    ):
        return  # so many in those days, or not of kin
    if owner is not None:
        none_at_all = many == "0" and bool(token.conjuncts)  # "neither brother nor sister"
        yield TraitClaim(f"count:{noun}", many, owner, change="now" in times, settled=none_at_all)
        for other in token.conjuncts if many == "0" else ():  # "no brothers or sisters"
            if other.lower_ in _KIN:
                yield TraitClaim(f"count:{_KIN[other.lower_]}", "0", owner, settled=none_at_all)


def _boys(owners: Owners, paragraph: ParsedParagraph, token: Word, noun: str) -> Iterator[TraitClaim]:
    """Like "five boys in the nursery besides Tom, brothers all"."""
    kin = {"son": "brother", "daughter": "sister"}[noun]
    many = _many(token)
    if many is None or not many.isdigit() or not any(w.lemma_.lower() == kin for w in token.sent):
        return
    found = whose_kin(owners, paragraph, token, noun)
    if found is not None and found[0] == kin:
        yield TraitClaim(f"count:{kin}", many, found[1])


def _among(owners: Owners, paragraph: ParsedParagraph, token: Word, noun: str) -> Iterator[TraitClaim]:
    """Like "the youngest of five children"; "the father of five children" has them."""
    many, above = _many(token), token.head.head
    if many is None or not many.isdigit() or int(many) < 2:
        return
    last = born_last(owners, paragraph, token, noun)
    if last is not None:
        yield TraitClaim(f"count:{noun}", many, last, settled=True)
        return
    owner = owners.described(paragraph, above)
    if owner is None and above.dep_ in ("attr", "acomp") and above.head.lemma_ == "be":
        owner = owners.subject(paragraph, above.head, 0.9)
    if owner is None:
        return
    if above.lower_ in _PARENTS:
        yield TraitClaim("count:child", many, owner)
    elif above.lower_ in _RANKS:
        kin = {"child": "sibling", "son": "brother", "daughter": "sister"}.get(noun, noun)
        yield TraitClaim(f"count:{kin}", str(int(many) - 1), owner)


def _many(noun: Word) -> str | None:
    """The number that stands before the noun; None where it may be a part of them."""
    number, low = _of_them(noun), noun.tag_ == "NN"
    if low and any(child.lower_ in _SINGLE for child in noun.children):
        return "1"
    for child in noun.children:
        if child.dep_ == "nummod" and child.i < noun.i:
            number = str(value) if (value := number_of(child.lower_)) is not None else None
            if number is None or any(c.dep_ in _INEXACT and c.lower_ not in _EXACT for c in child.children):
                return None
        elif (child.lower_ == "no" and child.dep_ == "det") or child.lower_ == "neither":
            number = "0"
        elif child.lower_ in ("a", "an") and low:
            never = noun.dep_ == "dobj" and any(c.lower_ == "never" for c in noun.head.children)
            number = number or ("0" if never else "1+")
        elif child.dep_ in ("amod", "compound", "nmod") and child.lower_ not in _NEUTRAL:
            return "1+" if low and child.lower_ not in ("half", "step", "foster", "adopted") else None
        elif child.dep_ == "relcl" and (child.lemma_ in _HAVING or _to_do(child)):
            continue  # "the two brothers that Tom had", "seven children to feed"
        elif child.dep_ == "relcl" and _aside(noun, child):
            continue
        elif child.dep_ == "relcl" or (child.dep_ == "acl" and child.lower_ == "living"):
            return None
    if number is None or (number.isdigit() and int(number) > _MOST):
        return None
    return number


def _aside(noun: Word, clause: Word) -> bool:
    """A relative clause set off by a comma tells of them all: "his two sons, who were at sea,"."""
    between = noun.doc[noun.i + 1 : clause.left_edge.i + 1]
    owned = any(child.dep_ == "poss" for child in noun.children)
    return owned and any(word.text == "," for word in between)


def _own(noun: Word) -> bool:
    """ "His four boys" are his children, but for a class or a crew of them."""
    owned = any(child.dep_ == "poss" for child in noun.children)
    return owned and noun.tag_ == "NNS" and not any(word.lower_ in _PUPILS for word in noun.sent)


def _many_before(noun: Word) -> bool:
    return any(child.dep_ == "nummod" for child in noun.children)


def _to_do(verb: Word) -> bool:
    return verb.tag_ == "VB" and any(child.dep_ == "aux" and child.tag_ == "TO" for child in verb.children)


def _of_them(noun: Word) -> str | None:
    """The number of "all three of her brothers", "both of his sons"."""
    of, whole = noun.head, noun.head.head
    if noun.dep_ != "pobj" or of.lower_ != "of" or noun.tag_ != "NNS":
        return None
    if whole.lower_ == "both":
        return "2"
    every = any(child.lower_ == "all" for child in whole.children)
    value = number_of(whole.lower_) if every else None
    return str(value) if value is not None else None


def _owner(  # noqa: PLR0911 (a construction a branch)
    owners: Owners, paragraph: ParsedParagraph, noun: Word, many: str
) -> Owner | None:
    head = noun.head
    if any(child.dep_ == "poss" for child in noun.children):
        return _told(owners, paragraph, noun) if many.isdigit() else None
    if noun.dep_ == "conj" and head.lower_ == "had" and any(c.lower_ == "but" for c in head.children):
        return owners.subject(paragraph, head, 0.9)  # "had but one son", as the parser takes it
    if noun.dep_ == "pobj" and head.lower_ in ("with", "among", "amongst") and head.head.lemma_ in _RAISING:
        return owners.granted(paragraph, noun, owners.subject(paragraph, head.head, 0.9))
    if noun.dep_ == "dobj" and head.lemma_ in _HAVING:
        if many == "0" and head.lemma_ == "have":
            return _lacking(owners, paragraph, head)
        return owners.subject(paragraph, head, 0.95)
    if noun.dep_ == "pobj" and head.lower_ == "with" and head.head.lemma_ in ("bless", "burden"):
        return owners.of_part(paragraph, noun)
    if noun.dep_ == "pobj" and head.lower_ == "of" and head.head.lower_ in _PARENTS and many.isdigit():
        return owners.described(paragraph, head.head)
    return None


def _told(owners: Owners, paragraph: ParsedParagraph, noun: Word) -> Owner | None:
    """Whose "his five sisters" are; nobody where the clause is hearsay ("heard
    that he had brought his five sisters")."""
    owner, node = owners.of_part(paragraph, noun), noun
    while node.pos_ not in ("VERB", "AUX") and node.head.i != node.i:
        node = node.head
    if owner is None or owner.modality is not Modality.FACT or node.pos_ not in ("VERB", "AUX"):
        return owner
    if modality_of(owners.chapter, paragraph, node) in _HEARSAY or _said(node):
        return None
    return owner


def _said(verb: Word) -> bool:
    """Is the clause what somebody says, hears or believes?"""
    while verb.dep_ in ("ccomp", "advcl", "conj", "relcl") and verb.head.i != verb.i:
        that = any(child.dep_ == "mark" and child.lower_ == "that" for child in verb.children)
        if verb.dep_ == "ccomp" and (that or verb.head.lemma_ in _TIDINGS):
            return True
        verb = verb.head
    return False


def _lacking(owners: Owners, paragraph: ParsedParagraph, verb: Word) -> Owner | None:
    """The subject of "has no brothers", which the reading of modality takes for denied, as it is."""
    if verb.dep_ == "ccomp" and verb.head.lemma_ in _DREAMT:
        return None
    found = owners.subject(paragraph, verb, 0.95)
    if found is None and paragraph.spoken(verb):
        people = owners.arguments.subjects(paragraph, verb)
        if len(people) == 1:
            return Owner(people[0], Modality.REPORTED, round(0.9 * people[0].factor, 3))
    if found is not None and found.modality is Modality.NEGATED:
        return Owner(found.reference, owners.where_told(paragraph, verb), found.sure)
    return found


def _only(owners: Owners, paragraph: ParsedParagraph, noun_token: Any, noun: str) -> Iterator[TraitClaim]:
    """Like "her only brother" (she has one), "she was an only child" (no brothers, no sisters), "Tom, the
    only son of X"."""
    words = {child.lower_ for child in noun_token.children if child.dep_ in ("amod", "compound")}
    if words - _NEUTRAL - {"only", "sole"}:
        return
    owned = any(child.dep_ == "poss" for child in noun_token.children)
    of = [c for c in noun_token.children if c.dep_ == "prep" and c.lower_ == "of"]
    if owned or of:
        owner = owners.of_part(paragraph, noun_token)
        if owner is not None:
            yield TraitClaim(f"count:{noun}", "1", owner)
    if noun == "child" and noun_token.dep_ in ("attr", "appos"):
        one = owners.described(paragraph, noun_token)
        if one is not None:
            yield TraitClaim("count:sibling", "0", one)


def _changed(owners: Owners, paragraph: ParsedParagraph, token: Word, noun: str) -> Iterator[TraitClaim]:
    """A birth or a loss: "bore him a son", "had lost her brother", "buried two children"."""
    verb = token.head
    if token.dep_ not in ("dobj", "pobj"):
        return
    if token.dep_ == "pobj":
        verb = token.head.head
    sign = "+1" if verb.lemma_ in _BEARING or verb.lower_ == "birth" else ""
    sign = sign or ("-1" if verb.lemma_ in ("lose", "bury") else "")
    if not sign:
        return
    clause = verb if verb.pos_ == "VERB" else verb.head
    owner = owners.subject(paragraph, clause, 0.8)
    if owner is not None:
        yield TraitClaim(f"count:{noun}", sign, owner, True)


def _another_s(noun: Word) -> bool:
    """Like "five children's books"."""
    return bool(noun.dep_ == "poss")


def _in_law(noun: Word) -> bool:
    doc, i = noun.doc, noun.i
    behind = i + 2 < len(doc) and doc[i + 1].text == "-"
    before = i > 1 and doc[i - 1].text == "-"
    return bool(behind or before)
