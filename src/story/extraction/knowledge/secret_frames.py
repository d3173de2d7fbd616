"""The shapes that a kept secret has in a clause, as the parser gives them: which word holds what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..clauses.modality import negated

__all__ = [
    "AWARE",
    "apart",
    "asked_and_denied",
    "in_the_dark",
    "nobody",
    "only_one",
    "passive_subject",
    "relative_of",
    "says_nothing",
    "seen_to",
    "silent_about",
    "to_oneself",
    "unknown_behind",
]

AWARE = frozenset({"aware", "privy", "cognizant", "cognisant", "informed"})
_PERSONS = frozenset({"one", "soul", "creature", "person", "man", "woman", "being", "body", "human"})
_SOMEONE = frozenset({"one", "soul", "creature", "person", "body"})
_CARE = frozenset(
    "care sure see make take mind contrive arrange manage determine resolve decide ensure".split()
)
_LEARNING = frozenset("know learn hear discover suspect guess find".split())
_UTTERING = frozenset(
    "mention speak breathe whisper hint confess reveal betray disclose confide admit own".split()
)
_DENIALS = frozenset({"no", "not", "never", "nothing"})
_FINITE = frozenset({"VBD", "VBZ", "VBP"})
_ANSWER = 40  # words from a question to its "No"


def apart(noun: Any) -> Any | None:
    """The word that sets somebody apart behind "nobody", "not a soul" and the like: "but", "except"."""
    none = noun.lower_ in ("nobody", "none") or noun.doc[noun.left_edge.i].lower_ in (
        "no",
        "not",
        "none",
        "nobody",
    )
    if not none:
        return None
    for word in noun.doc[noun.i + 1 : min(noun.sent.end, noun.i + 6)]:
        if word.is_punct or word.pos_ in ("VERB", "AUX"):
            return None
        if word.lower_ in ("but", "except", "save", "besides"):
            return word
    return None


def only_one(verb: Any) -> Any | None:
    """The "was" of "he was the only one who knew", for the verb of its relative clause."""
    node = verb if verb.pos_ in ("VERB", "AUX") else verb.head
    noun = node.head
    if node.dep_ != "relcl" or noun.lower_ not in _PERSONS or noun.dep_ != "attr":
        return None
    return noun.head if any(c.lower_ in ("only", "sole", "one") for c in noun.children) else None


def seen_to(verb: Any) -> Any | None:
    """The verb over "that she should hear nothing of it": "took good care", "saw to it", "made sure"."""
    if verb.lemma_.lower() not in _LEARNING:
        return None
    nothing = any(c.dep_ == "dobj" and c.lower_ == "nothing" for c in verb.children)
    helped = any(c.dep_ == "aux" and c.lower_ in ("should", "would", "might", "shall") for c in verb.children)
    if not helped or not (nothing or negated(verb)):
        return None
    node = verb.head
    for _ in range(3):
        if node.lemma_.lower() in _CARE and node.pos_ == "VERB":
            return node
        if node.lemma_.lower() not in _CARE | {"it", "to"}:
            return None
        node = node.head
    return None


def relative_of(verb: Any) -> Any | None:
    """The clause told of the subject: "X, who had sold them, took care"."""
    for child in verb.children:
        if child.dep_ == "nsubj":
            return next((c for c in child.children if c.dep_ == "relcl" and c.tag_ != "VB"), None)
    return None


def silent_about(verb: Any) -> bool:
    """Like "never breathed a word of it", "did not mention"."""
    return verb.lemma_.lower() in _UTTERING and negated(verb)


def unknown_behind(noun: Any) -> tuple[Any, Any] | None:
    """(whose, the verb) of "without his knowledge", "without the knowledge of X", "behind her back"."""
    if noun.dep_ != "pobj" or (noun.head.lower_, noun.lower_) not in (
        ("without", "knowledge"),
        ("behind", "back"),
    ):
        return None
    verb = noun.head.head
    whose = next((c for c in noun.children if c.dep_ == "poss"), None)
    if whose is None:
        behind = [c for p in noun.children if p.lower_ == "of" for c in p.children if c.dep_ == "pobj"]
        whose = behind[0] if behind else None
    return (whose, verb) if whose is not None and verb.pos_ == "VERB" else None


def asked_and_denied(know: Any, answers: Any) -> Iterator[Any]:
    """The denial, then the clause that tells the matter, of "Does X know that …?" - "No". ``answers`` says of
    a word whether it is spoken."""
    if know.lemma_.lower() not in _LEARNING and know.lower_ not in AWARE:
        return
    doc, end = know.doc, know.sent[-1]
    if "?" not in doc[know.i : min(len(doc), end.i + 2)].text:
        return
    for word in doc[know.i + 1 : know.i + _ANSWER]:
        if word.lower_ in _DENIALS and answers(word) and _opens(word):
            yield word
            break
    else:
        return
    for verb in doc[know.i + 1 : know.i + _ANSWER]:
        linked = any(c.lower_ == "that" and c.dep_ in ("mark", "nsubj", "dobj") for c in verb.children)
        linked = linked or doc[verb.left_edge.i].lower_ == "that"
        helped = any(c.dep_ in ("aux", "auxpass") for c in verb.children)
        if verb.pos_ in ("VERB", "AUX") and linked and (helped or verb.tag_ in _FINITE) and answers(verb):
            yield verb
            return


def _opens(word: Any) -> bool:
    """Does it stand first in its sentence or behind a mark?"""
    return bool(word.i == 0 or word.nbor(-1).is_punct or word.nbor(-1).is_quote or word.nbor(-1).is_space)


def nobody(verb: Any) -> bool:
    """Like "told no one", "never told anybody", "told not a soul"."""
    for child in verb.children:
        if child.dep_ not in ("dobj", "dative", "npadvmod") or child.i < verb.i:
            continue
        words = {child.lower_, *(c.lower_ for c in child.children)}
        if child.lower_ in ("nobody", "none", "noone") or (
            child.lower_ in _SOMEONE and words & {"no", "not"}
        ):
            return not words & {"but", "except"}
        general = child.lower_ in ("anybody", "anyone") or (child.lower_ in _SOMEONE and "any" in words)
        if (general or (child.lower_ in _SOMEONE and "a" in words)) and negated(verb):
            return True
    return False


def says_nothing(verb: Any) -> bool:
    """Like "said nothing of the letter", "never said a word about it"."""
    for child in verb.children:
        if child.dep_ == "dobj":
            behind = {c.lower_ for c in child.children}
            nothing = child.lower_ == "nothing" or (
                child.lower_ in ("word", "syllable") and (negated(verb) or "no" in behind or "not" in behind)
            )
            about = {c.lower_ for holder in (verb, child) for c in holder.children if c.dep_ == "prep"}
            return bool(nothing and about & {"of", "about"})
    return False


def to_oneself(verb: Any) -> bool:
    """Like "kept it to himself", "kept the letter a secret" (from nobody named)."""
    for child in verb.children:
        if child.dep_ in ("prep", "dative") and child.lower_ == "to":
            return any(c.lower_.endswith("self") for c in child.children)
    return False


def passive_subject(verb: Any) -> Any | None:
    return next((child for child in verb.children if child.dep_ == "nsubjpass"), None)


def in_the_dark(verb: Any) -> Any | None:
    """The noun of "kept in the dark about", "left in ignorance of"."""
    for child in verb.children:
        if child.dep_ == "prep" and child.lower_ == "in":
            return next((c for c in child.children if c.lower_ in ("dark", "ignorance")), None)
    return None
