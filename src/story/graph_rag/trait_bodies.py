"""The better hand, what ails for good, marks and losses, and hair that is not its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .parsed import ParsedParagraph
from .trait_looks import Look, look_of, plain
from .trait_owners import Owners
from .trait_words import CONDITIONS, HAIR_NOUNS, HANDS, MARKS, PARTS

__all__ = ["BODY_WORDS", "read_body"]

_DISGUISE = frozenset("dye dyed bleach bleached henna wig peruke disguise disguised peroxide".split())
_DONNING = frozenset("wear don assume adopt put have".split())
_WRITING = frozenset("write sign draw paint fence sew scribble".split())
_PENS = frozenset("pen quill pencil brush chalk".split())
_LIMPING = frozenset("limp limps limped limping".split())
_SENSES = {"sight": "blind", "hearing": "deaf"}
_SIDED = frozenset("blind deaf lame".split())

BODY_WORDS = frozenset({*CONDITIONS, *MARKS, *PARTS, *_DISGUISE, *_LIMPING, "eyes", "handedness"})


def read_body(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """What ``token``, one of ``BODY_WORDS``, tells; none where it is unclear of whom."""
    word = token.lower_
    if word in CONDITIONS:
        yield from _condition(owners, paragraph, token)
    elif word in MARKS and token.pos_ != "VERB":
        yield from _mark(owners, paragraph, token)
    elif word in _LIMPING:
        yield from _limping(owners, paragraph, token)
    elif word in _DISGUISE:
        yield from _disguised(owners, paragraph, token)
    elif word == "handedness":
        sides = [HANDS[c.lower_] for c in token.children if c.lower_ in HANDS]
        yield from look_of(owners.of_part(paragraph, token), "hand", sides[0] if sides else "")
    else:
        yield from _lost(owners, paragraph, token)
        if word == "hand":
            yield from _better_hand(owners, paragraph, token)


def _condition(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "he was lame of the left leg", "blind Anna", "born deaf"; not "blind to it", "blind with rage"."""
    if not plain(token):
        return
    near = (*token.children, *(token.head.children if token.dep_ == "acomp" else ()))
    behind = [child for child in near if child.dep_ in ("prep", "advcl", "xcomp") and child.i > token.i]
    behind = [child for child in behind if child.lower_ not in ("from", "since", "for")]
    sides = [side for child in behind for side in _sides(child)]
    owner = owners.of_adjective(paragraph, token)
    if owner is None:
        return
    aspect, value = CONDITIONS[token.lower_]
    if not behind:
        yield Look(aspect, value, owner)
    elif sides and value in _SIDED:
        part, side = sides[0]
        yield Look(f"{value} {part}", side, owner)


def _sides(node: Any) -> list[tuple[str, str]]:
    """(part, left or right) of what stands behind a preposition."""
    return [
        (child.lemma_.lower(), side)
        for child in node.children
        if child.lemma_.lower() in PARTS and (side := _side(child))
    ]


def _side(part: Any) -> str:
    found = {HANDS[c.lower_] for c in part.children if c.lower_ in HANDS}
    return found.pop() if len(found) == 1 else ""


def _mark(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "the scar on his left cheek", "a limp in the right leg"."""
    beside = token.head.children if token.dep_ in ("dobj", "nsubj") else ()
    for child in (*token.children, *beside):
        if child.dep_ != "prep" or child.i < token.i:
            continue
        for noun in child.children:
            side = _side(noun) if noun.lemma_.lower() in PARTS else ""
            if side:
                owner = owners.of_part(paragraph, noun) or owners.of_part(paragraph, token)
                yield from look_of(owner, f"{token.lower_} {noun.lemma_.lower()}", side)


def _lost(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "had lost his left arm", "lost the sight of his left eye"."""
    verb, part = token.head, token.lemma_.lower()
    if token.dep_ == "dobj" and verb.lemma_ == "lose":
        yield from look_of(owners.subject(paragraph, verb, 0.9), f"lost {part}", _side(token))
    elif token.dep_ == "pobj" and verb.lower_ in ("of", "in") and verb.head.lower_ in _SENSES:
        sense = verb.head
        if sense.dep_ == "dobj" and sense.head.lemma_ == "lose":
            aspect = f"{_SENSES[sense.lower_]} {part}"
            yield from look_of(owners.subject(paragraph, sense.head, 0.9), aspect, _side(token))


def _limping(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "he limped on his left leg"."""
    for child in token.children:
        if child.dep_ == "prep" and token.pos_ == "VERB":
            for part, side in _sides(child):
                yield from look_of(owners.subject(paragraph, token, 0.9), f"lame {part}", side)


def _better_hand(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Like "he wrote with his left hand", "took the pen in his left hand"."""
    above = token.head
    if token.dep_ != "pobj" or above.lower_ not in ("with", "in"):
        return
    pen = any(child.dep_ == "dobj" and child.lemma_ in _PENS for child in above.head.children)
    pen = pen or (above.head.lemma_ in _PENS and above.head.dep_ == "dobj")
    if pen or (above.lower_ == "with" and above.head.lemma_ in _WRITING):
        yield from look_of(owners.of_part(paragraph, token), "hand", _side(token))


def _disguised(owners: Owners, paragraph: ParsedParagraph, token: Any) -> Iterator[Look]:
    """Hair is no longer what it was: "she dyed her hair", "he wore a wig", "her dyed hair"."""
    if token.pos_ == "VERB" and token.dep_ != "amod":
        yield from look_of(owners.subject(paragraph, token, 0.9), "hair", "changed", change=True)
    elif token.dep_ == "amod" and token.head.lower_ in HAIR_NOUNS:
        yield from look_of(owners.of_part(paragraph, token.head), "hair", "changed", change=True)
    elif token.pos_ == "NOUN" and token.dep_ == "dobj" and token.head.lemma_ in _DONNING:
        yield from look_of(owners.subject(paragraph, token.head, 0.8), "hair", "changed", change=True)
    elif token.pos_ == "NOUN" and token.dep_ == "pobj" and token.head.lower_ in ("in", "under", "beneath"):
        verb = token.head.head
        owner = owners.of_part(paragraph, token)
        if owner is None and verb.pos_ in ("VERB", "AUX"):
            owner = owners.subject(paragraph, verb, 0.8)
        yield from look_of(owner, "hair", "changed", change=True)
