"""Who grants what is asked: "Were you not born at Leeds?" and she answered that it was so."""

from __future__ import annotations

from typing import Any

from ...model.types import EntityKind
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedParagraph
from ..parsing.words import Word
from .arguments import Arguments

__all__ = ["assenting"]

_SUBJECTS = ("nsubj", "nsubjpass")
_GRANTING = frozenset("nod assent agree own admit confess acknowledge".split())
_ANSWERING = _GRANTING | frozenset("answer reply say allow return rejoin respond confirm declare".split())
_YES = frozenset("yes yea aye ay yeah certainly indeed so true".split())
_MATTER = frozenset("case fact truth".split())
_HELPERS = frozenset("am was have had do did".split())
_DID = frozenset("be have do".split())
_INNER = frozenset({"nsubj", "nsubjpass", "mark", "punct", "advmod"})


def assenting(arguments: Arguments, paragraph: ParsedParagraph, verb: Word) -> Reference | None:
    """The one who answers, behind the question that ``verb`` heads in direct speech and in its paragraph,
    that it is so. None where nobody does, or where the question expects a no ("You were not born there?")."""
    if not paragraph.spoken(verb) or not _asks_for_yes(verb):
        return None
    for word in paragraph.doc[verb.i + 1 :]:
        if word.pos_ != "VERB" or word.lemma_ not in _ANSWERING or paragraph.spoken(word):
            continue
        agreed = _assents(word) or _said_yes(paragraph, verb, word)
        people = arguments.subjects(paragraph, word) if agreed else []
        if len(people) == 1 and arguments.kind(people[0]) is EntityKind.CHARACTER:
            return people[0]
    return None


def _asks_for_yes(verb: Word) -> bool:
    own = next((child for child in verb.children if child.dep_ in _SUBJECTS), None)
    if own is None:
        return False
    helpers = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    turned = any(helper.i < own.i for helper in helpers) or verb.i < own.i
    return turned or not any(child.dep_ == "neg" for child in verb.children)


def _assents(verb: Word) -> bool:
    """Like "nodded", "answered that it was so", "said that she was", "said yes"."""
    if any(child.dep_ == "neg" for child in verb.children):
        return False
    if verb.lemma_ in _GRANTING and not any(child.dep_ in ("ccomp", "dobj") for child in verb.children):
        return True
    words = [word for word in verb.subtree if word.i > verb.i]
    if any(word.dep_ == "neg" or word.lower_ in ("no", "never") for word in words):
        return False
    if any(word.lower_ in _YES or word.lemma_ in _MATTER for word in words):
        return True
    return any(
        word.lemma_ in _DID and word.dep_ == "ccomp" and all(c.dep_ in _INNER for c in word.children)
        for word in words
    )


def _said_yes(paragraph: ParsedParagraph, question: Any, saying: Any) -> bool:
    """Are the last words spoken before ``saying``, behind the question, "Yes" or "I was"?"""
    words: list[str] = []
    told = False
    for word in paragraph.doc[question.i + 1 : saying.i]:
        if word.is_punct or word.is_quote:
            continue
        if not paragraph.spoken(word):
            told, words = True, []
        else:
            words.append(word.lower_)
    if not told or not words:
        return False
    return words[0] in _YES or (len(words) == 2 and words[0] == "i" and words[1] in _HELPERS)
