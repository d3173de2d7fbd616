"""Whose the seven children are where no clause says who has them: "the parent of seven", "the two children of
Mr. Hale", "five boys in the nursery besides Tom, brothers all"."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.types import EntityKind
from ...time.amounts import number_of
from ..clauses.modality import negated
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from ..traits.looks import TraitClaim
from ..traits.nearby_owner import about
from ..traits.owners import Owner, Owners

__all__ = ["FAMILY_WORDS", "born_last", "number_of_them", "read_bare_number", "whose_kin"]

_PARENTS = frozenset("father mother parent".split())
_RANKS = frozenset("eldest oldest youngest".split())
_YOUNG = frozenset("child son daughter".split())
_BESIDES = frozenset("besides beside".split())
_ALL = frozenset("the all these those".split())
_RAISING = frozenset("raise rear bring feed clothe educate maintain support nurse".split())
_LOTS = frozenset("fate lot misfortune fortune luck destiny happiness blessing".split())
_ORDERED = frozenset("first last eldest oldest youngest second third".split())
_BIRTHS = frozenset("bear christen baptise".split())
_SUBJECTS = ("nsubj", "nsubjpass")
_MOST = 20

_NTHS = frozenset("second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())
_ARRIVING = frozenset("come bear arrive".split())

FAMILY_WORDS = _PARENTS | _RANKS | _NTHS


def read_bare_number(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "the father of seven", "the youngest of six": one of ``FAMILY_WORDS`` before a bare number."""
    if token.lower_ in _NTHS:
        yield from _another(owners, paragraph, token)
        return
    many = next(
        (
            value
            for child in token.children
            if child.dep_ == "prep" and child.lower_ == "of"
            for noun in child.children
            if noun.dep_ == "pobj" and not any(c.i > noun.i for c in noun.children)
            if (value := number_of(noun.lower_)) is not None
        ),
        None,
    )
    if many is None or not 2 <= many <= _MOST:
        return
    owner = owners.described(paragraph, token, 0.9)
    if owner is None and token.dep_ in ("attr", "acomp") and token.head.lemma_ == "be":
        owner = owners.subject(paragraph, token.head, 0.9)
    if owner is None and token.dep_ == "pobj" and token.head.lower_ in ("as", "for"):
        owner = owners.granted(paragraph, token, owners.subject(paragraph, token.head.head, 0.8))
    if owner is None:
        return
    if token.lower_ in _PARENTS:
        yield TraitClaim("count:child", str(many), owner)
    else:
        yield TraitClaim("count:sibling", str(many - 1), owner)


