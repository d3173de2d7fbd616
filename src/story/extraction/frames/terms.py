"""Relational terms: a noun that says what somebody is to somebody, with its prefixes, and whose it is."""

from __future__ import annotations

from dataclasses import dataclass

from ...lexicon.verbs_and_nouns import RELATIONAL, RelationalNoun
from ...model.predicates import PREDICATES
from ..parsing.words import Word

_SAME = frozenset("half great twin co pen foster school house class".split())
_OVER = frozenset("late former ex dead onetime deceased estranged".split())
_UNREAL = frozenset("imaginary future supposed potential pretend fake prospective so-called would-be".split())
_ROLES = frozenset("SERVED_BY SERVES TEACHES COLLEAGUE_OF RENTS_FROM PARTNER_OF".split())
_BETWEEN = frozenset("JJ JJR JJS CD VBN VBG RB HYPH NN NNP , IN".split())
_FAR = 5  # words between an owner and the noun


@dataclass(frozen=True, slots=True)
class Term:
    """``first`` and ``last`` are tokens; ``word`` is as it is written there, in the singular; ``ended`` by a
    prefix or an adjective as well."""

    first: int
    last: int
    word: str
    noun: RelationalNoun
    plural: bool
    ended: bool

    @property
    def is_over(self) -> bool:
        """Ended, of what can end."""
        return self.ended and not PREDICATES[self.noun.predicate].permanent


def term_at(token: Word) -> Term | None:
    """The term whose head noun is ``token``; None where there is none, or only a supposed one."""
    plural = (token.tag_ in ("NNS", "NNPS") and token.lower_ not in RELATIONAL) or token.lower_ == "couple"
    base = token.lemma_.lower() if plural else token.lower_
    if base not in RELATIONAL or token.tag_[:2] not in ("NN", "JJ", "PR", "VB"):
        return None
    first, last = _glued(token)
    before, behind = (
        [w.lower_ for w in token.doc[a:b]] for a, b in ((first, token.i), (token.i + 1, last + 1))
    )
    whole = "".join((*before, base, *behind))
    noun, ended = RELATIONAL.get(whole), False
    if noun is None and not before and not behind:
        noun = RELATIONAL[base]
    elif noun is None and behind == ["-", "in", "-", "law"]:
        noun = RelationalNoun("IN_LAW_OF", False, RELATIONAL[base].gender, False)
        ended = before[:1] == ["ex"]
    elif noun is None and not behind:
        noun, prefix = RELATIONAL[base], before[0]
        ended = prefix == "ex"
        if prefix == "step":
            noun = RelationalNoun("STEP_KIN_OF", False, noun.gender, False)
        elif prefix == "grand" or prefix not in _SAME | {"ex"}:
            return None
    if noun is None:
        return None
    told = {child.lower_ for child in token.children if child.i < token.i} | {
        word.lower_ for word in token.doc[max(0, first - 2) : first] if word.tag_ == "JJ"
    }
    if told & _UNREAL:
        return None
    ended = ended or noun.ended or bool(told & _OVER) or ("old" in told and noun.predicate in _ROLES)
    return Term(first, last, whole, noun, plural, ended)


def _glued(token: Word) -> tuple[int, int]:
    """The first and last token of what hyphens tie to the token."""
    doc, first, last = token.doc.words, token.i, token.i
    while (
        first > 1
        and doc[first - 1].text == "-"
        and not (doc[first - 1].whitespace_ or doc[first - 2].whitespace_)
    ):
        first -= 2
    while (
        last + 2 < len(doc)
        and doc[last + 1].text == "-"
        and not (doc[last].whitespace_ or doc[last + 1].whitespace_)
    ):
        last += 2
    return first, last


def owner_of(token: Word, term: Term) -> Word | None:
    """The word for whose it is: "his", the name before "'s", who stands behind "of" or "to"."""
    doc = token.doc.words
    for i in range(term.first - 1, max(-1, term.first - _FAR), -1):
        word = doc[i]
        if word.tag_ == "PRP$" or (word.lower_ == "her" and i == term.first - 1):
            return word
        if word.tag_ == "POS" or word.lower_ in ("'s", "’s"):
            return doc[i - 1] if i else None
        if word.tag_ not in _BETWEEN or (word.tag_ == "IN" and word.lower_ != "-"):
            break
    for node in (token, doc[term.last]):
        for child in node.children:
            if child.dep_ == "prep" and child.lower_ in ("of", "to") and child.i > term.first:
                return next((behind for behind in child.children if behind.dep_ == "pobj"), None)
    return None
