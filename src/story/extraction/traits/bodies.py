"""The better hand, what ails for good, marks and losses, and hair that is not its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...lexicon.trait_words import CONDITIONS, HAIR_NOUNS, HANDS, MARKS, PARTS
from ..clauses.modality import negated
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from .looks import TraitClaim, look_of, plain
from .nearby_owner import about
from .owners import Owner, Owners

__all__ = ["BODY_WORDS", "read_body"]

_DISGUISE = frozenset("dye dyed bleach bleached henna wig peruke disguise disguised peroxide".split())
_DONNING = frozenset("wear don assume adopt put have".split())
_WRITING = frozenset("write sign draw paint fence sew scribble".split())
_FAVOURING = frozenset("trust prefer favour favor use employ rely".split())
_SKILLS = frozenset(
    """deal throw shoot bowl carve play eat shave hammer strike bat sew stitch knit stir cut chop saw fire
    pitch cast serve aim salute beat point do""".split()
)
_HABIT = frozenset("always ever usually habitually generally invariably everything naturally".split())
_UNABLE = frozenset("nothing hardly scarcely little useless clumsy taught teach learn learnt learned".split())
_PENS = frozenset("pen quill pencil brush chalk".split())
_LIMPING = frozenset("limp limps limped limping".split())
_CROSSING = frozenset(
    "cross seam mark disfigure furrow mar pucker twist run scar traverse split score".split()
)
_SENSES = {"sight": "blind", "hearing": "deaf"}
_SIDED = frozenset("blind deaf lame".split())

BODY_WORDS = frozenset({*CONDITIONS, *MARKS, *PARTS, *_DISGUISE, *_LIMPING, "eyes", "handedness"})


def read_body(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
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


def _condition(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
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
        yield TraitClaim(aspect, value, owner)
    elif sides and value in _SIDED:
        part, side = sides[0]
        yield TraitClaim(f"{value} {part}", side, owner)


def _sides(node: Word) -> list[tuple[str, str]]:
    """(part, left or right) of what stands behind a preposition."""
    return [
        (child.lemma_.lower(), side)
        for child in node.children
        if child.lemma_.lower() in PARTS and (side := _side(child))
    ]


def _side(part: Word) -> str:
    found = {HANDS[c.lower_] for c in part.children if c.lower_ in HANDS}
    return found.pop() if len(found) == 1 else ""


def _mark(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "the scar on his left cheek", "a limp in the right leg"."""
    beside = token.head.children if token.dep_ in ("dobj", "nsubj") else ()
    crossed = [
        c for c in beside if c.dep_ == "dobj" and token.dep_ == "nsubj" and token.head.lemma_ in _CROSSING
    ]
    for part in crossed:  # "a scar seamed his left cheek"
        if part.lemma_.lower() in PARTS and (side := _side(part)):
            yield from look_of(owners.of_part(paragraph, part), f"{token.lower_} {part.lemma_.lower()}", side)
    for child in (*token.children, *beside):
        if child.dep_ not in ("prep", "prt") or child.i < token.i:
            continue
        for noun in child.children:
            side = _side(noun) if noun.lemma_.lower() in PARTS else ""
            if side:
                owner = owners.of_part(paragraph, noun) or owners.of_part(paragraph, token)
                yield from look_of(owner, f"{token.lower_} {noun.lemma_.lower()}", side)


def _lost(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "had lost his left arm", "lost the sight of his left eye"."""
    verb, part = token.head, token.lemma_.lower()
    if token.dep_ == "dobj" and verb.lemma_ == "lose":
        yield from look_of(owners.subject(paragraph, verb, 0.9), f"lost {part}", _side(token))
    elif token.dep_ == "pobj" and verb.lower_ in ("of", "in") and verb.head.lower_ in _SENSES:
        sense = verb.head
        if sense.dep_ == "dobj" and sense.head.lemma_ == "lose":
            aspect = f"{_SENSES[sense.lower_]} {part}"
            yield from look_of(owners.subject(paragraph, sense.head, 0.9), aspect, _side(token))


def _limping(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "he limped on his left leg"."""
    for child in token.children:
        if child.dep_ == "prep" and token.pos_ == "VERB":
            for part, side in _sides(child):
                yield from look_of(owners.subject(paragraph, token, 0.9), f"lame {part}", side)


def _better_hand(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "he wrote with his left hand", "took the pen in his left hand", "always dealt with the left hand",
    "it was the left hand that he used"."""
    side, above = _side(token), token.head
    if not side or _both_sides(token) or any(word.lower_ in _UNABLE for word in token.sent):
        return
    if token.dep_ == "pobj" and above.lower_ in ("with", "in"):
        pen = any(child.dep_ == "dobj" and child.lemma_ in _PENS for child in above.head.children)
        pen = pen or (above.head.lemma_ in _PENS and above.head.dep_ == "dobj")
        if pen or (above.lower_ == "with" and above.head.lemma_ in _WRITING):
            if negated(above.head):
                return
            found = owners.of_part(paragraph, token)
            yield from look_of(found or _user(owners, paragraph, above.head), "hand", side)
            return
    verb = next((w for w in token.sent if w.pos_ == "VERB" and _by_hand(w, token)), None)
    if verb is not None and not negated(verb):
        mine = any(child.dep_ == "poss" for child in token.children)
        owner = owners.of_part(paragraph, token) if mine else _user(owners, paragraph, verb)
        yield from look_of(owner, "hand", side)


def _user(owners: Owners, paragraph: ParsedParagraph, verb: Word) -> Owner | None:
    owner = owners.subject(paragraph, verb, 0.85)
    return owner if owner is not None else about(owners, paragraph, verb, before=False)


def _both_sides(token: Word) -> bool:
    """Are left and right both spoken of in the sentence?"""
    return len({HANDS[word.lower_] for word in token.sent if word.lower_ in HANDS}) > 1


def _by_hand(verb: Word, hand: Any) -> bool:
    """Does the verb tell for what the hand is used: for everything ("trusted"), for writing, or by habit for
    another skill ("always dealt")?"""
    if verb.lemma_ in _FAVOURING:
        return bool(hand.head.lemma_ == "be" or hand.head.i == verb.i or verb.dep_ == "relcl")
    near = {word.lower_ for word in verb.sent}
    if verb.lemma_ in _WRITING or (near & _PENS and verb.lemma_ in ("hold", "take", "use")):
        return bool(hand.head.head.lemma_ == "be" or hand.head.head.i == verb.i)
    used = hand.dep_ == "pobj" and hand.head.lower_ == "with"
    return used and verb.lemma_ in _SKILLS and bool(near & _HABIT)


def _disguised(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
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
