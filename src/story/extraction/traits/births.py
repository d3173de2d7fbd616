"""Where and in which year somebody was born."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.types import EntityKind, Modality
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from .looks import TraitClaim, look_of
from .nearby_owner import about
from .owners import Owner, Owners

__all__ = ["BIRTH_WORDS", "read_birth"]

_ORIGIN = frozenset({"in", "at", "near"})
_RAISED = frozenset({"bred", "raised", "reared", "educated"})
_HAILING = frozenset("hails hailed".split())
_LIGHT = frozenset("light world breath".split())
_DAWNING = frozenset("see come draw enter bring take".split())
_PLACES = frozenset("place town city village parish county country".split())
_TAKING_PLACE = frozenset("take happen occur be befall".split())
_KNOWING = frozenset("know forget remember recollect mention conceal hide".split())
_NOBODY = frozenset("nobody none few who you one".split())
_NO_PLACE = frozenset("first last new still high low well nobly gently true".split())

BIRTH_WORDS = frozenset({"born", "native", "birthplace", "birth", *_HAILING, *_LIGHT})


def read_birth(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """What ``token``, one of ``BIRTH_WORDS``, tells of where and when somebody was born."""
    word = token.lower_
    if word == "native":
        yield from _native(owners, paragraph, token)
    elif word == "birthplace":
        yield from _birthplace(owners, paragraph, token)
    elif word == "birth":
        yield from _birth(owners, paragraph, token)
    elif word in _HAILING:
        yield from _hailed(owners, paragraph, token)
    elif word in _LIGHT:
        yield from _dawned(owners, paragraph, token)
    elif token.i > 1 and token.doc[token.i - 1].text == "-":
        place = token.doc[token.i - 2]  # "the Leeds-born Anna"
        if place.text[0].isupper() and place.lower_ not in _NO_PLACE:
            yield from look_of(owners.of_adjective(paragraph, token), "birthplace", place.lower_)
    else:
        yield from _born(owners, paragraph, token)


def _born(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "she was born in Leeds", "born in 1802 in Leeds, Anna", "Leeds born and bred"."""
    if token.tag_ not in ("VBN", "VBD", "JJ"):
        return
    owner = _born_one(owners, paragraph, token)
    if owner is None:
        return
    if token.dep_ == "relcl" and any(c.lower_ == "where" for c in token.children) and _named(token.head):
        yield TraitClaim("birthplace", _place(token.head), owner)
        return
    before = token.doc[token.i - 1] if token.i else None
    if before is not None and _named(before) and before.i not in _people(owners, paragraph):
        bred = token.i + 2 < len(token.doc) and token.doc[token.i + 2].lower_ in _RAISED
        if bred:
            yield TraitClaim("birthplace", _place(before), owner)
            return
    places = list(token.children)
    if token.dep_ in ("ccomp", "relcl", "advcl", "acl", "attr") and token.head.lemma_ == "be":
        places += token.head.children  # "it was in Leeds that she was born"
    joined = (child for other in token.conjuncts if other.lower_ in _RAISED for child in other.children)
    yield from _somewhere(owner, [*places, *joined])