def _another(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """A birth: "Mr. Hale's fourth came into the world"."""
    if token.dep_ in _SUBJECTS and token.head.lemma_ in _ARRIVING:
        owner = owners.of_part(paragraph, token)
        if owner is not None:
            yield TraitClaim("count:child", "+1", owner, True)


def whose_kin(  # noqa: PLR0911, PLR0912 (a construction a branch)
    owners: Owners, paragraph: ParsedParagraph, noun: Word, kind: str
) -> tuple[str, Owner] | None:
    """(kind of kin, who has them) for a counted ``noun`` without an owner of its own."""
    head = noun.head
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ in _BESIDES:
            found = _besides(owners, paragraph, child, kind)
            if found is not None:
                return found
        if child.dep_ == "relcl" and child.lemma_ in ("have", "possess"):
            owner = owners.subject(paragraph, child, 0.9)
            return (kind, owner) if owner is not None else None
        if child.dep_ == "prep" and child.lower_ == "of" and _whole(noun):
            owner = owners.of_part(paragraph, noun)
            return (kind, owner) if owner is not None else None
    if noun.dep_ in ("attr", "dobj", *_SUBJECTS) and head.lemma_ == "be":
        for child in head.children:
            if child.dep_ == "prep" and child.lower_ in _BESIDES:
                return _besides(owners, paragraph, child, kind)
    if noun.dep_ == "dobj" and head.lemma_ in ("have", "possess"):
        owner = _fated(owners, paragraph, head)
        return (kind, owner) if owner is not None else None
    if noun.dep_ == "dobj" and head.lemma_ in _RAISING and kind in _YOUNG:
        owner = owners.granted(paragraph, noun, owners.subject(paragraph, head, 0.85))
        owner = owner or about(owners, paragraph, noun, before=False)
        return (kind, owner) if owner is not None else None
    if noun.dep_ == "pobj" and head.lower_ == "with" and head.i > 0 and head.nbor(-1).text == ",":
        owner = owners.described(paragraph, head.head, 0.85)  # "Mr. Hale, with four children,"
        owner = owners.granted(paragraph, noun, owner)
        return (kind, owner) if owner is not None else None
    if noun.dep_ == "pobj" and head.lower_ == "with" and _shared(head):
        owner = owners.granted(paragraph, noun, owners.subject(paragraph, head.head, 0.8))
        return (kind, owner) if owner is not None else None
    if noun.dep_ == "nsubj" and head.lemma_ == "have" and head.lower_ == "had":
        for child in head.children:  # "four children had Mrs. Hale"
            meant = owners.meant(paragraph, child) if child.dep_ == "dobj" else None
            if meant is not None:
                return kind, Owner(meant, owners.where_told(paragraph, noun), 0.85)
    if noun.dep_ in _SUBJECTS and kind in _YOUNG and _whole(noun):
        for child in noun.children:  # "the four children at Mr. Hale's"
            for name in child.children if child.dep_ == "prep" and child.lower_ == "at" else ():
                meant = owners.meant(paragraph, name)
                if meant is not None and any(c.tag_ == "POS" for c in name.children):
                    return kind, Owner(meant, owners.where_told(paragraph, noun), 0.8)
    if noun.dep_ == "dobj" and head.lemma_ == "bear" and kind in _YOUNG:
        owner = owners.granted(paragraph, noun, owners.subject(paragraph, head, 0.85))
        return (kind, owner) if owner is not None else None
    if noun.dep_ == "pobj" and head.lower_ == "with" and head.is_sent_start:
        above = head.head
        owner = owners.subject(paragraph, above, 0.8) if above.pos_ in ("VERB", "AUX") else None
        return (kind, owner) if (owner := owners.granted(paragraph, noun, owner)) is not None else None
    return None


def _shared(preposition: Word) -> bool:
    """Like "had shared a bed with two brothers"."""
    return preposition.head.lemma_ in ("share", "play", "fight", "struggle")


def number_of_them(owners: Owners, paragraph: ParsedParagraph, noun: Word, kind: str) -> Iterator[TraitClaim]:
    """Like "Tom's brothers were five in number", "Tom's brothers, of whom there were five,"."""
    clauses = [noun.head] if noun.dep_ in _SUBJECTS else []
    clauses += [child for child in noun.children if child.dep_ == "relcl"]
    for clause in clauses:
        there = clause.dep_ != "relcl" or any(word.lower_ == "whom" for word in clause.subtree)
        for child in clause.children if clause.lemma_ == "be" and there else ():
            value = number_of(child.lower_) if child.dep_ == "attr" and child.pos_ == "NUM" else None
            owner = owners.of_part(paragraph, noun) if value is not None else None
            if owner is not None and not negated(clause):
                yield TraitClaim(f"count:{kind}", str(value), owner)


def born_last(owners: Owners, paragraph: ParsedParagraph, noun: Word, kind: str) -> Owner | None:
    """Like "since the last of the two children was born", "the eldest of her four children": all of them."""
    above = noun.head.head
    if kind not in _YOUNG or above.lower_ not in _ORDERED or above.dep_ not in _SUBJECTS:
        return None
    if above.head.lemma_ not in _BIRTHS and not any(c.lower_ == "the" for c in noun.children):
        return None
    return about(owners, paragraph, noun, before=False)


def _whole(noun: Word) -> bool:
    """ "The two children of X", "all four sons of X", but not "two children of X"."""
    return any(child.dep_ in ("det", "predet") and child.lower_ in _ALL for child in noun.children)


def _besides(owners: Owners, paragraph: ParsedParagraph, word: Word, kind: str) -> tuple[str, Owner] | None:
    """Brothers and sisters of who is one more of the children."""
    for noun in word.children:
        number = paragraph.mention_of.get(noun.i)
        if noun.dep_ != "pobj" or number is None:
            continue
        if owners.chapter.mentions[number].kind is EntityKind.CHARACTER:
            kin = {"son": "brother", "daughter": "sister", "child": "sibling"}.get(kind, kind)
            meant = owners.meant(paragraph, noun)
            told = owners.where_told(paragraph, noun)
            return (kin, Owner(meant, told, 0.85)) if meant is not None else None
    return None


def _fated(owners: Owners, paragraph: ParsedParagraph, verb: Word) -> Owner | None:
    """Like "it was the fate of Tom to have three brothers", "Tom's lot was to have"."""
    node = verb.head
    nouns = [node] if node.lower_ in _LOTS else [c for c in node.children if c.lower_ in _LOTS]
    for noun in nouns:
        owner = owners.of_part(paragraph, noun)
        if owner is not None:
            return owners.granted(paragraph, verb, owner)
    return None
