"""What somebody looks like: eyes, hair, build, and compounds like "left-handed"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...lexicon.trait_words import (
    BARE_HEADS,
    BUILDS,
    EYE_COLOURS,
    EYE_NOUNS,
    HAIR_COLOURS,
    HAIR_NOUNS,
    HANDS,
    OF_THE_COLOUR_OF,
)
from ..clauses.modality import modality_of, negated
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from .nearby_owner import about
from .owners import Owner, Owners

__all__ = ["LOOK_WORDS", "TraitClaim", "look_of", "plain", "read_look"]

_COMPOUNDS: Mapping[str, str] = {
    "eyed": "eyes", "haired": "hair", "headed": "hair", "handed": "hand", "tressed": "hair",
    "legged": "leg", "armed": "arm",
}  # fmt: skip
_TURNING = frozenset("turn go grow become dye bleach whiten fade tint streak crop shave".split())
_ONCE = frozenset("once formerly almost nearly rather half too as so how less more not no never".split())
_MUCH = frozenset("too as so how".split())
_LIGHT = frozenset(
    """light lamplight firelight moonlight sunlight sunshine candlelight dusk darkness shade shadow gloom sun
    anger rage fury wrath fear terror weeping grief pain fever excitement passion fatigue""".split()
)
_FLEETING = frozenset({"in", "by", "under", "with", "from", "at"})
_BRUISES = {"eye": ("a", "black"), "gaze": ("a", "dark", "black", "light", "pale")}
_COLOUR_NOUNS = frozenset({"colour", "color", "shade", "hue", "tint"})
_THOSE = frozenset({"the", "those", "these", "that"})
_NO_OTHER = frozenset({"nobody", "none", "one", "who", "man", "woman"})
_JOINED = 6  # words between colours that are joined
_BESIDE = frozenset({"amod", "compound", "nmod", "appos", "acl", "npadvmod"})

LOOK_WORDS = frozenset({*EYE_NOUNS, *HAIR_NOUNS, *BARE_HEADS, *BUILDS, *_COMPOUNDS})
"""The words beside which a look is told; everything else is passed over at the price of a look-up."""


@dataclass(frozen=True, slots=True)
class TraitClaim:
    """One trait as a token tells it, and of whom. ``settled``: it is told as it is by then, whatever change
    the words around tell."""

    aspect: str
    value: str
    owner: Owner
    change: bool = False
    settled: bool = False


def read_look(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """The looks that ``token``, one of ``LOOK_WORDS``, tells; none where it is unclear of whom."""
    word = token.lower_
    if word in EYE_NOUNS:
        yield from _coloured(owners, paragraph, token, "eyes", EYE_COLOURS)
    elif word in HAIR_NOUNS:
        yield from _coloured(owners, paragraph, token, "hair", HAIR_COLOURS)
    elif word in _COMPOUNDS:
        yield from _compound(owners, paragraph, token)
    elif word in BARE_HEADS and token.pos_ in ("NOUN", "PROPN"):
        yield from look_of(owners.described(paragraph, token), "hair", BARE_HEADS[word])
    elif (
        word in BUILDS
        and plain(token)
        and not any(child.dep_ == "prep" and not _as_a_rake(child) for child in token.children)
    ):
        yield from look_of(owners.of_adjective(paragraph, token), *BUILDS[word])


def _as_a_rake(preposition: Word) -> bool:
    """Like "as thin as a rake", but not "as thin as his brother"."""
    return bool(preposition.lower_ == "as") and any(
        noun.dep_ == "pobj" and any(child.lower_ in ("a", "an") for child in noun.children)
        for noun in preposition.children
    )


def look_of(owner: Owner | None, aspect: str, value: str, *, change: bool = False) -> Iterator[TraitClaim]:
    """The look, where both owner and value are known."""
    if owner is not None and value:
        yield TraitClaim(aspect, value, owner, change)


# --- colours -------------------------------------------------------------------------------------


def _coloured(  # noqa: PLR0912 (a construction a branch)
    owners: Owners, paragraph: ParsedParagraph, noun: Word, aspect: str, table: Mapping[str, str]
) -> Iterator[TraitClaim]:
    if _counted(noun) or any(child.lower_ in _BRUISES.get(noun.lower_, ()) for child in noun.children):
        return  # "one eye brown", "a black eye", "a dark gaze"
    found: list[tuple[str, Any, bool]] = []
    for child in noun.children:
        if child.dep_ in _BESIDE:
            found += [(name, None, False) for name in _names(child, table)]
        elif child.dep_ == "relcl":
            found += _said(child, table, aspect)
        elif child.dep_ == "prep" and child.lower_ == "of":
            found += [(name, None, False) for name in _behind(child, table)]
    found += [(name, None, False) for name in _set_behind(noun, table)] if not found else []
    if noun.dep_ in ("nsubj", "nsubjpass") and noun.head.lower_ in table:
        found += [(name, None, False) for name in _names(noun.head, table)]  # taken for a verb
    elif noun.dep_ in ("nsubj", "nsubjpass") and noun.head.pos_ in ("VERB", "AUX"):
        found += _said(noun.head, table, aspect)
    elif noun.dep_ in ("pobj", "dobj"):
        found += _they(noun, table, aspect)
    if noun.dep_ == "dobj" and noun.head.lemma_ in ("dye", "bleach"):
        found += [(name, None, True) for c in noun.head.children for name in _names(c, table)]
    elif noun.dep_ == "pobj" and noun.head.lower_ == "of" and noun.head.head.lower_ in table:
        hue = table[noun.head.head.lower_]  # "the grey of her eyes"
        found += [(hue, None, False)] if _names(noun.head.head, table) else []
    if not found:
        return
    change = any(each[2] for each in found)
    owner = owners.of_part(paragraph, noun) or _of_the_one(owners, paragraph, noun)
    verb = next((each[1] for each in found if each[1] is not None), None)
    if owner is None or (verb is not None and negated(verb)):
        return
    if verb is not None:
        asserted = owners.subject(paragraph, verb, owner.sure)
        modality = asserted.modality if asserted else modality_of(owners.chapter, paragraph, verb)
        if modality is None:
            return
        owner = Owner(owner.reference, modality, owner.sure)
    value = "/".join(sorted({each[0] for each in found}))
    yield from look_of(owner, aspect, value, change=change)


def _set_behind(noun: Word, table: Mapping[str, str]) -> list[str]:
    """Behind a comma, wherever the parser hangs it: "the eyes, brown as his father's had been, that"."""
    doc = noun.doc
    if noun.i + 2 >= len(doc) or doc[noun.i + 1].text != ",":
        return []
    for word in doc[noun.i + 2 : noun.i + _JOINED]:
        if word.lower_ in table:
            after = doc[word.i + 1] if word.i + 1 < len(doc) else None
            ends = after is None or (after.pos_ not in ("NOUN", "PROPN") and after.text != "-")
            return [table[word.lower_]] if ends and plain(word, hue=True) and not _named(word) else []
        if word.pos_ not in ("ADV", "ADJ", "DET") and word.lower_ != "of":
            return []
    return []


def _of_the_one(owners: Owners, paragraph: ParsedParagraph, noun: Word) -> Owner | None:
    """Like "those brown eyes gave no sign of it", "nobody else has eyes of that blue": theirs of whom the
    text speaks there."""
    if any(child.dep_ == "poss" for child in noun.children):
        return None
    verb, set_off = noun.head, noun.left_edge.i > 0 and noun.left_edge.nbor(-1).text in (",", ":", ";")
    if noun.dep_ == "dobj" and verb.lemma_ == "have":
        subject = next((c for c in verb.children if c.dep_ == "nsubj"), None)
        if subject is None or subject.lower_ not in _NO_OTHER:
            return None
        return about(owners, paragraph, noun)
    of = noun.head
    if noun.dep_ == "pobj" and of.lower_ == "of" and (of.head.lower_ == "pair" or of.head.dep_ == "prep"):
        return about(owners, paragraph, noun, before=False)  # "looked out of a pair of blue eyes"
    pointed = any(child.dep_ == "det" and child.lower_ in _THOSE for child in noun.children)
    if not pointed and not (set_off and not any(child.dep_ == "det" for child in noun.children)):
        return None
    return about(owners, paragraph, noun)


def _they(noun: Word, table: Mapping[str, str], aspect: str) -> list[tuple[str, Any, bool]]:
    """What is said of eyes or hair just named: "into her eyes; they were grey"."""
    doc, many = noun.doc, noun.tag_ == "NNS"
    for i in range(noun.i + 1, min(noun.i + _JOINED, len(doc))):
        word = doc[i]
        if word.lower_ == ("they" if many else "it") and word.dep_ == "nsubj":
            return _said(word.head, table, aspect)
        if word.tag_ == ("NNS" if many else "NN") or word.is_quote:
            return []
    return []


def _counted(noun: Word) -> bool:
    return any(
        child.dep_ == "nummod" or child.lower_ in ("no", "other", "another") for child in noun.children
    )


def _names(word: Word, table: Mapping[str, str]) -> list[str]:
    """The colours that a word and those joined to it name: "small, dark and brown"."""
    found = []
    if any(child.lower_ in ("neither", "nor", "not") for child in word.children):
        return []
    for each in (word, *word.conjuncts) if word.dep_ != "conj" else (word,):
        name = table.get(each.lower_)
        if name is None or not plain(each, hue=True) or _named(each) or abs(each.i - word.i) > _JOINED:
            continue
        if name in ("light", "pale") and each.dep_ not in ("amod", "acomp"):
            continue
        shades = {c.lower_ for c in each.children} | _hyphened(each)
        if name == "brown" and "dark" in shades:
            name = "brown/dark"
        elif name == "brown" and "light" in shades:
            name = "brown/light"
        found.append(name)
    return found


def _named(word: Word) -> bool:
    """Mr. Grey and Miss Brown are no colours."""
    return bool(word.text[0].isupper() and not word.is_sent_start and word.tag_ in ("NNP", "NNPS"))


def _hyphened(word: Word) -> set[str]:
    doc, i = word.doc, word.i
    return {doc[i - 2].lower_} if i > 1 and doc[i - 1].text == "-" else set()


def _said(verb: Word, table: Mapping[str, str], aspect: str) -> list[tuple[str, Any, bool]]:
    """What a clause says of its subject: "were grey", "were of a deep grey", "had gone grey"."""
    lemma = verb.lemma_
    change = lemma in _TURNING
    if not (lemma == "be" or (change and aspect == "hair")):
        return []
    if any(c.dep_ == "prep" and c.lower_ in _FLEETING and _fleeting(c) for c in verb.children):
        return []
    found: list[str] = []
    for child in verb.children:
        if child.dep_ in ("acomp", "attr", "oprd", "dobj", "amod"):
            if not any(c.dep_ == "prep" and c.lower_ == "with" for c in child.children):
                found += _names(child, table) or _through(child, table)
            if child.lower_ in _COLOUR_NOUNS:
                found += [name for c in child.children if c.lower_ == "of" for name in _behind(c, table)]
        elif child.dep_ == "prep" and child.lower_ == "of":
            found += _behind(child, table)
    if change and verb.tag_ == "VBN" and not found:
        return []
    return [(name, verb, change) for name in found]


def _fleeting(preposition: Word) -> bool:
    return any(child.lemma_.lower() in _LIGHT for child in preposition.children)


def _through(noun: Word, table: Mapping[str, str]) -> list[str]:
    """Like "a deep shade of grey", "the colour of straw", "a clear, light grey"."""
    if noun.lower_ not in _COLOUR_NOUNS:
        return []
    found = [name for child in noun.children if child.dep_ == "amod" for name in _names(child, table)]
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            found += _behind(child, table)
    return found


def _behind(preposition: Word, table: Mapping[str, str]) -> list[str]:
    found = []
    for child in preposition.children:
        if child.dep_ != "pobj":
            continue
        found += _names(child, table) or _through(child, table)
        thing = OF_THE_COLOUR_OF.get(child.lower_)
        if thing is not None and thing in table.values() and preposition.head.lower_ in _COLOUR_NOUNS:
            found.append(thing)
    return found


def plain(word: Word, *, hue: bool = False) -> bool:
    """Neither compared, nor qualified away: not "darker", "once golden", "almost black", "too thin"; "so" and
    "how" take nothing from a colour (``hue``)."""
    if word.tag_ in ("JJR", "JJS", "RBR", "RBS"):
        return False
    behind = {c.lower_ for c in word.children if c.i > word.i}
    away = _ONCE - _MUCH if hue else _ONCE
    return "as" in behind or not any(child.lower_ in away for child in word.children if child.i < word.i)


def _compound(owners: Owners, paragraph: ParsedParagraph, token: Word) -> Iterator[TraitClaim]:
    """Like "blue-eyed", "left-handed", "one-armed"; the parser sees three words."""
    doc, i = token.doc, token.i
    if i < 2 or doc[i - 1].text != "-":
        return
    part, first = _COMPOUNDS[token.lower_], doc[i - 2].lower_
    aspect, value = "", ""
    if part == "eyes":
        aspect, value = ("sight", "one-eyed") if first == "one" else ("eyes", EYE_COLOURS.get(first, ""))
    elif part == "hair":
        aspect, value = "hair", HAIR_COLOURS.get(first, "bald" if first == "bald" else "")
    elif part == "hand":
        aspect, value = "hand", HANDS.get(first, "")
    elif first == "one":
        aspect, value = part, f"one-{token.lower_}"
    if not value or not plain(token):
        return
    word = _adjective(token)
    owner = _set_off(owners, paragraph, doc[i - 2]) or owners.of_adjective(paragraph, word)
    if owner is None and word.head.pos_ != "NOUN":  # the parser may take "left" for a verb
        owner = about(owners, paragraph, token, before=False)
    yield from look_of(owner, aspect, value)


def _set_off(owners: Owners, paragraph: ParsedParagraph, first: Word) -> Owner | None:
    """Whoever is named right before a comma: "Anna, blue-eyed and flushed," whatever is thought of her."""
    if first.i < 2 or first.nbor(-1).text != ",":
        return None
    meant = owners.meant(paragraph, first.nbor(-2)) if first.i - 2 in paragraph.mention_of else None
    if meant is None or first.nbor(-2).dep_ in ("poss", "pobj"):
        return None
    return Owner(meant, owners.where_told(paragraph, first), 0.85)


def _adjective(token: Word) -> Word:
    """The word that stands for the whole compound in the sentence."""
    low = token.i - 2
    return token.head if low <= token.head.i < token.i else token