def _born_one(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Owner | None:
    owner = owners.subject(paragraph, token, 0.95)
    if owner is None and token.dep_ in ("acl", "advcl") and token.head.i != token.i:
        owner = owners.described(paragraph, token.head)
    if owner is not None and owner.modality is Modality.IMAGINED and _known(token):
        return owners.granted(paragraph, token, owner)
    bare = not any(child.dep_ in ("nsubj", "nsubjpass") for child in token.children)
    if owner is None and bare and not paragraph.spoken(token):
        return about(owners, paragraph, token, before=False)
    return owner


def _known(verb: Word) -> bool:
    """Like "nobody would have guessed that she was born in Leeds"."""
    head = verb.head
    if verb.dep_ != "ccomp" or head.lemma_ in _KNOWING:
        return bool(verb.dep_ == "ccomp")
    would = any(child.lower_ in ("would", "could") for child in head.children)
    return would and any(child.dep_ == "nsubj" and child.lower_ in _NOBODY for child in head.children)


def _people(owners: Owners, paragraph: ParsedParagraph) -> frozenset[int]:
    return frozenset(
        i
        for i, number in paragraph.mention_of.items()
        if owners.chapter.mentions[number].kind is EntityKind.CHARACTER
    )


def _somewhere(owner: Owner, children: list[Word]) -> Iterator[TraitClaim]:
    """What stands behind "in", "at" and "near": "in the year 1802 at Leeds"."""
    for child in children:
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


def _of_birth(owner: Owner, noun: Word) -> Iterator[TraitClaim]:
    if noun.text.isdigit() and len(noun.text) == 4:
        yield TraitClaim("born", noun.text, owner)
    elif _named(noun):
        yield TraitClaim("birthplace", _place(noun), owner)


def _named(noun: Word) -> bool:
    """ "Leeds" is taken for a plural now and then."""
    return bool(noun.text[0].isupper() and noun.tag_ in ("NNP", "NNPS", "NNS", "NN"))


def _place(noun: Word) -> str:
    """The words of a place's name, lower case: "new york", "st. petersburg"."""
    words = [c.lower_ for c in noun.children if c.dep_ == "compound" and c.text[0].isupper() and c.i < noun.i]
    return " ".join((*words, noun.lower_))


def _hailed(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "he hailed from Leeds"."""
    for noun in _behind(token, {"from"}):
        if token.pos_ == "VERB":
            yield from look_of(owners.subject(paragraph, token, 0.8), "birthplace", _place(noun))


def _behind(token: Word, words: frozenset[str] | set[str]) -> Iterator[Word]:
    for child in token.children:
        if child.dep_ == "prep" and child.lower_ in words:
            yield from (noun for noun in child.children if noun.dep_ == "pobj" and _named(noun))


def _dawned(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "first saw the light in Leeds", "came into the world at Leeds", "drew his first breath in"."""
    verb = token.head.head if token.dep_ == "pobj" else token.head
    if verb.pos_ != "VERB" or verb.lemma_ not in _DAWNING:
        return
    first = any(word.lower_ == "first" for word in (*verb.children, *token.children))
    if token.lower_ == "world":
        into = token.dep_ == "pobj" and token.head.lower_ == "into"
        if not into and not (verb.lemma_ == "enter" and token.dep_ == "dobj"):
            return
    elif token.dep_ != "dobj" or not first:
        return
    for noun in (*_behind(verb, _ORIGIN), *_behind(token, _ORIGIN)):
        yield from look_of(owners.subject(paragraph, verb, 0.85), "birthplace", _place(noun))


def _native(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "a native of Leeds"."""
    if token.pos_ not in ("NOUN", "PROPN", "ADJ"):
        return
    if token.dep_ == "amod" and token.head.tag_ in ("NNP", "NNPS"):  # "his native Leeds"
        yield from look_of(owners.of_part(paragraph, token.head), "birthplace", _place(token.head))
    for noun in _behind(token, {"of"}):
        owner = owners.described(paragraph, token)
        if owner is None and token.dep_ in ("pobj", "appos", "nsubj", "advcl", "npadvmod", "conj"):
            owner = about(owners, paragraph, token, before=False)  # "like a native of Leeds" is nobody's
            owner = None if token.head.lower_ == "like" else owner
        yield from look_of(owner, "birthplace", _place(noun))


def _birthplace(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "Leeds was her birthplace", "her birthplace was Leeds", "Leeds, her birthplace"."""
    for name in _said_to_be(token):
        if _named(name):
            yield from look_of(owners.of_part(paragraph, token), "birthplace", _place(name))


def _said_to_be(noun: Word) -> Iterator[Word]:
    """What a clause or an apposition says that the noun is."""
    head = noun.head
    if noun.dep_ == "attr" and head.lemma_ == "be":
        yield from (c for c in head.children if c.dep_ == "nsubj")
    elif noun.dep_ == "nsubj" and head.lemma_ == "be":
        yield from (c for c in head.children if c.dep_ == "attr")
    elif noun.dep_ == "appos":
        yield head
    yield from (c for c in noun.children if c.dep_ == "appos")


def _birth(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "her birth took place at Leeds", "her birth at Leeds", "Leeds, the town of her birth"."""
    owner = owners.of_part(paragraph, token)
    if owner is None:
        return
    above = token.head.head if token.dep_ == "pobj" and token.head.lower_ == "of" else None
    if above is not None and above.lower_ in _PLACES:
        yield from (TraitClaim("birthplace", _place(n), owner) for n in _said_to_be(above) if _named(n))
        return
    if above is not None and _named(above):  # "the Leeds of her birth"
        yield TraitClaim("birthplace", _place(above), owner)
        return
    clauses = [child for child in token.children if child.dep_ == "relcl"]
    if token.dep_ in ("nsubj", "nsubjpass"):
        clauses.append(token.head)
    near = list(token.children)
    for clause in clauses:
        if clause.lemma_ in _TAKING_PLACE:
            near += [*clause.children, *(c for d in clause.children if d.dep_ == "dobj" for c in d.children)]
    yield from _somewhere(owner, near)
